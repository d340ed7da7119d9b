"""Addresses that are taken as they are equal those that are joined; renditions are one picture."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.render.tree import addresses
from victor.render.tree.addresses import Addresses
from victor.render.tree.renditions import UNKNOWN, picture, width

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


def test_some_need_no_join(joined):
    made = Addresses("https://e.org/a/", None)
    for written in ("https://x.org/b?c=d#e", "http://x.org", "/b/c.html?d", "/"):
        assert made.link(written) == joined("https://e.org/a/", written)[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/b/bee.jpg", "http://a.org/b/bee-300x200.webp"),
        ("http://a.org/b/bee.jpg", "http://c.org/b/bee@2x.jpg?q=20"),
        ("http://a.org/bee-large.png", "http://a.org/bee-small.png"),
        ("http://a.org/max/60/bee.png", "http://a.org/max/1698/bee.png"),
        ("http://a.org/7/1920/1080/bee.png", "http://a.org/7/1920/1440/bee.png"),
        ("http://a.org/c_fill,w_50/bee.png", "http://a.org/f_auto,w_900/bee.png"),
        ("http://a.org/i?url=%2Fb%2Fbee.png&w=640", "http://a.org/b/bee.png"),
        ("http://a.org/f_auto/https%3A%2F%2Fb.org%2Fbee.png", "https://b.org/bee.png"),
    ],
)
def test_renditions_are_one_picture(one, other):
    assert picture(one) == picture(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/b/bee.jpg", "http://a.org/c/bee.jpg"),
        ("http://a.org/2023/05/bee.jpg", "http://a.org/2024/02/bee.jpg"),
        ("http://a.org/show?id=1", "http://a.org/show?id=2"),
        ("http://a.org/IMG_0159.jpg", "http://a.org/IMG_0413.jpg"),
        ("http://a.org/i?url=/bee.png", "http://a.org/i?url=/wasp.png"),
        (f"http://a.org/{'b' * 2000}.png", f"http://a.org/{'b' * 2000}.webp"),
    ],
)
def test_different_pictures(one, other):
    assert picture(one) != picture(other)


@pytest.mark.parametrize(
    ("address", "pixels"),
    [
        ("http://a.org/max/60/bee.png?q=20", 60),
        ("http://a.org/bee.png?w=640&q=75", 640),
        ("http://a.org/c_crop,w_2400/c_scale,w_50/bee.png", 50),
        ("http://a.org/bee-300x200.png", 300),
        ("http://a.org/thumb/bee.svg/120px-bee.svg.png", 120),
        ("http://a.org/2024/02/bee.png", UNKNOWN),
    ],
)
def test_widths_that_addresses_tell(address, pixels):
    assert width(address) == pixels


@given(st.text(st.sampled_from("ab/:?&=.%_-,x123$!httpurl "), max_size=60))
def test_any_address_has_a_picture_and_a_width(text):
    assert isinstance(picture(text), str)
    assert width(text) >= 0
