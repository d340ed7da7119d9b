"""When a page is read line by line in two encodings, on both sides of every threshold."""

import pytest

from victor.page.decoding.mixed_utf8 import mixed_text

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
        (lines((NEW, 6), (OLD, 6)), True),
        (lines((NEW, 5), (OLD, 6)), False),
        (lines((NEW, 6), (OLD, 5)), False),
        # Ten errors to one sequence in a line are a line in the other encoding.
        (lines((NEW, 6), (OLD, 10)) + b" " + ACCIDENT, True),
        (lines((NEW, 6), (OLD, 9)) + b" " + ACCIDENT, False),
        # Sequences count where there are no errors.
        (lines((NEW, 5), (OLD, 10)) + b" " + ACCIDENT, False),
        (lines((OLD, 6), (NEW, 6)), True),
        (lines((NEW, 6)) + b"<b>" + lines((OLD, 6)), True),
        (lines((NEW, 6)) + b"\r" + lines((OLD, 6)), True),
        (lines((NEW, 6)) + b" " + lines((OLD, 6)), False),
        # Errors that stand beside no letter say nothing.
        (lines((NEW, 6), (b" \xf8 ", 6)), False),
        (lines((NEW, 6), (OLD, 5), (b" \xf8 ", 1)), False),
        # 95 of 100 letters have to fit.
        (lines((NEW, 6), (OLD, 19), (b"x\xd7x", 1)), True),
        (lines((NEW, 6), (OLD, 18), (b"x\xd7x", 1)), False),
        # Runs are another script.
        (lines((NEW, 6)) + b"\n" + "чебурашка".encode("cp1251") * 3, False),
    ],
)
def test_what_is_mixed(page, is_mixed):
    assert (mixed_text(page, "windows-1250") is not None) is is_mixed


@pytest.mark.parametrize("character", ["\x80", "\u07ff", "\u0800", "\uffff", "\U00010000"])
def test_sequences_of_any_length_come_back(character):
    page = lines((NEW, 6), (OLD, 6)) + b"\n" + character.encode() + b"\n" + OLD
    expected = "\n".join([" ".join([WORD] * 6)] * 2 + [character, WORD])
    assert mixed_text(page, "windows-1250") == expected


def test_what_is_broken_in_a_line_of_utf8():
    page = lines((NEW, 6), (OLD, 6)) + b"\n" + NEW + b" \xff\x80"
    assert mixed_text(page, "windows-1250").endswith(f"\n{WORD} \ufffd\ufffd")
