"""What of an article names its entities: images by their captions, and blocks of text.

Source: Agarwal, Chheda, Shah, Narvekar: Content extraction using document object model and natural
language processing for web. IJCSE 3(2), 2014, which compares "various text blocks as well as image
captions"; after Joshi, Liu: Web document text and images extraction using DOM analysis and natural
language processing. DocEng 2009.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.base.errors import ConfigError
from victor.labelers.dom.findings import Findings
from victor.labelers.dom.removal import Settings
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts, text_of
from victor.page.verdict.removed_parts import STAYS
from victor.page.verdict.verdict import Verdict

_LONGEST_CAPTION: Final = 500
"""Characters; nested elements could otherwise repeat the text of a page for each image."""
_MOST_IMAGES: Final = 1000
"""Images of a page that are examined: finding entities takes longer than all other steps."""
_NO_TARGETS: Final = ("#", "javascript:", "mailto:")


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a page.

    Attributes:
        url: its ``src`` as written.
        alt: alternative text.
        caption: text of the first block-level element around it, at most 500 characters.
        relevance: 0..1; cosine of the entities of caption and article, or for a short caption
            whether it names a main entity of the article.
        tag: its tag in the table.
    """

    url: str
    alt: str
    caption: str
    relevance: float
    tag: int


@dataclass(frozen=True, slots=True)
class Link:
    """A removed link: its target as written, and its text."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Extras:
    """The output of a page besides its text: the images that stay and the removed links."""

    images: tuple[Image, ...] = ()
    removed_links: tuple[Link, ...] = ()


def images(
    findings: Findings, verdict: Verdict, page: int, recogniser: Recogniser, settings: Settings
) -> list[Image]:
    """The images of a page that stay, in order.

    Images outside the article, of advertisements, in removed elements, without a ``src``, without a
    caption, or with a relevance up to the limit do not stay. The text of the article is the kept
    text of the verdict without the caption. Only the first 1,000 images that the steps left are
    examined.
    """
    candidates = _candidates(findings, page, settings)
    elements = list(dict.fromkeys(element for _, element in candidates))
    captions = {element: _text(verdict.reduced, element) for element in elements}
    if not any(captions.values()):
        return []
    kept = verdict.page(page)
    blocks = kept.start + np.flatnonzero(verdict.kept[kept])
    article = "\n".join(block_texts(verdict.reduced, blocks))
    of_article, *others = recogniser([article, *captions.values()])
    in_article = _hold(findings.table, elements, blocks)
    scores = {
        element: relevance(
            captions[element], counts, of_article - counts if inside else of_article, settings
        )
        for element, counts, inside in zip(elements, others, in_article, strict=True)
    }
    described = (_image(findings.table, tag, captions[e], scores[e]) for tag, e in candidates)
    return [one for one in described if one.url and one.relevance > settings.images_relevance]


def _hold(table: BlockTable, elements: Sequence[int], blocks: Ints) -> list[bool]:
    bounds = np.stack([table.elements.open[elements], table.elements.close[elements]])
    first, last = np.searchsorted(table.tag[blocks], bounds)
    return [bool(inside) for inside in (last > first).tolist()]


def relevance(
    caption: str, entities: Counter[str], article: Counter[str], settings: Settings
) -> float:
    """Relevance of a caption to an article, 0..1.

    Args:
        caption: its text.
        entities: how often each entity is named in it.
        article: how often each entity is named in the rest of the article.
        settings: the length of short captions and the number of main entities.
    """
    if len(caption.split()) > settings.images_short:
        return cosine(entities, article)
    main = [name for name, _ in article.most_common(settings.images_representatives)]
    return float(any(name in entities for name in main))


def unrelated(findings: Findings, recogniser: Recogniser, settings: Settings) -> Bools:
    """(n,) bool; which blocks of the articles name no entity that the rest of theirs names.

    A text block is compared if it is no heading, if it has more words than a short caption, if its
    entities are many and a large share of its words, and if the article names one again and again:
    texts that name little say little about what they are on.
    """
    table = findings.table
    result = np.zeros(len(table), dtype=bool)
    for page in np.flatnonzero(findings.article >= 0).tolist() if settings.texts_compare else ():
        blocks = slice(*table.page_starts[page : page + 2].tolist())
        rows = blocks.start + np.flatnonzero(findings.cut.blocks[blocks] == STAYS)
        texts = block_texts(findings.cut.reduced, rows)
        entities = recogniser(texts)
        article = _Article(entities, settings)
        of_blocks = zip(rows.tolist(), texts, entities, strict=True)
        for row, text, names in table.allowance.over(of_blocks):
            if not table.heading_level[row] and article.can_be_compared(len(text.split()), names):
                result[row] = article.similarity(names) <= settings.texts_relevance
    return result


class _Article:
    """How often an article names each entity; what is asked takes no longer than a block is."""

    def __init__(self, entities: Sequence[Counter[str]], settings: Settings) -> None:
        self._settings = settings
        self._all = Counter(chain.from_iterable(names.elements() for names in entities))
        self._by_frequency = [name for name, _ in self._all.most_common()]
        self._square = sum(count * count for count in self._all.values())

    def can_be_compared(self, n_words: int, names: Counter[str]) -> bool:
        """Do a block and the rest of the article name enough."""
        settings = self._settings
        most_frequent = self._by_frequency[: len(names) + 1]  # the block may name all but one
        return (
            n_words > settings.images_short
            and len(names) >= settings.texts_entities
            and len(names) >= settings.texts_share * n_words
            and any(self._all[name] - names[name] >= settings.texts_main for name in most_frequent)
        )

    def similarity(self, names: Counter[str]) -> float:
        """Cosine of the entities of a block and of the rest of the article."""
        rest = {name: self._all[name] - count for name, count in names.items()}
        product = sum(count * rest[name] for name, count in names.items())
        square = self._square - sum(self._all[name] ** 2 - rest[name] ** 2 for name in names)
        norms = math.hypot(*names.values()) * math.sqrt(square)
        return product / norms if norms else 0.0


def removed_links(findings: Findings, verdict: Verdict, page: int) -> list[Link]:
    """The removed links of a page, each target once; those to ad servers are left out.

    A link is removed if it lies in a removed element, or holds text of which nothing is kept.
    """
    table, (first_tag, last_tag) = verdict.table, findings.page_tags(page)
    span = slice(*np.searchsorted(table.elements.open, (first_tag, last_tag)))
    segments = slice(*np.searchsorted(table.segments.tag, (first_tag, last_tag)))
    tags = table.segments.tag[segments]
    is_shown = verdict.kept[table.block_of_segment[segments]] & ~findings.gone[tags]
    shown_before = np.concatenate(([0], np.cumsum(is_shown)))
    opens, closes = table.elements.open[span], table.elements.close[span]
    a, b = np.searchsorted(tags, opens), np.searchsorted(tags, closes)
    is_removed = findings.gone[opens] | ((b > a) & (shown_before[b] == shown_before[a]))
    rows = span.start + np.flatnonzero(
        findings.links[span] & is_removed & ~findings.removal.ads[opens]
    )
    return list(_links(table, rows))


def _links(table: BlockTable, rows: Ints) -> Iterator[Link]:
    targets, seen = table.attribute("href"), set()
    for row in rows.tolist():
        url = (targets[table.elements.bundle[row]] or "").strip()
        if url and url not in seen and not url.lower().startswith(_NO_TARGETS):
            seen.add(url)
            yield Link(url, " ".join(_text(table, row).split()))


def _candidates(findings: Findings, page: int, settings: Settings) -> list[tuple[int, int]]:
    """Images of the article of a page that the steps left: tag, and element of the caption."""
    span = slice(*np.searchsorted(findings.images, findings.article_tags(page)))
    tags = findings.images[span]
    gone = findings.gone[tags] | findings.removal.ads[tags]
    if settings.filters_non_link_images:
        gone |= ~findings.linked[tags]
    if settings.filters_image_links:  # Their alternative texts may stay.
        gone |= findings.linked[tags]
    stays = np.flatnonzero(~gone)[:_MOST_IMAGES]
    return [*zip(tags[stays].tolist(), findings.captions[span][stays].tolist(), strict=True)]


def _image(table: BlockTable, tag: int, caption: str, score: float) -> Image:
    row = int(table.tags.bundle[tag])
    bundle = table.bundles[row] if row >= 0 else ()
    values = dict(zip(table.attributes, bundle, strict=False))
    url, alt = values.get("src") or "", values.get("alt") or ""
    return Image(url.strip(), " ".join(alt.split()), caption, score, tag)


def _text(table: BlockTable, element: int) -> str:
    """Text inside an element, a line for each block, without the end of a very long one."""
    segments = table.segments
    bounds = (table.elements.open[element], table.elements.close[element])
    start, stop = np.searchsorted(segments.tag, bounds).tolist()
    if start == stop:
        return ""
    longest = segments.start[start] + _LONGEST_CAPTION
    stop = min(stop, int(np.searchsorted(segments.start, longest)))
    new = np.diff(table.block_of_segment[start:stop], prepend=-1) > 0
    starts = segments.start[start:stop][new]
    ends = segments.end[start:stop][np.append(new[1:], True)]
    texts = (text_of(table.chars[a:b]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True))
    return "\n".join(texts)[:_LONGEST_CAPTION].rstrip()


# --- Named entities of the texts of a page, and text similarity -----------------------------------

CAPITALS: Final = "capitals"
"""The recogniser that is no code of the user."""
_TOKEN: Final = re.compile(r"[^\W_]+|[^\w\s]")
_SENTENCE_ENDS: Final = frozenset(".?!…:•|")
_ENDS_OF_SENTENCES: Final = (".", "!", "?", "…")
_APOSTROPHES: Final = frozenset("'’")
_SHORTEST: Final = 2  # single letters are not names: I, A, and letters before an apostrophe
_SHORTEST_PREFIX: Final = 3
_LONGEST: Final = 40  # letters of a word that are compared

Recogniser = Callable[[Sequence[str]], list[Counter[str]]]
"""Texts of one page to how often each entity is named in each; forms of a word are one entity."""
Words = Callable[[str], Iterable[tuple[str, bool]]]
"""Text to the words that may be entities, each with whether it is one for sure.

