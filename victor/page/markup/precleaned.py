"""A page without the parts that cannot hold text: scripts, styles, embedded objects, comments.

Source: Spousta, Marek, Pecina (2008), Victor, section 3.1, step 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from victor.page.markup.full_record import Item, Kind, Markup
from victor.page.parsing.tags import VOID

_STAYS: Final = "title"
"""No block comes from it, but a valid page has one."""
_VOID_OBJECTS: Final = frozenset({"bgsound", "embed"})


def precleaned(full: Markup) -> Markup:
    """The record of a page without what holds no text of it.

    Scripts, styles, embedded objects with what they show in their place, and all other elements
    from which no block comes go, but for the title; so do comments, links to style sheets, and the
    attributes that hold styles or scripts.
    """
    items = [_trimmed(item) for item in _staying(full.items)]
    return Markup.of(items, full.n_tags, alt_text=full.alt_text)


def _staying(items: tuple[Item, ...]) -> Iterator[Item]:
    """The items outside of comments and removed elements; a space for an object amid text."""
    depth, outermost, in_object = 0, "", 0
    for item in items:
        if item.text == "object" and item.kind in {Kind.START, Kind.END}:
            in_object += 1 if item.kind is Kind.START else -1
            if not in_object:
                yield item._replace(kind=Kind.TEXT, text=" ", attributes={}, dropped=True)
            continue
        if in_object:
            continue
        if item.dropped and item.kind is Kind.START and not depth:
            outermost = item.text
        if item.dropped and item.text not in VOID:
            depth += {Kind.START: 1, Kind.END: -1}.get(item.kind, 0)
        if _is_void_object(item):
            yield item._replace(kind=Kind.TEXT, text=" ", attributes={}, dropped=True)
        elif item.kind is not Kind.COMMENT and (not item.dropped or outermost == _STAYS):
            yield item


def _is_void_object(item: Item) -> bool:
    """Is it an embedded object, or a link to a style sheet, that has no end."""
    if item.dropped or item.kind is not Kind.START:
        return False
    kinds = item.attributes.get("rel", "").lower().split() if item.text == "link" else ()
    return item.text in _VOID_OBJECTS or "stylesheet" in kinds


def _trimmed(item: Item) -> Item:
    """A start tag without the attributes that hold styles or scripts."""
    if not any(map(_is_code, item.attributes)):
        return item
    attributes = {k: value for k, value in item.attributes.items() if not _is_code(k)}
    return item._replace(attributes=attributes)


def _is_code(attribute: str) -> bool:
    return attribute == "style" or attribute.startswith("on")
