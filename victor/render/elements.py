"""Blocks and inline content as elements: what article and TEI share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from victor.page.plain_data import attributes, escaped
from victor.render.tree import nodes
from victor.render.tree.nodes import CODE, UNSET, Mark, Part, Run, Text


def element(name: str, content: str, more: str = "") -> str:
    """An element, ended by a newline.

    Args:
        name: and perhaps an attribute after it.
        content: what it holds.
        more: other attributes, as `victor.page.plain_data.attributes` writes them.
    """
    return f"<{name}{more}>{content}</{name.partition(' ')[0]}>\n"


class ElementWriter(ABC):
    """Writes the blocks of one document in the elements of HTML; other forms name theirs.

    Args:
        source: the document.
        links: attributes of every link of the document; None for one that is left out.
    """

    row, header_row, cell, header = "tr", "tr", "td", "th"  # perhaps with an attribute
    columns, rows = "colspan", "rowspan"
    link, line_break, rule = "a", "<br>", "<hr>\n"
    marks: ClassVar[Mapping[int, str]] = {
        Mark.STRONG: "strong",
        Mark.EMPHASIS: "em",
        Mark.DELETED: "del",
        Mark.SUBSCRIPT: "sub",
        Mark.SUPERSCRIPT: "sup",
    }

    def __init__(self, source: nodes.Tree, links: Sequence[str | None]) -> None:
        self._links, self._allowance = links, source.allowance
        self._notes = nodes.note_numbers(source.children)

    @abstractmethod
    def _block(self, node: nodes.Block) -> str:
        """A block, ended by a newline."""

    @abstractmethod
    def _thing(self, thing: nodes.Thing) -> str:
        """Inline content that is neither text nor the end of a line, without its link."""

    def blocks(self, children: Iterable[nodes.Block]) -> str:
        """Some blocks, each ended by a newline."""
        return "".join(map(self._block, children))

    def _content(self, children: Sequence[nodes.Block]) -> str:
        """Some blocks in an element that may hold text; a lone paragraph has no element there."""
        first = children[0] if children else None
        if isinstance(first, nodes.Paragraph) and not first.level:
            rest = children[1:]
            if all(isinstance(node, nodes.List) for node in rest):
                return self._inlines(first.inlines) + ("\n" if rest else "") + self.blocks(rest)
        return f"\n{self.blocks(children)}" if children else ""

    def _row(self, row: nodes.Row) -> str:
        is_header = all(cell.is_header for cell in row.children)
        name = self.header_row if is_header else self.row
        return element(name, f"\n{''.join(map(self._cell, row.children))}")

    def _cell(self, cell: nodes.Cell) -> str:
        spans = {self.columns: cell.columns, self.rows: cell.rows}
        spanned = attributes(**{name: n if n > 1 else None for name, n in spans.items()})
        name = self.header if cell.is_header else self.cell
        return element(name, self._content(cell.children), spanned)

    def _inlines(self, inlines: Sequence[nodes.Inline]) -> str:
        self._allowance.ask(len(inlines))
        if len(inlines) == 1 and isinstance(inlines[0], Text) and inlines[0][1:] == UNSET:
            return escaped(inlines[0].text)
        run = Run.of(inlines)
        return "".join(self._parts(run, run.whole))

    def _parts(self, run: Run, part: Part) -> Iterator[str]:
        for inner in run.parts(part):
            if inner.around:
                name, more = self._wrapper(inner.around)
                content = self._parts(run, inner)
                yield from (f"<{name}{more}>", *content, f"</{name}>") if name else content
            else:
                yield self._inline(run.inlines[inner.start])

    def _wrapper(self, around: int) -> tuple[str, str]:
        """Name and attributes of a mark or link; no name for a link that is left out."""
        if around < 0:
            more = self._links[~around]
            return ("", "") if more is None else (self.link, more)
        name, space, more = self.marks[around].partition(" ")
        return name, space + more

    def _inline(self, inline: nodes.Inline) -> str:
        if isinstance(inline, Text):  # nearly all are
            text = escaped(inline.text)
            return f"<code>{text}</code>" if inline.marks._value_ & CODE else text
        return self.line_break if isinstance(inline, nodes.Break) else self._thing(inline)
