"""Blocks and inline content as elements: the words of each form, and what the forms share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from victor.page.xml_text import attributes, escaped
from victor.render.tree import nodes
from victor.render.tree.nodes import Mark
from victor.render.tree.spans import Wrapper, written


class Elements(NamedTuple):
    """The elements of a form: names, after some an attribute that is always there.

    Attributes:
        item: of a list.
        row, header_row: of a table, and the one of headers alone.
        cell, header: of a row.
        columns, rows: attributes of a cell that spans some.
        link: around what is linked.
        marks: around what is set in some way.
        line_break, rule: whole elements.
    """

    item: str
    row: str
    header_row: str
    cell: str
    header: str
    columns: str
    rows: str
    link: str
    marks: Mapping[Mark, str]
    line_break: str
    rule: str


ARTICLE: Final = Elements(
    item="li",
    row="tr",
    header_row="tr",
    cell="td",
    header="th",
    columns="colspan",
    rows="rowspan",
    link="a",
    marks={
        Mark.STRONG: "strong",
        Mark.EMPHASIS: "em",
        Mark.DELETED: "del",
        Mark.SUBSCRIPT: "sub",
        Mark.SUPERSCRIPT: "sup",
        Mark.CODE: "code",
    },
    line_break="<br>",
    rule="<hr>\n",
)
"""Those of HTML."""
TEI: Final = Elements(
    item="item",
    row="row",
    header_row='row role="label"',
    cell="cell",
    header='cell role="label"',
    columns="cols",
    rows="rows",
    link="ref",
    marks={
        Mark.STRONG: 'hi rend="bold"',
        Mark.EMPHASIS: 'hi rend="italic"',
        Mark.DELETED: "del",
        Mark.SUBSCRIPT: 'hi rend="subscript"',
        Mark.SUPERSCRIPT: 'hi rend="superscript"',
        Mark.CODE: "code",
    },
    line_break="<lb/>",
    rule='<milestone unit="section" rend="rule"/>\n',
)
"""Those of TEI P5."""


def element(name: str, content: str, more: str = "") -> str:
    """An element, ended by a newline.

    Args:
        name: and perhaps an attribute after it.
        content: what it holds.
        more: other attributes, as `victor.page.xml_text.attributes` writes them.
    """
    return f"<{name}{more}>{content}</{_end_of(name)}>\n"


def _end_of(name: str) -> str:
    return name.partition(" ")[0]


class ElementWriter(ABC):
    """Writes the blocks of one document.

    Args:
        source: the document.
        elements: of the form.
        links: attributes of every link of the document; None for one that is left out.
    """

    def __init__(self, source: nodes.Tree, elements: Elements, links: Sequence[str | None]) -> None:
        self._elements, self._links, self._allowance = elements, links, source.allowance
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
        name = self._elements.header_row if is_header else self._elements.row
        return element(name, f"\n{''.join(map(self._cell, row.children))}")

    def _cell(self, cell: nodes.Cell) -> str:
        spans = {self._elements.columns: cell.columns, self._elements.rows: cell.rows}
        spanned = attributes(**{name: n if n > 1 else None for name, n in spans.items()})
        name = self._elements.header if cell.is_header else self._elements.cell
        return element(name, self._content(cell.children), spanned)

    def _inlines(self, inlines: Sequence[nodes.Inline]) -> str:
        return written(inlines, self._inline, self._start, self._end, self._allowance)

    def _inline(self, inline: nodes.Inline) -> str:
        if isinstance(inline, nodes.Text):  # nearly all are
            return escaped(inline.text)
        if isinstance(inline, nodes.Break):
            return self._elements.line_break
        return self._thing(inline)

    def _start(self, wrapper: Wrapper) -> str:
        if wrapper.link < 0:
            return f"<{self._elements.marks[wrapper.mark]}>"
        more = self._links[wrapper.link]
        return "" if more is None else f"<{self._elements.link}{more}>"

    def _end(self, wrapper: Wrapper) -> str:
        if wrapper.link < 0:
            return f"</{_end_of(self._elements.marks[wrapper.mark])}>"
        return "" if self._links[wrapper.link] is None else f"</{self._elements.link}>"
