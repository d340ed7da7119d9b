"""A small page of the kept text that is safe to show: few elements, nothing alive.

Its elements are those of `ELEMENTS`; there is no script, form or frame and no handler, and
addresses lead to the web, mail or a telephone. A policy in the head forbids browsers to fetch
anything but images, and any style but the page's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final
from urllib.parse import urlsplit

from victor.page.xml_text import attributes, escaped
from victor.render.article.style import HASH, STYLE
from victor.render.tree import nodes
from victor.render.tree.addresses import can_be_linked, can_be_shown
from victor.render.tree.build import form
from victor.render.tree.spans import MARK_ELEMENTS, Wrapper, written

ELEMENTS: Final = frozenset(
    "html head meta title style body article h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre "
    "aside code table caption thead tbody tr th td a img strong em del sub sup span br hr".split()
)
"""All elements that a page can have."""
POLICY: Final = (
    f"default-src 'none'; img-src http: https:; style-src '{HASH}'; base-uri 'none'; "
    "form-action 'none'; frame-src 'none'"
)
"""What browsers may fetch: images."""
_DAY: Final = len("2024-01-31")
_MOST_AUTHORS: Final = 10
_LONGEST: Final = 500
"""Characters of a title or a name that are shown."""
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}\Z")
_TASKS: Final = {None: "", False: "☐ ", True: "☑ "}


def write(
    source: nodes.Tree, metadata: Mapping[str, object] | None = None, url: str | None = None
) -> str:
    """A document as a page.

    Args:
        source: the document; its own title becomes the first heading.
        metadata: what is known of the page. The bar of the window shows its title; site, authors
            and date stand below the first heading. Values of another type than
            `victor.metadata.record.Metadata` has are left out.
        url: address of the original, which the line below the heading ends with; None for the
            canonical one.
    """
    known = {} if metadata is None else metadata
    language = _text(known.get("language"))
    lang = language if _LANGUAGE.match(language) else None
    title = _text(known.get("title")) or source.title
    return (
        f"<!DOCTYPE html>\n<html{attributes(lang=lang)}>\n<head>\n"
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(' '.join(title.split()))}</title>\n"
        f"<style>{STYLE}</style>\n</head>\n"
        f'<body>\n<article dir="auto">\n{_content(source, _about(known, url))}</article>\n'
        "</body>\n</html>\n"
    )


def _content(source: nodes.Tree, about: str) -> str:
    """The first heading, the line about the page, and the rest of it."""
    writer, children = _Writer(source), source.children
    if not children:
        about = ""
    if source.title:
        return f"<h1>{escaped(source.title)}</h1>\n{about}{writer.blocks(children)}"
    first = children[0] if children else None
    n_first = int(isinstance(first, nodes.Paragraph) and first.level == 1)
    return writer.blocks(children[:n_first]) + about + writer.blocks(children[n_first:])


def _about(metadata: Mapping[str, object], url: str | None) -> str:
    """A line with site, authors, day and original, as far as they are known."""
    authors = metadata.get("authors")
    names = [*map(_text, authors[:_MOST_AUTHORS])] if isinstance(authors, list) else []
    day = _text(metadata.get("published"))[:_DAY]
    parts = [_text(metadata.get("site")), ", ".join(filter(None, names)), day]
    written = [escaped(part) for part in parts if part]
    url = url or _text(metadata.get("canonical"))
    if can_be_linked(url):
        name = escaped(_host(url) or url)
        written.append(f"<a{attributes(href=url, rel='nofollow noopener')}>{name}</a>")
    return f'<p class="about">{" · ".join(written)}</p>\n' if written else ""


def _text(value: object) -> str:
    """A value as one line, "" for what is no text."""
    return " ".join(value[:_LONGEST].split()) if isinstance(value, str) else ""


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2].removeprefix("www.")[:_LONGEST]
    except ValueError:  # no address at all, such as http://[
        return ""


render = form(lambda source, metadata, url: write(source, metadata(), url))


class _Writer:
    """Writes the blocks of one document."""

    def __init__(self, source: nodes.Tree) -> None:
        self._links = [link if can_be_linked(link) else "" for link in source.links]
        self._notes = nodes.note_numbers(source.children)
        self._marked: set[int] = set()

    def blocks(self, children: Iterable[nodes.Block]) -> str:
        """Some blocks, each ended by a newline; notes that follow one another are a list."""
        parts: list[str] = []
        for is_note, group in groupby(children, lambda node: isinstance(node, nodes.Note)):
            written = [self._note(node) if isinstance(node, nodes.Note) else self._block(node)
                     for node in group]  # fmt: skip
            parts += ["<ol>\n", *written, "</ol>\n"] if is_note else written
        return "".join(parts)

    def _block(self, node: nodes.Block) -> str:
        match node:
            case nodes.Paragraph():
                text = self._inlines(node.inlines)
                name = f"h{node.level}" if node.level else "p"
                return f"<{name}>{text}</{name}>\n" if text else ""
            case nodes.Code():
                language = f"language-{node.language}" if node.language else None
                code = f"<code{attributes(class_=language)}>{escaped(node.text)}</code>"
                return f"<pre>{code}</pre>\n" if node.text else ""
            case nodes.Rule():
                return "<hr>\n"
            case nodes.List():
                return self._list(node)
            case nodes.Definitions():
                parts = (
                    self._within("dt" if each.is_term else "dd", each.children)
                    for each in node.children
                )
                return f"<dl>\n{''.join(parts)}</dl>\n"
            case nodes.Quote():
                name, start = ("aside", attributes(class_=node.kind)) if node.kind else (
                    "blockquote", "")  # fmt: skip
                return f"<{name}{start}>\n{self.blocks(node.children)}</{name}>\n"
            case nodes.Note():
                return f"<ol>\n{self._note(node)}</ol>\n"
            case nodes.Table():
                return self._table(node)

    def _within(self, name: str, children: Sequence[nodes.Block], start: str = "") -> str:
        """Some blocks in an element; a single paragraph stands in it without one of its own."""
        return f"<{name}{start}>{self._content(children)}</{name}>\n"

    def _content(self, children: Sequence[nodes.Block]) -> str:
        first = children[0] if children else None
        if isinstance(first, nodes.Paragraph) and not first.level:
            rest = children[1:]
            if all(isinstance(node, nodes.List) for node in rest):
                text = self._inlines(first.inlines)
                return f"{text}\n{self.blocks(rest)}" if rest else text
        return f"\n{self.blocks(children)}" if children else ""

    def _list(self, node: nodes.List) -> str:
        if not node.is_ordered:
            return f"<ul>\n{self._items(node, [None] * len(node.children))}</ul>\n"
        is_reversed = nodes.counts_down(node.children)
        first = node.children[0].number
        numbers = nodes.odd_numbers(node.children, -1 if is_reversed else 1)
        start = attributes(start=first if first != 1 or is_reversed else None)
        start += " reversed" if is_reversed else ""
        return f"<ol{start}>\n{self._items(node, numbers)}</ol>\n"

    def _items(self, node: nodes.List, numbers: Sequence[int | None]) -> str:
        return "".join(
            f"<li{attributes(value=number)}>{_TASKS[item.is_done]}"
            f"{self._content(item.children)}</li>\n"
            for item, number in zip(node.children, numbers, strict=True)
        )

    def _note(self, node: nodes.Note) -> str:
        number = self._notes[node.label]
        value = int(node.label) if re.fullmatch("[0-9]{1,4}", node.label) else number
        back = f' <a href="#mark-{number}">↩</a>' if number in self._marked else ""
        start = attributes(id=f"note-{number}", value=value)
        return f"<li{start}>{self._content(node.children)}{back}</li>\n"

    def _table(self, node: nodes.Table) -> str:
        captions = [child for part in node.children if isinstance(part, nodes.Caption)
                    for child in part.children]  # fmt: skip
        parts = [self._within("caption", captions)] if captions else []
        rows, n_head = node.rows, 0
        while n_head < len(rows) and all(cell.is_header for cell in rows[n_head].children):
            n_head += 1
        for name, part in (("thead", rows[:n_head]), ("tbody", rows[n_head:])):
            if part:
                parts.append(f"<{name}>\n{''.join(map(self._row, part))}</{name}>\n")
        return f"<table>\n{''.join(parts)}</table>\n"

    def _row(self, row: nodes.Row) -> str:
        return f"<tr>\n{''.join(map(self._cell, row.children))}</tr>\n"

    def _cell(self, cell: nodes.Cell) -> str:
        spanned = attributes(
            colspan=cell.columns if cell.columns > 1 else None,
            rowspan=cell.rows if cell.rows > 1 else None,
        )
        return self._within("th" if cell.is_header else "td", cell.children, spanned)

    def _inlines(self, inlines: Sequence[nodes.Inline]) -> str:
        return written(inlines, self._inline, self._start, self._end)

    def _start(self, wrapper: Wrapper) -> str:
        if wrapper.link < 0:
            return f"<{MARK_ELEMENTS[wrapper.mark]}>"
        address = self._links[wrapper.link]
        return f"<a{attributes(href=address, rel='nofollow noopener')}>" if address else ""

    def _end(self, wrapper: Wrapper) -> str:
        if wrapper.link < 0:
            return f"</{MARK_ELEMENTS[wrapper.mark]}>"
        return "</a>" if self._links[wrapper.link] else ""

    def _inline(self, inline: nodes.Inline) -> str:
        if isinstance(inline, nodes.Text):  # nearly all are
            return escaped(inline.text)
        match inline:
            case nodes.Picture(source, alternative, title):
                if not can_be_shown(source):
                    return ""
                alt = f'alt="{_value(alternative)}"'
                return f"<img{attributes(src=source)} {alt}{attributes(title=title)}>"
            case nodes.Embed(address, title):
                start = attributes(href=address, rel="nofollow noopener")
                return f"<a{start}>▶ {escaped(title or address)}</a>"
            case nodes.Math(tex, display):
                kind, opening, closing = ("display", "\\[", "\\]") if display else (
                    "inline", "\\(", "\\)")  # fmt: skip
                return f'<span class="math {kind}">{opening}{escaped(tex)}{closing}</span>'
            case nodes.NoteMark(label):
                return self._note_mark(label)
            case _:
                return "<br>"

    def _note_mark(self, label: str) -> str:
        if label not in self._notes:
            return f"<sup>{escaped(label)}</sup>"
        number = self._notes[label]
        name = attributes(id=None if number in self._marked else f"mark-{number}")
        self._marked.add(number)
        return f'<sup{name}><a href="#note-{number}">{escaped(label)}</a></sup>'


def _value(text: str) -> str:
    """A value that may be empty."""
    return escaped(text).replace('"', "&quot;")
