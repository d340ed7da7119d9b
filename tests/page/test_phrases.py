"""Phrases are compared without case, digits and punctuation, in any script."""

import pytest

from victor.page.names.name_groups import Phrases, plain


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
