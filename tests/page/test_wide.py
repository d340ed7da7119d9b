"""Pages of two bytes a character, and pages that only have many zero bytes."""

import pytest

from victor.page.decoding.decode import decode

PAGE = (
    "<!DOCTYPE html><html><head><title>Přívoz</title></head><body><p>Žádný úředník nikdy nezjistil,"
    " kolik lidí a zvířat se na ni doopravdy vejde.</p></body></html>"
)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
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
