"""Where the source of a page is such that libxml2 and browsers make different trees of it.

Both follow the author where tags are closed in order. This is a look at the tags alone: one in a
comment or a script counts, too, so a page may be taken for worse than it is, never for better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base import core
from victor.page.parsing.tags import BLOCK_LEVEL, HEADINGS

_CONTAINERS: Final = frozenset(
    "article aside blockquote center details dl dir div fieldset figure footer form header main "
    "menu nav ol section select span a table ul".split()
)
"""Elements that hold others and whose end tag must be written."""
_TAG: Final = re.compile(
    rb"<(/?)(" + "|".join(sorted(BLOCK_LEVEL | _CONTAINERS)).encode() + rb")(?=[\s/>])",
    re.IGNORECASE,
)
_INLINE: Final = frozenset({b"a", b"span"})
_CONTAINER_TAGS: Final = frozenset(name.encode() for name in _CONTAINERS)
_HEADING_TAGS: Final = frozenset(name.encode() for name in HEADINGS)
_ALL: Final = tuple(sorted(name.encode() for name in BLOCK_LEVEL | _CONTAINERS))
_ROLES: Final = np.array(
    [
        (name in _INLINE)
        + 2 * (name in _CONTAINER_TAGS)
        + 4 * (name in _HEADING_TAGS)
        + 8 * (name == b"p")
        for name in _ALL
    ],
    dtype=np.uint8,
)
"""What each of them is, as the compiled core reads it."""
_DOCTYPE: Final = re.compile(
    rb"""<!doctype\s++html(?:(?P<standard>
        \s*+> | [^>]*(?:XHTML\ 1|HTML\ 4\.01//|<!doctype\s++html\s*+>)
        | (?>[^>]*?HTML\ 4\.01\ Trans)[^>]*http
    ) | [^>]*+)""",
    re.IGNORECASE | re.VERBOSE,
)
"""A document type, and whether it is one of standards mode; of any other nothing is read twice."""
_HEAD: Final = 4096
"""Bytes in which the document type stands, if the page has one."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """What can be relied on.

    Attributes:
        in_order: all elements that need an end tag have one, in order.
        shaky_headings: names of headings (``h1`` to ``h6``) of which one holds another block, so
            that only libxml2 ends it there.
        tables_in_paragraphs: a ``table`` does not end a ``p`` in browsers (quirks mode).
        stray_paragraph_ends: there is a ``</p>`` of no ``<p>``, which is an empty paragraph in
            browsers.
    """

    in_order: bool
    shaky_headings: frozenset[str]
    tables_in_paragraphs: bool
    stray_paragraph_ends: bool

    @classmethod
    def of(cls, markup: bytes) -> Nesting:
        """Look at a page given as UTF-8 bytes."""
        look = _of_tags if core.compiled is None else _compiled
        in_order, stray_end, shaky = look(markup)
        return cls(
            in_order=bool(in_order),
            shaky_headings=frozenset(name.decode() for name in shaky),
            tables_in_paragraphs=not any(
                each["standard"] for each in _DOCTYPE.finditer(markup[:_HEAD])
            ),
            stray_paragraph_ends=bool(stray_end),
        )


_Found = tuple[bool, bool, Iterable[bytes]]
"""Are tags in order, is there an end of no paragraph, and the shaky headings."""


def _compiled(markup: bytes) -> _Found:
    result: _Found = core.compiled.markup_nesting(markup, _ALL, _ROLES)
    return result


def _of_tags(markup: bytes) -> _Found:
    shaky: set[bytes] = set()
    stack: list[bytes] = []
    in_order, heading = True, b""
    in_paragraph = stray_end = False
    for tag in _TAG.finditer(markup):
        name = tag[2].lower()
        if name not in _INLINE:
            if heading and not (tag[1] and name == heading):
                shaky.add(heading)
            heading = b"" if tag[1] or name not in _HEADING_TAGS else name
            stray_end |= name == b"p" and bool(tag[1]) and not in_paragraph
            in_paragraph = name == b"p" and not tag[1]
        if name not in _CONTAINER_TAGS:
            continue
        if not tag[1]:
            stack.append(name)
        elif not stack or stack.pop() != name:
            in_order = False
    return in_order and not stack, stray_end, shaky
