"""Which pages are the worst ones, and what is shown of them."""

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.evaluation.report.contents import MOST_CHARACTERS, MOST_PAGES, ScoredSystem, worst_pages
from victor.evaluation.report.contents import BlockOutcome as Outcome
from victor.training.dataset import PageInfo

T, O = Label.TEXT, Label.OTHER  # noqa: E741


def block(text, label, other):
    return text, label, other, "body/p", ""


def page(name, *blocks, gold=None):
    return PageInfo(name, name, gold=gold), [block(*values) for values in blocks]


def test_outcomes(make):
    found = ScoredSystem(make([page("a", ("h", Label.HEADER, 0.1), ("t", T, 0.9), ("o", O, 0.1),
                                    ("d", O, 0.9), ("u", UNLABELLED, 0.1))]))  # fmt: skip
    assert found.outcomes.tolist() == [
        Outcome.KEPT, Outcome.LOST, Outcome.WRONGLY_KEPT, Outcome.DROPPED, Outcome.UNLABELLED,
    ]  # fmt: skip


def test_the_worst_page_is_that_of_the_highest_loss(make):
    pages = [
        page("fine", ("a b", T, 0.1), ("c", O, 0.9), gold="a b"),
        page("half", ("a b", T, 0.1), ("c d", T, 0.9), gold="a b c d"),
        page("none", ("a b", T, 0.9), gold="a b"),
        page("gold text is elsewhere", ("a b", T, 0.1), gold="not on the page"),
    ]
    found = worst_pages([ScoredSystem(make(pages))])
    assert [worst.info.id for worst in found] == ["none", "half"]
    losses = [worst.reachable - worst.score.f1 for worst in found]
    assert losses == pytest.approx([1.0, 1 - 2 / 3])
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
    assert [(run.is_folded, len(run.rows), run.words) for run in found.runs] == [
        (True, 4, 8), (False, 1, 1), (False, 3, 3), (False, 1, 1),
    ]  # fmt: skip
    assert [row.number for run in found.runs for row in run.rows] == [*range(9)]


def test_a_block_that_another_system_keeps_is_not_folded(make):
    blocks = [("x", O, 0.9)] * 9 + [("lost", T, 0.9)]
    other = [*blocks[:4], ("x", O, 0.1), *blocks[5:]]
    systems = [
        ScoredSystem(make([page("a", *own, gold="lost")], system=name))
        for name, own in (("one", blocks), ("two", other))
    ]
    (found,) = worst_pages(systems)
    assert found.systems == ("one", "two")
    assert [run.is_folded for run in found.runs] == [True, False, True, False]
    assert [cell.outcome for cell in found.runs[1].rows[0].cells] == [
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
    assert len(found[0].runs[0].rows[0].text) == MOST_CHARACTERS
    for worst in found:
        rows = [row for run in worst.runs for row in run.rows]
        assert len(rows) <= 500
        assert sum(len(row.text) for row in rows) <= 110_000
        blocks = {"long": 60, "many": 5_000}.get(worst.info.id, 1)
        assert len(rows) + worst.omitted == blocks


def test_every_block_is_shown_in_order(by_chance):
    systems = [ScoredSystem(system) for system in by_chance]
    for worst in worst_pages(systems):
        number = int(np.flatnonzero([p.id == worst.info.id for p in by_chance[0].pages])[0])
        start, end = by_chance[0].page_starts[number : number + 2]
        rows = [row for run in worst.runs for row in run.rows]
        assert [row.text for row in rows] == [*by_chance[0].texts[start:end]]
        kept = systems[1].kept[start:end].tolist()
        assert [row.cells[1].kept for row in rows] == kept


def test_a_page_is_named_by_its_first_header_or_text(make):
    texts = [("menu", O, 0.1), ("body", T, 0.9), ("head", Label.HEADER, 0.9)]
    pages = [page("a", *texts), page("b", *texts[:2]), page("c", texts[0])]
    found = worst_pages([ScoredSystem(make(pages))])
    titles = {worst.info.id: worst.title for worst in found}
    assert titles == {"a": "head", "b": "body", "c": ""}
