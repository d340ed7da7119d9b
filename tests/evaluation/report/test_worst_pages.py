"""Which pages are the worst ones, and what is shown of them."""

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.evaluation.report.block_outcomes import BlockOutcome as Outcome
from victor.evaluation.report.block_outcomes import ScoredSystem
from victor.evaluation.report.worst_pages import MOST_CHARACTERS, MOST_PAGES, Fold, Row, worst_pages
from victor.training.dataset import PageInfo

T, O = Label.TEXT, Label.OTHER  # noqa: E741


def block(text, label, other):
    return text, label, other, "body/p", ""


def page(name, *blocks, gold=None):
    return PageInfo(name, name, gold=gold), [block(*values) for values in blocks]


def test_the_worst_page_is_that_of_the_highest_loss(make):
    pages = [
        page("fine", ("a b", T, 0.1), ("c", O, 0.9), gold="a b"),
        page("half", ("a b", T, 0.1), ("c d", T, 0.9), gold="a b c d"),
        page("none", ("a b", T, 0.9), gold="a b"),
        page("gold text is elsewhere", ("a b", T, 0.1), gold="not on the page"),
    ]
    found = worst_pages([ScoredSystem(make(pages))])
    assert [worst.info.id for worst in found] == ["none", "half"]
    assert [worst.loss for worst in found] == pytest.approx([1.0, 1 - 2 / 3])
    assert [(worst.lost, worst.wrongly_kept) for worst in found] == [(2, 0), (2, 0)]


def test_pages_without_gold_text_are_scored_by_labels(make):
    found = ScoredSystem(
        make([page("a", ("a b", T, 0.1), ("x", O, 0.1), ("unknown", UNLABELLED, 0.1))])
    )
    assert found.gold_texts == ["a b"]
    assert found.scores[0].precision == 2 / 3
    assert found.scores[0].recall == 1.0


def test_runs_of_rightly_dropped_blocks_are_folded(make):
    runs = [("x y", O, 0.9)] * 4 + [("lost", T, 0.9)] + [("x", O, 0.9)] * 3 + [("kept", O, 0.1)]
    (found,) = worst_pages([ScoredSystem(make([page("a", *runs, gold="lost")]))])
    fold, *rows = found.items
    assert fold == Fold(4, 8, ("x y",) * 4)
    assert [row.number for row in rows] == [4, 5, 6, 7, 8]
    assert [row.cells[0].outcome for row in rows] == [
        *(Outcome.LOST, Outcome.DROPPED, Outcome.DROPPED, Outcome.DROPPED, Outcome.WRONGLY_KEPT)
    ]


def test_a_block_that_another_system_keeps_is_not_folded(make):
    blocks = [("x", O, 0.9)] * 9 + [("lost", T, 0.9)]
    other = [*blocks[:4], ("x", O, 0.1), *blocks[5:]]
    systems = [
        ScoredSystem(make([page("a", *own, gold="lost")], system=name))
        for name, own in (("one", blocks), ("two", other))
    ]
    (found,) = worst_pages(systems)
    assert found.systems == ("one", "two")
    kinds = [type(item) for item in found.items]
    assert kinds == [Fold, Row, Fold, Row]
    assert [cell.outcome for cell in found.items[1].cells] == [
        Outcome.DROPPED,
        Outcome.WRONGLY_KEPT,
    ]


def test_a_system_with_other_blocks_has_no_column(make):
    one = make([page("a", ("lost one", T, 0.9), gold="lost one")], system="one")
    two = make([page("a", ("lost", T, 0.9), ("one", T, 0.9), gold="lost one")], system="two")
    three = make([page("b", ("lost one", T, 0.9), gold="lost one")], system="three")
    (found,) = worst_pages([ScoredSystem(system) for system in (one, two, three)])
    assert found.systems == ("one",)


def test_what_is_shown_is_bounded(make):
    long = "word " * 10_000
    many = [("lost", T, 0.9)] * 5_000
    pages = [
        page("long", *[(long, T, 0.9)] * 60, gold=long * 60),
        page("many", *many, gold="lost " * 5_000),
        *(page(f"more {number}", ("lost", T, 0.9), gold="lost") for number in range(40)),
    ]
    found = worst_pages([ScoredSystem(make(pages))])
    assert len(found) == MOST_PAGES
    row = found[0].items[0]
    assert len(row.text) == MOST_CHARACTERS
    assert row.missing == len(long) - MOST_CHARACTERS
    for worst in found:
        shown = sum(getattr(item, "blocks", 1) for item in worst.items)
        characters = sum(len(item.text) for item in worst.items)
        assert len(worst.items) <= 500
        assert characters <= 110_000
        blocks = {"long": 60, "many": 5_000}.get(worst.info.id, 1)
        assert shown + worst.omitted == blocks


def test_every_block_is_shown_in_order(by_chance):
    systems = [ScoredSystem(system) for system in by_chance]
    for worst in worst_pages(systems):
        number = int(np.flatnonzero([p.id == worst.info.id for p in by_chance[0].pages])[0])
        start, end = by_chance[0].page_starts[number : number + 2]
        place = 0
        for item in worst.items:
            if isinstance(item, Row):
                assert item.number == place
                assert item.text == by_chance[0].texts[start + place]
                assert item.cells[1].kept == systems[1].kept[start + place]
            place += item.blocks if isinstance(item, Fold) else 1
        assert place == end - start
