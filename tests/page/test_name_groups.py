"""Names are matched by words, not by letters."""

import time

import pytest

from victor.page.names.name_groups import MOST_GROUPS, NameGroups
from victor.page.table.segment import parse_pages


def masks(patterns, *tags):
    """The bits of the elements with some start tags, one after the other."""
    table = parse_pages(["".join(f"<p {tag}>x</p>" for tag in tags)])
    rows = table.elements.bundle[table.element]
    return NameGroups(patterns).masks(table)[rows].tolist()


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("comment", "comment", True), ("comment", "comments_area", True),
        ("comment", "comment-list", True), ("comment", "commentList", True),
        ("comment", "allComments", True), ("comment", "comment123", True),
        ("comment", "X-COMMENT", True), ("comment", "document", False),
        ("comment", "commentary", False), ("ad", "header", False), ("ad", "ads", True),
        ("ad", "top-ad-1", True), ("ad", "load", False), ("ads", "ad", True),
        ("post-body", "post-body", True), ("post-body", "PostBody", True),
        ("post-body", "single__post__body", True), ("post-body", "posts-bodys", True),
        ("post-body", "post-x-body", False), ("post-body", "post body", False),
        ("post-body", "body-post", False), ("=hide", "hide", True), ("=hide", "HIDE", True),
        ("=hide", "hide-xs", False), ("=hide", "md:hide", False), ("=hide", "x hide", True),
        ("modal fade", "modal fade", True), ("modal fade", "fade my-modal", True),
        ("modal fade", "modal", False), ("modal fade", "fade", False),
        ("=hide !=show", "hide", True), ("=hide !=show", "hide show", False),
        ("=hide !=show", "x show", False), ("=hide !md", "hide md:block", False),
        ("html-class", "HTMLClass", True), ("příspěvek", "příspěvek-1", True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("attribute", ["class", "id"])
def test_names(pattern, name, expected, attribute):
    assert masks([[pattern]], f'{attribute}="{name}"') == [int(expected)]


def test_attributes_of_a_standard():
    patterns = [["role=main"], ["itemprop=articlebody"], ["comment"], ["=main"]]
    tags = {
        "role=main": 1,
        "class=main": 8,
        "itemprop=articleBody": 2,
        "class=articleBody": 0,
        "itemtype='https://schema.org/Comment'": 4,
        "itemprop=comment id=main": 12,
        "": 0,
    }
    assert masks(patterns, *tags) == [*tags.values()]


def test_parts_may_stand_in_different_attributes():
    tags = ("class=modal id=fade", "class=modal", "class=fade role=dialog", "role=dialog")
    assert masks([["modal fade"], ["fade role=dialog"]], *tags) == [1, 0, 2, 0]


def test_the_last_group_has_a_bit_of_its_own():
    patterns = [[f"=g{number}"] for number in range(MOST_GROUPS)]
    assert masks(patterns, "class=g63", "class='g0 g63'") == [1 << 63, 1 | 1 << 63]


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