The others are entities if a form of them is one for sure elsewhere on the page.
"""


def load_recogniser(name: str) -> Recogniser:
    """The recogniser of a name.

    Args:
        name: ``capitals``, or ``MODULE:FUNCTION`` of a function that gives the names in a text.

    Raises:
        ConfigError: there is no such function.
    """
    if name == CAPITALS:
        return partial(entity_counts, words=capitalised)
    return partial(entity_counts, words=partial(in_names, names=_function(name)))


def _function(name: str) -> Callable[[str], Iterable[str]]:
    module, _, function = name.partition(":")
    try:
        names: Any = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"entities.recogniser: {error}; name a function of text to names as MODULE:FUNCTION, "
            f"or {CAPITALS}"
        ) from None
    return names  # type: ignore[no-any-return]


def entity_counts(texts: Sequence[str], words: Words) -> list[Counter[str]]:
    """How often each entity is named in each text, as `Recogniser` says."""
    found = [[(word.lower(), is_sure) for word, is_sure in words(text)] for text in texts]
    names = merge_forms(word for of_text in found for word, _ in of_text)
    confirmed = {names[word] for of_text in found for word, is_sure in of_text if is_sure}
    return [
        Counter(names[word] for word, _ in of_text if names[word] in confirmed) for of_text in found
    ]


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
