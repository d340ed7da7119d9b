"""What a verdict says of its blocks, and tables without the parts that were removed of them."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from valid_table import validate

from victor.base.labels import Label
from victor.page.parsing.events import record
from victor.page.parsing.tags import IDS
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts
from victor.page.verdict.removed_parts import STAYS, Cut
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page
from victor.render.text import render


def cut_of(table):
    """A cut that removes links and buttons."""
    tags, places = table.tags, np.full(len(table.tags.id), STAYS)
    for reason, name in enumerate(("a", "button")):
        depth = np.cumsum(np.where(tags.id == IDS[name], tags.step, 0))
        places[(depth > 0) & (places == STAYS)] = reason
    gone = (places[table.segments.tag] != STAYS).astype(np.int64)
    whole = table.sum_segments(gone) == np.diff(table.segment_starts)
    return Cut(table, ("link", "button"), places, np.where(whole, 0, STAYS))


def cut(page):
    return cut_of(segment(record([page.encode()])))


def test_words_are_those_shown_on_every_page_of_a_batch():
    pages = [b"<p>one two<p>three", b"", b"<p>one <a>two</a> three<p>four", b"<p>five six"]
    table = segment(record(pages))
    labels, marginals = np.full(len(table), Label.TEXT, np.uint8), np.full((len(table), 3), 1 / 3)
    verdict = Verdict(table, labels, marginals, "threshold", cut=cut_of(table))
    words = [verdict.shown_words(page).tolist() for page in range(len(pages))]
    assert words == [[2, 1], [], [2, 1], [2]]
    assert np.concatenate(words).tolist() == verdict.reduced.words.tolist()


def test_counts_are_those_of_what_is_left():
    reduced = cut("<p>one two <a>three</a> four<p>five <a>six").reduced
    assert reduced.words.tolist() == [3, 1]
    assert reduced.link_words.tolist() == [0, 0]
    assert cut("<p>one two <a>three</a> four").table.words.tolist() == [4]


def test_parts_have_reason_and_text():
    found = cut("<p>one <a>two</a> three <a>four</a><p><a>five</a>")
    assert [*found.parts_of(0)] == [("link", "two"), ("link", "four")]
    assert [*found.parts_of(1)] == []
    assert [found.of_block(block) for block in (0, 1)] == [None, "link"]


def verdict(page, labels):
    found = cut(page)
    return Verdict(found.table, np.array(labels, np.uint8), np.zeros((len(labels), 3)), "dom",
                   cut=found)  # fmt: skip


def test_a_dropped_block_has_the_reason_of_the_labeler():
    judged = verdict("<p>a <a>b</a><p><a>c</a><p>d", [Label.TEXT, Label.OTHER, Label.OTHER])
    assert judged.reasons() == ["kept", "link", "dom"]
    assert judged.kept_segments.tolist() == [True, False, False, False]


def test_a_block_that_is_kept_though_all_of_it_is_removed_is_whole():
    judged = verdict("<p>a <a>b</a><p><a>c</a> <a>d</a>", [Label.TEXT, Label.TEXT])
    assert block_texts(judged.reduced) == ["a", "c d"]
    assert judged.kept_segments.tolist() == [True, False, True, True]
    assert judged.reasons() == ["kept", "kept"]


@pytest.mark.slow
@given(st.data())
def test_of_any_pages_the_rest_is_a_valid_table(data):
    table = segment(record(data.draw(strategies.batch())))
    found = cut_of(table)
    validate(found.reduced)
    left = ~found.parts
    assert found.reduced.segments.tag.tolist() == table.segments.tag[left].tolist()
    for block, text in enumerate(block_texts(found.reduced)):
        mine = table.block_of_segment == block
        spans = zip(table.segments.start[mine & left], table.segments.end[mine & left], strict=True)
        pieces = [table.chars[a:b].tobytes().decode("utf-32-le") for a, b in spans]
        assert "".join(text.split()) == "".join("".join(pieces).split())


def labelled(labels, method):
    table = segment(record([b"<p>a<p>b", b"", b"<p>c"]))
    return Verdict(table, np.array(labels, dtype=np.uint8), np.zeros((3, 3)), method)


def test_kept_is_all_but_other():
    assert labelled([0, 1, 2], "threshold").kept.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("method", "code"),
    [
        ("threshold", "below-threshold"),
        ("viterbi", "viterbi"),
        ("expected-f", "expected-f"),
        ("kimatu", "kimatu"),
    ],
)
def test_a_dropped_block_names_what_dropped_it(method, code):
    outcome = labelled([2, 0, 1], method)
    assert outcome.reasons() == [code, "kept", "kept"]
    assert outcome.reasons(outcome.page(2)) == ["kept"]
    assert [outcome.reason(block) for block in range(3)] == outcome.reasons()


def shown(table, cut=None):
    """The texts of a table all of which is kept, in paragraphs and as they are written."""
    labels, marginals = np.full(len(table), Label.TEXT, np.uint8), np.zeros((len(table), 3))
    verdict = Verdict(table, labels, marginals, "test", cut=cut)
    pages = range(table.n_pages)
    return [(*verdict.paragraphs.texts(page), render(Page(verdict, page))) for page in pages]


@given(strategies.batch(), st.integers(0, 99))
def test_a_page_of_which_parts_are_cut_says_no_more(pages, seed):
    table = segment(record(pages))
    gone = np.random.default_rng(seed).random(len(table.tags.id)) > 0.7
    cut = Cut(table, ("x",), np.where(gone, 0, STAYS), np.full(len(table), STAYS))
    for whole, left in zip(shown(table), shown(table, cut), strict=True):
        assert len("".join("".join(left).split())) <= len("".join("".join(whole).split()))
