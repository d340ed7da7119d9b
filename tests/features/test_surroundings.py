"""Shares in the elements around a block and distances to marks, counted a second time."""

import pytest


def test_tags_in_ancestors(measured):
    page = "<div><p>a<input><input><p><a>b</a> <a>c</a></div><form><input>d<h2>e</h2></form>"
    values = measured("surroundings", page, "<p>f", split="block")
    assert values["ancestor-1.input"].tolist() == [1, 1, 0.75, 0.5, 0]
    assert values["ancestor-1.a"].tolist() == [1, 1, 0.5, 0, 0]
    assert values["ancestor-1.p"].tolist() == pytest.approx([1, 1, 0.6, 0, 1])
    assert values["ancestor-3.head"].tolist() == [0.25] * 4 + [0]
    assert values["ancestor-3.img"].tolist() == [0] * 5


def test_an_ancestor_counts_its_own_tag(measured):
    page = "<h1><div><div><div>a</div></div></div></h1>b"
    assert measured("surroundings", page)["ancestor-3.head"].tolist() == [1, 0.5]


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("1999", True), ("2024.", True), ("(2024)", True), ("5/11/2024", True),
        ("2024-11-05", True), ("2024年", True), ("1899", False), ("2100", False), ("19990", False),
        ("a1999", False), ("1999a", False), ("20 24", False), ("199", False), ("", False),
    ],
)  # fmt: skip
def test_years(measured, text, dated):
    values = measured("surroundings", f"<p>a {text}", "<p>b")
    assert values["since-date.blocks"].tolist() == [0 if dated else 255, 255]


@pytest.mark.parametrize(
    ("texts", "repeated"),
    [
        (("Home", "home 2", "HOME!"), True),
        (("Best overall", "overall best"), True),
        (("ČERNÝ", "černý"), True),
        (("1", "2 -"), True),
        (("home", "homes"), False),
        (("home", "homee"), False),
        (("Home", "House"), False),
    ],
)
def test_letters_that_the_page_repeats(measured, texts, repeated):
    values = measured("surroundings", "".join(f"<p>{text}" for text in texts), *texts)
    found = values["until-dup.blocks"].tolist()
    assert found == [0 if repeated else 255] * len(texts) + [255] * len(texts)


def test_distances(measured):
    page = "<p>a b<nav>c <a>d</a></nav><p>e f g<p>h<nav>i</nav>"
    values = measured("surroundings", page, "<p>j", "<nav>k</nav>", split="block")
    assert values["since-nav.blocks"].tolist() == [255, 0, 1, 2, 0, 255, 0]
    assert values["since-nav.words"].tolist() == [-1, 0, 1, 4, 0, -1, 0]
    assert values["until-nav.blocks"].tolist() == [1, 0, 2, 1, 0, 255, 0]


def test_distances_have_an_end(measured):
    page = "<nav>a</nav>" + "<p>b c d e f g h i j" * 300 + "<nav>k</nav>"
    values = measured("surroundings", page)
    assert values["since-nav.blocks"].max() == values["until-nav.blocks"].max() == 255
    assert values["since-nav.words"].max() == 2000


def test_long_blocks_are_of_free_words(measured):
    page = f"<p><a>{'bee ' * 40}</a><p>{'bee ' * 29}<p>{'bee ' * 30}<p>a"
    values = measured("surroundings", page, split="block")
    assert values["until-long.blocks"].tolist() == [2, 1, 0, 255]


def test_the_heading_above(measured):
    page = "<p>a b<h2>Home page</h2><p>c <a>d</a><p>e<p>page, home"
    values = measured("surroundings", page, "<p>f", split="block")
    assert values["since-heading.words"].tolist() == [-1, 0, 2, 3, 4, -1]
