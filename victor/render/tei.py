"""TEI P5: a header with what is known of the page, and its kept text in divisions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlsplit

from victor.page.plain_data import attributes, escaped, language_tag, plain
from victor.render.elements import ElementWriter, element
from victor.render.forms import Page
from victor.render.tree import nodes

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|\Z)", re.ASCII)
_DAY_LENGTH: Final = len("2000-01-01")
_FARTHEST: Final = timedelta(hours=14)
_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE: Final = "%!#$&'()*+,/:;=?@~-._"
_AUTHORITY: Final = re.compile(r"[A-Za-z0-9._~%!$&'()*+,;=:@-]*\Z")
_TASKS: Final = {None: None, False: "open", True: "done"}


def write(source: nodes.Tree, metadata: Mapping[str, Any], url: str | None = None) -> str:
    """A document as TEI; its own title becomes the first heading."""
    known = plain(metadata)
    language = attributes(xml__lang=language_tag(_first(known, "language")))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"{_header(known, url or '')}<text{language}>\n<body>\n{_Body(source).divisions(source)}"
        "</body>\n</text>\n</TEI>\n"
    )


def render(page: Page) -> str:
    """The kept blocks of a page as TEI."""
    return write(page.tree, page.metadata, page.url)


def pointer(address: str) -> str:
    """An address with all that no URI holds in percent signs; "" if it cannot be one."""
    encoded = quote(_PERCENT.sub("%25", address.strip()), safe=_SAFE, errors="replace")
    before, mark, fragment = encoded.partition("#")
    encoded = before + mark + fragment.replace("#", "%23")
    try:
        parts = urlsplit(encoded)
        is_port = parts.port is None or parts.port >= 0
    except ValueError:
        return ""
    return encoded if is_port and _AUTHORITY.match(parts.netloc) else ""


def _header(known: Mapping[str, Any], url: str) -> str:
    statement = _title_statement(known)
    publication = _said("publisher", _publisher(known, url))
    for kind in ("published", "modified"):
        date = _first(known, kind)
        publication += _said("date", date, type=kind, when=_when(date))
    licence = _first(known, "licence")
    target = pointer(licence) if licence.startswith(("http://", "https://")) else None
    availability = _around("availability", _said("licence", licence, target=target))
    references = _said("ref", url, type="page", target=pointer(url))
    for name in ("canonical", "next_page", "previous_page"):
        address, kind = _first(known, name), name.removesuffix("_page")
        references += _said("ref", address, type=kind, target=pointer(address))
    description = (
        _around("titleStmt", statement)
        + _around("publicationStmt", publication + availability)
        + _around("sourceDesc", _around("bibl", statement + publication + references))
    )
    return _around("teiHeader", _around("fileDesc", description) + _profile(known))


def _title_statement(known: Mapping[str, Any]) -> str:
    main, window = _first(known, "title"), _first(known, "window_title")
    other = "" if window == main else _said("title", window, type="alt")
    authors = "".join(_said("author", author) for author in _texts(known, "authors"))
    return f"{element('title', escaped(main))}{other}{authors}"  # a title is required


def _publisher(known: Mapping[str, Any], url: str) -> str:
    """Who publishes the page: as it says, else the name of its site or host, else *unknown*."""
    name = _first(known, "publisher") or _first(known, "site")
    try:
        host = urlsplit(url).hostname or urlsplit(_first(known, "canonical")).hostname
    except ValueError:
        host = None
    return name or host or "unknown"


def _when(date: str) -> str:
    if not _DATE.match(date):
        return ""
    try:
        time = datetime.fromisoformat(date)
    except ValueError:
        return ""
    offset = time.utcoffset() or timedelta()
    if abs(offset) > _FARTHEST or offset.seconds % 60:
        return ""
    return date if len(date) == _DAY_LENGTH else time.isoformat()


def _profile(known: Mapping[str, Any]) -> str:
    language = language_tag(_first(known, "language"))
    abstract = _around("abstract", _said("p", _first(known, "description")))
    usage = _around("langUsage", _said("language", language, ident=language))
    terms = [_said("term", text, type="section") for text in _texts(known, "section")]
    terms += [_said("term", text, type="tag") for text in _texts(known, "tags")]
    keywords = _around("textClass", _around("keywords", "".join(terms)))
    return _around("profileDesc", abstract + usage + keywords)


def _first(known: Mapping[str, Any], name: str) -> str:
    return next(iter(_texts(known, name)), "")


def _texts(known: Mapping[str, Any], name: str) -> list[str]:
    """The texts that a field holds, each on one line; it may be a text or a list of texts."""
    value = known.get(name)
    texts = value if isinstance(value, list) else [value]
    lines = (" ".join(text.split()) for text in texts if isinstance(text, str))
    return [line for line in lines if line]


def _said(name: str, text: str, **values: str | None) -> str:
    """An element of a text; nothing where there is none."""
    return element(name, escaped(text), attributes(**values)) if text else ""


def _around(name: str, content: str) -> str:
    return element(name, f"\n{content}") if content else ""


class _Body(ElementWriter):
    """Writes the text: a division for every heading, with the blocks that follow it."""

    row, header_row, cell, header = "row", 'row role="label"', "cell", 'cell role="label"'
    columns, rows = "cols", "rows"
    link, line_break, rule = "ref", "<lb/>", '<milestone unit="section" rend="rule"/>\n'
    marks: ClassVar[Mapping[int, str]] = {
        nodes.Mark.STRONG: 'hi rend="bold"',
        nodes.Mark.EMPHASIS: 'hi rend="italic"',
        nodes.Mark.DELETED: "del",
        nodes.Mark.SUBSCRIPT: 'hi rend="subscript"',
        nodes.Mark.SUPERSCRIPT: 'hi rend="superscript"',
    }

    def __init__(self, source: nodes.Tree) -> None:
        links = [attributes(target=pointer(link)) for link in source.allowance.over(source.links)]
        super().__init__(source, links)
        self._defined: set[str] = set()

    def divisions(self, source: nodes.Tree) -> str:
        """All blocks: a heading opens a division, which ends at the next one of its level."""
        title = [nodes.Paragraph([nodes.Text(source.title)], 1)] if source.title else []
        parts: list[str] = []
        levels: list[int] = []
        for node in (*title, *source.children):
            level = node.level if isinstance(node, nodes.Paragraph) else 0
            while level and levels and levels[-1] >= level:
                levels.pop()
                parts.append("</div>\n")
            if level or not levels:  # nothing but headings stands outside of divisions
                levels.append(level)
                parts.append("<div>\n")
            if isinstance(node, nodes.Paragraph) and level:
                parts.append(element(f'head rend="h{level}"', self._inlines(node.inlines)))
            else:
                parts.append(self._block(node))
        return "".join((*parts, *["</div>\n"] * len(levels))) or "<div/>\n"

    def _block(self, node: nodes.Block) -> str:
        match node:
            case nodes.Paragraph():  # headings stand only at the start of divisions
                name = f'ab type="head" rend="h{node.level}"' if node.level else "p"
                return element(name, self._inlines(node.inlines))
            case nodes.Code():
                start = attributes(lang=node.language, xml__space="preserve")
                return element('ab type="code"', f"<code{start}>{escaped(node.text)}</code>")
            case nodes.Rule():
                return self.rule
            case nodes.List():
                kind = "numbered" if node.is_ordered else "bulleted"
                items = (self._item(item, node) for item in node.children)
                return element(f'list rend="{kind}"', f"\n{''.join(items)}")
            case nodes.Definitions():
                return self._definitions(node)
            case nodes.Quote():
                kind = attributes(type=node.kind)
                return element("quote", f"\n{self.blocks(node.children)}", kind)
            case nodes.Note():
                return self._note(node)
            case nodes.Table():
                return self._table(node)

    def _item(self, item: nodes.Item, around: nodes.List) -> str:
        number = item.number if around.is_ordered else None
        start = attributes(n=number, rend=_TASKS[item.is_done])
        return element("item", self._content(item.children), start)

    def _definitions(self, node: nodes.Definitions) -> str:
        """Pairs of a label and an item; terms in a row share one, and so do their definitions."""
        pairs: list[tuple[list[nodes.Block], list[nodes.Block]]] = [([], [])]
        for each in node.children:
            if each.is_term and pairs[-1][1]:
                pairs.append(([], []))
            pairs[-1][0 if each.is_term else 1].extend(each.children)
        written = (
            element("label", self._flat(terms)) + element("item", self._content(texts))
            for terms, texts in pairs
        )
        return element('list type="gloss"', f"\n{''.join(written)}")

    def _flat(self, children: list[nodes.Block]) -> str:
        lines = (
            self._inlines(leaf.inlines)
            if isinstance(leaf, nodes.Paragraph)
            else f"<code>{escaped(leaf.text)}</code>"
            for leaf in nodes.leaves(children)
        )
        return "<lb/>".join(lines)

    def _note(self, node: nodes.Note) -> str:
        name = f"note-{self._notes[node.label]}"
        is_first = name not in self._defined  # a name is that of one element
        self._defined.add(name)
        start = attributes(xml__id=name if is_first else None, n=node.label, place="foot")
        return element("note", self._content(node.children), start)

    def _table(self, node: nodes.Table) -> str:
        caption = self._flat(node.caption)
        if not node.rows:
            return element("p", caption)
        head = element("head", caption) if caption else ""
        return element("table", f"\n{head}{''.join(map(self._row, node.rows))}")

    def _thing(self, thing: nodes.Thing) -> str:
        match thing:
            case nodes.Picture(source, alternative, title):
                address, description = pointer(source), alternative or title
                graphic = f"<graphic{attributes(url=address)}/>" if address else ""
                said = f"<figDesc>{escaped(description)}</figDesc>" if description else ""
                return f"<figure>{graphic}{said}</figure>"
            case nodes.Embed(address):
                return f'<ref type="embed"{attributes(target=pointer(address))}/>'
            case nodes.Math(tex, display):
                start = attributes(notation="TeX", rend="display" if display else None)
                return f"<formula{start}>{escaped(tex)}</formula>"
            case nodes.NoteMark(label):
                number = self._notes.get(label)
                target = attributes(target=None if number is None else f"#note-{number}")
                return f'<ref type="note"{target}>{escaped(label)}</ref>'
