"""Which Latin encoding the letters of a page speak for, on both sides of every threshold."""

import pytest

from victor.page.decoding.letters import Letters, mixed_text

LETTER = b"x%cx "
"""A byte inside a word; `EDGE` at the end of one, `ALONE` beside no letter."""
ALONE = b" %c "

# Windows-1250 and windows-1252: ě is ì, ř is ø, š is š. Italian has ì alone of these.
E_CARON, R_CARON, S_CARON, A_UMLAUT = 0xEC, 0xF8, 0x9A, 0xE4


def inside(*counts):
    """Bytes of words with so many of every byte."""
    return b"".join(LETTER % byte * n for byte, n in counts)


@pytest.mark.parametrize(("n", "name"), [(80, "iso-8859-2"), (120, "windows-1250")])
def test_a_hundred_letters_that_stand_alone_weigh_as_one_in_a_word(n, name):
    # Between Czech words: 0xA6 is a sign in windows-1250 and Ś in ISO 8859-2, 0xB9 is ą and š.
    raw = inside((E_CARON, 500), (R_CARON, 500), (0xB9, 1)) + ALONE % 0xA6 * n
    assert Letters.of(raw).arbitrate("iso-8859-2")[0] == name


# --- UTF-8 and a Latin encoding on one page --------------------------------------------------

WORD = "xřx"
NEW, OLD = WORD.encode(), WORD.encode("cp1250")
ACCIDENT = "xŘšx".encode("cp1250")
"""Letters whose bytes are a sequence of UTF-8, too."""


def lines(*parts):
    """Lines of so many words each."""
    return b"\n".join(b" ".join([word] * n) for word, n in parts)


@pytest.mark.parametrize("character", ["\x80", "\u07ff", "\u0800", "\uffff", "\U00010000"])
def test_sequences_of_any_length_come_back(character):
    page = lines((OLD, 6), (NEW, 6)) + b"\n" + character.encode() + b"\n" + NEW
    expected = "\n".join([" ".join([WORD] * 6)] * 2 + [character, WORD])
    assert mixed_text(page, "windows-1250") == expected
