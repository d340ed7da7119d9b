"""What CSS selectors select on a page, as places of its block table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from victor.base.arrays import Bools
from victor.base.errors import ConfigError
from victor.page.markup.full_record import Kind, Markup, markup_of
from victor.page.parsing.tags import SHADOW_ROOT, VOID
from victor.page.table.blocks import BlockTable

_NAME: Final = re.compile(r"[a-z_][a-z0-9_.-]*\Z")
"""Names that XML allows, without a prefix; no selector names an element or attribute of others."""
_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLACE: Final = "victor-place"


class Selected(NamedTuple):
    """What is selected of a page of T tags.

    Attributes:
        text: (T,) bool; does the text right after each tag lie in a selected element.
        tags: (T,) bool; does each tag itself, or is it a selected void element.
    """

    text: Bools
    tags: Bools


class Selectors:
    """Some CSS selectors.

    Args:
        selectors: each may have commas; see cssselect for what they can say.

    Raises:
        ConfigError: one of them is no CSS selector.
    """

    def __init__(self, selectors: Sequence[str]) -> None:
        self._paths = [_path(selector) for selector in selectors]

    def on(self, table: BlockTable, page: int, markup: bytes) -> Selected:
        """What is selected on a page.

        Args:
            table: of a batch of pages.
            page: number of the page.
            markup: its UTF-8 bytes.
        """
        record = markup_of(table, page, markup)
        inside, voids = np.zeros((2, record.n_tags), dtype=bool)
        root = _tree(record)
        for path in self._paths:
            for element in path(root):
                start, end = map(int, element.get(_PLACE, "0 0").split())
                if element.tag in VOID:
                    voids[start:end] = True
                else:
                    inside[start:end] = True
        return Selected(inside, inside | voids)


@lru_cache(maxsize=64)
def _path(selector: str) -> etree.XPath:
    """The XPath of a selector."""
    try:
        return etree.XPath(HTMLTranslator().css_to_xpath(selector))
    except (SelectorError, etree.XPathError) as error:
        raise ConfigError(f"{selector!r} is no CSS selector that can be read: {error}") from None


def _tree(record: Markup) -> etree._Element:
    """The elements of a page, each with the tags that it spans; what is dropped spans none."""
    root = element = etree.Element("victor-page")
    open_at: list[tuple[int, bool]] = []
    for item in record.items:
        if item.kind is Kind.START:
            name = item.text if _NAME.match(item.text) else "victor-unnamed"
            if item.text == SHADOW_ROOT:
                name = "template"
            element = etree.SubElement(element, name, dict(_attributes(item.attributes)))
            open_at.append((item.tag, item.dropped))
        if item.kind is Kind.END or (item.kind is Kind.START and item.text in VOID):
            start, is_dropped = open_at.pop()
            end = item.tag + 1 if item.kind is Kind.START else item.tag
            if not is_dropped:
                element.set(_PLACE, f"{start} {end}")
            above = element.getparent()
            assert above is not None, "every end has a start"
            element = above
    return root


def _attributes(attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The attributes that a selector can name."""
    for name, value in attributes.items():
        if _NAME.match(name):
            yield name, _NOT_XML.sub("", value)
