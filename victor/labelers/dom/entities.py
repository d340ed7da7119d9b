"""Named entities of the texts of a page, by one of several recognisers, and text similarity.

The recogniser without dependencies takes capitalised words for entities. That is a rough guess
(German nouns are capitalised, too), but it is good enough to compare captions with their article.
Trained models of spaCy and NameTag are given by path; of their entities, people, places and
organisations count, as in the paper.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal

from victor.base.errors import ConfigError

Kind = Literal["capitals", "spacy", "nametag"]
Lemmatizer = Callable[[str], str]

_TOKEN: Final = re.compile(r"[^\W_]+|[^\w\s]")
_SENTENCE_ENDS: Final = frozenset(".?!…:•|")
_ENDS_OF_SENTENCES: Final = (".", "!", "?", "…")
_APOSTROPHES: Final = frozenset("'’")
_SHORTEST: Final = 2
"""Single letters are not names: I, A, and letters before an apostrophe."""
_SHORTEST_PREFIX: Final = 3
_LONGEST: Final = 40
"""Letters of a word that are compared."""
_SPACY_TYPES: Final = frozenset(
    "PERSON PER PRS persName ORG ORGANIZATION orgName GPE GPE_LOC GPE_ORG LOC FAC FACILITY "
    "placeName geogName".split()
)
"""Labels of people, places and organisations in spaCy's models of all languages."""
_NAMETAG_TYPES: Final = re.compile(r"[pgi].?|PER|LOC|ORG")
"""Types of people, places and institutions in NameTag's Czech and English models.

The type P, a whole name, is left out: its parts, such as pf and ps, are entities themselves.
"""


@dataclass(frozen=True, slots=True)
class Recogniser:
    """Counts the named entities of texts. Forms of a word are one entity (`merge_forms`).

    Attributes:
        words: text to the words that may be entities, each with whether it is one for sure; the
            others are entities if a form of them is one for sure elsewhere.
        lemmatize: word to lemma.
    """

    words: Callable[[str], Iterable[tuple[str, bool]]]
    lemmatize: Lemmatizer = str

    def counts(self, texts: Sequence[str]) -> list[Counter[str]]:
        """How often each entity is named in each text.

        Args:
            texts: of one page; forms of one entity have one name in all of them.
        """
        found = [
            [(self.lemmatize(word).lower(), is_sure) for word, is_sure in self.words(text)]
            for text in texts
        ]
        names = merge_forms(word for words in found for word, _ in words)
        confirmed = {names[word] for words in found for word, is_sure in words if is_sure}
        return [
            Counter(names[word] for word, _ in words if names[word] in confirmed) for words in found
        ]


def load_recogniser(
    kind: Kind, *, model: str | Path | None = None, lemmas: Sequence[str] = ()
) -> Recogniser:
    """A recogniser, with its model if it has one.

    Args:
        kind: ``capitals``, ``spacy`` or ``nametag``.
        model: path of the model of the latter two.
        lemmas: languages (ISO 639-1) whose words are reduced to their lemmas, by simplemma.

    Raises:
        ConfigError: a library or the model is missing, or the language of the lemmas is unknown.
    """
    lemmatize = _lemmatizer(lemmas) if lemmas else str
    if kind == "capitals":
        return Recogniser(capitalised, lemmatize)
    if model is None:
        raise ConfigError(f"entities: the recogniser {kind} needs the path of a model; set `model`")
    names = (_spacy_names if kind == "spacy" else _nametag_names)(Path(model))
    return Recogniser(partial(in_names, names=names), lemmatize)


def cosine(a: Mapping[str, int], b: Mapping[str, int]) -> float:
    """Cosine of the angle between two vectors of counts, 0 if one of them is empty.

    >>> round(cosine({"brno": 3, "praha": 4}, {"praha": 2}), 6)
    0.8
    """
    product = sum(count * b.get(name, 0) for name, count in a.items())
    norms = math.hypot(*a.values()) * math.hypot(*b.values())
    return min(product / norms, 1.0) if norms else 0.0


