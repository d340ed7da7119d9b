"""When a page is read in two encodings at once, on both sides of every threshold."""

import pytest

from victor.page.decoding.latin import mixed_text

WORD = "xřx"
NEW, OLD = WORD.encode(), WORD.encode("cp1250")
ACCIDENT = "xŘšx".encode("cp1250")
"""Letters whose bytes are a sequence of UTF-8, too."""


def lines(*parts):
    """Lines of so many words each."""
    return b"\n".join(b" ".join([word] * n) for word, n in parts)


@pytest.mark.parametrize(
    ("page", "is_mixed"),
    [
        (lines((NEW, 6), (OLD, 3)), True),
        (lines((NEW, 5), (OLD, 3)), False),
        (lines((NEW, 6), (OLD, 2)), False),
        (lines((OLD, 3), (NEW, 6)), True),
        (lines((NEW, 6)) + b"<b>" + lines((OLD, 3)), True),
        (lines((NEW, 6)) + b" " + lines((OLD, 3)), True),
        # What is valid by accident does not count.
        (lines((NEW, 5), (OLD, 6)) + b" " + ACCIDENT, False),
        # Errors that stand beside no letter say nothing.
        (lines((NEW, 6), (b" \xf8 ", 3)), False),
        (lines((NEW, 6), (OLD, 2), (b" \xf8 ", 1)), False),
        # 95 of 100 letters have to fit.
        (lines((NEW, 6), (OLD, 19), (b"x\xd7x", 1)), True),
        (lines((NEW, 6), (OLD, 18), (b"x\xd7x", 1)), False),
        # Half of them are followed by a letter, or characters are cut through.
        (lines((NEW, 6), (OLD, 3), (b"x\xf8", 3)), True),
        (lines((NEW, 6), (OLD, 3), (b"x\xf8", 4)), False),
        # Runs are another script.
        (lines((NEW, 6)) + b"\n" + "чебурашка".encode("cp1251") * 3, False),
    ],
)
def test_what_is_mixed(page, is_mixed):
    assert (mixed_text(page, "windows-1250") is not None) is is_mixed


@pytest.mark.parametrize("character", ["\x80", "\u07ff", "\u0800", "\uffff", "\U00010000"])
def test_sequences_of_any_length_come_back(character):
    page = lines((OLD, 6), (NEW, 6)) + b"\n" + character.encode() + b"\n" + NEW
    expected = "\n".join([" ".join([WORD] * 6)] * 2 + [character, WORD])
    assert mixed_text(page, "windows-1250") == expected


@pytest.mark.parametrize(
    ("around", "sequence", "text"),
    [
        (OLD, ACCIDENT, "xŘšx"),
        (NEW, ACCIDENT, "x\u061ax"),
        (OLD, "x\u0800x".encode(), "x\u0800x"),  # three bytes are no accident
        (OLD, OLD, "xřx"),
        (NEW, OLD, "x\ufffdx"),  # damage
        (NEW, OLD + b" " + OLD, "xřx xřx"),
    ],
)
def test_what_stands_among_characters_of_the_other_kind(around, sequence, text):
    page = lines((OLD, 6), (NEW, 6), (around, 3), (sequence, 1), (around, 3))
    assert mixed_text(page, "windows-1250").split("\n")[3] == text


def test_a_label_may_be_of_another_region():
    page = lines((NEW, 6)) + " Il déjeunait à la crèche, où l’élève préférait être. ".encode(
        "cp1252"
    )
    assert "crèche, où l’élève préférait" in mixed_text(page, "iso-8859-2")
