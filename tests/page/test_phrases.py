"""Phrases are compared without case, digits and punctuation, in any script."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.names.phrases import Phrases, plain
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 Comments", "comments"), ("Comments (12):", "comments"), ("", ""), ("1 / 2", ""),
        ("Leave\na  Reply", "leave a reply"), ("12 Komentářů!", "komentářů"),
        ("共12条评论", "共 条评论"), ("١٢ تعليق", "تعليق"), ("a_b", "a b"), ("\x1c…\x1c", ""),
    ],
)  # fmt: skip
def test_plain(text, expected):
    assert plain([text]) == [expected]


def test_texts_keep_their_order():
    assert plain(["A", "á\n", "", "B\nb", "é1", "C"]) == ["a", "á", "", "b b", "é", "c"]
    assert plain([]) == []


def test_a_star_stands_for_any_words():
    phrases = Phrases([["comments on *"], ["* says"], ["reply", "Odpovědět"]])
    texts = {
        "3 comments on “Bees”": 1,
        "Comments on": 1,
        "No comments on this": 0,
        "comments once": 0,
        "Ann says:": 2,
        "Says": 2,
        "essays": 0,
        "Ann says so": 0,
        "comments on what he says": 3,
        "Reply": 4,
        "odpovědět": 4,
        "reply to Ann": 0,
    }
    assert phrases.masks([*texts]).tolist() == [*texts.values()]


@pytest.mark.parametrize("phrase", ["", "12", "*", "* *", "a * b", "*a", "a*", "* a *"])
def test_refusals(phrase):
    with pytest.raises(ValueError, match=r"has no letter|a \* stands"):
        Phrases([[phrase]])


LISTS = [
    ["reply", "comments on *", "Číst dále", "共 条评论", "more *", "टिप्पणियाँ"],
    ["* says", "* read more", "leave a reply *", "دیدگاه‌ها", "like 2 bees"],
]
PIECES = [
    "reply", "Reply", "comments", "on", "číst", "DÁLE", "共", "条评论", "more", "read", "says",
    "leave", "a", "like", "bees", "टिप्पणियाँ", "دیدگاه‌ها", "x2y", "_", "12", "٣", ":", "…", "a_b",
    "more1", "1says",
]  # fmt: skip


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " "]))), max_size=5)
)
def test_phrases_of_blocks_are_those_of_their_texts(pieces):
    texts = ["".join(map("".join, text)) for text in pieces]
    table = parse_pages(["".join(f"<p>{text}</p>" for text in texts)], "block")
    phrases = Phrases(LISTS)
    expected = phrases.masks(block_texts(table)).tolist()
    assert phrases.of_blocks(table, short=1000, edge=1).tolist() == expected


def test_of_long_blocks_both_ends_are_looked_at():
    long = " word" * 40
    page = (
        f"<p>Comments on bees{long}<p>reply{long}<p>Bees{long}. Read more<p>Bees{long} says{long}"
    )
    table = parse_pages([page], "block")
    assert Phrases(LISTS).of_blocks(table, short=80, edge=40).tolist() == [1, 0, 2, 0]
    assert Phrases(LISTS).of_blocks(parse_pages([""]), short=80, edge=40).tolist() == []
