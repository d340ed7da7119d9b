"""Pages as functions of a size: each repeats, nests or lengthens one thing that pages are made of.

Most are made from what the sources name (`source_names`): tags, classes, attributes, values and
words, in rows and in one another. What stands by hand in `BY_HAND` has a form that no name tells:
spans of tables, references between nodes, one thing that grows long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Final, NamedTuple

from tests.hostile.source_names import is_void, tags, words

Page = Callable[[int], str]
"""What stands on a page of a size."""

SENTENCE: Final = "The keeper opened every hive before noon, and most of the bees stayed inside. "
"""Long enough that no labeler takes it for a menu."""
BY_HAND: Final = "by hand"
ALONE: Final = "alone"
"""Families of shapes that are made of no name; the latter stand on a page that has nothing else."""
_LEAD: Final = f"<h1>On bees</h1><p>{SENTENCE * 4}</p>"


_MARKUP_NAME: Final = re.compile(
    r"(?!(?:script|style|textarea|title|plaintext|xmp)$)[A-Za-z][\w:-]*"
)
"""What can be written as a name in a tag; in some elements nothing can be nested."""


class Shape(NamedTuple):
    """A thing that pages repeat.

    Attributes:
        family: what kind of name it is made of, e.g. ``class``.
        layout: how it is repeated.
        names: the names, of which elements have all, or one after another.
        make: of these and a size, a page.
        times: how often it stands on the smaller page.
    """

    family: str
    layout: str
    names: tuple[str, ...]
    make: Callable[[Sequence[str], int], str]
    times: int

    def page(self, n: int) -> bytes:
        """The page of a size in UTF-8."""
        lead = "" if self.family == ALONE else _LEAD
        return f"<!DOCTYPE html><html>{lead}{self.make(self.names, n)}".encode(errors="replace")

    def halves(self) -> Iterator[Shape]:
        """The same with fewer names; none of a single one."""
        middle = len(self.names) // 2
        for part in (self.names[:middle], self.names[middle:]) if middle else ():
            yield self._replace(names=part)


Element = Callable[[Sequence[str], int], tuple[str, str]]
"""Of names and a number, the start tag and the end tag of an element."""


def _rows(element: Element) -> Callable[[Sequence[str], int], str]:
    """Every other one around a paragraph."""

    def make(names: Sequence[str], n: int) -> str:
        parts = (element(names, number) for number in range(n))
        insides = (f"<p>A text {i}.</p>" if i % 2 else f"some words {i}" for i in range(n))
        rows = zip(parts, insides, strict=True)
        return "".join([f"{start}{inside}{end}\n" for (start, end), inside in rows])

    return make


def _nested(element: Element) -> Callable[[Sequence[str], int], str]:
    def make(names: Sequence[str], n: int) -> str:
        parts = [element(names, number) for number in range(n)]
        starts = "".join([f"{start}text {i} " for i, (start, _) in enumerate(parts)])
        return f"{starts}<p>The innermost.</p>{''.join([end for _, end in reversed(parts)])}"

    return make


def _unclosed(element: Element) -> Callable[[Sequence[str], int], str]:
    return lambda names, n: "".join([f"{element(names, i)[0]}text {i} <p>" for i in range(n)])


_LAYOUTS: Final = {"rows": _rows, "nested": _nested, "unclosed": _unclosed}


def _tag(names: Sequence[str], i: int) -> tuple[str, str]:
    name = names[i % len(names)]
    start = f"<{name} id=i{i} href=#i{i // 2} src=/s{i} alt='alt {i}'>"
    return start, "" if is_void(name) else f"</{name}>"


def _with_classes(names: Sequence[str], i: int) -> tuple[str, str]:
    return f"<div id=i{i} class='{' '.join(names)}'>", "</div>"


def _inline_with_classes(names: Sequence[str], i: int) -> tuple[str, str]:
    classes = " ".join(names)
    return f"<span class='{classes}'><a id=i{i} href=#i{i // 2} class='{classes}'>", "</a></span>"


def _with_attributes(names: Sequence[str], i: int) -> tuple[str, str]:
    return f"<div {' '.join([f'{name}={name}' for name in names])} id=i{i}>", "</div>"


def _with_values(names: Sequence[str], i: int) -> tuple[str, str]:
    name = names[i % len(names)]
    values = " ".join([f"{key}={name}" for key in ("itemprop", "role", "rel", "type", "epub:type")])
    kind = f"itemscope itemtype=https://schema.org/{name}"
    return f"<div {values} {kind} id={name}-{i} class={name}-{i} name={name}>", "</div>"


def _text(names: Sequence[str], i: int) -> tuple[str, str]:
    name = names[i % len(names)]
    return f"<h2>{name}</h2><p>{name} {i}: <a href=/{name}>{name}</a> ", "</p>"


def _meta(names: Sequence[str], n: int) -> str:
    rows = ((names[i % len(names)], i) for i in range(n))
    return "".join(
        [f"<meta name={w} property={w} itemprop={w} content='{w} {i}'>" for w, i in rows]
    )


def _line(names: Sequence[str], n: int) -> str:
    return "<p>" + " ".join([names[i % len(names)] for i in range(n)])


def _json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def _json_nodes(names: Sequence[str], n: int) -> str:
    cycle = (names[i % len(names)] for i in range(n))
    return _json_ld(
        [{"@type": w, w: [w, {"@id": f"#{i}"}], "name": w} for i, w in enumerate(cycle)]
    )


def _json_nested(names: Sequence[str], n: int) -> str:
    value: object = "the innermost"
    for i in range(min(n, 900)):  # the deepest that readers of JSON take
        value = {"@type": names[i % len(names)], names[i % len(names)]: value, "name": f"bee {i}"}
    return _json_ld(value) * (1 + n // 900)


_FAMILIES: Final[dict[str, tuple[Element, int, int]]] = {
    "tag": (_tag, 3, 1_200),
    "class": (_with_classes, 96, 500),
    "class of inline": (_inline_with_classes, 96, 300),
    "attribute": (_with_attributes, 64, 400),
    "value": (_with_values, 128, 800),
    "element": (_tag, 128, 1_500),
    "text": (_text, 256, 1_000),
}
"""What is made of the names, how many of them at once, and how often it stands on a page."""
_FLAT: Final = {
    "meta": _meta,
    "line": _line,
    "JSON-LD": _json_nodes,
    "JSON-LD nested": _json_nested,
}
_MOST_IN_ROW: Final = 512


def generated() -> Iterator[Shape]:
    """All shapes that are made from names, then the others."""
    for family, (element, size, times) in _FAMILIES.items():
        for layout, lay in _LAYOUTS.items():
            for group in _groups(family, size):
                yield Shape(family, layout, group, lay(element), times)
    for family, make in _FLAT.items():
        for group in _groups(family, _MOST_IN_ROW):
            yield Shape(family, "rows", group, make, 1_500)
    for family, pages in _OTHERS.items():
        for name in pages:
            yield by_name(family, name)


def _groups(family: str, size: int) -> Iterator[tuple[str, ...]]:
    chosen = tags() if family == "tag" else words()
    if family in ("element", "attribute", "value"):
        chosen = tuple(word for word in chosen if _MARKUP_NAME.fullmatch(word))
    for start in range(0, len(chosen), size):
        yield chosen[start : start + size]


def by_name(family: str, name: str) -> Shape:
    """A shape that is made of no name."""
    page = _OTHERS[family][name]
    return Shape(family, name, (), lambda _, n: page(n), 1_000)


def _each(n: int, pattern: str) -> str:
    """A pattern n times, with the number in place of #."""
    return "".join([pattern.replace("#", str(number)) for number in range(n)])


