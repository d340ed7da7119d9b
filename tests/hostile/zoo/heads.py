"""What a page says of itself: metadata that are many, long, contradictory or not data."""

from __future__ import annotations

import json
from typing import Final

from hostile.zoo.inputs import Group
from hostile.zoo.texts import TEXT, UTF_8, page

GROUP: Final = Group("heads")

_LD: Final = '<script type="application/ld+json">{}</script>'


def _ld(data: object) -> str:
    return _LD.replace("{}", json.dumps(data))


_HEADS: Final = {
    "metas": lambda n: "".join(f'<meta name="m{i}" content="c">' for i in range(n(200_000))),
    "same-metas": lambda n: '<meta name="author" content="Jane Doe">' * n(150_000),
    "dates": lambda n: '<meta property="article:published_time" content="2024-13-45">' * n(100_000),
    "keywords": lambda n: f'<meta name="keywords" content="{"lamp, gas, " * n(400_000)}">',
    "author": lambda n: f'<meta name="author" content="{"By Jane and " * n(300_000)}">',
    "description": lambda n: f'<meta name="description" content="{"word " * n(1_000_000)}">',
    "site": lambda n: f"<title>{'Lamps | Herald - ' * n(200_000)}</title>",
    "colons-of-title": lambda n: f"<title>{': - | » ' * n(300_000)}</title>",
    "languages": lambda n: '<link rel="alternate" hreflang="cs" href="/cs">' * n(150_000),
    "canonical": lambda n: '<link rel="canonical" href="javascript:alert(1)">' * n(100_000),
    "refresh": lambda n: '<meta http-equiv="refresh" content="0; url=file:///">' * n(100_000),
    "graph": lambda n: _ld(
        {"@graph": [{"@id": f"#{i}", "author": {"@id": f"#{i + 1}"}} for i in range(n(40_000))]}
    ),
    "graph-of-itself": lambda n: _ld(
        {"@graph": [{"@id": "#a", "author": {"@id": "#a"}}] * n(40_000)}
    ),
    "authors": lambda n: _ld({"@type": "Article", "author": [{"name": "J. D."}] * n(100_000)}),
    "names-deep": lambda n: (
        _LD.replace("{}", '{"@type":"Article","author":' + '{"author":' * n(100_000))
    ),
    "numbers": lambda n: _ld({"@type": "Article", "headline": 1, "datePublished": [None, {}, -1]}),
    "types": lambda n: _ld({"@type": ["Article"] * n(200_000), "headline": ["a"] * n(50_000)}),
    "offers": lambda n: _ld(
        {"@type": "Product", "offers": [{"price": "1e9999", "priceCurrency": "??"}] * n(50_000)}
    ),
    "prices": lambda n: _ld(
        {"@type": "Offer", "price": "1," * n(300_000), "priceCurrency": "E" * n(100_000)}
    ),
    "ld-unclosed": lambda n: '<script type="application/ld+json">{"@type":' * n(50_000),
    "ld-empty": lambda n: _LD.replace("{}", "") * n(100_000),
    "ld-with-nan": lambda n: _LD.replace("{}", '{"@type":"Article","a":NaN,"b":-Infinity}'),
    "dublin-core": lambda n: '<meta name="DC.date" content="0000-00-00"/>' * n(100_000),
    "yaml": lambda n: (
        '<meta name="author" content="- a: &amp;b *c !!python/object:os.system {x}\n---\n# y">'
        '<meta name="description" content="&#10;---&#10;key: |&#10; &#x2028; \'&quot;">'
    ),
    "years": lambda n: (
        '<meta name="date" content="99999999999-01-01T00:00:00+99:99">'
        '<meta name="dcterms.modified" content="-0001-02-30">'
    ),
    "attributes-of-metas": lambda n: (
        "<meta " + " ".join(f'a{i}="b"' for i in range(n(100_000))) + ">"
    ),
}  # fmt: skip
for _name, _head in _HEADS.items():
    GROUP.add(_name, lambda n, head=_head: page(TEXT, UTF_8 + head(n)))

_MARKED: Final = {
    "microdata-deep": lambda n: (
        '<div itemscope itemprop="a" itemtype="http://schema.org/Product">x' * n(40_000)
    ),
    "microdata-offers": lambda n: (
        '<div itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="1,5">'
        '<b itemprop="priceCurrency">CZK</b></div>' * n(30_000)
    ),
    "microdata-names": lambda n: f'<p itemprop="{"author name " * n(300_000)}">x</p>',
    "bylines": lambda n: '<p class="byline author">By Jane Doe, 1 May 2024</p>' * n(60_000),
    "published": lambda n: '<time pubdate itemprop="datePublished">31. 2. 2024</time>' * n(80_000),
}  # fmt: skip
for _name, _markup in _MARKED.items():
    GROUP.add(_name, lambda n, markup=_markup: page(TEXT + markup(n)))
