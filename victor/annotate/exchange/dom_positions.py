"""Positions in a page as other tools give them: by XPath and offset, or by the text itself.

The tree is that of our own parser. It differs a little from that of a browser, which for instance
puts a ``tbody`` into every table. Steps to elements that only a browser adds are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from victor.annotate.store.page_blocks import block_table
from victor.base.arrays import Bools, Ints
from victor.page.decoding.decode import utf8
from victor.page.markup.full_record import Kind, record_full
from victor.page.parsing.characters import JOINER, SPACE, class_table
from victor.page.parsing.tags import VOID

_STEP: Final = re.compile(r"/(text\(\)|[a-zA-Z][\w:.-]*)(?:\[(\d+)\])?")
_TEXT: Final = "text()"
_IMPLIED: Final = frozenset({"html", "head", "body", "tbody", "colgroup"})
"""Elements that a browser adds where a page does not name them."""


class DomPosition(NamedTuple):
    """A position in a page: an XPath, and an offset in the node that it leads to."""

    path: str
    offset: int

    @property
    def steps(self) -> list[tuple[str, int]]:
        """Name and number of every node on the way."""
        return [(name.lower(), int(number or 1)) for name, number in _STEP.findall(self.path)]


@dataclass(eq=False)
class _Node:
    """An element or a text with its extent in the text of the page."""

    name: str
    start: int
    end: int = 0
    children: list[_Node] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class DomText:
    """The text of a page with its tree and its blocks.

    Attributes:
        text: of all elements, including those that are never shown.
        block: (len(text),) int64 block of every character, -1 for none.
        n_blocks: how many blocks the page has.
    """

    text: str
    block: Ints
    n_blocks: int
    _root: _Node = field(repr=False)

    @classmethod
    def of(cls, html: bytes) -> DomText:
        """The text of a page."""
        table = block_table(html)
        markup = record_full(utf8(html))
        root = _Node("#document", 0)
        open_nodes, texts, length = [root], list[str](), 0
        blocks = []
        for item, block in zip(markup.items, markup.blocks(table, 0).tolist(), strict=True):
            if item.kind is Kind.START:
                node = _Node(item.text, length, length)
                open_nodes[-1].children.append(node)
                if item.text not in VOID:
                    open_nodes.append(node)
            elif item.kind is Kind.END and len(open_nodes) > 1:
                open_nodes.pop().end = length
            elif item.kind is Kind.TEXT:
                text = item.text.replace("\r\n", "\n")
                _add_text(open_nodes[-1], length, len(text))
                texts.append(text)
                length += len(text)
                blocks.append((block, len(text)))
            elif item.kind is Kind.COMMENT:  # two texts with one between are two nodes
                open_nodes[-1].children.append(_Node("#comment", length, length))
        root.end = length
        numbers = np.array(blocks, dtype=np.int64).reshape(-1, 2)
        return cls("".join(texts), np.repeat(numbers[:, 0], numbers[:, 1]), len(table), root)

    def extents(self, start: DomPosition, end: DomPosition) -> Iterator[tuple[int, int]]:
        """Extents in `text` that two positions may mean, likely ones first; none is empty.

        A path begins at the ``body``, the ``html`` or the document, as the tool displayed it.
        Offsets count UTF-16 code units in a text and children in an element, as in the DOM.
        """
        for root in self._roots:
            first_node, last_node = _resolved(root, start.steps), _resolved(root, end.steps)
            if first_node is not None and last_node is not None:
                first = self._text_offset(first_node, start.offset)
                last = self._text_offset(last_node, end.offset)
                if first < last:
                    yield first, last

    @cached_property
    def _roots(self) -> list[_Node]:
        roots = [self._root]
        for name in ("html", "body"):
            roots += [child for child in roots[-1].children if child.name == name][:1]
        return roots[::-1]

    def _text_offset(self, node: _Node, offset: int) -> int:
        if node.name == _TEXT:
            units = self.text[node.start : node.end].encode("utf-16-le", "surrogatepass")
            before = units[: 2 * max(offset, 0)].decode("utf-16-le", "ignore")
            return node.start + len(before)
        if 0 <= offset < len(node.children):
            return node.children[offset].start
        return node.end

    @cached_property
    def _letters(self) -> tuple[str, Ints]:
        """The letters and digits of all blocks, case folded, and their offsets in `text`."""
        offsets = [n for n, c in enumerate(self.text) if c.isalnum() and self.block[n] >= 0]
        return letters_of("".join(self.text[n] for n in offsets)), np.array(offsets, dtype=np.int64)

    def find(self, text: str) -> list[tuple[int, int]]:
        """Extents in `text` of all copies of a text that do not overlap; only letters count."""
        wanted = letters_of(text)
        letters, offsets = self._letters
        if not wanted:
            return []
        copies = re.finditer(re.escape(wanted), letters)
        return [(int(offsets[m.start()]), int(offsets[m.end() - 1]) + 1) for m in copies]

    @cached_property
    def visible(self) -> Bools:
        """(len(text),) bool: is the character part of a block, and not white space."""
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)
        classes = class_table()[codes]
        return np.asarray((self.block >= 0) & (classes != SPACE) & (classes != JOINER))


def letters_of(text: str) -> str:
    """Letters and digits, each case folded if that leaves one character."""
    folded = (c.casefold() if len(c.casefold()) == 1 else c for c in text if c.isalnum())
    return "".join(folded)


def _add_text(parent: _Node, start: int, length: int) -> None:
    """Add a text to an element; adjacent texts are one node."""
    last = parent.children[-1] if parent.children else None
    if last is not None and last.name == _TEXT:
        last.end = start + length
    else:
        parent.children.append(_Node(_TEXT, start, start + length))


def _resolved(root: _Node, steps: list[tuple[str, int]]) -> _Node | None:
    """The node at the end of a path, None if there is none."""
    node = root
    for name, number in steps:
        namesakes = [child for child in node.children if child.name == name]
        if 0 < number <= len(namesakes):
            node = namesakes[number - 1]
        elif name not in _IMPLIED or number != 1:
            return None
    return node
