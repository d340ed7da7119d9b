"""Pages as functions of a size: each repeats, nests or lengthens one thing that pages are made of.

`page(name, n)` gives markup whose length grows in proportion to n (some shapes carry numbers, so
that a little is added for their digits).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isqrt
from typing import Final

Shape = Callable[[int], str]

SENTENCE: Final = "The keeper opened every hive before noon, and most of the bees stayed inside. "
"""Long enough that no labeler takes it for a menu."""


def _each(n: int, pattern: str) -> str:
    """A pattern n times, with the number in place of #."""
    return "".join([pattern.replace("#", str(number)) for number in range(n)])


def _closed(n: int, start: str, end: str) -> str:
    """Elements in one another, each with an end tag."""
    return _each(n, start) + end * n


def _lead(rest: str) -> str:
    """A paragraph that any system keeps, and the rest."""
    return f"<h1>On bees</h1><p>{SENTENCE * 4}</p>{rest}"


def _square(n: int) -> str:
    row = "<tr>" + "<td>12 bees</td>" * isqrt(n) + "</tr>"
    return f"<table>{row * isqrt(n)}</table>"


def _staircase(n: int) -> str:
    rows = ("<tr>" + "<td>a 1</td>" * (number + 1) for number in range(isqrt(2 * n)))
    return f"<table>{''.join(rows)}</table>"


def _head(inside: str) -> str:
    return f"<head>{inside}</head><body>{_lead('')}"


def _json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def _article(n: int) -> str:
    """Text that only JSON-LD holds."""
    return _json_ld({"@type": "Article", "headline": "Bees", "articleBody": SENTENCE * n})


def _things(n: int) -> str:
    things = [{"@type": "Person", "@id": f"#{i}", "name": f"Keeper {i}"} for i in range(n)]
    return _head(_json_ld({"@graph": [{"@type": "Article", "author": things}, *things]}))


