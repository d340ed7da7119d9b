"""The core finds the same in the bytes of a page as `bytes.decode` does."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from victor.base import core
from victor.documents.page_filter import control_share

EDGES = (
    "80 bf c0 c1 c280 dfbf c27f e0a080 e09fbf e28082 ed9fbf eda080 efbfbf e2 e280 e28028 f0908080 "
    "f08fbfbf f48fbfbf f4908080 f5808080 f8 ff f09080 00 41"
).split()


def is_utf8(page):
    try:
        return page.decode() is not None
    except UnicodeDecodeError:
        return False


def bits(page):
    return is_utf8(page) + 2 * page.isascii() + 4 * (0 in page)


@pytest.mark.parametrize("edge", EDGES)
def test_edges_of_characters_at_all_places(edge):
    for before in (*range(3), *range(60, 67), *range(124, 131)):
        for fill in (b"a", b"\xc3\xa9"):
            for after in (0, 1, 3, 100):
                page = fill * before + bytes.fromhex(edge) + b"a" * after
                assert core.compiled.facts_of_bytes(page) == bits(page)


@given(st.text(max_size=200), st.lists(st.tuples(st.integers(0, 999), st.integers(0, 255))))
@example("", [])
def test_text_with_other_bytes_in_it(text, changes):
    page = bytearray(text.encode("utf-8", "surrogatepass"))
    for place, byte in changes:
        page.insert(place % (len(page) + 1), byte)
    page = bytes(page)
    assert core.compiled.facts_of_bytes(page) == bits(page)


@given(st.binary(max_size=600))
@example(bytes(range(256)) * 3)
@example(b"\t\n" * 40 + b"\x00")
def test_control_characters_are_counted(raw):
    n_others = len(raw.translate(None, bytes([*range(9), 11, *range(16, 27), *range(28, 32), 127])))
    assert control_share(raw, "utf-8") == (1 - n_others / len(raw) if raw else 0)
