"""Attributes: many, long, unquoted, unclosed, repeated, and hostile to who writes them again."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import KEY, TEXT, UTF_8, page

GROUP: Final = Group("attributes")

_BODIES: Final = {
    "many": lambda n: "<p " + " ".join(f"a{i}=b" for i in range(n(100_000))) + f">x</p>{TEXT}",
    "many-on-body": lambda n: f"<body {' '.join(f'a{i}' for i in range(n(100_000)))}>{TEXT}",
    "same": lambda n: f"<p {'class=a ' * n(200_000)}>x</p>{TEXT}",
    "many-classes": lambda n: (
        f'<div class="{" ".join(f"c{i}" for i in range(n(200_000)))}">{TEXT}</div>'
    ),
    "long-id": lambda n: f'<div id="{"x" * n(3_000_000)}">{TEXT}</div>',
    "long-unquoted": lambda n: f"{TEXT}<p class={'x' * n(10_000_000)}>y",
    "long-name": lambda n: f"{TEXT}<p {'x' * n(5_000_000)}=1>y",
    "long-alt": lambda n: f'{TEXT}<img src=x alt="{"word " * n(600_000)}">',
    "long-title": lambda n: f'{TEXT}<abbr title="{"word " * n(600_000)}">w</abbr>',
    "equals": lambda n: f"{TEXT}<p {'=' * n(500_000)}>x",
    "quotes": lambda n: TEXT + "<p \"'" * n(200_000) + ">x",
    "slashes": lambda n: f"{TEXT}<p {'/' * n(500_000)}>x",
    "quote-unclosed": lambda n: f'{TEXT}<p class="{TEXT * n(1_000)}',
    "values-with-tags": lambda n: TEXT + '<p title="<p>&lt;b&gt;</p>" alt=\'">\'>x' * n(60_000),
    "entities": lambda n: f'{TEXT}<p title="{"&quot;&amp;&lt;" * n(300_000)}">x</p>',
    "styles": lambda n: TEXT + '<p style="display:none;display:block">x' * n(90_000),
    "hidden-in-all-ways": lambda n: (
        TEXT + '<p aria-hidden="true" style="visibility:hidden" hidden>x' * n(90_000)
    ),
    "ids-all-alike": lambda n: TEXT + '<p id="a">x' * n(150_000),
    "languages": lambda n: TEXT + f'<p lang="{"x-" * 50}">x' * n(40_000),
    "code-languages": lambda n: (
        TEXT + '<pre class="language-```\n"><code>x</code></pre>' * n(40_000)
    ),
    "starts-of-lists": lambda n: (
        TEXT + '<ol start="99999999999999999999" reversed><li value="-٣">x</ol>' * n(40_000)
    ),
    "levels": lambda n: TEXT + '<p role="heading" aria-level="-99999999999">x' * n(80_000),
    "events": lambda n: TEXT + "<p onclick=\"alert('x')\" onload=alert(1)>x" * n(80_000),
    "names-with-markup": lambda n: TEXT + '<p <b="1" "=\'2\' x<y>z' * n(80_000),
    "names-of-other-scripts": lambda n: TEXT + '<p třída="a" 類="b" \u202ex="c">x' * n(60_000),
    "bytes-in-names": lambda n: TEXT + '<p \x01\x02="a" \ufffe="b">x' * n(60_000),
    "datasets": lambda n: TEXT + f"<p data-x='{'{' * 500}'>x" * n(15_000),
    "tokens": lambda n: (
        TEXT + "".join(f'<p class="post-{i} comment-{i} sidebar{i}">x' for i in range(n(80_000)))
    ),
    "image-sets": lambda n: f'{TEXT}<img srcset="{"x.png 1x, " * n(300_000)}" src=y alt=z>',
    "unclosed-tag-at-end": lambda n: f"{TEXT}<p {'a=b ' * n(300_000)}",
}  # fmt: skip
for _name, _body in _BODIES.items():
    GROUP.add(_name, lambda n, body=_body: page(body(n)))
GROUP.add(
    "on-root",
    lambda n: page(TEXT, UTF_8).replace(b"<html ", b"<html " + b"manifest=x " * n(200_000)),
    key=KEY,
)
GROUP.add(
    "quote-unclosed-before",
    lambda n: page(f'<p class="x>{TEXT}'),
    key=None,
    expected=ANY,
)
