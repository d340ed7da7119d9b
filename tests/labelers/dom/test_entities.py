"""Named entities: capitalised words, forms of a word, models by path, and the cosine."""

import sys
from collections import Counter
from functools import partial
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.errors import ConfigError
from victor.labelers.dom.entities import (
    Recogniser,
    cosine,
    in_names,
    load_recogniser,
    merge_forms,
)

ARTICLE = "Premiér Petr Fiala jednal v Bruselu. Fiala tam letěl ráno."


def counts(*texts):
    return load_recogniser("capitals").counts(texts)


def test_forms_of_a_name_are_one_entity():
    article, caption = counts(ARTICLE, "Cesta s Petrem Fialou do Bruselu")
    assert article == Counter(fiala=2, petr=1, bruselu=1)
    assert caption == Counter(fiala=1, petr=1, bruselu=1)


@pytest.mark.parametrize("caption", ["Doprava zdarma", "Ilustrační foto: Shutterstock", "", "a b"])
def test_what_names_nothing_of_the_article(caption):
    article, entities = counts(ARTICLE, caption)
    assert cosine(article, entities) == 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Včera pršelo v Brně dlouho.", {"brně"}),
        ("Včera pršelo. Brno se topí! Praha ne? Ano: Ostrava.", set()),
        ("v Brně; pak. Brno se topí", {"brno"}),
        ("tam bydlí J. Novák a pan A. B. Svoboda", {"novák", "svoboda"}),
        ("so I said to Anna's friend", {"anna"}),
        ("jel dnes do\nBrna a zpět", set()),
        ("VELKÝ VÝPRODEJ OBUVI", set()),
        ("Velký výprodej NATO zbraní", {"nato"}),
        ("東京 で 会う", set()),
        ("„Brno“ je město, řekl „Karel“ dnes", {"karel"}),
    ],
)
def test_where_capitals_are_names(text, names):
    (entities,) = counts(text)
    assert set(entities) == names


def test_half_of_the_words_may_be_capitalised():
    assert set(counts("jel Karel domů")[0]) == {"karel"}
    assert not counts("pan Karel Novák")[0]
    article = "vidím tam pana Nováka s bratrem, mladý Karel mává"
    assert set(counts("pan Karel Novák", article)[0]) == {"karel", "novák"}


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("petr", "petrem", True),
        ("petr", "petrovi", False),
        ("eva", "evou", False),
        ("jan", "jana", True),
        ("jan", "janem", False),
        ("pavel", "pavlem", False),
        ("brusel", "bruselem", True),
        ("eu", "eud", False),
    ],
)
def test_two_thirds_of_the_longer_word(a, b, same):
    names = merge_forms([a, b])
    assert (names[a] == names[b]) is same


@settings(derandomize=True)
@given(st.lists(st.text("ab", min_size=1, max_size=9), max_size=12))
def test_an_entity_is_named_by_a_word_of_two_thirds(words):
    names = merge_forms(words)
    assert set(names) == set(words)
    for word, name in names.items():
        common = next(
            (n for n, (x, y) in enumerate(zip(word, name, strict=False)) if x != y), len(name)
        )
        assert word == name or (common >= 3 and 3 * common >= 2 * len(word))
        assert names[name] == name


def test_lemmas_join_what_prefixes_do_not():
    pytest.importorskip("simplemma")
    texts = ("byl jsem v Praze", "viděl tam Prahu")
    plain, joined = load_recogniser("capitals"), load_recogniser("capitals", lemmas=["cs"])
    assert cosine(*plain.counts(texts)) == 0
    assert cosine(*joined.counts(texts)) == pytest.approx(1)
    with pytest.raises(ConfigError, match="lemmas"):
        load_recogniser("capitals", lemmas=["qq"])


def test_cosine():
    assert cosine(Counter(a=3, b=4), Counter(a=6, b=8)) == pytest.approx(1)
    assert cosine(Counter(a=1, b=1), Counter(b=2)) == pytest.approx(0.5**0.5)
    assert cosine(Counter(), Counter(a=1)) == 0


def test_other_tools_name_spans():
    names = {"x": ["Petr Fiala", "města Brna"], "y": ["Fialou"], "z": []}
    entities = Recogniser(partial(in_names, names=names.__getitem__)).counts(["x", "y", "z"])
    assert entities == [Counter(petr=1, fiala=1, brna=1), Counter(fiala=1), Counter()]


@pytest.mark.parametrize("kind", ["spacy", "nametag"])
def test_models_that_are_missing(kind, monkeypatch, dom):
    with pytest.raises(ConfigError, match="needs the path of a model"):
        dom(f"entities.recogniser={kind}")
    monkeypatch.setitem(sys.modules, "spacy", None)
    monkeypatch.setitem(sys.modules, "ufal.nametag", None)
    with pytest.raises(ConfigError, match="pip install"):
        dom(f"entities.recogniser={kind}", "entities.model=there", trust_code=True)


@pytest.fixture
def spacy(monkeypatch):
    """A stand-in for the library: upper-case words are organisations, numbers cardinals."""

    def load(path):
        if path.name != "model":
            raise OSError("no such model")

        def tag(text):
            return SimpleNamespace(
                ents=[
                    SimpleNamespace(text=word, label_="ORG" if word.isupper() else "CARDINAL")
                    for word in text.split()
                    if word.isupper() or word == "Two"
                ]
            )

        tag.max_length = 11
        return tag

    module = ModuleType("spacy")
    module.load = load
    monkeypatch.setitem(sys.modules, "spacy", module)


def test_spacy_model_by_path(spacy):
    entities = load_recogniser("spacy", model="model").counts(["Two NATO EU", "NATO and its EU"])
    assert entities == [Counter(nato=1, eu=1), Counter(nato=1)]
    with pytest.raises(ConfigError, match="no spaCy model"):
        load_recogniser("spacy", model="other")


@pytest.fixture
def nametag(monkeypatch):
    """A stand-in for the library: the first two words are a name, the next one is a time."""

    class Tokenizer:
        def setText(self, text):  # noqa: N802  (its own name)
            self.left = text.split()

        def nextSentence(self, forms, ranges):  # noqa: N802
            forms[:], self.left = self.left, []
            return bool(forms)

    class Tagger:
        newTokenizer = Tokenizer  # noqa: N815

        def recognize(self, forms, entities):
            kinds = {"P": (0, 2), "pf": (0, 1), "ps": (1, 1), "td": (2, 1)}
            entities[:] = [
                SimpleNamespace(type=kind, start=start, length=length)
                for kind, (start, length) in kinds.items()
            ]

    module = ModuleType("ufal.nametag")
    module.Forms = module.TokenRanges = module.NamedEntities = list
    module.Ner = SimpleNamespace(load=lambda path: Tagger() if path == "model" else None)
    monkeypatch.setitem(sys.modules, "ufal.nametag", module)


def test_nametag_model_by_path(nametag):
    entities = load_recogniser("nametag", model="model").counts(["Petr Fiala Brno", ""])
    assert entities == [Counter(petr=1, fiala=1), Counter()]
    with pytest.raises(ConfigError, match="no NameTag model"):
        load_recogniser("nametag", model="other")
