"""Patterns of names and of phrases: which are none, and that values take no time."""

import time

import pytest

from victor.errors import FeatureError
from victor.page.names.name_groups import NameGroups, Phrases
from victor.page.table.segment import parse_pages

PATTERNS = ["", "12", "=", "role=", "comment -", "rel=tag", "a-b-c-d-e", "!a", "a !"]
PHRASES = ["", "12", "*", "* *", "a * b", "*a", "a*", "* a *"]
TOO_MANY = [[["comment"]] * 65, [[f"=a{number} =b{number}" for number in range(33)]]]


@pytest.mark.parametrize(
    ("kind", "groups"),
    [
        *((NameGroups, [[pattern]]) for pattern in PATTERNS),
        *((NameGroups, groups) for groups in TOO_MANY),
        *((Phrases, [[phrase]]) for phrase in PHRASES),
    ],
)
def test_refusals(kind, groups):
    with pytest.raises(ValueError, match=r"letter|stands|want one|5 words|at most 64"):
        kind(groups)


@pytest.mark.parametrize(
    "value",
    [
        " ".join(f"c{number}" for number in range(100_000)),
        "comment" * 100_000,
        "comment-" * 100_000,
        "commentList" * 100_000,
        "A" * 1_000_000,
        " " * 1_000_000,
        "\u0130" * 100_000,
    ],
    ids=["many", "one", "runs", "camel", "capitals", "space", "folded"],
)
def test_hostile_values_take_no_time(value):
    table = parse_pages([f"<p class='{value}' id='{value}'>x"])
    groups = NameGroups([["comment", "comment-list", "comment-comment-comment", "modal fade"]])
    begin = time.process_time()
    assert len(groups.masks(table)) == len(table.bundles) + 1
    assert time.process_time() - begin < 20  # generous; they take a tenth of a second


def test_attributes_that_were_not_recorded():
    table = parse_pages(["<p class=comment>a"], attributes=("class",))
    with pytest.raises(FeatureError, match="was not recorded"):
        NameGroups([["comment"]]).masks(table)
