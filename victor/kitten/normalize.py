"""Any page as UTF-8 XHTML that a strict XML parser accepts; no page is lost.

Entities and references become characters (those of 128-159 are read as windows-1252, as browsers
do), scripts and styles stay as they are, and elements left open or misnested are closed where the
HTML parser closes them. A strict parser reads every result; a page that it refuses becomes a dump
of its text.

Source: Falco, Moriceau, Vilnat (2012), Kitten, section 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from lxml import etree

from victor.base.errors import PageError
from victor.config import Limits
from victor.kitten import settings
from victor.kitten.xhtml import text_dump, xhtml
from victor.page.allowance import Allowance, check_bytes
from victor.page.decoding.decode import decode, utf8
from victor.page.decoding.decoded import Decoded
from victor.page.markup.full_record import Item, Kind, record_full
from victor.page.parsing.events import record
from victor.page.parsing.tags import SITEMAP_ROOTS
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

SITEMAP: Final = "sitemap"
_ROOT: Final = re.compile(
    rb"(?>(?:\s++|<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>\[]*+>)*)<(?:[\w.-]++:)?([\w.-]++)",
    re.DOTALL,
)
"""The first start tag and what may stand before it. A comment ends where it first can."""
_PROLOGUE: Final = 1 << 16
"""Bytes in which the first start tag is looked for."""
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
    rules: settings.Normalize | None = None,
    limits: Limits | None = None,
) -> Normalized:
    """Turn a page into XHTML.

    Args:
        page: bytes of any encoding, or text.
        declared: encoding named by the HTTP header, if any.
        rules: what is switched on; None for all.
        limits: bounds of the page and of what becomes of it; None for the shipped ones.

    Raises:
        PageError: the page is an XML sitemap (reason ``sitemap``) and these are excluded; or it is
            beyond the limits (``too-many-bytes``, ``too-slow``, ``too-much-output``).
    """
    limits = limits or Limits()
    check_bytes(len(page), limits.bytes)
    allowance = Allowance(limits.output, limits.seconds)
    decoded = decode(page, declared=declared)
    markup = utf8(page, decoded)
    check_bytes(len(markup) if isinstance(page, str) else 0, limits.bytes)
    normalized = _normalized(markup, decoded, rules or settings.Normalize(), allowance)
    allowance.check(len(normalized.xhtml))
    return normalized


def _normalized(
    markup: bytes, decoded: Decoded, rules: settings.Normalize, allowance: Allowance
) -> Normalized:
    """A page in UTF-8 as XHTML."""
    root = _first_element(markup)
    if root in SITEMAP_ROOTS and rules.exclude_sitemaps:
        raise PageError(SITEMAP, "it is an XML sitemap, a list of addresses without text")
    if root == "document" and rules.read_converted:
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
    """Name of the first start tag, without a prefix; empty if something else comes first."""
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
    table = segment(record([markup]), "block")
    dump = text_dump(block_texts(table), table.heads[0].title)
    return Normalized(dump, "text", "not well formed as XHTML, its text only", decoded)


def _converted(markup: bytes) -> str | None:
    """A converted document as XHTML; None if it is not one or not well formed."""
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
    """The elements and texts of a tree as items of a full record."""
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