def _square(n: int) -> str:
    row = "<tr>" + "<td>12 bees</td>" * isqrt(n) + "</tr>"
    return f"<table>{row * isqrt(n)}</table>"


def _staircase(n: int) -> str:
    rows = ("<tr>" + "<td>a 1</td>" * (number + 1) for number in range(isqrt(2 * n)))
    return f"<table>{''.join(rows)}</table>"


def _referring(key: str, n: int, value: object, kind: str = "Article") -> str:
    """Many references to one node that holds as many values."""
    reference = {"@id": "#all"}
    node = {"@type": "Person", "@id": "#all", "more": 1, "url": value, "offers": value}
    node |= {} if key == "image" else {"name": value}  # what has a name is no reference
    things = [{"@type": kind, key: [reference] * min(n, 1_000)} for _ in range(max(n // 1_000, 1))]
    return _json_ld({"@graph": [*things, node]})


def _nested_item(n: int) -> str:
    """One thing that is eight properties of the one around it, again and again."""
    start = "<div itemscope itemtype='https://schema.org/Product' itemprop='a b c d e f g h'>"
    return f"{start * n}<b itemprop=price>3</b>{'</div>' * n}"


def _comment_tree(n: int) -> str:
    start = (
        f"<li class=comment><cite class=author>Ann #</cite><p>{SENTENCE}#</p><ul class=children>"
    )
    return _each(n, start) + "</ul></li>" * n


def _notes(n: int) -> str:
    marks = "".join([f"word<a id=r{i} href='#n{i}'><sup>{i}</sup></a> " for i in range(n)])
    return f"<p>{marks}</p><ol>" + "".join(
        [f"<li id=n{i}>note <a href='#r{i}'>^</a>" for i in range(n)]
    )


def _notes_of_one(n: int) -> str:
    marks = "".join([f"word<sup><a id=r{i} href='#n'>1</a></sup> " for i in range(n)])
    return f"<p>{marks}</p><ol><li id=n>the note " + _each(n, "<a href='#r#'>^</a> ")


def _notes_in_line(n: int) -> str:
    marks = "".join([f"<a href='#n{i}'>{i}</a>," for i in range(n)])
    return f"<p>word<sup>{marks}</sup><p>" + _each(n, "<a id=n#>#</a> note <br>")


_OF_FORM: Final[dict[str, Page]] = {
    "square table": _square,
    "staircase": _staircase,
    "one wide row": lambda n: "<table>" + _each(n, "<tr><td>a #") + "<tr>" + "<td>b" * n,
    "header cells": lambda n: "<table><tr>" + _each(n, "<th>name #") + _each(n, "<tr><td>bee #"),
    "rowspans": lambda n: "<table>" + _each(n, "<tr><td rowspan=60000>one #<td>two"),
    "colspans": lambda n: "<table>" + _each(n, "<tr><td colspan=1000>one #<td>two"),
    "both spans": lambda n: "<table>" + _each(n, "<tr><td colspan=1000 rowspan=60000>one #"),
    "lists": lambda n: _each(n, "<ol><li>entry # "),
    "items out of order": lambda n: "<ol>" + _each(n, "<li value=5>entry #<li value=3>entry"),
    "quotes in lists in cells": lambda n: _each(n, "<blockquote><ul><li><table><tr><td>text # "),
    "crossed formatting": lambda n: "<p>" + _each(n, "<b>one <i>two </b>three </i># "),
    "ends without starts": lambda n: "some text</div></p></b></td></ul> " * n,
    "starts without ends": lambda n: _each(n, "<li>one<p>two<td>three<dd>four # "),
    "paragraphs": lambda n: _each(n, f"<p>{SENTENCE}#</p>\n"),
    "lines": lambda n: "<p>" + _each(n, "a line of text #<br>"),
    "code lines": lambda n: "<pre><code>" + _each(n, "x = x + #\n") + "</code></pre>",
    "numbered code": lambda n: (
        "<table><tr><td><pre>" + _each(n, "#\n") + "</pre><td><pre>" + _each(n, "x = #\n")
    ),
    "long fence": lambda n: f"<pre>{'`' * n}</pre><p><code>{'`' * n}</code>",
    "comments of readers": _comment_tree,
    "posts": lambda n: _each(
        n, "<div class=post id=p#><span class=author>Ann #</span>"
        f"<time datetime=2020-01-01>1 Jan</time><p>{SENTENCE}#</p></div>"
    ),
    "offers in offers": _nested_item,
    "deepening headings": lambda n: _each(n, "<h1>a #</h1><h2>b</h2><h3>c</h3><h4>d</h4><p>text"),
    "huge heading": lambda n: f"<h1>{'bees ' * n}</h1>" + _each(n, "<p>text #</p>"),
    "title of all headings": lambda n: (
        f"<title>{_each(n, 'bees# ')}</title>" + _each(n, "<h2>bees# and more</h2>")
    ),
    "huge base": lambda n: (
        f"<base href='http://a.test/{'b/' * n}'>" + _each(n, "<p><a href=x#>a #</a><img src=x#>")
    ),
    "srcset": lambda n: f"<img alt=bee srcset='{_each(n, '/a#.png #w, ')}'>{SENTENCE}",
    "sources and images of a picture": lambda n: (
        "<picture>" + _each(n, "<source srcset='/a#.png #w'>") + _each(n, "<img src=x#>")
    ),
    "notes": _notes,
    "references to one note": _notes_of_one,
    "notes in one line": _notes_in_line,
    "notes by number": lambda n: "<p>" + "word<sup>*</sup> " * n + "<p><sup>*</sup> a note " * n,
    "equal ids": lambda n: "<div id=same><p>text <a href=#same>to it</a></p></div>" * n,
    "JSON-LD depth": lambda n: f'<script type="application/ld+json">{"[" * n}{"]" * n}</script>',
    "authors by reference": lambda n: _referring(
        "author", n, [f"Ann {i}" for i in range(n)][:1_000]
    ),
    "headlines by reference": lambda n: (
        "<title>Bees</title>" + _referring("headline", n, [f"On {i}" for i in range(n)][:1_000])
    ),
    "pictures by reference": lambda n: _referring(
        "image", n, [f"data:bee,{i}" for i in range(n)][:1_000]
    ),
    "offers by reference": lambda n: _referring(
        "offers", n, [{"@type": "Offer", "price": i} for i in range(n)][:1_000], "Product"
    ),
    "formulas of TeX": lambda n: "<p>" + _each(n, r"\(x_{#} = \frac{1}{2}\) and $$y^#$$ "),
    "formulas in one another": lambda n: "<p>" + "<span class=katex>" * n + "x<p>y",
    "attributes": lambda n: f"<div {_each(n, 'a#=v# ')}><p>{SENTENCE * 4}</p></div>",
    "huge class above blocks": lambda n: (
        f"<div class='{_each(n, 'comment# ')}' id='{'i' * n}'>" + _each(n, "<p>text #</p>")
    ),
    "classes": lambda n: _each(n, f"<div class='row a# b#'>{SENTENCE}</div>"),
    "tag names": lambda n: _each(n, "<x#>text #</x#> <my-x#>text # "),
    "long word": lambda n: f"<p>{'bzz' * n} {'1-' * n}",
    "Chinese": lambda n: "<p>" + "蜜蜂住在蜂巢里，每天早上都飞出去。" * n,
    "combining marks": lambda n: "<p>e" + "\u0301" * n + " bees " + "e\u0301\u0323 " * n,
    "stars": lambda n: "<p>" + "*_[`<~\\#" * n + "[" * n + "text" + "](" * n,
    "white space": lambda n: "<p>one" + " \n\t" * n + "two",
    "abbreviations": lambda n: "<p>" + "e.g. Mr. A. B. Bee left the U.S. at 5 p.m. etc. " * n,
}  # fmt: skip
"""Name to what stands on the page below a heading and a paragraph."""
_ALONE: Final[dict[str, Page]] = {
    "article in JSON-LD": lambda n: _json_ld(
        {"@type": "Article", "headline": "Bees", "articleBody": f"<div>{SENTENCE}" * n}
    ),
    "state": lambda n: f"<script>x = {json.dumps({f't{i}': SENTENCE + str(i) for i in range(n)})}",
    "braces": lambda n: f"<script>x = {'{' * n}'{SENTENCE * 9}'</script>",
    "depth in JSON": lambda n: (
        "<script type='application/json'>" + '{"a":' * n + f'"{SENTENCE * 9}"' + "}" * n
    ),
}
"""What stands on a page that has nothing else."""

_OTHERS: Final = {BY_HAND: _OF_FORM, ALONE: _ALONE}
