"""The text of a TEI document: a division for every heading, with the blocks that follow it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from victor.page.xml_text import attributes, escaped
from victor.render.tei.pointers import pointer
from victor.render.tree import nodes
from victor.render.tree.spans import Wrapper, written

_RENDITIONS: Final = {
    nodes.Mark.STRONG: "bold",
    nodes.Mark.EMPHASIS: "italic",
    nodes.Mark.SUBSCRIPT: "subscript",
    nodes.Mark.SUPERSCRIPT: "superscript",
}
_TASKS: Final = {None: None, False: "open", True: "done"}


class Body:
    """Writes the blocks of one document.

    Args:
        source: the document; its own title becomes the first heading.
    """

    def __init__(self, source: nodes.Tree) -> None:
        title: list[nodes.Block] = (
            [nodes.Paragraph([nodes.Text(source.title)], 1)] if source.title else []
        )
        self._children = [*title, *source.children]
        self._links = [pointer(link) for link in source.links]
        self._notes = nodes.note_numbers(source.children)
        self._defined: set[str] = set()

    def divisions(self) -> str:
        """All blocks: a heading opens a division, which ends at the next one of its level."""
        parts: list[str] = []
        levels: list[int] = []
        for node in self._children:
            level = node.level if isinstance(node, nodes.Paragraph) else 0
            if not level:
                if not levels:  # nothing but headings stands outside of divisions
                    levels.append(0)
                    parts.append("<div>\n")
                parts.append(self._block(node))
                continue
            while levels and levels[-1] >= level:
                levels.pop()
                parts.append("</div>\n")
            levels.append(level)
            parts.append(f"<div>\n{self._heading(node)}")
        return "".join((*parts, *["</div>\n"] * len(levels))) or "<div/>\n"

    def _heading(self, node: nodes.Block) -> str:
        assert isinstance(node, nodes.Paragraph), "only paragraphs have levels"
        return f'<head rend="h{node.level}">{self._inlines(node.inlines)}</head>\n'

    def _blocks(self, children: Iterable[nodes.Block]) -> str:
        return "".join(map(self._block, children))

    def _block(self, node: nodes.Block) -> str:
        match node:
            case nodes.Paragraph():
                text = self._inlines(node.inlines)
                if node.level:  # headings stand only at the start of divisions
                    return f'<ab type="head" rend="h{node.level}">{text}</ab>\n'
                return f"<p>{text}</p>\n"
            case nodes.Code():
                start = attributes(lang=node.language, xml__space="preserve")
                return f'<ab type="code"><code{start}>{escaped(node.text)}</code></ab>\n'
            case nodes.Rule():
                return '<milestone unit="section" rend="rule"/>\n'
            case nodes.List():
                kind = "numbered" if node.is_ordered else "bulleted"
                items = (self._item(item, node) for item in node.children)
                return f'<list rend="{kind}">\n{"".join(items)}</list>\n'
            case nodes.Definitions():
                return self._definitions(node)
            case nodes.Quote():
                start = attributes(type=node.kind)
                return f"<quote{start}>\n{self._blocks(node.children)}</quote>\n"
            case nodes.Note():
                return self._note(node)
            case nodes.Table():
                return self._table(node)

    def _item(self, item: nodes.Item, around: nodes.List) -> str:
        start = attributes(n=item.number if around.is_ordered else None, rend=_TASKS[item.is_done])
        return f"<item{start}>{self._content(item.children)}</item>\n"

    def _content(self, children: Sequence[nodes.Block]) -> str:
        """Some blocks in an element that may hold text; a lone paragraph has no element."""
        first = children[0] if children else None
        if isinstance(first, nodes.Paragraph) and not first.level:
            rest = children[1:]
            if all(isinstance(node, nodes.List) for node in rest):
                return self._inlines(first.inlines) + ("\n" if rest else "") + self._blocks(rest)
        return f"\n{self._blocks(children)}" if children else ""

    def _definitions(self, node: nodes.Definitions) -> str:
        """Pairs of a label and an item; terms in a row share one, and so do their definitions."""
        groups: list[tuple[list[nodes.Definition], list[nodes.Definition]]] = [([], [])]
        for definition in node.children:
            if definition.is_term and groups[-1][1]:
                groups.append(([], []))
            groups[-1][0 if definition.is_term else 1].append(definition)
        pairs = (
            f"<label>{self._flat(block for each in terms for block in each.children)}</label>\n"
            f"<item>{self._content([block for each in texts for block in each.children])}</item>\n"
            for terms, texts in groups
        )
        return f'<list type="gloss">\n{"".join(pairs)}</list>\n'

    def _flat(self, children: Iterable[nodes.Block]) -> str:
        """The text of some blocks as lines."""
        lines = (
            self._inlines(leaf.inlines)
            if isinstance(leaf, nodes.Paragraph)
            else f"<code>{escaped(leaf.text)}</code>"
            for leaf in nodes.leaves(list(children))
        )
        return "<lb/>".join(lines)

    def _note(self, node: nodes.Note) -> str:
        name = f"note-{self._notes[node.label]}"
        is_first = name not in self._defined  # a name is that of one element
        self._defined.add(name)
        start = attributes(xml__id=name if is_first else None, n=node.label, place="foot")
        return f"<note{start}>{self._content(node.children)}</note>\n"

    def _table(self, node: nodes.Table) -> str:
        captions = [part for part in node.children if isinstance(part, nodes.Caption)]
        caption = self._flat(child for part in captions for child in part.children)
        if not node.rows:
            return f"<p>{caption}</p>\n"
        head = f"<head>{caption}</head>\n" if caption else ""
        return f"<table>\n{head}{''.join(map(self._row, node.rows))}</table>\n"

    def _row(self, row: nodes.Row) -> str:
        is_label = all(cell.is_header for cell in row.children)
        role = attributes(role="label" if is_label else None)
        return f"<row{role}>\n{''.join(map(self._cell, row.children))}</row>\n"

    def _cell(self, cell: nodes.Cell) -> str:
        start = attributes(
            role="label" if cell.is_header else None,
            cols=cell.columns if cell.columns > 1 else None,
            rows=cell.rows if cell.rows > 1 else None,
        )
        return f"<cell{start}>{self._content(cell.children)}</cell>\n"

    def _inlines(self, inlines: Sequence[nodes.Inline]) -> str:
        return written(inlines, self._inline, self._start, self._end)

    def _start(self, wrapper: Wrapper) -> str:
        if wrapper.link >= 0:
            return f"<ref{attributes(target=self._links[wrapper.link])}>"
        rendition = attributes(rend=_RENDITIONS.get(wrapper.mark))
        return f"<{_name(wrapper.mark)}{rendition}>"

    def _end(self, wrapper: Wrapper) -> str:
        return "</ref>" if wrapper.link >= 0 else f"</{_name(wrapper.mark)}>"

    def _inline(self, inline: nodes.Inline) -> str:
        match inline:
            case nodes.Text(text):
                return escaped(text)
            case nodes.Break():
                return "<lb/>"
            case nodes.Picture():
                return _figure(inline)
            case nodes.Embed(address):
                return f'<ref type="embed"{attributes(target=pointer(address))}/>'
            case nodes.Math(tex, display):
                start = attributes(notation="TeX", rend="display" if display else None)
                return f"<formula{start}>{escaped(tex)}</formula>"
            case nodes.NoteMark(label):
                number = self._notes.get(label)
                target = attributes(target=None if number is None else f"#note-{number}")
                return f'<ref type="note"{target}>{escaped(label)}</ref>'


def _name(mark: nodes.Mark) -> str:
    return {nodes.Mark.DELETED: "del", nodes.Mark.CODE: "code"}.get(mark, "hi")


def _figure(picture: nodes.Picture) -> str:
    description = picture.alternative or picture.title
    text = f"<figDesc>{escaped(description)}</figDesc>" if description else ""
    address = pointer(picture.source)
    graphic = f"<graphic{attributes(url=address)}/>" if address else ""
    return f"<figure>{graphic}{text}</figure>"
