"""Addresses: of the page, of links and of pictures; long, broken, relative and dangerous."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import Group
from hostile.zoo.texts import SENTENCE, TEXT, page

GROUP: Final = Group("addresses")

_PAGE: Final = "http://herald.example/lamps/2024"
_LINKS: Final = {
    "script": "javascript:alert('{}')", "script-with-blanks": " java\tscript\n:alert(1)",
    "data": "data:text/html,<script>alert(1)</script>", "file": "file:///etc/passwd",
    "brackets": "http://[::1", "host-brackets": "http://[not-an-address]/", "port": "http://x:99999/",
    "letters-for-port": "http://x:port/", "markdown": "a)[b](c", "angles": "a>b<c",
    "blanks": "a b c",
    "lines": "a\nb\r\nc", "quotes": "a&quot;b'c", "percent": "%zz%", "dots": "../../../../../../x",
    "two-slashes": "//other.example", "queries": "?a=b&amp;c=d#e", "user": "http://a:b@c@d/",
    "other-letters": "http://žluťoučký.example/kůň", "directions": "http://\u202eexample/",
    "blank": "", "hash": "#", "backslashes": "\\\\server\\share", "nul": "a\0b",
}  # fmt: skip
"""Where a link, a picture and a quotation lead."""
for _name, _address in _LINKS.items():
    GROUP.add(
        _name,
        lambda n, address=_address: page(
            TEXT
            + f'<p>{SENTENCE} <a href="{address}">a link</a> and <img src="{address}" alt="a lamp">'
            f'<q cite="{address}">said</q></p>' * n(10_000)
        ),
        url=_PAGE,
    )

_PAGES: Final = {
    "page-not-one": "not an address", "page-empty": "", "page-brackets": "http://[::1",
    "page-long": "http://x.example/" + "a/" * 50_000, "page-script": "javascript:alert(1)",
    "page-file": "file:///etc/passwd", "page-lines": "http://x.example/\n# injected: yes\n",
    "page-port": "http://x.example:port/", "page-other-letters": "http://例え.example/道",
    "page-half": "http://x.example/\ud800", "page-nul": "http://x.example/\0",
}  # fmt: skip
"""Where the page says that it comes from."""
for _name, _url in _PAGES.items():
    GROUP.add(
        _name,
        lambda n: page(TEXT + '<p><a href="next">next</a> <img src="lamp.png" alt="a lamp"></p>'),
        url=_url,
    )

GROUP.add("long-link", lambda n: page(f'{TEXT}<a href="{"a/" * n(2_000_000)}">x</a>'), url=_PAGE)
GROUP.add("long-dots", lambda n: page(f'{TEXT}<a href="{"../" * n(1_000_000)}">x</a>'), url=_PAGE)
GROUP.add(
    "long-base",
    lambda n: page(
        f'<base href="http://x.example/{"a/" * n(50_000)}">{TEXT}' + '<a href="y">x</a> ' * n(300)
    ),
    url=_PAGE,
)
GROUP.add(
    "all-different",
    lambda n: page(TEXT + "".join(f'<a href="/a/{i}?b={i}">x{i}</a> ' for i in range(n(120_000)))),
    url=_PAGE,
)
GROUP.add(
    "anchors-to-anchors",
    lambda n: page(TEXT + '<a name="x" id="x" href="#x">x</a> ' * n(150_000)), url=_PAGE,
)  # fmt: skip
