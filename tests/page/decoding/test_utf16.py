"""Pages of two bytes a character, and pages that only have many zero bytes."""

import pytest

from victor.page.decoding.decode import decode, wide_encoding

PAGE = (
    "<!DOCTYPE html><html><head><title>Přívoz</title></head><body><p>Žádný úředník nikdy nezjistil,"
    " kolik lidí a zvířat se na ni doopravdy vejde.</p></body></html>"
)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_pages_are_told_by_their_zero_bytes(encoding):
    decoded = decode(PAGE.encode(encoding))
    assert decoded.text == PAGE
    assert decoded.reason == "detected"


@pytest.mark.parametrize("zeros", [b"a\0" * 5_000, b"\0a" * 5_000, b"a\0\0\0" * 5_000])
@pytest.mark.parametrize("before", [False, True])
def test_zero_bytes_do_not_make_a_narrow_page_wide(zeros, before):
    """Its tags are one byte a character, which no UTF-16 writes."""
    page = zeros + PAGE.encode() if before else PAGE.encode() + zeros
    assert "Žádný úředník nikdy nezjistil" in decode(page).text


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        # One character in four has to be ASCII, one in twenty may have a zero byte elsewhere.
        (b"a\0" * 25 + b"ab" * 75, "utf-16le"),
        (b"a\0" * 24 + b"ab" * 76, None),
        (b"a\0" * 95 + b"\0a" * 5, "utf-16le"),
        (b"a\0" * 94 + b"\0a" * 6, None),
        (b"a\0" * 18 + b"\0a", None),
        (b"a\0" * 2, "utf-16le"),
        (b"a\0", None),
        (b"", None),
        (b"a\0" * 9 + b"<html>", None),
        (b"a\0" * 9 + b"<htm>", "utf-16le"),
    ],
)
def test_zero_bytes_of_utf16(page, encoding):
    assert wide_encoding(page) == encoding


@pytest.mark.parametrize(("n", "encoding"), [(1 << 14, "utf-16le"), ((1 << 14) - 1, None)])
def test_the_first_bytes_decide(n, encoding):
    # A quarter of the first 65,536 bytes, whatever follows.
    assert (
        wide_encoding(b"a\0" * (n // 2) + b"ab" * ((1 << 15) - n // 2) + b"\0a" * 9999) == encoding
    )


@pytest.mark.parametrize(("n", "encoding"), [(25, "utf-16be"), (24, None)])
def test_zero_bytes_of_utf16_in_the_other_order(n, encoding):
    assert wide_encoding(b"\0a" * n + b"ab" * (100 - n)) == encoding
