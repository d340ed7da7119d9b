"""What a labeler suggests for the blocks that an annotator sees."""

import dataclasses
import threading
import time
from functools import partial
from types import MappingProxyType

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.annotate.suggestions import (
    Suggester,
    SuggestionWorker,
    load_suggester,
    suggest,
)
from victor.config.schema import Limits
from victor.errors import ModelError, PageError
from victor.labelers.labeler import build_labeler
from victor.labelers.rules import RuleLabeler
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

PAGE = (
    b"<nav><a href=/>Home</a> <a href=/x>More</a></nav><h1>The <i>bees</i></h1>"
    b"<p>They <b>fly</b> far away.<p><img alt='A bee on a leaf'>They come home.<pre>one\n\ntwo"
    b"</pre>"
)


@dataclasses.dataclass(frozen=True)
class FromText:
    """Labels whatever it cuts by the words in it."""

    split: str = "block"
    alt_text: bool = False
    pre_lines: bool = False
    kept: str = "They"

    name = "from-text"
    limits = Limits()
    decision = build_labeler("none").decision
    presets = MappingProxyType({})

    @property
    def canonical(self):
        return not (self.alt_text or self.pre_lines)

    def table(self, pages):
        return segment(record(pages, alt_text=self.alt_text), self.split, pre_lines=self.pre_lines)

    def label(self, table, decision=None):
        keep = [0.9 if self.kept in text else 0.2 for text in block_texts(table)]
        labeler = RuleLabeler(self.name, lambda _: np.array(keep))
        return labeler.label(table, decision)


def test_one_letter_and_confidence_per_block():
    suggestion = suggest(FromText(), PAGE)
    assert suggestion.labels == "ohtto"  # the guidelines keep the headline
    assert suggestion.confidence.tolist() == [80, 86, 90, 90, 80]
    suggestion = suggest(FromText(split="tag"), PAGE)  # it keeps one of four words of the block
    assert (suggestion.labels, suggestion.confidence[2]) == ("ohoto", 62)
    suggestion = suggest(FromText(split="tag", alt_text=True), b"<img alt='They'>")
    assert (suggestion.labels, suggestion.confidence.tolist()) == ("", [])


@pytest.mark.parametrize("limits", [{"bytes": 9}, {"blocks": 1}])
def test_pages_beyond_the_limits(limits):
    labeler = dataclasses.replace(build_labeler("none"), limits=Limits(**limits))
    with pytest.raises(PageError, match=rf"limits\.{min(limits)}"):
        suggest(labeler, PAGE)


@settings(max_examples=20)
@given(
    page=strategies.page(),
    labeler=st.builds(
        FromText, st.sampled_from(("tag", "block")), st.booleans(), st.booleans(), st.just("bees")
    ),
)
def test_any_way_of_cutting_gives_one_suggestion_a_block(page, labeler):
    suggestion, texts = suggest(labeler, page), block_texts(segment(record([page]), "block"))
    assert len(suggestion.labels) == len(suggestion.confidence) == len(texts)
    if labeler.split == "block" and labeler.canonical:
        assert [letter != "o" for letter in suggestion.labels] == ["bees" in t for t in texts]


# --- The thread that asks for them ----------------------------------------------------------------


class Gate:
    """A labeler that works once it is let; it may refuse pages."""

    def __init__(self, *, refuses=b"never", breaks=b"never"):
        self._labeler = build_labeler("kimatu")
        self._refuses, self._breaks = refuses, breaks
        self.open = threading.Event()
        self.pages = []

    def __getattr__(self, name):
        return getattr(self._labeler, name)

    def table(self, pages):
        assert self.open.wait(30)
        self.pages.append(pages[0])
        if self._refuses in pages[0]:
            raise PageError("too-slow", "the page took too long")
        if self._breaks in pages[0]:
            raise ZeroDivisionError
        return self._labeler.table(pages)


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


@pytest.fixture
def make_worker(store):
    """Makes workers with a labeler of this process, and ends their threads."""
    opened = []

    def make(labeler, key="gate 1"):
        suggester = Suggester(key.split()[0], key, partial(suggest, labeler))
        opened.append(SuggestionWorker(store, suggester))
        return opened[-1]

    yield make
    for made in opened:
        made.close()


def test_a_suggestion_is_made_once_and_kept(make_worker, store, gate):
    gate.open.set()
    worker = make_worker(gate)
    name, suggestion = worker.suggestion("bees", 30)
    assert (name, len(suggestion.labels), suggestion.confidence.shape) == ("gate", 4, (4,))
    assert make_worker(gate).suggestion("bees", 0)[1].labels == suggestion.labels
    assert len(gate.pages) == 1
    make_worker(gate, "gate 2").suggestion("bees", 30)  # another model of the same name
    assert len(gate.pages) == 2


def test_the_page_somebody_waits_for_comes_first(make_worker, store, gate):
    worker = make_worker(gate)
    for page in store.pages.all():
        worker.prepare(page.id)
    assert worker.suggestion("knots", 0) is None
    gate.open.set()
    end = time.monotonic() + 30
    while any(worker.known(page.id) is None for page in store.pages.all()):
        assert time.monotonic() < end
        time.sleep(0.01)  # to ask for a page would put it first
    assert any(b"knots" in page for page in gate.pages[:2])
    assert len(gate.pages) == 3


@pytest.mark.parametrize("how", ["refuses", "breaks"])
def test_a_page_that_fails_costs_itself_only(make_worker, how):
    gate = Gate(**{how: b"bees"})
    gate.open.set()
    worker = make_worker(gate)
    assert worker.is_coming("bees")
    assert worker.suggestion("bees", 30) is worker.suggestion("bees", 30) is None
    assert not worker.is_coming("bees")
    assert worker.suggestion("knots", 30) is not None
    assert len(gate.pages) == 2


@pytest.fixture
def worker(make_worker, gate):
    """The worker of the server, too."""
    return make_worker(gate)


def test_a_page_comes_with_its_suggestion_or_says_that_it_will(browser_in, gate):
    answer = browser_in.get("/api/page/bees?annotator=ann").json()
    assert (answer["suggestion"], answer["suggesting"]) == (None, True)
    gate.open.set()
    answer = browser_in.get("/api/page/bees/suggestion").json()
    assert answer["suggestion"]["labeler"] == "gate"
    assert len(answer["suggestion"]["labels"]) == len(answer["suggestion"]["confidence"]) == 4
    assert not answer["suggesting"]


def test_suggesters_by_name_and_by_file(small_model_file, processes, page):
    shipped = load_suggester("kimatu", processes)
    file = load_suggester(str(small_model_file), processes)
    assert (shipped.name, len(shipped.suggest(page("bees").html).labels)) == ("kimatu", 4)
    assert (file.name, file.key.split()[0]) == ("small", "small")
    with pytest.raises(ModelError):
        load_suggester("nobody", processes)