def capitalised(text: str) -> Iterator[tuple[str, bool]]:
    """Words that may be entities, and whether each is one without confirmation.

    A capitalised word inside a sentence is one. A word that begins a sentence, or is in a title, is
    one if it is confirmed elsewhere. A title is a line most of whose other words are capitalised
    and that does not end like a sentence.
    """
    for line in text.splitlines():
        words = [word for word in _capitals(line) if len(word[0]) >= _SHORTEST]
        inner = [is_capital for _, is_capital, is_first in words if not is_first]
        sure = 2 * sum(inner) <= len(inner) or line.rstrip().endswith(_ENDS_OF_SENTENCES)
        for word, is_capital, is_first in words:
            if is_capital:
                yield word, sure and not is_first


def in_names(text: str, names: Callable[[str], Iterable[str]]) -> Iterator[tuple[str, bool]]:
    """Capitalised words of the names that another tool finds in a text; all are entities."""
    for name in names(text):
        for word, is_capital, _ in _capitals(name):
            if is_capital and len(word) >= _SHORTEST:
                yield word, True


def merge_forms(words: Iterable[str]) -> dict[str, str]:
    """The entity that each word is a form of, named by its shortest form.

    Two words are forms of one if they share a prefix of at least 3 letters and of two thirds of
    the longer one. Linear in the letters: each word is looked up only by the prefix that a
    shorter one must share with it.

    >>> merge_forms(["fialou", "fiala", "brno"])
    {'brno': 'brno', 'fiala': 'fiala', 'fialou': 'fiala'}
    """
    names: dict[str, str] = {}
    heads: dict[str, str] = {}
    for word in sorted(set(words), key=lambda word: (len(word), word)):
        form = word[:_LONGEST]
        needed = max(_SHORTEST_PREFIX, -(-2 * len(form) // 3))
        name = heads.get(form[:needed], word)
        if name == word:
            for length in range(min(needed, len(form)), len(form) + 1):
                heads.setdefault(form[:length], word)
        names[word] = name
    return names


def _capitals(line: str) -> Iterator[tuple[str, bool, bool]]:
    """Words of a line, each with whether it is capitalised and whether it begins a sentence.

    A full stop after an initial does not end a sentence; letters after an apostrophe are no word.
    """
    begins_sentence, before = True, ""
    for token in _TOKEN.findall(line):
        if token[0].isalnum():
            if before not in _APOSTROPHES or not before:
                yield token, token[0].isupper(), begins_sentence
            begins_sentence = False
        elif token in _SENTENCE_ENDS:
            begins_sentence = begins_sentence or token != "." or len(before) != 1
        before = token


def _lemmatizer(languages: Sequence[str]) -> Lemmatizer:
    """Word to lemma by simplemma, which knows the first languages best."""
    simplemma = _library("simplemma")
    codes = tuple(languages)
    try:
        simplemma.lemmatize("a", lang=codes)
    except ValueError as error:
        raise ConfigError(f"entities: lemmas: simplemma says: {error}") from None
    return lambda word: str(simplemma.lemmatize(word, lang=codes))


def _spacy_names(model: Path) -> Callable[[str], Iterable[str]]:
    spacy = _library("spacy")
    try:
        nlp = spacy.load(model)
    except (OSError, ValueError) as error:
        raise ConfigError(f"entities: there is no spaCy model at {model}: {error}") from None
    return lambda text: [
        entity.text for entity in nlp(text[: nlp.max_length]).ents if entity.label_ in _SPACY_TYPES
    ]


def _nametag_names(model: Path) -> Callable[[str], Iterable[str]]:
    nametag = _library("ufal.nametag")
    tagger = nametag.Ner.load(str(model))
    if tagger is None:
        raise ConfigError(f"entities: there is no NameTag model at {model}")

    def names(text: str) -> Iterator[str]:
        forms, ranges, entities = nametag.Forms(), nametag.TokenRanges(), nametag.NamedEntities()
        tokenizer = tagger.newTokenizer()
        tokenizer.setText(text)
        while tokenizer.nextSentence(forms, ranges):
            tagger.recognize(forms, entities)
            words = [*forms]
            for one in entities:
                if _NAMETAG_TYPES.fullmatch(one.type):
                    yield " ".join(words[one.start : one.start + one.length])

    return names


def _library(name: str) -> Any:  # noqa: ANN401  (a module without types)
    try:
        return import_module(name)
    except ImportError:
        raise ConfigError(f"entities: {name} is missing; run `pip install {name}`") from None
