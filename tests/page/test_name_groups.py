"""Names are matched by words, not by letters."""

import time

import pytest

from victor.page.names.name_groups import NameGroups
from victor.page.table.segment import parse_pages


def masks(patterns, *tags):
    """The bits of the elements with some start tags, one after the other."""
    table = parse_pages(["".join(f"<p {tag}>x</p>" for tag in tags)])
    rows = table.elements.bundle[table.element]
    return NameGroups(patterns).masks(table)[rows].tolist()


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "has no letter"), ("12", "has no letter"), ("=", "has no letter"),
        ("role=", "has no letter"), ("comment -", "has no letter"), ("rel=tag", "want one of"),
        ("a-b-c-d-e", "has 5 words"),
        ("!a", "has no letter"), ("a !", "has no letter"),
    ],
)  # fmt: skip
def test_refusals(pattern, message):
    with pytest.raises(ValueError, match=message):
        NameGroups([[pattern]])
    with pytest.raises(ValueError, match="at most 64"):
        NameGroups([["comment"]] * 65)
    with pytest.raises(ValueError, match="parts of patterns with spaces: at most 64"):
        NameGroups([[f"=a{number} =b{number}" for number in range(33)]])


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
