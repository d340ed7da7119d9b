"""Callouts: notes, tips and warnings in a frame, as documentation programs mark them by classes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from victor.page.markup.mentions import mentions
from victor.page.markup.start_tags import Attributes
from victor.page.parsing.tags import IDS
from victor.render.tree.source import Source

_HINTS: Final = "admonition alert callout custom-block starlight-aside notecard hint".split()
"""The class of every callout has one of these in it."""
_FRAME: Final = re.compile(
    r"(?<!\S)(?:(?:markdown-|theme-)?(?:admonition(?:block)?|alert|callout)|custom-block"
    r"|starlight-aside|notecard|hint)(?!\S)"
)
_KIND: Final = re.compile(
    r"(?<!\S)(?:(?:markdown-|theme-)?(?:admonition|alert|callout)--?|starlight-aside--|is-)?"
    r"(note|info|tip|important|warning|caution|danger|attention|error|success|abstract|summary"
    r"|todo|question|help|faq|failure|bug|example|quote|seealso)(?!\S)"
)
_HOLDERS: Final = {IDS[name] for name in ("div", "aside", "section", "blockquote", "details")}
_TITLE: Final = re.compile(r"title|heading|callout-header|summary", re.IGNORECASE)
_LARGEST: Final = 0.5
"""Share of the kept text of a page; what holds more is its frame, whatever it is called."""


def callouts(source: Source, first_tag: Sequence[int]) -> tuple[dict[int, str], set[int]]:
    """The kinds of callouts by their elements, and the paragraphs that are titles of some.

    Args:
        source: the page.
        first_tag: (Q,) tag before each paragraph.
    """
    rows, tags = source.rows, source.table.tags
    kinds, titles = dict[int, str](), set[int]()
    if not mentions(source.markup, [hint.encode() for hint in _HINTS]):
        return kinds, titles
    for tag in {tag for hint in _HINTS for tag in source.tags.valued("class", hint)}:
        element, kind = int(tags.element[tag]), _kind(source.attributes(tag))
        start, end = (bisect_left(first_tag, ends[element]) for ends in (rows.open, rows.close))
        is_part = start < end <= start + max(_LARGEST * len(first_tag), 1)
        if kind and is_part and tags.id[tag] in _HOLDERS:
            kinds[element] = kind
            if _is_title(source, element, first_tag[start]):
                titles.add(start)
    return kinds, titles


def _kind(attributes: Attributes) -> str:
    """The kind that the classes of a callout name, "" for any other element."""
    classes = attributes["class"].lower()
    if not _FRAME.search(classes):
        return ""
    named = _KIND.search(f"{attributes.get('data-callout', '').lower()} {classes}")
    return named[1] if named else "note" * ("admonition" in classes.split())


def _is_title(source: Source, callout: int, tag: int) -> bool:
    """Is the text after a tag the title of a callout."""
    element = int(source.table.tags.element[tag])
    while element != callout and element != source.rows.parent[element]:
        if _TITLE.search(source.of_element(element).get("class", "")):
            return True
        element = source.rows.parent[element]
    return False
