"""Shares in the elements around a block and distances to marks, counted a second time."""

import re

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor import features
from victor.page.parsing import characters as ch
from victor.page.parsing.events import record
from victor.page.parsing.tags import HEADINGS, NAMES, SPLITTING
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

KINDS = {
    "img": {"img", "picture"},
    "input": {"input", "button", "select"},
    "a": {"a"},
    "head": set(HEADINGS),
}


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


@pytest.mark.slow
@pytest.mark.parametrize("split", ["tag", "block"])
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data())
def test_shares_against_walking_up(split, data):
    table = segment(record(data.draw(strategies.batch())), split)
    values = features.load("surroundings")(table)
    held = [counts(table, element) for element in range(len(table.elements))]
    for level in (1, 3, 5):
        around = [ancestor(table, element, level) for element in table.element.tolist()]
        names = [name for name in values if name.startswith(f"ancestor-{level}.")]
        for name in names:
            wanted = [held[element][name.partition(".")[2]] for element in around]
            np.testing.assert_allclose(values[name], wanted, atol=1e-9, err_msg=name)


def ancestor(table, element, level):
    """The block-level element so many levels outside the innermost, or the page."""
    found = [element]
    while table.elements.depth[found[-1]]:
        found.append(int(table.elements.parent[found[-1]]))
    around = [e for e in found if NAMES[table.elements.tag[e]] in SPLITTING]
    return around[min(level, len(around) - 1)]


def counts(table, element):
    """What `victor.features.surroundings` counts in one element."""
    first, last = int(table.elements.open[element]), int(table.elements.close[element])
    tags = [NAMES[i] for i in table.tags.id[first:last][table.tags.step[first:last] >= 0]]
    inside = [s for s, tag in enumerate(table.segments.tag.tolist()) if first <= tag < last]
    blocks = sorted({int(table.block_of_segment[s]) for s in inside})
    texts = block_texts(table)
    in_p = table.segments_inside(frozenset({"p"}))
    words = sum(table.segment_words[inside].tolist())
    found = {name: sum(tag in kind for tag in tags) for name, kind in KINDS.items()}
    found["date"] = sum(bool(years(texts[block])) for block in blocks)
    of_page = letters(table, blocks[0]) if blocks else {}
    found["dup"] = sum(of_page[block] in [of_page[b] for b in of_page if b != block]
                       for block in blocks)  # fmt: skip
    shares = {name: count / max(len(blocks), 1) for name, count in found.items()}
    p_words = sum(table.segment_words[s] for s in inside if in_p[s])
    return {**shares, "p": p_words / max(words, 1)}


def years(text):
    """Years that touch no letter, digit or mark of a word."""
    kinds = [ch.class_table()[ord(c)] for c in text if ch.class_table()[ord(c)] != ch.JOINER]
    plain = [c for c in text if ch.class_table()[ord(c)] != ch.JOINER]
    word = (ch.LOWER, ch.UPPER, ch.CASELESS, ch.DIGIT, ch.OTHER_WORD)
    marks = "".join(
        c if kind == ch.DIGIT else "a" if kind in word else " "
        for c, kind in zip(plain, kinds, strict=True)
    )
    return re.findall(r"(?<![a0-9])(?:19|20)[0-9]{2}(?![a0-9])", marks)


def letters(table, block):
    """Sorted lower-case letters of every block of one block's page."""
    texts, lower = block_texts(table), ch.lower_table()
    found = {}
    for other in np.flatnonzero(table.page == table.page[block]).tolist():
        codes = [
            ord(c) for c in texts[other] if ch.LOWER <= ch.class_table()[ord(c)] <= ch.IDEOGRAPH
        ]
        found[other] = sorted(int(lower[c]) if c < len(lower) else c for c in codes)
    return found