def _referring(key: str, n: int, value: object, kind: str = "Article") -> str:
    """Many references to one node that holds as many values."""
    reference = {"@id": "#all"}
    node = {"@type": "Person", "@id": "#all", "more": 1, "url": value, "offers": value}
    node |= {} if key == "image" else {"name": value}  # what has a name is no reference
    things = [{"@type": kind, key: [reference] * min(n, 1_000)} for _ in range(max(n // 1_000, 1))]
    return _head(_json_ld({"@graph": [*things, node]}))


def _nested_item(n: int) -> str:
    """One thing that is eight properties of the one around it, again and again."""
    start = "<div itemscope itemtype='https://schema.org/Product' itemprop='a b c d e f g h'>"
    return _lead(f"{start * n}<b itemprop=price>3</b>{'</div>' * n}")


def _deep_json(n: int) -> str:
    return _head(f'<script type="application/ld+json">{"[" * n}{"]" * n}</script>')


def _state(n: int) -> str:
    """Text that only a script holds."""
    fields = ",".join(f'"text{number}":"{SENTENCE}{number}"' for number in range(n))
    return f"<div id=app></div><script>window.__STATE__ = {{{fields}}};</script>"


def _comment_tree(n: int) -> str:
    return _closed(
        n,
        f"<li class=comment><cite class=author>Ann #</cite><p>{SENTENCE}#</p><ul class=children>",
        "</ul></li>",
    )


_NESTED: Final[dict[str, Shape]] = {
    "nested ul": lambda n: _each(n, "<ul><li>entry # "),
    "nested ol": lambda n: _closed(n, "<ol><li>entry # ", "</li></ol>"),
    "nested dl": lambda n: _each(n, "<dl><dt>word #<dd>meaning "),
    "nested div": lambda n: _each(n, "<div>some text # "),
    "nested closed div": lambda n: _closed(n, "<div>some text # ", " and more </div>"),
    "nested div without text": lambda n: _lead(_closed(n, "<div>", "</div>")),
    "nested id": lambda n: _closed(n, "<div id=i# class=c#>some text # ", "</div>"),
    "nested blockquote": lambda n: _closed(n, "<blockquote>a quote # ", "</blockquote>"),
    "nested section": lambda n: _closed(n, "<section><h2>part #</h2>text # ", "</section>"),
    "nested article": lambda n: _closed(n, "<article><h3>part #</h3><p>text #</p>", "</article>"),
    "nested table": lambda n: _each(n, "<table><tr><td>left #<td>"),
    "nested b": lambda n: _lead("<p>" + _closed(n, "<b>text # ", "</b>")),
    "nested em without end": lambda n: _lead("<p>" + _each(n, "<em>text # ")),
    "nested font": lambda n: _lead(_each(n, "<font size=#>text # ")),
    "nested a": lambda n: _lead(_each(n, "<a href=/#>text # ")),
    "nested span": lambda n: _lead(_closed(n, "<span class=c#>text # ", "</span>")),
    "nested sup": lambda n: _lead("<p>" + _closed(n, "<sup>text # ", "</sup>")),
    "nested code": lambda n: _lead("<p>" + _closed(n, "<code>text # ", "</code>")),
    "nested pre": lambda n: _each(n, "<pre>line #\n"),
    "nested figure": lambda n: _closed(n, "<figure><figcaption>text #</figcaption>", "</figure>"),
    "nested details": lambda n: _closed(n, "<details><summary>part #</summary>", "</details>"),
    "nested form": lambda n: _each(n, "<form><label>field #</label>"),
    "nested comments of readers": _comment_tree,
    "quotes in lists in cells": lambda n: _each(
        n, "<blockquote><ul><li><table><tr><td>text # "
    ),
    "crossed formatting": lambda n: _lead("<p>" + _each(n, "<b>one <i>two </b>three </i># ")),
    "formatting across blocks": lambda n: _lead(_each(n, "<b><p>one #</b> two</p>")),
    "ends without starts": lambda n: _lead("some text</div></p></b></td></ul> " * n),
    "starts without ends": lambda n: _lead(_each(n, "<li>one<p>two<td>three<dd>four # ")),
}  # fmt: skip

_FLAT: Final[dict[str, Shape]] = {
    "paragraphs": lambda n: _each(n, f"<p>{SENTENCE}#</p>\n"),
    "equal paragraphs": lambda n: f"<p>{SENTENCE}</p>" * n,
    "divs": lambda n: _each(n, f"<div class='row'><a href='/#'>more #</a><p>{SENTENCE}</p></div>"),
    "lines": lambda n: _lead("<p>" + _each(n, "a line of text #<br>")),
    "empty paragraphs": lambda n: _lead("<p></p><br><div></div>" * n),
    "rules": lambda n: _lead(_each(n, "text #<hr>")),
    "items": lambda n: _lead("<ul>" + _each(n, "<li>entry number #") + "</ul>"),
    "numbered items": lambda n: "<ol>" + _each(n, f"<li value=#>{SENTENCE}") + "</ol>",
    "lists": lambda n: _lead(_each(n, "<ul><li><a href=/#>entry #</a></ul>")),
    "definitions": lambda n: "<dl>" + _each(n, f"<dt>word #<dd>{SENTENCE}") + "</dl>",
    "quotes": lambda n: _each(n, f"<blockquote><p>{SENTENCE}#</p></blockquote>"),
    "options": lambda n: _lead("<select>" + _each(n, "<option>choice #") + "</select>"),
    "spans": lambda n: _lead("<p>" + _each(n, "<span>word #</span> ")),
    "bold words": lambda n: _lead("<p>" + _each(n, "<b>word</b> # <i>word</i> ")),
    "starred words": lambda n: _lead("<p>" + _each(n, "<i>a*b#</i> and ")),
    "code words": lambda n: _lead("<p>" + _each(n, "<code>f(#)</code> gives # ")),
    "code lines": lambda n: _lead("<pre><code>" + _each(n, "x = x + #\n") + "</code></pre>"),
    "marked code": lambda n: _lead("<pre>" + _each(n, "<span class=k>let</span> x = #\n")),
    "numbered code": lambda n: _lead(
        "<table><tr><td><pre>" + _each(n, "#\n") + "</pre><td><pre>" + _each(n, "x = #\n")
    ),
    "codes": lambda n: _lead(_each(n, "<pre>x = #\n</pre>")),
    "long fence": lambda n: _lead(f"<pre>{'`' * n}</pre><p><code>{'`' * n}</code>"),
    "thread": lambda n: _each(
        n, "<div class=post id=p#><span class=author>Ann #</span>"
        f"<time datetime=2020-01-01>1 Jan</time><p>{SENTENCE}#</p></div>"
    ),
    "offers": lambda n: _lead(_each(
        n, "<div itemscope itemtype='https://schema.org/Offer'><b itemprop=name>hive #</b>"
        "<span itemprop=price>#</span><meta itemprop=priceCurrency content=EUR></div>"
    )),
    "nested offers": lambda n: _lead(_each(
        n, "<div itemscope itemtype='https://schema.org/Product' itemprop=offers>"
        "<span itemprop=price>#</span>"
    )),
    "offers in offers": _nested_item,
    "bylines": lambda n: _lead(_each(n, "<p class=byline>By Ann Keeper, 3 May 2012, #:15</p>")),
    "times": lambda n: _lead(_each(n, "<time datetime=2012-05-03T10:#>May</time> ")),
    "menus": lambda n: _lead(_each(n, "<nav><a href=/#>one</a> | <a href=/>two</a></nav>")),
}  # fmt: skip

_HEADINGS: Final[dict[str, Shape]] = {
    "headings": lambda n: _each(n, "<h2>part #</h2>"),
    "headings and texts": lambda n: _each(n, f"<h3>part #</h3><p>{SENTENCE}#</p>"),
    "deepening headings": lambda n: _each(n, "<h1>a #</h1><h2>b</h2><h3>c</h3><h4>d</h4><p>text"),
    "huge heading": lambda n: f"<h1>{'bees ' * n}</h1>" + _each(n, "<p>text #</p>"),
    "huge title": lambda n: f"<title>{'bees ' * n}</title>" + _each(n, "<p>text # bees</p>"),
    "title of all headings": lambda n: (
        f"<title>{_each(n, 'bees# ')}</title>" + _each(n, "<h2>bees# and more</h2>")
    ),
    "heading of parts": lambda n: "<h1>" + _each(n, "<b>word #</b> ") + f"</h1><p>{SENTENCE}",
}

_TABLES: Final[dict[str, Shape]] = {
    "rows": lambda n: _lead("<table><tr><th>name<th>age" + _each(n, "<tr><td>bee #<td>#")),
    "cells of a row": lambda n: _lead("<table><tr>" + _each(n, "<td>12 bees #</td>")),
    "square table": lambda n: _lead(_square(n)),
    "staircase": lambda n: _lead(_staircase(n)),
    "one wide row": lambda n: _lead(
        "<table>" + _each(n, "<tr><td>a #") + "<tr>" + "<td>b" * n + "</table>"
    ),
    "tables": lambda n: _lead(_each(n, "<table><tr><td>one #<td>two</table>")),
    "rowspans": lambda n: _lead("<table>" + _each(n, "<tr><td rowspan=60000>one #<td>two")),
    "colspans": lambda n: _lead("<table>" + _each(n, "<tr><td colspan=1000>one #<td>two")),
    "spans both ways": lambda n: _lead(
        "<table>" + _each(n, "<tr><td colspan=1000 rowspan=60000>one #")
    ),
    "captions": lambda n: _lead("<table>" + _each(n, "<caption>what # is</caption>") + "<td>a"),
    "header cells": lambda n: _lead(
        "<table><tr>" + _each(n, "<th>name #") + _each(n, "<tr><td>bee #")
    ),
    "sections of a table": lambda n: _lead("<table>" + _each(n, "<tbody><tr><td>bee #<td>#")),
    "cells without tables": lambda n: _lead(_each(n, "<td>bee #</td>")),
}  # fmt: skip

_LINKS: Final[dict[str, Shape]] = {
    "links": lambda n: _lead("<p>" + _each(n, "<a href=/#>a link</a> word ")),
    "links to one": lambda n: _lead("<p>" + "<a href=/x>a link</a> word " * n),
    "huge base": lambda n: (
        f"<base href='http://a.test/{'b/' * n}'>" + _lead(_each(n, "<p><a href=x#>link #</a>"))
    ),
    "huge base and images": lambda n: (
        f"<base href='http://a.test/{'b/' * n}'>" + _lead(_each(n, "<img src=x# alt=bee>"))
    ),
    "long address": lambda n: _lead(f"<p><a href='/{'x' * n}'>link</a> and text {SENTENCE}"),
    "steps up": lambda n: _lead(f"<p><a href='/{'../x/' * n}'>link</a> and text {SENTENCE}"),
    "links in bold": lambda n: _lead("<p><b>" + _each(n, "<a href=/#>a link</a> <i>or</i> ")),
    "images": lambda n: _each(n, f"<p>{SENTENCE}<img src=/#.png alt='picture #'></p>"),
    "images alone": lambda n: _lead(_each(n, "<img src=/#.png alt='picture #' width=#>")),
    "figures": lambda n: _lead(
        _each(n, "<figure><img src=/#.png><figcaption>what # shows</figcaption></figure>")
    ),
    "srcset": lambda n: _lead(
        "<img alt=bee srcset='" + _each(n, "/a#.png #w, ") + f"'>{SENTENCE}"
    ),
    "sources of a picture": lambda n: _lead(
        "<picture>" + _each(n, "<source srcset='/a#.png #w'>") + "<img src=x></picture>"
    ),
    "huge alt": lambda n: _lead(f"<p><img src=x alt='{'bees ' * n}'>{SENTENCE}"),
    "footnotes": lambda n: _lead(
        "<p>" + "".join([f"word<a id=r{i} href='#n{i}'><sup>{i}</sup></a> " for i in range(n)])
        + "</p><ol>"
        + "".join([f"<li id=n{i}>note {i} <a href='#r{i}'>^</a>" for i in range(n)])
    ),
    "references to one note": lambda n: _lead(
        "<p>" + "".join([f"word<sup><a id=r{i} href='#n'>1</a></sup> " for i in range(n)])
        + "</p><ol><li id=n>the note "
        + "".join([f"<a href='#r{i}'>^</a> " for i in range(n)])
    ),
    "notes by number": lambda n: _lead(
        "<p>" + _each(n, "word<sup>*</sup> ") + _each(n, "<p><sup>*</sup> a note ")
    ),
    "notes in one paragraph": lambda n: _lead(
        "<p>" + "".join([f"word<sup><a href='#n{i}'>{i}</a></sup> " for i in range(n)])
        + "<p>" + _each(n, "<a id=n#>#</a> note <br>")
    ),
    "marks in one sup": lambda n: _lead(
        "<p>word<sup>" + "".join([f"<a href='#n{i}'>{i}</a>," for i in range(n)])
        + "</sup>" + _each(n, "<p id=n#>a note")
    ),
    "ids": lambda n: _each(n, "<div id=i#><p>text #</p></div>"),
    "equal ids": lambda n: "<div id=same><p>text</p></div>" * n,
    "anchors": lambda n: _lead("<p>" + _each(n, "<a name=a#></a>word ")),
}  # fmt: skip

_HEADS: Final[dict[str, Shape]] = {
    "metas": lambda n: _head(_each(n, "<meta name=author content='Ann #'>")),
    "properties": lambda n: _head(_each(n, "<meta property=article:tag content='bees #'>")),
    "dates": lambda n: _head(_each(n, "<meta name=date content='2012-05-0#'>")),
    "head links": lambda n: _head(_each(n, "<link rel=alternate hreflang=x# href=/#>")),
    "titles": lambda n: _each(n, "<title>bees #</title>") + _lead(""),
    "parts of a title": lambda n: f"<title>{_each(n, 'bees # | ')}</title>" + _lead(""),
    "huge meta": lambda n: _head(f"<meta name=description content='{'bees ' * n}'>"),
    "authors in one": lambda n: _head(f"<meta name=author content='{_each(n, 'Ann #, ')}'>"),
    "JSON-LD scripts": lambda n: _head(
        "".join([_json_ld({"@type": "Article", "author": f"Ann {i}"}) for i in range(n)])
    ),
    "JSON-LD graph": _things,
    "JSON-LD depth": _deep_json,
    "JSON-LD authors by reference": lambda n: _referring(
        "author", n, [f"Ann Keeper {number}" for number in range(min(n, 1_000))]
    ),
    "JSON-LD headlines by reference": lambda n: (
        "<title>Bees</title>"
        + _referring("headline", n, [f"On bees {number}" for number in range(min(n, 1_000))])
    ),
    "JSON-LD pictures by reference": lambda n: _referring(
        "image", n, [f"data:bee,{number}" for number in range(min(n, 1_000))]
    ),
    "JSON-LD offers by reference": lambda n: _referring(
        "offers", n, [{"@type": "Offer", "price": i} for i in range(min(n, 1_000))], "Product"
    ),
    "JSON-LD article": _article,
    "script state": _state,
    "scripts": lambda n: _lead(_each(n, "<script>var x# = '<p>no</p>';</script>")),
    "scripts alone": lambda n: _each(n, f"<script>var a# = {{text: '{SENTENCE}'}};</script>"),
    "braces alone": lambda n: f"<script>x = {'{' * n}'{SENTENCE * 9}'</script>",
    "quotes alone": lambda n: "<script>" + "x = 'it\\'s \"" * n + "</script>",
    "JSON alone": lambda n: _each(
        n, f'<script type="application/json">{{"a": ["{SENTENCE}", {{"b": "#"}}]}}</script>'
    ),
    "JSON depth alone": lambda n: (
        "<script type='application/json'>" + '{"a":' * n + f'"{SENTENCE * 9}"' + "}" * n
    ),
    "markup in JSON": lambda n: _json_ld(
        {"@type": "Article", "articleBody": f"<div>{SENTENCE}" * n + "</div>" * n}
    ),
    "JSON-LD bodies alone": lambda n: "".join(
        [_json_ld({"@type": "Article", "articleBody": f"{SENTENCE * 3}{i}"}) for i in range(n)]
    ),
    "styles": lambda n: _lead(_each(n, "<style>.c# { color: red }</style>")),
    "noscripts": lambda n: _lead(_each(n, "<noscript><p>text #</p></noscript>")),
    "templates": lambda n: _lead(_each(n, "<template><p>text #</p></template>")),
    "drawings": lambda n: _lead(_each(n, "<svg><title>a #</title><text>b</text></svg>")),
}

_ATTRIBUTES: Final[dict[str, Shape]] = {
    "attributes": lambda n: f"<div {_each(n, 'a#=v# ')}><p>{SENTENCE * 4}</p></div>",
    "equal attributes": lambda n: f"<div {'class=a ' * n}><p>{SENTENCE * 4}</p></div>",
    "huge attribute": lambda n: f"<div title='{'word ' * n}'><p>{SENTENCE * 4}</p></div>",
    "classes of one": lambda n: f"<div class='{_each(n, 'c# ')}'><p>{SENTENCE * 4}</p></div>",
    "huge class above blocks": lambda n: (
        f"<div class='{_each(n, 'comment# ')}'>" + _each(n, "<p>text #</p>")
    ),
    "huge id above blocks": lambda n: f"<div id='{'i' * n}'>" + _each(n, "<p>text #</p>"),
    "classes": lambda n: _each(n, f"<div class='row a# b#'>{SENTENCE}</div>"),
    "tag names": lambda n: _lead(_each(n, "<x#>text #</x#> ")),
    "custom elements": lambda n: _lead(_each(n, "<my-x#>text #</my-x#>")),
    "nested custom elements": lambda n: _lead(_each(n, "<my-x#>text # ")),
    "long tag name": lambda n: _lead(f"<x{'y' * n}>text</x{'y' * n}> text"),
    "hidden": lambda n: _lead(_each(n, "<p hidden>text #</p><p style='display:none'>text</p>")),
    "languages": lambda n: _lead(_each(n, f"<p lang=en-x#>{SENTENCE}</p>")),
}

_TEXTS: Final[dict[str, Shape]] = {
    "one text": lambda n: f"<p>{SENTENCE * n}",
    "distinct words": lambda n: "<p>" + _each(n, "bee#hive "),
    "long word": lambda n: _lead(f"<p>{'bzz' * n}"),
    "Chinese": lambda n: "<p>" + "蜜蜂住在蜂巢里，每天早上都飞出去。" * n,
    "Thai": lambda n: "<p>" + "ผึ้งอาศัยอยู่ในรังและบินออกไปทุกเช้า" * n,
    "combining marks": lambda n: _lead("<p>e" + "\u0301" * n + " bees"),
    "marked letters": lambda n: _lead("<p>" + "e\u0301\u0323 " * n),
    "entities": lambda n: _lead("<p>" + "&amp;&nbsp;&#8222;&eacute; " * n),
    "stars": lambda n: _lead("<p>" + "*_[`<~\\#" * n),
    "brackets": lambda n: _lead("<p>" + "[" * n + "text" + "](" * n),
    "white space": lambda n: _lead("<p>one" + " \n\t" * n + "two"),
    "comments": lambda n: _lead("<p>" + _each(n, "<!-- a # -->word ")),
    "abbreviations": lambda n: "<p>" + "e.g. Mr. A. B. Bee left the U.S. at 5 p.m. etc. " * n,
    "no end of a sentence": lambda n: "<p>" + "bees and more " * n,
    "quotation marks": lambda n: _lead("<p>" + "“he said ‘no” (and " * n),
    "digits": lambda n: _lead("<p>" + "1" * n + " 12.5.2012 " + "1-" * n),
    "dates in the text": lambda n: _lead("<p>" + _each(n, "3 May 2012, #; ")),
    "TeX": lambda n: _lead("<p>" + _each(n, r"\(x_{#} = \frac{1}{2}\) and $$y^#$$ ")),
    "TeX scripts": lambda n: _lead("<p>" + _each(n, "<script type='math/tex'>x_#</script> is ")),
    "MathML": lambda n: _lead("<p>" + _each(n, "<math><mi>x</mi><mo>=</mo><mn>#</mn></math> ")),
    "nested formulas": lambda n: _lead("<p>" + "<span class=katex>" * n + "x<p>y"),
    "nested MathML": lambda n: _lead("<p><math>" + _each(n, "<mrow><mi>x</mi>") + "</math>"),
    "formulas with TeX": lambda n: _lead("<p>" + _each(
        n, "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x_#"
        "</annotation></semantics></math> is "
    )),
    "surrogates and NUL": lambda n: _lead("<p>" + "a\0b&#0;&#xd800; " * n),
    "ruby": lambda n: _lead("<p>" + _each(n, "<ruby>蜂<rt>feng#</rt></ruby>")),
    "right to left": lambda n: _lead("<p dir=rtl>" + "הדבורים נשארו בכוורת. " * n),
}  # fmt: skip

SHAPES: Final[dict[str, Shape]] = {
    **_NESTED, **_FLAT, **_HEADINGS, **_TABLES, **_LINKS, **_HEADS, **_ATTRIBUTES, **_TEXTS,
}  # fmt: skip
"""Name of every shape to what stands in the page."""


def page(name: str, n: int) -> bytes:
    """The page of a shape and a size, in UTF-8."""
    return f"<!DOCTYPE html><html>{SHAPES[name](n)}</html>".encode(errors="replace")
