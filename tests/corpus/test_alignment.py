"""Alignment of gold text to blocks."""

import numpy as np
import pytest

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.corpus.alignment import (
    PASSES,
    Pass,
    align,
    align_kinds,
    align_labelled,
    align_segments,
    labels,
    oracle,
    without_blocks,
)

ROWS = tables(__file__)

H, T, O = Label.HEADER, Label.TEXT, Label.OTHER  # noqa: E741


def content(blocks, gold, **options):
    return align(blocks, gold, **options).content.tolist()


@pytest.mark.parametrize(("blocks", "gold", "kept"), ROWS["what_is_content"])
def test_what_is_content(blocks, gold, kept):
    alignment = align(blocks, gold)
    assert np.flatnonzero(alignment.content).tolist() == kept
    if ROWS["what_is_content"][0][0] == blocks:
        assert oracle(blocks, alignment.content, gold).f1 == 1.0


def test_gold_out_of_order_is_found_by_later_passes():
    blocks = ["alpha beta gamma delta epsilon zeta", "the caption of the picture", "menu"]
    gold = f"{blocks[1]}\n{blocks[0]}"
    assert content(blocks, gold, passes=PASSES[:1]) == [True, False, False]
    assert content(blocks, gold) == [True, True, False]


def test_least_known_blocks_are_left_out_of_a_page_too_large():
    blocks = ["a b c x", "a b c", "d e f"]
    assert content(blocks, "a b c d e f", max_cells=36) == [False, True, True]


def test_labels_take_headers_from_the_heading_flags():
    alignment = align(["menu", "Title", "text of it"], "Title text of it")
    heading = np.array([True, True, False])
    result = labels(alignment, heading)
    assert result.dtype == np.uint8
    assert result.tolist() == [O, H, T]


def test_segments_tell_headers_from_text():
    blocks = ["menu", "The title", "|", "of the page", "Words of it.", "An item", "footer"]
    segments = [("h", "The title of the page"), ("p", "Words of it."), ("l", "An item")]
    assert align_segments(blocks, segments).tolist() == [O, H, H, H, T, T, O]


def test_labels_carry_over_to_other_blocks():
    parts = [(O, "Home News"), (H, "A title"), (UNLABELLED, "By Jan"), (T, "One text. Two text.")]
    blocks = ["Home", "News", "A title", "By Jan", "One text.", "—", "Two text.", "unseen button"]
    expected = [O, O, H, UNLABELLED, T, T, T, UNLABELLED]
    assert align_labelled(blocks, parts).tolist() == expected
    gone = [*parts, (H, "words that no block has any more")]
    assert align_labelled(blocks, gone).tolist() == expected


def test_kinds_carry_over_to_other_blocks():
    parts = [("nav", "Home News"), ("headline", "A title"), ("text", "One text. Two text.")]
    blocks = ["Home", "News", "A title", "One text.", "—", "Two text.", "unseen button"]
    assert align_kinds(blocks, parts) == ["nav", "nav", "headline", "text", "", "text", ""]


def test_words_of_some_blocks_leave_the_gold_text():
    blocks = ["One text, in İzmir.", "Ann says:", "Nice, I think.", "The end of it."]
    gold = "One text, in İzmir.\nNice, I think.\nThe end of it."
    dropped = np.array([False, True, True, False])
    assert without_blocks(blocks, dropped, gold).split("\n")[-1].lower() == "the end of it."
    assert "nice" not in without_blocks(blocks, dropped, gold).lower()
    assert without_blocks(blocks, ~np.ones(4, dtype=bool), gold) == gold


@pytest.mark.parametrize(("blocks", "gold", "costs", "source"), ROWS["recurrence"])
def test_the_recurrence_matches_words_as_its_definition_says(blocks, gold, costs, source):
    """Blocks and gold texts of words of one letter; the rows were worked out cell by cell."""
    # Every block takes part and is accepted, so that `source` shows every single match.
    everything = Pass(*costs, known=0.0, words=1, accept=0.0, matched=0)
    texts = [" ".join(block) for block in blocks.split()]
    assert align(texts, " ".join(gold), passes=[everything]).source.tolist() == source
