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

from victor.page.xml_text import attributes, escaped, language_tag
from victor.render.article.style import HASH, STYLE
from victor.render.tree import nodes
from victor.render.tree.addresses import can_be_linked, can_be_shown
from victor.render.tree.build import form
from victor.render.tree.elements import ARTICLE, ElementWriter, element

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
_TASKS: Final = {None: "", False: "☐ ", True: "☑ "}


def write(
    source: nodes.Tree, metadata: Mapping[str, object] | None = None, url: str | None = None
) -> str:
    """A document as a page.

    Args:
        source: the document; its own title becomes the first heading.
        metadata: what is known of the page. The bar of the window shows its title; site, authors
            and date stand below the first heading. Values of another type than
            `victor.metadata.page_metadata.Metadata` has are left out.
        url: address of the original, which the line below the heading ends with; None for the
            canonical one.
    """
    known = {} if metadata is None else metadata
    lang = attributes(lang=language_tag(_text(known.get("language"))))
    title = _text(known.get("title")) or source.title
    return (
        f"<!DOCTYPE html>\n<html{lang}>\n<head>\n"
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


class _Writer(ElementWriter):
    """Writes the blocks of one document."""

    def __init__(self, source: nodes.Tree) -> None:
        super().__init__(source, ARTICLE, [*map(_link, source.allowance.over(source.links))])
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
                return element(name, text) if text else ""
            case nodes.Code():
                language = f"language-{node.language}" if node.language else None
                code = f"<code{attributes(class_=language)}>{escaped(node.text)}</code>"
                return element("pre", code) if node.text else ""
            case nodes.Rule():
                return self._elements.rule
            case nodes.List():
                return self._list(node)
            case nodes.Definitions():
                parts = (
                    element("dt" if each.is_term else "dd", self._content(each.children))
                    for each in node.children
                )
                return element("dl", f"\n{''.join(parts)}")
            case nodes.Quote():
                name, start = ("aside", attributes(class_=node.kind)) if node.kind else (
                    "blockquote", "")  # fmt: skip
                return element(name, f"\n{self.blocks(node.children)}", start)
            case nodes.Note():
                return element("ol", f"\n{self._note(node)}")
            case nodes.Table():
                return self._table(node)

    def _list(self, node: nodes.List) -> str:
        if not node.is_ordered:
            return element("ul", f"\n{self._items(node, [None] * len(node.children))}")
        is_reversed = nodes.counts_down(node.children)
        first = node.children[0].number
        numbers = nodes.odd_numbers(node.children, -1 if is_reversed else 1)
        start = attributes(start=first if first != 1 or is_reversed else None)
        start += " reversed" if is_reversed else ""
        return element("ol", f"\n{self._items(node, numbers)}", start)

    def _items(self, node: nodes.List, numbers: Sequence[int | None]) -> str:
        return "".join(
            element(
                "li",
                _TASKS[item.is_done] + self._content(item.children),
                attributes(value=number),
            )
            for item, number in zip(node.children, numbers, strict=True)
        )

    def _note(self, node: nodes.Note) -> str:
        number = self._notes[node.label]
        value = int(node.label) if re.fullmatch("[0-9]{1,4}", node.label) else number
        back = f' <a href="#mark-{number}">↩</a>' if number in self._marked else ""
        start = attributes(id=f"note-{number}", value=value)
        return element("li", self._content(node.children) + back, start)

    def _table(self, node: nodes.Table) -> str:
        parts = [element("caption", self._content(node.caption))] if node.caption else []
        rows, n_head = node.rows, 0
        while n_head < len(rows) and all(cell.is_header for cell in rows[n_head].children):
            n_head += 1
        for name, part in (("thead", rows[:n_head]), ("tbody", rows[n_head:])):
            if part:
                parts.append(element(name, f"\n{''.join(map(self._row, part))}"))
        return element("table", f"\n{''.join(parts)}")

    def _thing(self, thing: nodes.Thing) -> str:
        match thing:
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

    def _note_mark(self, label: str) -> str:
        if label not in self._notes:
            return f"<sup>{escaped(label)}</sup>"
        number = self._notes[label]
        name = attributes(id=None if number in self._marked else f"mark-{number}")
        self._marked.add(number)
        return f'<sup{name}><a href="#note-{number}">{escaped(label)}</a></sup>'


def _link(address: str) -> str | None:
    """Attributes of a link; None for one that is left out."""
    if not can_be_linked(address):
        return None
    return attributes(href=address, rel="nofollow noopener")


def _value(text: str) -> str:
    """A value that may be empty."""
    return escaped(text).replace('"', "&quot;")
