"""Words of wrong blocks by place, class, page type and position, counted by hand."""

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.evaluation.report.block_outcomes import BlockOutcome as Outcome
from victor.evaluation.report.block_outcomes import (
    Cause,
    ScoredSystem,
    block_outcomes,
    causes_by_group,
    groupings,
)
from victor.training.dataset import PageInfo

T, O = Label.TEXT, Label.OTHER  # noqa: E741


@pytest.fixture(scope="module")
def system(make):
    return ScoredSystem(
        make(
            [
                (
                    PageInfo("a", "one", "article"),
                    [
                        ("menu menu", O, 0.1, "html/body/nav/ul/li", "menu"),
                        ("kept text here", T, 0.1, "html/body/main/p", ""),
                        ("lost one", T, 0.9, "html/body/main/p", ""),
                        ("nobody knows", UNLABELLED, 0.1, "html/body/main/p", ""),
                        ("last of it", T, 0.2, "html/body/main/p", "x"),
                        ("footer", O, 0.9, "p", ""),
                    ],
                ),
                (PageInfo("b", "one", "forum"), [("x y z w", O, 0.2, "div/nav/ul/li", "menu")]),
                (PageInfo("c", "two", "forum"), []),
                (PageInfo("d", "two", "forum"), [("lost", T, 0.9, "body/main/p", "x")]),
            ]
        )
    )


def test_outcomes():
    labels = np.array([Label.HEADER, T, O, T, O, UNLABELLED, UNLABELLED], dtype=np.uint8)
    kept = np.array([True, True, True, False, False, True, False])
    assert block_outcomes(labels, kept).tolist() == [
        *(Outcome.KEPT, Outcome.KEPT, Outcome.WRONGLY_KEPT, Outcome.LOST, Outcome.DROPPED),
        *(Outcome.UNLABELLED, Outcome.UNLABELLED),
    ]


def test_lost_words(system):
    found = causes_by_group(system.predictions, system.outcomes, Outcome.LOST)
    assert found["Tag path"] == [Cause("body/main/p", 3, 1.0, 3 / 9, 2, 2)]
    assert found["Class attribute"] == [
        Cause("(no class)", 2, 2 / 3, 2 / 5, 1, 1),
        Cause("x", 1, 1 / 3, 1 / 4, 1, 1),
    ]
    assert [cause.name for cause in found["Page type"]] == ["article", "forum"]


def test_wrongly_kept_words(system):
    found = causes_by_group(system.predictions, system.outcomes, Outcome.WRONGLY_KEPT)
    # Two paths that end alike are one place; both pages are of one site.
    assert found["Tag path"] == [Cause("nav/ul/li", 6, 1.0, 1.0, 2, 1)]
    assert [(cause.name, cause.words) for cause in found["Position"]] == [
        ("page without gold blocks", 4),
        ("before the first gold block", 2),
    ]


def test_positions(system):
    found = groupings(system.predictions)["Position"]
    assert found.code.tolist() == [0, 1, 1, 1, 1, 2, 3, 1]


def test_nothing_wrong_has_no_causes(make):
    found = make([(PageInfo("a", "a"), [("text", T, 0.1, "p", "")])])
    assert not any(causes_by_group(found, ScoredSystem(found).outcomes, Outcome.LOST).values())


def test_shares_add_up(by_chance):
    system = ScoredSystem(by_chance[0])
    for wrong in (Outcome.LOST, Outcome.WRONGLY_KEPT):
        for causes in causes_by_group(by_chance[0], system.outcomes, wrong).values():
            assert sum(cause.share for cause in causes) == pytest.approx(1)
            words = by_chance[0].words[system.outcomes == wrong].sum()
            assert sum(cause.words for cause in causes) == words
