"""Elements inside elements: deeper than any tree is built, closed, unclosed and misnested."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hostile.zoo.inputs import Group, Times
from hostile.zoo.texts import SENTENCE, TEXT, page

GROUP: Final = Group("nesting")

_AROUND: Final = {
    "div": 100_000, "span": 50_000, "font": 50_000, "b": 50_000, "a href=x": 50_000,
    "section": 50_000, "blockquote": 50_000, "center": 50_000, "custom-element": 50_000,
    "ul><li": 20_000, "dl><dd": 20_000, "table><tr><td": 10_000,
}  # fmt: skip
"""Elements that hold the article at their bottom, and how many of them."""
_BEHIND: Final = {
    "p": 100_000, "h1": 50_000, "pre": 50_000, "button": 50_000, "form": 50_000, "sup": 50_000,
    "fieldset": 50_000, "nobr": 50_000, "label": 50_000, "em><strong><i><u": 20_000,
    "ol><li": 20_000, "ul><li": 50_000, "dl><dt>name</dt><dd": 20_000, "blockquote": 50_000,
    "details><summary>more</summary": 20_000, "ruby><rt": 30_000, "figure><figcaption": 30_000,
    "table><tbody><tr><th><ul><li><b": 5_000, "select><optgroup><option": 50_000,
}  # fmt: skip
"""Elements that are never closed, with a word at each depth, behind the article."""
_CLOSED: Final = {
    "svg": 50_000, "math": 50_000, "svg><foreignObject": 20_000, "template": 50_000,
    "object": 50_000, "noscript": 50_000, "video": 20_000, "div": 50_000, "ul><li": 10_000,
    "blockquote": 50_000, "table><tr><td>c</td><td": 3_000,
}  # fmt: skip
"""Elements behind the article, closed in order."""


def _name(tags: str) -> str:
    return "-".join(tags.replace("<", " ").replace(">", " ").replace("/", " ").split()[:4])


def _ends(tags: str) -> str:
    names = [tag.split()[0] for tag in tags.split("><")]
    return "".join(f"</{name}>" for name in reversed(names) if "</" not in name)


def _around(tags: str, count: int) -> Callable[[Times], bytes]:
    return lambda n: page(f"<{tags}>" * n(count) + TEXT + _ends(tags) * n(count))


def _behind(tags: str, count: int) -> Callable[[Times], bytes]:
    return lambda n: page(TEXT + f"<{tags}>word " * n(count))


def _closed(tags: str, count: int) -> Callable[[Times], bytes]:
    starts = f"<{tags}>word "
    ends = "".join(f"</{tag.split('>')[-1]}>" for tag in reversed(tags.split("<")))
    return lambda n: page(TEXT + starts * n(count) + ends * n(count))


for _tags, _count in _AROUND.items():
    GROUP.add(f"around-{_name(_tags)}", _around(_tags, _count))
for _tags, _count in _BEHIND.items():
    GROUP.add(f"behind-{_name(_tags)}", _behind(_tags, _count))
for _tags, _count in _CLOSED.items():
    GROUP.add(f"closed-{_name(_tags)}", _closed(_tags, _count))

GROUP.add(
    "misnested-bold",
    lambda n: page(TEXT + "".join(f"<b><p>{i} {SENTENCE}</b></p>" for i in range(n(3_000)))),
)
GROUP.add(
    "adopted-links",
    lambda n: page(TEXT + "<a><b><i><u><p>x" * n(10_000) + "</a></b></i></u>" * n(10_000)),
)
GROUP.add("fostered-cells", lambda n: page(TEXT + "<table>" + "<b>stray<tr>text<td>" * n(20_000)))
GROUP.add("opened-above-all", lambda n: b"<div>" * n(5_000) + page(TEXT))
GROUP.add("ends-only", lambda n: page(TEXT + "</div></p></table></li>" * n(200_000)))
GROUP.add("ends-first", lambda n: b"</html></body></p></div>" * n(200_000) + page(TEXT))
GROUP.add(
    "lists-of-all-kinds",
    lambda n: page(TEXT + "<ol><li>one<ul><li>two<dl><dt>three<dd>four" * n(10_000)),
)
GROUP.add(
    "quotes-in-items",
    lambda n: page(TEXT + "<ul><li>item<blockquote><p>quote<pre>code</pre>" * n(15_000)),
)
GROUP.add("headings-in-links", lambda n: page(TEXT + '<a href="/x"><h2>link<p>text' * n(30_000)))
