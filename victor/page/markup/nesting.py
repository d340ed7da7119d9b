"""Where the source of a page is such that libxml2 and browsers make different trees of it.

Both follow the author where tags are closed in order. This is a look at the tags alone: one in a
comment or a script counts, too, so a page may be taken for worse than it is, never for better.
"""

from __future__ import annotations

import re
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
"""What each of them is, as the core reads it."""
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
        in_order, stray_end, shaky = core.compiled.markup_nesting(markup, _ALL, _ROLES)
        return cls(
            in_order=bool(in_order),
            shaky_headings=frozenset(name.decode() for name in shaky),
            tables_in_paragraphs=not any(
                each["standard"] for each in _DOCTYPE.finditer(markup[:_HEAD])
            ),
            stray_paragraph_ends=bool(stray_end),
        )
