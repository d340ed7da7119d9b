"""The elements and text nodes of a page in the tree of libxml2, without what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Ints
from victor.base.errors import ConfigError
from victor.page.markup.full_record import has_alt_texts, of_utf8
from victor.page.table.blocks import BlockTable


class Outline(NamedTuple):
    """E elements in the order of their start tags, and X text nodes.

    Text nodes that are empty or hold nothing but space, tab and newline are left out: XPath leaves
    them out by ``[normalize-space()]``. Elements that are dropped before blocks are cut are hidden,
    and so are shadow roots, which are in no document of a browser. Nothing stands in void elements.
    """

    names: list[str]  # the names of elements that differ
    ids: list[str]  # the values of ``id`` that differ
    of_table: Ints  # (e,) int64 those that a block table has, after its root of the page, -1
    n_tags: int  # in the lean stream of the page
    text_tag: Ints  # (X,) int64 ordinal on the page of the tag before each
    text_outer: Ints  # (X,) int64 outermost hidden element around each, -1 for none
    name: Ints  # (E,) int64 row in `names`
    id: Ints  # (E,) int64 row in `ids`, -1 for none
    parent: Ints  # (E,) int64 element around each; a root is its own
    last: Ints  # (E,) int64 last element inside each, itself if there is none
    first: Ints  # (E,) int64; the text nodes inside each are ``first:end``
    end: Ints  # (E,) int64
    outer: Ints  # (E,) int64 outermost hidden element around each, or itself; -1 for none

    @classmethod
    def of(cls, markup: bytes, *, alt_text: bool = False) -> Outline:
        """Outline a page given as UTF-8 bytes.

        Args:
            markup: the page.
            alt_text: the ``alt`` of an image is text inside it.
        """
        _, outline = of_utf8(core.compiled.markup_outline, markup, alt_text)
        *memories, n_tags, names, ids = outline
        elements, texts, of_table = (core.array(each, np.int64) for each in memories)
        # Columns in one piece take less time.
        rows = (texts.reshape(-1, 2), elements.reshape(-1, 7))
        columns = [column for each in rows for column in np.ascontiguousarray(each.T)]
        return cls(names, ids, np.append(-1, of_table), n_tags, *columns)

    @classmethod
    def of_page(cls, table: BlockTable, page: int, markup: bytes) -> Outline:
        """Outline a page of a table, given its UTF-8 bytes.

        Raises:
            ConfigError: the table was not made from this markup.
        """
        outline = cls.of(markup, alt_text=has_alt_texts(table, page))
        rows, n_elements = table.elements_of(page), len(outline.of_table)
        if n_elements != rows.stop - rows.start:
            raise ConfigError(
                f"the markup has {n_elements} elements but page {page} of the table "
                f"{rows.stop - rows.start}; give the markup that the table was made from"
            )
        return outline

    def is_named(self, fits: Callable[[str], object]) -> Bools:
        """(E,) has each element a name that fits."""
        return np.array([bool(fits(name)) for name in self.names], dtype=bool)[self.name]

    def named(self, name: str) -> Ints:
        """(m,) int64 the elements of a name."""
        number = self.names.index(name) if name in self.names else -1
        return np.flatnonzero(self.name == number)
