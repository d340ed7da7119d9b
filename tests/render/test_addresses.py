"""Addresses that are taken as they are equal those that are joined."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.render.tree import addresses
from victor.render.tree.addresses import Addresses

BASES = [
    "",
    "http://e.org",
    "https://e.org/a/b?c#d",
    "http://e.org/a/../b/;p",
    "http://[",
    "https://u:p@e.org:8/x/",
    "//e.org/a",
    "ftp://e.org/a",
    "mailto:a@e.org",
    "HTTP://E.org/a",
    " http://e.org/a",
    "http://e.org?q",
]
PIECES = "http:// https:// HTTP:// e.org / // . .. /. ? # ; & = a b:c %20 é [ ] @ : \\ \x1f \xa0"


@pytest.fixture(scope="module")
def joined():
    """Addresses of which every one is joined with its base."""

    def make(base, written):
        with pytest.MonkeyPatch.context() as patch:
            for name in ("_ABSOLUTE", "_ROOTED"):
                patch.setattr(addresses, name, addresses.re.compile(r"(?!)"))
            made = Addresses(base, None)
            return made.link(written), made.image(written)

    return make


@given(
    st.sampled_from(BASES),
    st.lists(st.sampled_from([*PIECES.split(" "), " ", "\n"]), max_size=9).map("".join),
)
def test_addresses_without_a_join(joined, base, written):
    made = Addresses(base, None)
    assert (made.link(written), made.image(written)) == joined(base, written)
