"""Any page as UTF-8 XHTML that a strict XML parser accepts; no page is lost.

Entities and references become characters (those of 128-159 are read as windows-1252, as browsers
do), scripts and styles stay as they are, and elements left open or misnested are closed where the
HTML parser closes them. A strict parser reads every result; a page that it refuses becomes a dump
of its text.

Source: Falco, Moriceau, Vilnat (2012), Kitten, section 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import tee
from typing import Any, Final, Literal

from lxml import etree

from victor.base.errors import PageError
from victor.kitten.settings import Settings
from victor.page.allowance import Allowance, check_bytes
from victor.page.decoding.decode import Decoded, decode, utf8
from victor.page.markup.full_record import Item, Kind, record_full
from victor.page.parsing.tags import SITEMAP_ROOTS, SPLITTING, VOID
from victor.page.plain_data import xml_text
from victor.page.table.segment import read_pages
from victor.page.table.texts import block_texts
from victor.render.html import as_utf8

SITEMAP: Final = "sitemap"
_ROOT: Final = re.compile(
    rb"(?>(?:\s++|<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>\[]*+>)*)<(?:[\w.-]++:)?([\w.-]++)",
    re.DOTALL,
)
"""The first start tag and what may stand before it. A comment ends where it first can."""
_PROLOGUE: Final = 1 << 16  # bytes in which the first start tag is looked for
_CONVERTED: Final = {"header": "h1", "textfield": "p", "page": "div", "document": "div"}
"""Elements of documents that were converted to XML, and what they are in XHTML."""

Form = Literal["html", "converted", "text"]


@dataclass(frozen=True, slots=True)
class Normalized:
    """One page as XHTML.

    Attributes:
        xhtml: the page; encode it as UTF-8.
        kind: ``html``; ``converted``: a document that was converted to XML; ``text``: a dump of
            the text of a page that cannot be repaired.
        note: what is unusual about it, else empty.
        decoded: encoding of the page, and how it was determined.
    """

    xhtml: str
    kind: Form
    note: str
    decoded: Decoded


def normalize(
    page: bytes | str,
    *,
    declared: str | None = None,
    settings: Settings | None = None,
) -> Normalized:
    """Turn a page into XHTML.

    Args:
        page: bytes of any encoding, or text.
        declared: encoding named by the HTTP header, if any.
        settings: what is switched on, and bounds of the page; None for those that are shipped.

    Raises:
        PageError: the page is an XML sitemap (reason ``sitemap``) and these are excluded; or it is
            beyond the limits (``too-many-bytes``, ``too-slow``, ``too-much-output``).
    """
    settings = settings or Settings()
    limits = settings.limits
    check_bytes(len(page), limits.bytes)
    allowance = Allowance(limits.output, limits.seconds)
    decoded = decode(page, declared=declared)
    markup = utf8(page, decoded)
    check_bytes(len(markup) if isinstance(page, str) else 0, limits.bytes)
    normalized = _normalized(markup, decoded, settings, allowance)
    allowance.check(len(normalized.xhtml))
    return normalized


def _normalized(
    markup: bytes, decoded: Decoded, settings: Settings, allowance: Allowance
) -> Normalized:
    root = _first_element(markup)
    if root in SITEMAP_ROOTS and settings.normalize_exclude_sitemaps:
        raise PageError(SITEMAP, "it is an XML sitemap, a list of addresses without text")
    if root == "document" and settings.normalize_read_converted:
        converted = _converted(markup)
        if converted is not None and is_strict(converted):
            return Normalized(converted, "converted", "", decoded)
    return _of_html(markup, decoded, allowance)


def is_strict(markup: str) -> bool:
    """Does an XML parser accept this without recovery."""
    parser = etree.XMLParser(no_network=True, resolve_entities=False)
    try:
        etree.fromstring(markup.encode(), parser)
    except (etree.LxmlError, UnicodeError):
        return False
    return True


def _first_element(markup: bytes) -> str:
    match = _ROOT.match(markup[:_PROLOGUE])
    return match[1].decode() if match else ""


def _of_html(markup: bytes, decoded: Decoded, allowance: Allowance) -> Normalized:
    full = record_full(markup)
    allowance.check()
    text = xhtml(allowance.over(full.each()))
    allowance.check(len(text))
    if is_strict(text):
        return Normalized(text, "html", "", decoded)
    allowance.check()
    table = read_pages([markup])
    dump = text_dump(block_texts(table), table.heads[0].title)
    return Normalized(dump, "text", "not well formed as XHTML, its text only", decoded)


def _converted(markup: bytes) -> str | None:
    parser = etree.XMLParser(
        encoding="utf-8", no_network=True, resolve_entities=False, load_dtd=False
    )
    try:
        root = etree.fromstring(markup, parser)
    except etree.LxmlError:
        return None
    has_parts = next(root.iter("{*}textfield", "{*}page"), None) is not None
    # Entities that the document itself declares are left to the HTML parser, as text.
    if not has_parts or next(root.iter(etree.Entity), None) is not None:
        return None
    return xhtml(_items(root))


def _items(root: Any) -> Iterator[Item]:  # noqa: ANN401  (lxml has no types)
    yield _item(Kind.START, "body")
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            yield _item(Kind.START, _renamed(element.tag))
            yield _item(Kind.TEXT, element.text or "")
        elif event == "end":
            yield _item(Kind.END, _renamed(element.tag))
        if event != "start":
            yield _item(Kind.TEXT, element.tail or "")
    yield _item(Kind.END, "body")


def _renamed(tag: str) -> str:
    name = tag.rpartition("}")[2]
    return _CONVERTED.get(name, "span")


def _item(kind: Kind, text: str) -> Item:
    return Item(kind, text, {}, 0, False)


# --- Writing --------------------------------------------------------------------------------------

HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
NAMESPACE: Final = "http://www.w3.org/1999/xhtml"
_NAMESPACES: Final = {
    "svg": "http://www.w3.org/2000/svg",
    "math": "http://www.w3.org/1998/Math/MathML",
}
_DEEPEST: Final = 250  # nested elements; XML parsers in their default, safe mode allow 256
_LONGEST_TEXT: Final = 8_000_000
"""UTF-8 bytes are at most four times as many; these parsers allow ten million in one text."""
_LONGEST_NAME: Final = 200
_RAW: Final = frozenset({"script", "style"})
_FRAME: Final = frozenset({"html", "body"})

# XML 1.0, production 5 (Name without the colon, which namespaces take).
_NAME_START: Final = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NOT_IN_NAME: Final = re.compile(f"[^{_NAME_START}0-9.\xb7\u0300-\u036f\u203f\u2040-]")
_BEGINS_NAME: Final = re.compile(f"[{_NAME_START}]")


def xhtml(items: Iterable[Item]) -> str:
    """A page, given its full record, as XHTML; nothing is added between its tags."""
    return "".join((HEAD, *_Writer().pieces(items)))


def text_dump(paragraphs: Iterable[str], title: str) -> str:
    """Paragraphs of plain text as XHTML."""
    body = "".join(
        f"<p>{part}</p>" for text in paragraphs for part in _portions(xml_text(text)) if part
    )
    head = f"<head><title>{_escaped(xml_text(title))}</title></head>"
    return f'{HEAD}<html xmlns="{NAMESPACE}">{head}<body>{body}</body></html>\n'


def _portions(text: str) -> Iterator[str]:
    """A text, escaped, in portions that each fit into one XML text node."""
    step = _LONGEST_TEXT // 4
    for start in range(0, max(len(text), 1), step):
        yield _escaped(text[start : start + step])


def _escaped(text: str) -> str:
    """Escaped text; a raw carriage return would be read back as a newline."""
    return escape(text, quote=False).replace("\r", "&#13;")


class _Writer:
    """Writes the items of one page into one root and one body.

    Where a page ends its body too early, an empty ``<div>`` separates the texts.
    """

    def __init__(self) -> None:
        self._open: list[str] = []
        self._too_deep: list[str] = []
        self._begun: set[str] = set()
        self._is_cut = False

    def pieces(self, items: Iterable[Item]) -> Iterator[str]:
        items, ahead = tee(items)
        root = next((i for i in ahead if i.kind is Kind.START and i.text == "html"), None)
        yield f'<html xmlns="{NAMESPACE}"{_attributes(root) if root else ""}>'
        for item in items:
            yield from self._piece(item)
        yield from (f"</{name}>" for name in reversed(self._open))
        yield "</html>\n"

    def _piece(self, item: Item) -> Iterator[str]:
        if item.kind is Kind.TEXT:
            yield self._text(item.text)
        elif item.kind is Kind.COMMENT:
            yield f"<!--{_comment(item.text)}-->"
        elif item.kind is Kind.START:
            yield self._start(item)
        elif item.kind is Kind.END:
            yield self._end(item.text)

    def _text(self, text: str) -> str:
        text = xml_text(text)
        if self._open and self._open[-1] in _RAW:
            return _protected(text)
        separator = ""
        if self._is_cut and text.strip():
            separator, self._is_cut = _separator("div"), False
        return separator + "<!-- -->".join(_portions(text))

    def _start(self, item: Item) -> str:
        name = _name(item.text)
        # The first tag opens it; a second body, after a stray end tag, continues the first.
        if name in _FRAME and (name == "html" or name in self._begun):
            self._is_cut = True
            return ""
        self._begun.add(name)
        self._is_cut &= item.text not in SPLITTING
        if item.text in VOID:
            return f"<{name}{_attributes(item)} />"
        if len(self._open) >= _DEEPEST:
            self._too_deep.append(name)
            return _separator(name)
        self._open.append(name)
        return f"<{name}{_attributes(item)}>"

    def _end(self, name: str) -> str:
        """The tag that ends the element begun last, of which the items end each in turn."""
        if name in _FRAME:  # the body goes on to the end of the page
            self._is_cut = True
            return ""
        if self._too_deep:
            return _separator(self._too_deep.pop())
        return f"</{self._open.pop()}>"


def _separator(name: str) -> str:
    """Stands for a tag nested too deep, so that it still separates texts."""
    return f"<{name}></{name}>" if name in SPLITTING else ""


def _protected(text: str) -> str:
    if "&" not in text and "<" not in text and "]]>" not in text:
        return text.replace("\r", "\n")
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"


def _comment(text: str) -> str:
    """A comment holds no two hyphens in a row and does not end with one."""
    return re.sub("-(?=-|$)", "- ", xml_text(text))


def _name(name: str) -> str:
    """An HTML name as an XML name without a prefix; most are that already.

    No hyphen is put in: it would make a custom element.
    """
    if name.isalnum() and name.isascii() and name[0].isalpha():
        return name
    allowed = _NOT_IN_NAME.sub("_", name[:_LONGEST_NAME])
    return allowed if _BEGINS_NAME.match(allowed) else f"_{allowed}"


def _attributes(item: Item) -> str:
    """Attributes as written, each after a space; the first of several with one name."""
    values: dict[str, str] = {}
    for name, value in item.attributes.items():
        if name != "xmlns" and not name.startswith("xmlns:"):
            written = value if item.text != "meta" else as_utf8(name, value)
            values.setdefault(_attribute_name(name), written)
    if item.text in _NAMESPACES:
        values["xmlns"] = _NAMESPACES[item.text]
    return "".join(f' {name}="{_value(value)}"' for name, value in values.items())


def _attribute_name(name: str) -> str:
    return name if name == "xml:lang" else _name(name)


def _value(value: str) -> str:
    """Escaped value; raw white space would be read back as spaces."""
    escaped = escape(xml_text(value)).replace("&#x27;", "'")
    return escaped.replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;")
