"""Build the document of a page: containers open and close as its tags do."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import count, repeat
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools
from victor.base.labels import Label
from victor.base.lazy import cached_property
from victor.page.markup.full_record import Attributes
from victor.page.parsing.tags import IDS, NAMES, member_mask
from victor.page.verdict.preformatted import code_text
from victor.render.forms import Page
from victor.render.tree import nodes
from victor.render.tree.classes import callouts, language
from victor.render.tree.inlines import Inlines
from victor.render.tree.media import Image, embeds, images, is_inside
from victor.render.tree.notes import Notes, notes
from victor.render.tree.posts import Entry, line, only_hold_posts, tags_of
from victor.render.tree.source import Source, listed

_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_PARTS: Final = frozenset({"table", "tr", "td", "th", "caption"})
_CONTAINERS: Final = _LISTS | {"li", "dl", "dt", "dd", "blockquote"}
_OTHER_HEADER: Final = 2  # level of a header that no ``<h1>`` to ``<h6>`` surrounds
_DEEPEST: Final = 24  # containers in one another; what is deeper stands in the innermost of these
_AROUND_CODE: Final = 4  # elements around code that may name its language
_NUMBER: Final = re.compile(r"\s*(-?\d{1,9})")
_BEFORE_TEXT, _AFTER_TEXT = -1, 1 << 40
"""What stands before and after every paragraph that begins after the same tag."""
_MOST_SPANNED: Final = 1_000
_ROWS: Final = (nodes.Table, nodes.Row)
_NEVER_EMPTY: Final = (nodes.Code, nodes.Rule)
Node = TypeVar("Node", nodes.List, nodes.Definitions, nodes.Quote, nodes.Table)
ListNode = TypeVar("ListNode", nodes.List, nodes.Definitions)


def tree(page: Page) -> nodes.Tree:
    """The kept part of a page as a tree; its headline, if it has one, is the title."""
    return _Builder(page).tree()


class _Container(NamedTuple):
    """What holds blocks of the document from one tag to another: an element or a note."""

    open: int  # its start tag
    close: int  # its end tag
    element: int  # -1 for a note
    label: str = ""  # of a note


_Thing = tuple[int, int, Image | nodes.Math | nodes.Embed | Entry | None]
"""The tag before it; its paragraph, if it is one, else `_BEFORE_TEXT` or `_AFTER_TEXT`; and an
image, a formula or an embed of its own, or what begins there as a post. A thing that is none of
these is a rule."""


class _Builder:
    def __init__(self, page: Page) -> None:
        source, shown = Source(page), page.shown
        self._page, self._source, self._shown = page, source, shown
        self._notes = notes(source) if shown.links else Notes()
        self._inlines = Inlines(source, self._notes, shown)
        self._children: list[nodes.Block] = []
        self._stack: list[tuple[nodes.Parent, int]] = []
        self._within: dict[int, list[Image]] = defaultdict(list)
        self._numbers: dict[int, int] = {}
        self._list_of: dict[int, nodes.Definitions] = {}
        self._implicit: dict[int, nodes.List | nodes.Definitions] = {}
        self._columns = source.paragraphs
        self._pre = self._columns.pre.tolist()
        self._levels = self._read_levels()
        self._callouts, self._titles = callouts(source, self._first_tag)
        self._containers: list[_Container] = []
        self._next = self._until = 0
        self._siblings = self._children
        cells = source.paragraphs.cells
        self._column = dict(zip(cells.cell.tolist(), cells.column.tolist(), strict=True))

    def tree(self) -> nodes.Tree:
        """The document."""
        things = self._things()
        self._containers = self._read_containers([tag for tag, *_ in things])
        for tag, paragraph, shown in self._source.table.allowance.over(things):
            if tag >= self._until:
                self._go_to(tag)
            if isinstance(shown, Entry):
                self._begin_post(shown)
            else:
                self._siblings.append(self._leaf(paragraph, shown))
        children = _pruned(self._children)
        inlines, allowance = self._inlines, self._source.table.allowance
        return nodes.Tree(
            children, inlines.links, self._page.headline, inlines.may_have_math, allowance
        )

    def _is_container(self) -> Bools:
        """(E,) does an element hold blocks of the document."""
        elements, cells = self._source.table.elements, self._source.paragraphs.cells
        chosen = member_mask(_CONTAINERS)[elements.tag]
        tables = cells.table[cells.table >= 0]
        if len(tables) and self._shown.tables:
            is_table = np.zeros(len(elements), dtype=bool)
            is_table[tables] = True
            around = elements.innermost(frozenset({"table"}))
            parts = member_mask(_PARTS)[elements.tag] & (around >= 0)
            chosen |= parts & is_table[around]
        chosen[[*self._callouts]] = True
        if self._page.outline:
            chosen &= ~only_hold_posts(self._source.table, self._page.outline)
        return np.asarray(chosen)

    def _read_containers(self, tags: Sequence[int]) -> list[_Container]:
        """The elements around some tags that hold blocks, and the notes, in order."""
        chosen, rows = np.flatnonzero(self._is_container()), self._source.table.elements
        starts, stops = rows.open[chosen], rows.close[chosen]
        holds_any = np.searchsorted(tags, starts) < np.searchsorted(tags, stops)
        columns = (column[holds_any].tolist() for column in (starts, stops, chosen))
        containers = [*map(_Container, *columns)]
        if not self._notes.extents:
            return containers
        notes = dict(self._notes.extents)
        containers = [each for each in containers if each[:2] not in notes]
        containers += [_Container(*extent, -1, label) for extent, label in notes.items()]
        return sorted(containers, key=lambda each: (each.open, -each.close))

    def _things(self) -> list[_Thing]:
        """What stands in the tree, in order; images within paragraphs are set aside."""
        things: list[_Thing] = [*zip(self._first_tag, count(), repeat(None), strict=False)]
        if self._shown.images:
            for image in images(self._source):
                paragraph = self._paragraph_of(image.tag)
                if paragraph >= 0:
                    self._within[paragraph].append(image)
                else:
                    things.append((image.tag, _BEFORE_TEXT, image))
            things += [(tag, _AFTER_TEXT, embed) for tag, embed in embeds(self._source)]
        if (formulas := self._columns.formulas) is not None:
            alone = formulas.alone.items()
            things += [(tag, _BEFORE_TEXT, self._inlines.formula(row)) for row, tag in alone]
        rules = [tag for tag in self._source.void("hr") if is_inside(self._source, tag)]
        things += [(tag, _BEFORE_TEXT, None) for tag in rules]
        if outline := self._page.outline:
            begins = tags_of(self._source.table, [entry.tag for entry in outline])
            things += [
                (tag, _BEFORE_TEXT, entry) for tag, entry in zip(begins, outline, strict=True)
            ]
        if len(things) > len(self._first_tag):  # paragraphs alone are in order
            things.sort(key=itemgetter(0, 1))
        return things

    def _paragraph_of(self, tag: int) -> int:
        """The paragraph that a tag stands in, -1 for none."""
        n_parting = self._source.n_parting
        after = bisect_right(self._first_tag, tag)
        for paragraph in (after - 1, after):
            if not 0 <= paragraph < len(self._first_tag) or self._pre[paragraph] >= 0:
                continue
            first, last = self._first_tag[paragraph], self._last_tag[paragraph]
            if first <= tag <= last or n_parting[tag] in (n_parting[first], n_parting[last]):
                return paragraph
        return -1

    @cached_property
    def _first_tag(self) -> list[int]:
        """(Q,) tag before each paragraph."""
        return listed(self._source.table.tag[self._columns.first_block])

    @cached_property
    def _last_tag(self) -> list[int]:
        """(Q,) tag before the last segment of each paragraph."""
        last = self._columns.blocks[self._columns.starts[1:] - 1]
        return listed(self._source.table.last_tag[last])

    def _read_levels(self) -> list[int]:
        """(Q,) level of each paragraph that is a heading, 0 for the others."""
        first = self._columns.first_block
        verdict, blocks = self._page.verdict, self._page.verdict.page(self._page.number)
        levels = verdict.reduced.heading_level[blocks][first]
        is_header = verdict.labels[blocks][first] == Label.HEADER
        return listed(np.where((levels == 0) & is_header, _OTHER_HEADER, levels))

    def _leaf(self, number: int, shown: Image | nodes.Math | nodes.Embed | None) -> nodes.Block:
        if shown is not None:
            if isinstance(shown, Image):
                return nodes.Paragraph([self._inlines.picture(shown)])
            return nodes.Paragraph([shown])
        if number < 0:
            return nodes.Rule()
        pre = self._pre[number]
        if pre >= 0:
            text = code_text(self._source.table, pre, self._columns.kept_segments)
            return nodes.Code(text, self._language(pre), number)
        content = self._inlines.of(number, self._within.get(number, ()))
        if number in self._titles and self._shown.formatting:
            return nodes.Paragraph([*map(_strong, content)], number=number)
        return nodes.Paragraph(content, self._levels[number], number)

    def _language(self, pre: int) -> str:
        source = self._source
        inside = range(pre, min(pre + 3, len(source.open)))
        code = [e for e in inside if source.open[e] < source.close[pre]]
        around = [pre]
        for _ in range(_AROUND_CODE):
            around.append(source.parent[around[-1]])
        return language(map(source.of_element, [*code, *around[1:]]))

    # Containers

    def _go_to(self, tag: int) -> None:
        while self._stack and self._stack[-1][1] <= tag:
            self._stack.pop()
        while self._next < len(self._containers):
            container = self._containers[self._next]
            if container.open > tag:
                break
            self._next += 1
            if container.close > tag and len(self._stack) < _DEEPEST:
                node = self._open(container)
                self._stack.append((node, container.close))
        self._siblings = self._place()
        self._until = self._stack[-1][1] if self._stack else _AFTER_TEXT
        if self._next < len(self._containers):
            self._until = min(self._until, self._containers[self._next].open)

    def _open(self, container: _Container) -> nodes.Parent:
        if container.label:
            return self._put_note(nodes.Note(container.label))
        return self._begin(container.element)

    def _begin_post(self, entry: Entry) -> None:
        if self._siblings and not isinstance(self._siblings[-1], nodes.Rule):
            self._siblings.append(nodes.Rule())
        above = line(entry, self._inlines.links if self._shown.links else None)
        if above is not None:
            self._siblings.append(above)

    def _begin(self, element: int) -> nodes.Parent:
        if element in self._callouts:
            return self._add(nodes.Quote(kind=self._callouts[element]))
        match NAMES[self._source.table.elements.tag[element]]:
            case "li":
                return self._item(element)
            case "td" | "th" as name:
                cell = self._cell(element, is_header=name == "th")
                if isinstance(top := self._top, nodes.Row):
                    top.children.append(cell)
                return cell
            case "ol":
                self._count(element, self._source.of_element(element))
                return self._add(nodes.List(is_ordered=True))
            case "ul" | "menu" | "dir":
                return self._add(nodes.List(is_ordered=False))
            case "dl":
                return self._add(nodes.Definitions())
            case "dt" | "dd" as name:
                return self._definition(element, is_term=name == "dt")
            case "table":
                return self._add(nodes.Table())
            case "tr" | "caption" as name:
                part = nodes.Row() if name == "tr" else nodes.Caption()
                if isinstance(top := self._top, nodes.Table):  # parts of no table are not shown
                    top.children.append(part)
                return part
            case _:
                return self._add(nodes.Quote())

    def _add(self, node: Node) -> Node:
        self._place().append(node)
        return node

    def _place(self) -> list[nodes.Block]:
        """Where a block goes: not into a list, but into its last item, and into cells of tables."""
        for node, _ in reversed(self._stack):
            if isinstance(node, nodes.List):
                node.children = node.children or [nodes.Item()]
                return node.children[-1].children
            if isinstance(node, nodes.Definitions):
                node.children = node.children or [nodes.Definition(is_term=False)]
                return node.children[-1].children
            if not isinstance(node, _ROWS):
                return node.children
        return self._children

    @property
    def _top(self) -> nodes.Parent | None:
        return self._stack[-1][0] if self._stack else None

    def _item(self, element: int) -> nodes.Item:
        """Put an item into its list; one that stands in none gets one."""
        item = nodes.Item(number=self._numbers.get(element, 1), is_done=self._tasks.get(element))
        top = self._top
        if not isinstance(top, nodes.List):
            top = self._implicit_list(element, nodes.List(is_ordered=False))
        top.children.append(item)
        return item

    def _definition(self, element: int, *, is_term: bool) -> nodes.Definition:
        definition = nodes.Definition(is_term)
        top = self._top
        if isinstance(top, nodes.Definition):
            # The parser puts a term without an end around what follows, which is part of neither.
            self._stack[-1] = definition, self._stack[-1][1]
            top = self._list_of[id(top)]
        elif not isinstance(top, nodes.Definitions):
            top = self._implicit_list(element, nodes.Definitions())
        top.children.append(definition)
        self._list_of[id(definition)] = top
        return definition

    def _implicit_list(self, element: int, new: ListNode) -> ListNode:
        """The list of an item that stands in none: that of the item before it, or a new one."""
        parent, siblings = self._source.parent[element], self._place()
        last = self._implicit.get(parent)
        if isinstance(last, type(new)) and siblings and siblings[-1] is last:
            return last
        self._implicit[parent] = new
        siblings.append(new)
        return new

    def _put_note(self, note: nodes.Note) -> nodes.Note:
        """Put a note after the list or table that it stands in."""
        quotes = [node for node, _ in self._stack if isinstance(node, nodes.Quote)]
        (quotes[-1].children if quotes else self._children).append(note)
        return note

    def _cell(self, element: int, *, is_header: bool) -> nodes.Cell:
        attributes = self._source.of_element(element)
        columns, rows = (_span(attributes.get(name)) for name in ("colspan", "rowspan"))
        return nodes.Cell(self._column_of(element), is_header, columns, rows)

    def _column_of(self, element: int) -> int:
        """The column of a cell; if it has no text and nobody found tables, the next in its row."""
        column: int | None = self._column.get(element)
        if column is not None:
            return column
        tables = self._source.data_tables
        if tables is not None and tables.column[element] >= 0:
            return int(tables.column[element])
        row = self._top
        before = row.children if isinstance(row, nodes.Row) else []
        return before[-1].column + before[-1].columns if before else 0

    def _count(self, element: int, attributes: Attributes) -> None:
        items = self._items_of.get(element, ())
        step = -1 if "reversed" in attributes else 1
        number = _integer(attributes.get("start"), len(items) if step < 0 else 1)
        for item in items:
            number = _integer(self._source.of_element(item).get("value"), number)
            self._numbers[item] = number
            number += step

    @cached_property
    def _items_of(self) -> dict[int, list[int]]:
        elements = self._source.table.elements
        items = np.flatnonzero(elements.tag == IDS["li"])
        by_parent: dict[int, list[int]] = defaultdict(list)
        for item, parent in zip(items.tolist(), elements.parent[items].tolist(), strict=True):
            by_parent[parent].append(item)
        return by_parent

    @cached_property
    def _tasks(self) -> dict[int, bool]:
        tasks: dict[int, bool] = {}
        given = ((tag, self._source.tags.of(tag)) for tag in self._source.void("input"))
        boxes = [
            (tag, "checked" in attributes)
            for tag, attributes in given
            if attributes.get("type", "").strip().lower() == "checkbox"
        ]
        if not boxes:
            return tasks
        items = self._source.table.elements.innermost(frozenset({"li"}))
        for tag, is_done in boxes:
            item = int(items[self._source.table.tags.element[tag]])
            if item >= 0:
                tasks.setdefault(item, is_done)
        return tasks


def _strong(inline: nodes.Inline) -> nodes.Inline:
    if not isinstance(inline, nodes.Text):
        return inline
    return replace(inline, marks=inline.marks | nodes.STRONG)


def _span(written: str | None) -> int:
    return min(max(_integer(written, 1), 1), _MOST_SPANNED)


def _integer(written: str | None, default: int) -> int:
    match = _NUMBER.match(written or "")
    return int(match[1]) if match else default


def _pruned(children: list[Any]) -> list[Any]:
    """What is not empty; an item that holds but a list gives way to its items."""
    return [node for node in children if _holds_any(node)]


def _holds_any(node: Any) -> bool:  # noqa: ANN401 - a block, or a part of one
    """Is a node not empty without what is empty in it, which goes."""
    if isinstance(node, nodes.Paragraph):  # as most are
        return bool(node.inlines)
    if isinstance(node, _NEVER_EMPTY):
        return True
    if isinstance(node, nodes.List):
        node.children = [item for each in node.children for item in _items(each, node)]
    else:
        node.children = _pruned(node.children)
    return bool(node.children) or isinstance(node, nodes.Cell)  # empty cells hold their place


def _items(item: nodes.Item, around: nodes.List) -> list[nodes.Item]:
    """An item, or those of the list that is all it holds."""
    item.children = _pruned(item.children)
    if len(item.children) == 1 and isinstance(only := item.children[0], nodes.List):
        return only.children if only.is_ordered == around.is_ordered else [item]
    return [item] if item.children else []
