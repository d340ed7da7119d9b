"""What a verdict says of its blocks, and tables without the parts that were removed of them."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from valid_table import validate

from victor.base.labels import Label
from victor.page.parsing.tags import IDS
from victor.page.table.segment import parse_pages
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


def cut(*pages):
    return cut_of(parse_pages(pages))


def judged(table, labels=None, method="dom", cut=None):
    """The verdict by some labels; all blocks are text by default."""
    labels = np.full(len(table), Label.TEXT) if labels is None else np.array(labels)
    return Verdict(table, labels.astype(np.uint8), np.zeros((len(table), 3)), method, cut=cut)


def test_words_are_those_shown_on_every_page_of_a_batch():
    found = cut("<p>one two<p>three", "", "<p>one <a>two</a> three<p>four", "<p>five six")
    verdict = judged(found.table, cut=found)
    words = [verdict.shown_words(page).tolist() for page in range(4)]
    assert words == [[2, 1], [], [2, 1], [2]]
    assert np.concatenate(words).tolist() == verdict.reduced.words.tolist()


def test_counts_and_parts_are_those_of_what_is_left_and_of_what_is_gone():
    found = cut("<p>one <a>two</a> three <a>four</a><p><a>five</a>")
    assert found.table.words.tolist() == [4, 1]
    assert found.reduced.words.tolist() == [2, 1]
    assert found.reduced.link_words.tolist() == [0, 1]
    assert [*found.parts_of(0)] == [("link", "two"), ("link", "four")]
    assert [*found.parts_of(1)] == []
    assert [found.of_block(block) for block in (0, 1)] == [None, "link"]


@pytest.mark.parametrize(
    ("labels", "texts", "reasons", "kept"),
    [
        ("too", ["a", "c e", "d"], ["kept", "link", "dom"], [1, 0, 0, 0, 0]),
        ("tto", ["a", "c e", "d"], ["kept", "kept", "dom"], [1, 0, 1, 1, 0]),
    ],
)
def test_a_dropped_block_has_its_reason_and_one_that_is_kept_is_whole(labels, texts, reasons, kept):
    """Even if all of it is removed."""
    found = cut("<p>a <a>b</a><p><a>c</a> <a>e</a><p>d")
    codes = [Label.TEXT if label == "t" else Label.OTHER for label in labels]
    verdict = judged(found.table, codes, cut=found)
    assert block_texts(verdict.reduced) == texts
    assert verdict.reasons() == reasons
    assert verdict.kept_segments.tolist() == [bool(each) for each in kept]


@pytest.mark.slow
@given(st.data())
def test_of_any_pages_the_rest_is_a_valid_table(data):
    table = parse_pages(data.draw(strategies.batch()))
    found = cut_of(table)
    validate(found.reduced)
    left = ~found.parts
    assert found.reduced.segments.tag.tolist() == table.segments.tag[left].tolist()
    for block, text in enumerate(block_texts(found.reduced)):
        mine = table.block_of_segment == block
        spans = zip(table.segments.start[mine & left], table.segments.end[mine & left], strict=True)
        pieces = [table.chars[a:b].tobytes().decode("utf-32-le") for a, b in spans]
        assert "".join(text.split()) == "".join("".join(pieces).split())


@pytest.mark.parametrize(
    ("method", "code"),
    [(name, name) for name in ("viterbi", "expected-f", "kimatu")]
    + [("threshold", "below-threshold")],
)
def test_a_dropped_block_names_what_dropped_it(method, code):
    outcome = judged(parse_pages([b"<p>a<p>b", b"", b"<p>c"]), [2, 0, 1], method)
    assert outcome.kept.tolist() == [False, True, True]
    assert outcome.reasons() == [code, "kept", "kept"]
    assert outcome.reasons(outcome.page(2)) == ["kept"]
    assert [outcome.reason(block) for block in range(3)] == outcome.reasons()


def shown(table, cut=None):
    """The texts of a table all of which is kept, in paragraphs and as they are written."""
    verdict = judged(table, cut=cut)
    pages = range(table.n_pages)
    return [(*verdict.paragraphs.texts(page), render(Page(verdict, page))) for page in pages]


@given(strategies.batch(), st.integers(0, 99))
def test_a_page_of_which_parts_are_cut_says_no_more(pages, seed):
    table = parse_pages(pages)
    gone = np.random.default_rng(seed).random(len(table.tags.id)) > 0.7
    cut = Cut(table, ("x",), np.where(gone, 0, STAYS), np.full(len(table), STAYS))
    for whole, left in zip(shown(table), shown(table, cut), strict=True):
        assert len("".join("".join(left).split())) <= len("".join("".join(whole).split()))
