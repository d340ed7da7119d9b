"""What addresses of a page are relative to."""

import pytest

from victor.page.parsing.events import record
from victor.page.parsing.heads import page_address, web_address


@pytest.mark.parametrize("address", [None, "", "a.html", "/srv/a.html", "file:///a", "C:\\a"])
def test_a_file_is_not_on_the_web(address):
    assert web_address(address) == ""


@pytest.mark.parametrize(
    ("head", "url", "address"),
    [
        ("", "HTTPS://x.cz/a", "HTTPS://x.cz/a"),
        ("<link rel=canonical href=https://x.cz/b>", "http://y.cz/a", "http://y.cz/a"),
        ("<link rel=canonical href=https://x.cz/b>", "/srv/a.html", "https://x.cz/b"),
        ("<link rel=canonical href=/b>", "/srv/a.html", ""),
        ("<meta property=og:url content=https://x.cz/c>", None, "https://x.cz/c"),
    ],
)
def test_a_page_of_a_file_is_where_it_says(head, url, address):
    (declared,) = record([head.encode()]).heads
    assert page_address(declared, url) == address
