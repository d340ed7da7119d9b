"""A small page of the kept text that is safe to show: few elements, nothing alive.

Its elements are those of `ELEMENTS`; there is no script, form or frame and no handler, and
addresses lead to the web, mail or a telephone. A policy in the head forbids browsers to fetch
anything but images, and any style but the page's own.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final
from urllib.parse import urlsplit

from victor.page.plain_data import attribute_value, attributes, escaped, language_tag
from victor.render.forms import Page
from victor.render.tree import nodes
from victor.render.tree.addresses import can_be_linked, can_be_shown
from victor.render.tree.nesting import TAGS, steps
from victor.render.tree.nodes import CODE, Text

ELEMENTS: Final = frozenset(
    "html head meta title style body article h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre "
    "aside code table caption thead tbody tr th td a img strong em del sub sup span br hr".split()
)
"""All elements that a page can have."""
STYLE: Final = """
:root{color-scheme:light dark;--ink:#1c1e21;--quiet:#5a616a;--line:#d4d8dd;--soft:#f4f5f7;--link:#0b57d0;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e2e5e9;--quiet:#a2a9b3;--line:#41464e;--soft:#22262b;--link:#8ab4f8;--paper:#15181b}}
html{background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%}
body{box-sizing:border-box;max-width:calc(68ch + 2.5rem);margin:0 auto;padding:2.5rem 1.25rem 4rem;font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
h1,h2,h3,h4,h5,h6{margin:1.8em 0 .5em;line-height:1.25;text-wrap:balance}
h1{font-size:clamp(1.6rem,5vw,2.1rem)}h2{font-size:1.4rem}h3{font-size:1.2rem}h4,h5,h6{font-size:1rem}
article>:first-child{margin-top:0}
a{color:var(--link);text-underline-offset:.15em}
:is(h1,h2,h3,h4,h5,h6) a:not(:hover,:focus){color:inherit;text-decoration:none}
.about{margin:0 0 2rem;padding-bottom:1rem;border-bottom:1px solid var(--line);color:var(--quiet);font-size:.9375rem}
h1:has(+.about){margin-bottom:.4em}
img{max-width:100%;height:auto}
code{padding:.1em .3em;border-radius:4px;background:var(--soft);font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{overflow-x:auto;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:6px;background:var(--soft);line-height:1.5;tab-size:4}
pre code{padding:0;background:none;font-size:.875rem}
blockquote,aside{margin:1.5em 0;padding:.1em 0 .1em 1.1em;border-inline-start:3px solid var(--line)}
aside{padding:.2em 1.1em;border-radius:0 6px 6px 0;border-color:var(--link);background:var(--soft)}
aside:is(.warning,.caution,.danger,.attention,.error,.failure,.bug,.important){border-color:#d97706}
:is(blockquote,aside)>:first-child{margin-top:.4em}:is(blockquote,aside)>:last-child{margin-bottom:.4em}
ul,ol{padding-inline-start:1.6em}li,dd{margin:.25em 0}li>:first-child{margin-top:0}dt{margin-top:1em;font-weight:600}dd{margin-inline-start:1.6em}
table{display:block;overflow-x:auto;width:max-content;max-width:100%;margin:1.5em 0;border-collapse:collapse;font-size:.9375rem;line-height:1.45}
caption,figcaption{padding-bottom:.5em;color:var(--quiet);font-size:.9375rem;text-align:start}
th,td{padding:.45em .75em;border:1px solid var(--line);text-align:start;vertical-align:top}
th{background:var(--soft)}td>p,th>p{margin:.2em 0}
figure{margin:1.5em 0}figcaption{padding-top:.5em}
hr{margin:2.5em 0;border:0;border-top:1px solid var(--line)}
sub,sup{line-height:0}
li[id^="note-"]{color:var(--quiet);font-size:.9375rem}:target{background:var(--soft)}
@media print{:root{--ink:#000;--paper:#fff;--link:#000}body{max-width:none;padding:0;font-size:11pt}pre{white-space:pre-wrap}h1,h2,h3,h4{break-after:avoid}img,pre,tr{break-inside:avoid}}
"""  # noqa: E501 - a rule a line
"""The style sheet; it fetches nothing."""
_HASH: Final = "sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
"""What a Content Security Policy allows it by."""
POLICY: Final = (
    f"default-src 'none'; img-src http: https:; style-src '{_HASH}'; base-uri 'none'; "
    "form-action 'none'; frame-src 'none'"
)
"""What browsers may fetch: images."""
_DAY: Final = len("2024-01-31")
_MOST_AUTHORS: Final = 10
_LONGEST: Final = 500  # characters of a title or a name that are shown
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
    return " ".join(value[:_LONGEST].split()) if isinstance(value, str) else ""


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2].removeprefix("www.")[:_LONGEST]
    except ValueError:  # no address at all, such as http://[
        return ""


def render(page: Page) -> str:
    """The kept blocks of a page as a small page."""
    return write(page.tree, page.metadata, page.url)


def _element(name: str, content: str, more: str = "") -> str:
    """An element with its attributes, ended by a newline."""
    return f"<{name}{more}>{content}</{name}>\n"


class _Writer:
    def __init__(self, source: nodes.Tree) -> None:
        self._allowance = source.allowance
        self._links = [*map(_link, source.allowance.over(source.links))]
        self._notes = nodes.note_numbers(source.children)
        self._marked: set[int] = set()

    def blocks(self, children: Iterable[nodes.Block]) -> str:
        """Some blocks, each ended by a newline; notes that follow one another are a list."""
        parts: list[str] = []
        for kind, group in groupby(children, type):
            written = map(self._block, group)
            parts += ["<ol>\n", *written, "</ol>\n"] if kind is nodes.Note else written
        return "".join(parts)

    def _block(self, node: nodes.Block) -> str:
        match node:
            case nodes.Paragraph():
                text = self._inlines(node.inlines)
                name = f"h{node.level}" if node.level else "p"
                return _element(name, text) if text else ""
            case nodes.Code():
                language = f"language-{node.language}" if node.language else None
                code = f"<code{attributes(class_=language)}>{escaped(node.text)}</code>"
                return _element("pre", code) if node.text else ""
            case nodes.Rule():
                return "<hr>\n"
            case nodes.List():
                return self._list(node)
            case nodes.Definitions():
                parts = (
                    _element("dt" if each.is_term else "dd", self._content(each.children))
                    for each in node.children
                )
                return _element("dl", f"\n{''.join(parts)}")
            case nodes.Quote():
                name, start = ("aside", attributes(class_=node.kind)) if node.kind else (
                    "blockquote", "")  # fmt: skip
                return _element(name, f"\n{self.blocks(node.children)}", start)
            case nodes.Note():
                return self._note(node)
            case nodes.Table():
                return self._table(node)

    def _list(self, node: nodes.List) -> str:
        if not node.is_ordered:
            return _element("ul", f"\n{self._items(node, [None] * len(node.children))}")
        is_reversed = nodes.counts_down(node.children)
        first = node.children[0].number
        numbers = nodes.odd_numbers(node.children, -1 if is_reversed else 1)
        start = attributes(start=first if first != 1 or is_reversed else None)
        start += " reversed" if is_reversed else ""
        return _element("ol", f"\n{self._items(node, numbers)}", start)

    def _items(self, node: nodes.List, numbers: Sequence[int | None]) -> str:
        return "".join(
            _element(
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
        return _element("li", self._content(node.children) + back, start)

    def _table(self, node: nodes.Table) -> str:
        parts = [_element("caption", self._content(node.caption))] if node.caption else []
        rows, n_head = node.rows, 0
        while n_head < len(rows) and all(cell.is_header for cell in rows[n_head].children):
            n_head += 1
        for name, part in (("thead", rows[:n_head]), ("tbody", rows[n_head:])):
            if part:
                parts.append(_element(name, f"\n{''.join(map(self._row, part))}"))
        return _element("table", f"\n{''.join(parts)}")

    def _content(self, children: Sequence[nodes.Block]) -> str:
        """Some blocks in an element that may hold text; a lone paragraph has no element there."""
        first = children[0] if children else None
        if isinstance(first, nodes.Paragraph) and not first.level:
            rest = children[1:]
            if all(isinstance(node, nodes.List) for node in rest):
                return self._inlines(first.inlines) + ("\n" if rest else "") + self.blocks(rest)
        return f"\n{self.blocks(children)}" if children else ""

    def _row(self, row: nodes.Row) -> str:
        return _element("tr", f"\n{''.join(map(self._cell, row.children))}")

    def _cell(self, cell: nodes.Cell) -> str:
        spans = {"colspan": cell.columns, "rowspan": cell.rows}
        spanned = attributes(**{name: n if n > 1 else None for name, n in spans.items()})
        return _element("th" if cell.is_header else "td", self._content(cell.children), spanned)

    def _inlines(self, inlines: Sequence[nodes.Inline]) -> str:
        self._allowance.ask(len(inlines))
        if len(inlines) == 1 and isinstance(inlines[0], Text) and inlines[0].is_plain:
            return escaped(inlines[0].text)
        parts: list[str] = []
        ends: list[str] = []
        for around, inline in steps(inlines):
            if around:
                start, end = TAGS[around] if around > 0 else self._links[~around]
                parts.append(start)
                if inline is None:
                    ends.append(end)
                else:
                    parts += (self._inline(inline), end)
            else:
                parts.append(ends.pop() if inline is None else self._inline(inline))
        return "".join(parts)

    def _inline(self, inline: nodes.Inline) -> str:
        if isinstance(inline, Text):  # nearly all are
            text = escaped(inline.text)
            return f"<code>{text}</code>" if inline.marks & CODE else text
        return "<br>" if isinstance(inline, nodes.Break) else self._thing(inline)

    def _thing(self, thing: nodes.Thing) -> str:
        match thing:
            case nodes.Picture(source, alternative, title):
                if not can_be_shown(source):
                    return ""
                alt = f'alt="{attribute_value(alternative)}"'
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


def _link(address: str) -> tuple[str, str]:
    """Start and end of a link; nothing for an address that is left out."""
    if not can_be_linked(address):
        return "", ""
    return f'<a href="{attribute_value(address)}" rel="nofollow noopener">', "</a>"
