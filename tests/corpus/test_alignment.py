"""Alignment of gold text to blocks; its recurrence is held against a slow reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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

ARTICLE = [
    "Home News Sport Contact",
    "The river rose again",
    "On Monday the river rose by two metres in the old town.",
    "Nobody was hurt, the mayor said.",
    "Read more about the town",
]
GOLD = "\n".join(ARTICLE[1:4])
H, T, O = Label.HEADER, Label.TEXT, Label.OTHER  # noqa: E741


def content(blocks, gold, **options):
    return align(blocks, gold, **options).content.tolist()


@pytest.mark.parametrize(("blocks", "gold", "kept"), ROWS["what_is_content"])
def test_what_is_content(blocks, gold, kept):
    alignment = align(blocks, gold)
    assert np.flatnonzero(alignment.content).tolist() == kept
    if blocks is ARTICLE:
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


def reference(blocks, gold, costs):
    """The recurrence cell by cell, as its definition reads, in units of 1/10000."""
    boundary, inside, skip = (round(cost * 10_000) for cost in costs)
    taking = [i for i, block in enumerate(blocks) if set(block) & set(gold)]
    page = [(i, k, w) for i in taking for k, w in enumerate(blocks[i])]
    m, n, never = len(page), len(gold), -(10**12)
    open_match = [[never] * (n + 1) for _ in range(m + 1)]
    best = [[0] * (n + 1) for _ in range(m + 1)]
    for i, (block, k, word) in enumerate(page, 1):
        opening = boundary if k == 0 else inside
        closing = boundary if k == len(blocks[block]) - 1 else inside
        for j in range(1, n + 1):
            if word == gold[j - 1]:
                before = open_match[i - 1][j - 1], best[i - 1][j - 1] - opening
                open_match[i][j] = 10_000 + max(before)
            above = best[i - 1][j]
            up = above - (skip if j < n and above > 0 else 0)
            best[i][j] = max(up, best[i][j - 1], open_match[i][j] - closing)
    source = [-1] * n
    i, j, matching = m, n, False
    while i and j:
        block, k, _ = page[i - 1]
        if matching:
            source[j - 1] = block
            opening = boundary if k == 0 else inside
            matching = open_match[i - 1][j - 1] >= best[i - 1][j - 1] - opening
            i, j = i - 1, j - 1
            continue
        above = best[i - 1][j]
        if best[i][j] == above - (skip if j < n and above > 0 else 0):
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            matching = True
    return source


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    blocks=st.lists(st.text("abcz", min_size=1, max_size=5), max_size=9),
    gold=st.text("abcy", max_size=12),
    costs=st.tuples(
        st.sampled_from([0.0, 0.1, 0.3, 1.0]),
        st.sampled_from([0.0, 0.5, 1.2, 3.0]),
        st.sampled_from([0.0, 0.0002, 0.0501, 0.3, 2.0]),
    ),
)
def test_the_vectorised_recurrence_equals_the_slow_one(blocks, gold, costs):
    # Every block takes part and is accepted, so that `source` shows every single match.
    everything = Pass(*costs, known=0.0, words=1, accept=0.0, matched=0)
    alignment = align([" ".join(block) for block in blocks], " ".join(gold), passes=[everything])
    assert alignment.source.tolist() == reference(blocks, gold, costs)
