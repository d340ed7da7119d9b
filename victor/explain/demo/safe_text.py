"""The text of a page with its blocks marked, so that nothing of the page can act.

Only the text of the page and the names of known elements are written, as ``div`` and ``span`` with
a class: no attribute, script, style, form, frame or address of the page can reach the file.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Final

from victor.base.arrays import Floats
from victor.page.markup.full_record import Item, Kind, markup_of
from victor.page.parsing.tags import HEADINGS, SPLITTING, VOID
from victor.page.table.blocks import BlockTable

_STYLED: Final = frozenset(HEADINGS) | frozenset(
    "a b blockquote button caption code dd del dt em figcaption i label li ol p pre strong table "
    "td th tr ul".split()
)
"""Elements that look about the same in the file as on the page."""
_SHADES: Final = 10


def safe_text(table: BlockTable, markup: bytes, keep: Floats) -> str:
    """The text of a page as div and span elements.

    Args:
        table: of this page alone.
        markup: the UTF-8 bytes that the page was read from.
        keep: (n,) probability that each block is kept.

    Returns:
        Markup in which all elements are closed. All text of block i is in elements of class ``b``
        with ``data-b="i"``; their class ``c0`` to ``c9`` says how probable it is that it is kept.

    Raises:
        ConfigError: the table was not made from this markup.
    """
    full = markup_of(table, 0, markup)
    blocks = full.blocks(table, 0).tolist()
    return "".join(_Writer(keep).body(full.items, blocks))


class _Writer:
    """Puts the text of blocks into spans; the parser closes every element that it opens."""

    def __init__(self, keep: Floats) -> None:
        self._shades = [min(int(p * _SHADES), _SHADES - 1) for p in keep.tolist()]
        self._last = -1
        self._ends: list[str] = []

    def body(self, items: Sequence[Item], blocks: Sequence[int]) -> Iterator[str]:
        for item, block in zip(items, blocks, strict=True):
            if item.dropped:
                continue
            if item.kind is Kind.TEXT:
                yield self._text(item.text, block)
            elif item.kind is Kind.START and item.text in VOID:
                yield self._void(item, block)
            elif item.kind is Kind.START:
                yield self._start(item.text)
            elif item.kind is Kind.END:
                yield self._ends.pop()

    def _start(self, name: str) -> str:
        written = "div" if name in SPLITTING or "-" in name else "span"
        self._ends.append(f"</{written}>")
        style = f' class="e-{name}"' if name in _STYLED else ""
        return f"<{written}{style}>"

    def _void(self, item: Item, block: int) -> str:
        if item.text in ("br", "hr"):
            return f"<{item.text}>"
        alternative = item.attributes.get("alt") or ""
        if item.text != "img" or not alternative.strip():
            return ""
        shown = self._text(alternative, block) if block >= 0 else html.escape(alternative)
        return f'<span class="e-img">{shown}</span>'

    def _text(self, text: str, block: int) -> str:
        """Text as part of a block, -1 for none; the first of a block can be reached by key."""
        if block < 0 or not text.strip():
            return html.escape(text)
        focus = ' tabindex="-1"' if block > self._last else ""
        self._last = max(block, self._last)
        shade = self._shades[block]
        return f'<span class="b c{shade}" data-b="{block}"{focus}>{html.escape(text)}</span>'
