"""What a page says of its encoding: `meta` elements and the XML declaration.

The bytes are scanned as the prescan of the HTML standard does it (section 13.2.3.2), with the two
differences that Chromium has: elements whose content is no markup are skipped, and after 1,024
bytes the scan goes on to the end of the head, where other browsers start anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_SURE: Final = 1024
"""Bytes that are scanned wherever the head ends."""
_MOST: Final = 1 << 16
_MARKUP: Final = re.compile(rb"<(?:!--|/?([A-Za-z][^\t\n\f\r />]*+)|[!/?])")
_ATTRIBUTE: Final = re.compile(
    rb"""
    [\t\n\f\r\x20/]*+ ([^\t\n\f\r\x20/>][^\t\n\f\r\x20/>=]*+)
    (?: [\t\n\f\r\x20]*+ = [\t\n\f\r\x20]*+
        (?: "([^"]*+)" | '([^']*+)' | ([^\t\n\f\r\x20>"'][^\t\n\f\r\x20>]*+) | (?=>) | (["']) ) )?
    """,
    re.VERBOSE,
)
"""Name, value in one of three forms; the last group is a quotation mark that nothing ends."""
_CHARSET: Final = re.compile(
    rb"""
    charset [\t\n\f\r\x20]*+ = [\t\n\f\r\x20]*+
    (?: "([^"]*+)" | '([^']*+)' | ([^\t\n\f\r\x20;"'][^\t\n\f\r\x20;]*+) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_XML: Final = re.compile(
    rb"<\?xml\b[^<>]*?[\t\n\f\r ]encoding\s*=\s*[\"']\s*([\w.:+-]+)", re.IGNORECASE
)
_IN_HEAD: Final = frozenset(
    b"html head meta title link base style script noscript object template bgsound".split()
)
_NO_MARKUP: Final = frozenset(b"title script style textarea xmp iframe noembed noframes".split())
_SPACE: Final = " \t\n\f\r"


def declared_labels(page: bytes) -> Iterator[str]:
    """Labels of encodings that a page names, in order of authority, in lower case.

    Browsers take the first that is a label of the Encoding Standard.

    Args:
        page: without byte order mark.
    """
    head = page[:_MOST]
    for value in _meta_labels(head):
        yield normalized(value.decode("latin-1"))
    if xml := _XML.match(head[:_SURE].lstrip()):
        yield normalized(xml[1].decode("latin-1"))


def normalized(label: str) -> str:
    """A label as the standard compares it: without space around it, in lower case."""
    return label.strip(_SPACE).lower()


def _meta_labels(head: bytes) -> Iterator[bytes]:
    at = 0
    while markup := _MARKUP.search(head, at):
        name = (markup[1] or b"").lower()
        if markup.start() >= _SURE and name and name not in _IN_HEAD:
            return
        if not name:
            # "<!-->" is a whole comment.
            end, offset = (b"-->", 2) if markup[0] == b"<!--" else (b">", 1)
            at = head.find(end, markup.start() + offset) + len(end)
            if at < len(end):
                return
            continue
        attributes, at = _attributes(head, markup.end())
        if at < 0:
            return
        if markup[0][1:2] == b"/":
            continue
        if name == b"meta":
            label = _label(attributes)
            if label is not None:
                yield label
        elif name in _NO_MARKUP:
            at = _end_of_element(head, name, at)


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, bytes], int]:
    """Attributes of a tag, the first of every name, and where they end; -1 if they do not."""
    attributes: dict[bytes, bytes] = {}
    while attribute := _ATTRIBUTE.match(head, at):
        name, *values, unended = attribute.groups(b"")
        if unended:
            return {}, -1
        attributes.setdefault(name.lower(), b"".join(values))
        at = attribute.end()
    end = head.find(b">", at)
    return attributes, end + 1 if end >= 0 else -1


def _label(attributes: dict[bytes, bytes]) -> bytes | None:
    """The label of a `meta` element, if it has one."""
    if b"charset" in attributes:
        return attributes[b"charset"]
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    charset = _CHARSET.search(attributes.get(b"content", b""))
    return None if charset is None else b"".join(charset.groups(b""))


def _end_of_element(head: bytes, name: bytes, at: int) -> int:
    """Where the content of an element that holds no markup ends, or the head."""
    end = re.compile(rb"</%s[\t\n\f\r />]" % name, re.IGNORECASE).search(head, at)
    return len(head) if end is None else end.start()
