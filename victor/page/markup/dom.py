"""The tree of a page as columns: every element, dropped ones too, and every text node.

A block table knows neither dropped elements nor comments nor white space that stands alone. Who
leads to a block in somebody else's tree has to count them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.base.errors import ConfigError
from victor.page.markup.elements import MarkupElements
from victor.page.markup.full_record import Kind, Markup, has_alt_texts, record_full
from victor.page.table.blocks import BlockTable

_BLANK: Final = " \t\r\n"
"""White space in XPath 1.0."""
_NO_ADDRESS: Final[str | None] = None


@dataclass(frozen=True, eq=False)
class Dom:
    """The tree of one page; E elements in document order, X text nodes.

    It is that of libxml2, but nothing stands in void elements.

    Text nodes that are empty or hold nothing but space, tab and newline are left out: XPath leaves
    them out by ``[normalize-space()]``.

    Attributes:
        names: (E,) element names.
        ids: (E,) values of ``id``, "" where absent.
        addresses: (E,) values of ``href``, white space at the ends gone; None where absent.
        parent: (E,) int64 parent element; -1 for the root.
        last: (E,) int64 last element inside each, itself if there is none.
        dropped: (E,) bool; of an element that is dropped before blocks are cut, or inside one.
        first_text, end_text: (E,) int64; the text nodes inside are ``first_text:end_text``.
        text_after: (X,) int64 last element that begins before each text node.
        text_tag: (X,) int64 ordinal on the page of the tag before each text node; -1 in dropped
            elements.
        n_tags: number of tags of the page.
        of_table: (e,) int64 element that each element of the page in the table is; the root of the
            page, which is none, is -1.
    """

    names: list[str]
    ids: list[str]
    addresses: list[str | None]
    parent: Ints
    last: Ints
    dropped: Bools
    first_text: Ints
    end_text: Ints
    text_after: Ints
    text_tag: Ints
    n_tags: int
    of_table: Ints


def dom_of(table: BlockTable, page: int, markup: bytes) -> Dom:
    """The tree of a page of a table.

    Args:
        table: the table.
        page: number of the page.
        markup: its UTF-8 bytes.

    Raises:
        ConfigError: the table was not made from this markup.
    """
    first, end = np.append(table.page_roots, len(table.elements))[page : page + 2].tolist()
    tags = slice(int(table.elements.open[first]), int(table.elements.close[first]) + 1)
    dom = _dom(record_full(markup, alt_text=has_alt_texts(table, tags)))
    if len(dom.of_table) != end - first:
        raise ConfigError(
            f"the markup has {len(dom.of_table)} elements but page {page} of the table "
            f"{end - first}; give the markup that the table was made from"
        )
    return dom


def _dom(record: Markup) -> Dom:
    """The tree of one page."""
    elements = MarkupElements.of(record)
    ids, addresses = [""] * len(elements), [_NO_ADDRESS] * len(elements)
    for element, value in elements.valued("id"):
        ids[element] = value
    for element, value in elements.valued("href"):
        addresses[element] = value.strip()
    dropped = record.dropped[elements.start]
    is_point = elements.start == elements.end
    if record.alt_text:
        is_point &= np.array([name != "img" for name in elements.names], dtype=bool)
    texts = _text_nodes(elements)
    return Dom(
        names=elements.names,
        ids=ids,
        addresses=addresses,
        parent=elements.parent,
        last=elements.last,
        dropped=dropped,
        first_text=np.searchsorted(texts, elements.start),
        end_text=np.searchsorted(texts, elements.end),
        text_after=np.searchsorted(elements.start, texts) - 1,
        text_tag=np.where(record.dropped[texts], -1, record.tag[texts]),
        n_tags=record.n_tags,
        of_table=np.append(-1, np.flatnonzero(~dropped & ~is_point)),
    )


def _text_nodes(elements: MarkupElements) -> Ints:
    """(X,) items that text nodes begin with, blanks left out; a document type ends none."""
    kind = elements.record.kind
    is_text = kind == Kind.TEXT
    node = np.cumsum(~is_text & (kind != Kind.DOCTYPE))
    solid = [text.strip(_BLANK) != "" for text in compress(elements.texts, is_text.tolist())]
    items = np.flatnonzero(is_text)[np.array(solid, dtype=bool)]
    return np.asarray(items[np.unique(node[items], return_index=True)[1]])
