"""Callouts: notes, tips and warnings in a frame, as documentation programs mark them by classes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Ints
from victor.page.markup.start_tags import Attributes
from victor.page.parsing.attributes import BundleColumns
from victor.page.parsing.tags import member_mask
from victor.render.tree.source import Source

_HINTS: Final = tuple(
    b"admonition callout alert custom-block starlight-aside notecard hint".split()
)
"""What stands in the classes of every page that has one."""
_HOLDERS: Final = frozenset({"div", "aside", "section", "blockquote", "details"})
_ALWAYS: Final = frozenset({"admonition", "admonitionblock", "markdown-alert", "theme-admonition"})
"""Classes of callouts of any kind: docutils, MkDocs, Hugo, AsciiDoc, GitHub, Docusaurus."""
_SOMETIMES: Final = frozenset(
    {"alert", "callout", "custom-block", "starlight-aside", "notecard", "hint"}
)
"""Classes of callouts if another class names a kind: Bootstrap, Quarto, VuePress, Astro."""
_KINDS: Final = frozenset(
    "note info tip hint important warning caution danger attention error success abstract summary "
    "todo question help faq failure bug example quote seealso".split()
)
_PREFIX: Final = re.compile(
    r"(?:markdown-alert|alert|callout|admonition|theme-admonition|admonish|starlight-aside|is)--?"
)
_TITLE: Final = re.compile(r"title|heading|callout-header|summary", re.IGNORECASE)
_USUAL: Final = "note"
_LARGEST: Final = 0.5
"""Share of the kept text of a page; what holds more is its frame, whatever it is called."""


class Callout(NamedTuple):
    """A callout.

    Attributes:
        kind: note, warning and so on.
        title: number of the paragraph that is its title, -1 for none.
    """

    kind: str
    title: int


def callouts(source: Source, first_tag: Sequence[int]) -> dict[int, Callout]:
    """The callouts of a page by their elements.

    Args:
        source: the page.
        first_tag: (Q,) tag before each paragraph.
    """
    rows = source.rows
    found: dict[int, Callout] = {}
    for element in _candidates(source).tolist():
        kind = _kind(source.of_element(element))
        start, end = (bisect_left(first_tag, tags[element]) for tags in (rows.open, rows.close))
        if kind and start < end <= start + max(_LARGEST * len(first_tag), 1):
            title = start if _is_title(source, element, first_tag[start]) else -1
            found[element] = Callout(kind, title)
    return found


def _candidates(source: Source) -> Ints:
    """Elements that may be callouts: by the classes in the table, if these are there."""
    table = source.table
    elements, bundles = table.elements, table.bundles
    if isinstance(bundles, BundleColumns) and "class" in table.attributes:
        is_hinted = np.zeros(len(bundles) + 1, dtype=bool)  # the last one is for those without
        is_hinted[bundles.rows_with(*_HINTS)] = True
        rows = np.flatnonzero(is_hinted[elements.bundle])
    else:
        has_hint = any(hint in source.markup for hint in _HINTS)
        rows = np.arange(len(elements) if has_hint else 0)
    return rows[member_mask(_HOLDERS)[elements.tag[rows]]]


def _kind(attributes: Attributes) -> str:
    """The kind of a callout that is marked so, "" for any other element."""
    if attributes.get("data-callout"):
        name = attributes["data-callout"].strip().lower()
        return name if re.fullmatch(r"[a-z][a-z-]{1,20}", name) else _USUAL
    names = attributes.get("class", "").lower().split()
    if not (_ALWAYS | _SOMETIMES).isdisjoint(names):
        kinds = [_PREFIX.sub("", name, count=1) for name in names]
        usual = _USUAL if not _ALWAYS.isdisjoint(names) else ""
        return next((kind for kind in kinds if kind in _KINDS), usual)
    return ""


def _is_title(source: Source, callout: int, tag: int) -> bool:
    """Is the text after a tag the title of a callout."""
    element = int(source.table.tags.element[tag])
    while element != callout and element != source.rows.parent[element]:
        if _TITLE.search(source.of_element(element).get("class", "")):
            return True
        element = source.rows.parent[element]
    return False
