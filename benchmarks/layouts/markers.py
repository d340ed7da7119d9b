"""Pages whose template has comments or tags where content begins and ends (Pal 2009).

A plain marker is the beginning of a comment, in any case; no letter or digit may follow it. A tag,
`<div class='post-body'>`, matches tags with at least its classes and attributes. A part without an
end reaches to the end of the page, an end without a begin is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple

from layouts import GoldPage, UnusableError
from victor.page.decoding.decode import utf8

HEADING: Final = re.compile(r"h[1-6]")


class Item(NamedTuple):
    """A comment, tag or text of a page."""

    kind: str
    text: str
    words: frozenset[str] = frozenset()


class Items(HTMLParser):
    """The items of a page, scripts and styles left out."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag with its classes, and other attributes as `name=value`."""
        others = {f"{name}={value}" for name, value in attrs if name != "class"}
        classes = {
            word for name, value in attrs if name == "class" for word in (value or "").split()
        }
        self.items.append(Item("start", tag, frozenset(others | classes)))

    def handle_endtag(self, tag: str) -> None:
        """Note an end tag."""
        self.items.append(Item("end", tag))

    def handle_comment(self, data: str) -> None:
        """Note a comment."""
        self.items.append(Item("comment", " ".join(data.split()).casefold()))

    def handle_data(self, data: str) -> None:
        """Note a text that people see."""
        if self.cdata_elem is None and data.strip():
            self.items.append(Item("text", data))


def pages(
    folder: Path, *, begin: str, end: str, is_discarded: bool
) -> Iterator[GoldPage | UnusableError]:
    """The pages `*.html` of a folder, or of `html/` in it."""
    inner = folder / "html"
    for path in sorted((inner if inner.is_dir() else folder).glob("*.htm*")):
        html = path.read_bytes()
        items = Items(utf8(html).decode()).items
        steps = [step(item, marker(begin), marker(end)) for item in items]
        if 1 in steps:
            yield GoldPage({"id": path.stem}, html, [*blocks(items, steps, is_discarded)])
        else:
            yield UnusableError(f"{path} has no {begin!r}")


def marker(text: str) -> Item:
    """The item that a marker describes."""
    is_markup = text.lstrip().startswith("<")
    return Items(text if is_markup else f"<!--{text}-->").items[0]


def step(item: Item, begin: Item, end: Item) -> int:
    """+1 if an item begins a part, -1 if it ends one, else 0; of two that match, the longer."""
    begins, ends = matched(begin, item), matched(end, item)
    return (begins > ends) - (begins < ends)


def matched(wanted: Item, item: Item) -> int:
    """How much an item has in common with a marker; 0 if it is another one."""
    if item.kind != wanted.kind:
        return 0
    if item.kind != "comment":
        return (1 + len(wanted.words)) * (item.text == wanted.text and wanted.words <= item.words)
    rest = item.text.removeprefix(wanted.text)
    goes_on = wanted.text[-1].isalnum() and re.match(r"\w", rest)
    return 0 if not item.text.startswith(wanted.text) or goes_on else len(wanted.text)


def blocks(items: list[Item], steps: list[int], is_discarded: bool) -> Iterator[tuple[str, str]]:
    """The texts of a page with their labels."""
    is_inside = is_heading = False
    for item, change in zip(items, steps, strict=True):
        is_inside = change > 0 or (is_inside and change == 0)
        if item.kind in ("start", "end") and HEADING.fullmatch(item.text):
            is_heading = item.kind == "start"
        if item.kind == "text":
            kept = "header" if is_heading else "text"
            yield kept if is_inside != is_discarded else "other", item.text
