"""Where decoding decides by a number: an input on both sides of each."""

import cchardet
import pytest

from victor.page.decoding.decode import decode

HEAD = 4096
RUSSIAN = "съешь".encode("cp1251")
NO_CHARACTER = b"\x98"  # in windows-1251


def found(page, declared=None):
    decoded = decode(page, declared=declared)
    return decoded.encoding, decoded.reason


# --- Unicode ---------------------------------------------------------------------------------


SEQUENCE, ERROR = "ŀ".encode(), b"\xff "


PAGE = (
    "<!DOCTYPE html><html><head><title>Přívoz</title></head><body><p>Žádný úředník nikdy nezjistil,"
    " kolik lidí a zvířat se na ni doopravdy vejde.</p></body></html>"
)


@pytest.mark.parametrize("zeros", [b"a\0" * 5_000, b"\0a" * 5_000, b"a\0\0\0" * 5_000])
@pytest.mark.parametrize("before", [False, True])
def test_zero_bytes_do_not_make_a_narrow_page_wide(zeros, before):
    """Its tags are one byte a character, which no UTF-16 writes."""
    page = zeros + PAGE.encode() if before else PAGE.encode() + zeros
    assert "Žádný úředník nikdy nezjistil" in decode(page).text


# --- Seven bits ------------------------------------------------------------------------------


# --- Legacy encodings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "page", "expected"),
    [
        ("KOI8-R", b"\xc1\xc2\xc3\xc4" * 3, ("koi8-u", "detected")),
        # The detector is not believed if there are five letters only.
        ("WINDOWS-1251", b" x\xe9x" * 4 + b" x\xd7x", ("windows-1252", "detected")),
        ("WINDOWS-1251", b" x\xe9x" * 5 + b" x\xd7x", ("windows-1251", "detected")),
        ("WINDOWS-1251", b" x\xe9x" * 9 + b" x\xd7x", ("windows-1252", "detected")),  # nine of ten
        ("WINDOWS-1251", b" x\xe9x" * 8 + b" x\xd7x", ("windows-1251", "detected")),
        ("WINDOWS-1251", RUSSIAN * 16 + NO_CHARACTER * 27, ("windows-1251", "detected")),
        ("WINDOWS-1251", RUSSIAN * 16 + NO_CHARACTER * 29, ("windows-1252", "fallback")),
        (None, b"\xc1\xc2\xc3\xc4" * 3, ("windows-1252", "fallback")),
        (None, b" x\xe9x" * 9, ("windows-1252", "fallback")),
        ("WINDOWS-1252", b" x\xe9x" * 9, ("windows-1252", "detected")),
        ("WINDOWS-1250", b" \x93 ", ("windows-1252", "detected")),  # a quote is the same in both
    ],
)
def test_what_becomes_of_a_guess(monkeypatch, name, page, expected):
    monkeypatch.setattr(cchardet, "detect", lambda _: {"encoding": name})
    assert found(page) == expected
