"""The kept text as a small XML of our own: metadata, then the tree of its blocks.

``<page url id>`` holds ``<metadata>`` with ``<meta name>`` (a list has one each, of a mapping the
names are joined by dots) and ``<content>`` with blocks: ``heading level``, ``p``, ``list ordered``
of ``item number task``, ``definitions`` of ``term`` and ``definition``, ``quote kind`` (that of a
callout), ``note label``, ``pre language``, ``rule``, ``table`` of ``caption`` and ``row`` of ``cell
column columns rows header``. All but ``heading``, ``p`` and ``pre`` hold blocks. Inline content is
text with ``strong``, ``em``, ``del``, ``sub``, ``sup``, ``code``, ``link target``, ``image source
alternative title``, ``embed source title``, ``formula display`` (TeX), ``noteref label`` and
``br``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from victor.page.plain_data import plain
from victor.page.verdict.verdict import Verdict
from victor.page.xml_text import attributes, escaped
from victor.render.options import Shown
from victor.render.tree import nodes
from victor.render.tree.build import tree
from victor.render.tree.posts import Outline
from victor.render.tree.spans import MARK_ELEMENTS, Wrapper, written

HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TASKS: Final = {None: None, False: "open", True: "done"}


def render(  # noqa: PLR0913  (one for every option)
    verdict: Verdict,
    page: int,
    *,
    id: str | None = None,
    markup: bytes | None = None,
    url: str | None = None,
    shown: Shown | None = None,
    headline: str = "",
    metadata: Callable[[], Mapping[str, Any]] | None = None,
    outline: Outline | None = None,
    **more: object,
) -> str:
    """The kept blocks of a page as XML, with the `id` of the page if it has one.

    The other arguments are those of every `victor.render.tree.build.form`.
    """
    source = tree(
        verdict, page, markup=markup, url=url, shown=shown, title=headline, outline=outline
    )
    known = {} if metadata is None else metadata()
    return write(source, known, attributes(url=url, id=id))


def write(source: nodes.Tree, metadata: Mapping[str, Any], start: str = "") -> str:
    """A document as XML.

    Args:
        source: the document; its own title becomes the first heading.
        metadata: of the page.
        start: attributes of the root, as `victor.page.xml_text.attributes` writes them.
    """
    heading = f'<heading level="1">{escaped(source.title)}</heading>\n' if source.title else ""
    return (
        f"{HEAD}<page{start}>\n<metadata>\n{''.join(_meta('', plain(metadata)))}</metadata>\n"
        f"<content>\n{heading}{_Writer(source.links).blocks(source.children)}</content>\n</page>\n"
    )


def _meta(name: str, value: object) -> Iterator[str]:
    """An element for every value in some data."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _meta(f"{name}.{key}" if name else key, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _meta(name, inner)
    elif value is not None:
        text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
        yield f"<meta{attributes(name=name)}>{escaped(text)}</meta>\n"


class _Writer:
    """Writes the blocks of one document."""

    def __init__(self, links: Sequence[str]) -> None:
        self._links = links

    def blocks(self, children: Iterable[nodes.Block]) -> str:
        """Some blocks, each ended by a newline."""
        return "".join(map(self._block, children))

    def _block(self, node: nodes.Block) -> str:
        match node:
            case nodes.Paragraph():
                text = self._inlines(node.inlines)
                if node.level:
                    return f'<heading level="{node.level}">{text}</heading>\n'
                return f"<p>{text}</p>\n"
            case nodes.Code():
                start = attributes(language=node.language)
                return f"<pre{start}>{escaped(node.text)}</pre>\n"
            case nodes.Rule():
                return "<rule/>\n"
            case nodes.List():
                items = "".join(self._item(item, node) for item in node.children)
                return f'<list ordered="{_flag(node.is_ordered)}">\n{items}</list>\n'
            case nodes.Definitions():
                parts = (
                    self._around("term" if each.is_term else "definition", each.children)
                    for each in node.children
                )
                return f"<definitions>\n{''.join(parts)}</definitions>\n"
            case nodes.Quote():
                return self._around("quote", node.children, attributes(kind=node.kind))
            case nodes.Note():
                return self._around("note", node.children, attributes(label=node.label))
            case nodes.Table():
                return f"<table>\n{''.join(map(self._part, node.children))}</table>\n"

    def _around(self, name: str, children: Sequence[nodes.Block], start: str = "") -> str:
        return f"<{name}{start}>\n{self.blocks(children)}</{name}>\n"

    def _item(self, item: nodes.Item, around: nodes.List) -> str:
        start = attributes(
            number=item.number if around.is_ordered else None, task=_TASKS[item.is_done]
        )
        return self._around("item", item.children, start)

    def _part(self, part: nodes.Row | nodes.Caption) -> str:
        if isinstance(part, nodes.Caption):
            return self._around("caption", part.children)
        return f"<row>\n{''.join(map(self._cell, part.children))}</row>\n"

    def _cell(self, cell: nodes.Cell) -> str:
        start = attributes(
            column=cell.column,
            columns=cell.columns if cell.columns > 1 else None,
            rows=cell.rows if cell.rows > 1 else None,
            header="true" if cell.is_header else None,
        )
        return self._around("cell", cell.children, start)

    def _inlines(self, inlines: Sequence[nodes.Inline]) -> str:
        return written(inlines, _inline, self._start, _end)

    def _start(self, wrapper: Wrapper) -> str:
        if wrapper.link >= 0:
            return f"<link{attributes(target=self._links[wrapper.link])}>"
        return f"<{MARK_ELEMENTS[wrapper.mark]}>"


def _end(wrapper: Wrapper) -> str:
    return "</link>" if wrapper.link >= 0 else f"</{MARK_ELEMENTS[wrapper.mark]}>"


def _inline(inline: nodes.Inline) -> str:
    match inline:
        case nodes.Text(text):
            return escaped(text)
        case nodes.Picture(source, alternative, title):
            start = attributes(source=source, alternative=alternative, title=title)
            return f"<image{start}/>"
        case nodes.Embed(address, title):
            return f"<embed{attributes(source=address, title=title)}/>"
        case nodes.Math(tex, display):
            return f'<formula display="{_flag(display)}">{escaped(tex)}</formula>'
        case nodes.NoteMark(label):
            return f"<noteref{attributes(label=label)}/>"
        case _:
            return "<br/>"


def _flag(value: bool) -> str:
    return "true" if value else "false"
