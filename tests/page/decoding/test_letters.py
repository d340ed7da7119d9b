"""Which Latin encoding the letters of a page speak for, on both sides of every threshold."""

import pytest

from victor.page.decoding.letters import Letters, mixed_text

LETTER = b"x%cx "
"""A byte inside a word; `EDGE` at the end of one, `ALONE` beside no letter."""
EDGE = b"x%c "
ALONE = b" %c "

# Windows-1250 and windows-1252: ě is ì, ř is ø, š is š. Italian has ì alone of these.
E_CARON, R_CARON, S_CARON, A_UMLAUT = 0xEC, 0xF8, 0x9A, 0xE4


def inside(*counts):
    """Bytes of words with so many of every byte."""
    return b"".join(LETTER % byte * n for byte, n in counts)


@pytest.mark.parametrize(
    ("raw", "runs"),
    [
        (bytes(range(0xC1, 0xC8)), False),  # seven bytes beside others
        (bytes(range(0xC1, 0xC9)), True),
        (bytes(range(0xC1, 0xCA)) + b" \xc1" * 5, True),  # nine of fourteen: more than 0.6
        (bytes(range(0xC1, 0xCA)) + b" \xc1" * 6, False),
        (bytes(range(0xC1, 0xCA)) + b" \xa0" * 99, True),  # no-break spaces do not count
        (b"\xc1\xa0" * 9, False),
        (b"\xa0\xc1 " * 9, False),
        (b"\xa1\xc1 " * 4, True),
        (b"\x7f\x80\x81 " * 4, True),
        (b"\x7f\x80 " * 9, False),
        (b"\xc1" * 99, False),  # a line drawn with one sign
    ],
)
def test_runs_of_other_scripts(raw, runs):
    assert Letters.of(raw).runs is runs


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        # Three misfits of two letters: less may be names.
        (inside((E_CARON, 9), (R_CARON, 2), (S_CARON, 1)), "windows-1250"),
        (inside((E_CARON, 9), (R_CARON, 1), (S_CARON, 1)), "windows-1252"),
        (inside((E_CARON, 9), (R_CARON, 3)), "windows-1252"),
        # The advantage has to be a twentieth.
        (inside((E_CARON, 57), (R_CARON, 2), (S_CARON, 1)), "windows-1250"),
        (inside((E_CARON, 58), (R_CARON, 2), (S_CARON, 1)), "windows-1252"),
        # The rival has to fit by 95 of 100: ä is not Czech.
        (inside((E_CARON, 10), (R_CARON, 5), (S_CARON, 4), (A_UMLAUT, 1)), "windows-1250"),
        (inside((E_CARON, 10), (R_CARON, 4), (S_CARON, 4), (A_UMLAUT, 1)), "windows-1252"),
    ],
)
def test_the_advantage_of_the_other_region_must_be_clear(raw, name):
    assert Letters.of(raw).arbitrate("windows-1252")[0] == name


@pytest.mark.parametrize(
    ("byte", "place", "weight"),
    [
        (0xF0, LETTER, 1.0),  # ð is no Italian letter
        (0xF0, EDGE, 1.0),
        (0xF0, ALONE, 0.01),
        (0x81, LETTER, 1.0),  # undefined
        (0x81, EDGE, 1.0),
        (0x81, ALONE, 0.01),
        (0xD7, LETTER, 1.0),  # a sign is wrong in a word only
        (0xD7, EDGE, 0.0),
        (0xD7, ALONE, 0.0),
        (0xB5, LETTER, 1.0),  # µ is used as a sign
        (0xB5, EDGE, 0.0),
        (0xBA, EDGE, 0.0),
        (0x92, LETTER, 0.0),  # an apostrophe is not
        (0x92, EDGE, 0.0),
        (0xE0, ALONE, 0.0),  # a word of one letter
        (0x80, LETTER, 1.0),
        (0xFF, LETTER, 1.0),
    ],
)
def test_the_share_of_letters_that_fit(byte, place, weight):
    italian = inside((0xE0, 5), (0xEC, 5), (0xF2, 5), (0xF9, 5))
    name, share = Letters.of(italian + place % byte).arbitrate("windows-1252")
    assert (name, share) == ("windows-1252", pytest.approx(20 / (20 + weight)))


@pytest.mark.parametrize(
    ("byte", "place", "weight"),
    [
        (0x9A, LETTER, 1.0),  # š of windows-1250
        (0x9A, EDGE, 1.0),
        (0x9A, ALONE, 0.01),
        (0x9F, LETTER, 1.0),
        (0x99, LETTER, 0.01),  # a sign of windows-1250
        (0x99, EDGE, 0.01),
        (0x9B, LETTER, 0.01),
        (0xA0, EDGE, 0.0),
        (0xB7, LETTER, 1.0),
    ],
)
def test_controls_are_what_windows_has_there(byte, place, weight):
    czech = inside((E_CARON, 10), (0xB9, 10))
    name, share = Letters.of(czech + place % byte).arbitrate("iso-8859-2")
    assert (name, share) == ("iso-8859-2", pytest.approx(20 / (20 + weight)))


def test_a_page_without_letters_fits():
    assert Letters.of(ALONE % 0xA9).arbitrate("windows-1252") == ("windows-1252", 1.0)


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
