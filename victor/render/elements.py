"""Blocks and inline content as elements: the words of each form, and what the forms share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from victor.page.allowance import Allowance
from victor.page.plain_data import attributes, escaped
from victor.render.tree import nodes
from victor.render.tree.nodes import UNSET, Break, Inline, Mark, Math, Picture, Text


class Elements(NamedTuple):
    """The elements of a form: names, after some an attribute that is always there."""

    item: str  # of a list
    row: str  # of a table
    header_row: str  # of headers alone
    cell: str  # of a row
    header: str  # likewise
    columns: str  # attribute of a cell that spans some
    rows: str  # likewise
    link: str  # around what is linked
    marks: Mapping[int, str]  # around what is set in some way
    line_break: str  # a whole element
    rule: str  # likewise


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


# What stands around inline content is a number: the value of a mark, or ~n for link n.
_MARKS: Final = tuple(mark.value for mark in Mark if mark)
_CODE: Final = Mark.CODE.value


def element(name: str, content: str, more: str = "") -> str:
    """An element, ended by a newline.

    Args:
        name: and perhaps an attribute after it.
        content: what it holds.
        more: other attributes, as `victor.page.plain_data.attributes` writes them.
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

    def _start(self, wrapper: int) -> str:
        if wrapper > 0:
            return f"<{self._elements.marks[wrapper]}>"
        more = self._links[~wrapper]
        return "" if more is None else f"<{self._elements.link}{more}>"

    def _end(self, wrapper: int) -> str:
        if wrapper > 0:
            return f"</{_end_of(self._elements.marks[wrapper])}>"
        return "" if self._links[~wrapper] is None else f"</{self._elements.link}>"


def written(
    inlines: Sequence[Inline],
    write: Callable[[Inline], str],
    start: Callable[[int], str],
    end: Callable[[int], str],
    allowance: Allowance,
) -> str:
    """Inline content with the tags of its marks and links, properly nested.

    What reaches further opens first. Code is always the innermost; breaks of lines, formulas,
    images and marks of notes never stand in it, and marks of notes stand in no link.

    Args:
        inlines: the content.
        write: gives a piece of it without its marks and its link.
        start: gives the start tag of a mark or link.
        end: gives its end tag.
        allowance: what the form may take.
    """
    allowance.ask()
    if len(inlines) == 1 and isinstance(inlines[0], Text) and inlines[0][1:] == UNSET:
        return write(inlines[0])
    own = [_own(inline) for inline in allowance.over(inlines)]
    if not any(own):
        return "".join(map(write, allowance.over(inlines)))
    around = _around(inlines, own, allowance)
    stack: list[int] = []
    parts: list[str] = []
    reach = _reach(around, allowance)
    for inline, wanted, ends in zip(allowance.over(inlines), around, reach, strict=True):
        stays = _staying(stack, wanted)
        while len(stack) > stays:
            parts.append(end(stack.pop()))
        missing = [wrapper for wrapper in wanted if wrapper not in stack]
        if len(missing) > 1:
            missing.sort(key=lambda each, ends=ends: (each == _CODE, -ends[each]))  # type: ignore[misc]
        stack += missing
        parts += [*map(start, missing), write(inline)]
    return "".join((*parts, *map(end, reversed(stack))))


def _staying(stack: Sequence[int], wanted: Sequence[int]) -> int:
    """How many of the open marks and links stay open; nothing opens within code."""
    stays = 0
    while stays < len(stack) and stack[stays] in wanted:
        stays += 1
    is_code = stays > 0 and stack[stays - 1] == _CODE
    return stays - 1 if is_code and stays < len(wanted) else stays


def _around(
    inlines: Sequence[Inline], own: Sequence[tuple[int, ...]], allowance: Allowance
) -> list[tuple[int, ...]]:
    """What stands around each piece; what has no marks has those of both neighbours."""
    before: list[tuple[int, ...]] = []
    last: tuple[int, ...] = ()
    for inline, wrappers in zip(inlines, own, strict=True):
        before.append(last)
        last = wrappers if isinstance(inline, Text) else last
    around: list[tuple[int, ...]] = []
    after: tuple[int, ...] = ()
    for number in allowance.over(range(len(inlines) - 1, -1, -1)):
        inline, wrappers = inlines[number], own[number]
        if isinstance(inline, Text):
            after = wrappers
        else:
            shared = tuple(each for each in before[number] if each in after and each != _CODE)
            marks = tuple(each for each in shared if each > 0)
            wrappers = shared if isinstance(inline, Break | Math) else (*wrappers, *marks)
        around.append(wrappers)
    return around[::-1]


def _own(inline: Inline) -> tuple[int, ...]:
    link = inline.link if isinstance(inline, Text | Picture) else -1
    marks = _marks(inline.marks._value_) if isinstance(inline, Text) else ()
    return marks if link < 0 else (~link, *marks)


@lru_cache(maxsize=64)
def _marks(value: int) -> tuple[int, ...]:
    return tuple(mark for mark in _MARKS if value & mark)


def _reach(around: Sequence[tuple[int, ...]], allowance: Allowance) -> list[dict[int, int]]:
    """For each piece and all that stands around it, where the run of pieces ends that it is of."""
    reach: list[dict[int, int]] = []
    after: dict[int, int] = {}
    for number in allowance.over(range(len(around) - 1, -1, -1)):
        after = {wrapper: after.get(wrapper, number + 1) for wrapper in around[number]}
        reach.append(after)
    return reach[::-1]
