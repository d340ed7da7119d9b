"""All markup of a page as columns of the compiled core."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints
from victor.page.markup.lazy_texts import LazyAttributes, LazyTexts
from victor.page.parsing.events import prepared
from victor.page.parsing.tags import VOID, member_mask


class MarkupColumns(NamedTuple):
    """The m items of a page; what they are says `victor.page.markup.full_record.Markup`.

    Attributes:
        kind: (m,) uint8.
        tag: (m,) int64.
        dropped: (m,) bool.
        name: (m,) int16 tag id of start and end tags; -1 of all other items and of elements that
            are dropped.
        texts, attributes: of each item.
        n_tags: in the lean stream of the page.
    """

    kind: Codes
    tag: Ints
    dropped: Bools
    name: NDArray[np.int16]
    texts: LazyTexts
    attributes: LazyAttributes
    n_tags: int


def markup_columns(markup: bytes, *, alt_text: bool = False) -> MarkupColumns | None:
    """Record one page given as UTF-8 bytes.

    Args:
        markup: the page.
        alt_text: the ``alt`` of an image is text inside it.

    Returns:
        None without a compiled core, and for what is no UTF-8 after all.
    """
    if core.compiled is None:
        return None
    recorded = core.compiled.markup_record(prepared(markup)[0], member_mask(VOID), alt_text)
    if recorded is None:
        return None
    *columns, n_tags = recorded
    arrays = [core.array(*column) for column in zip(columns, _TYPES, strict=True)]
    kind, tag, dropped, name, text, text_starts, value, value_starts, attribute_starts = arrays
    attributes = LazyAttributes(LazyTexts(value, value_starts), attribute_starts)
    texts = LazyTexts(text, text_starts)
    return MarkupColumns(kind, tag, dropped, name, texts, attributes, n_tags)


def markup_attributes(markup: bytes) -> LazyAttributes | None:
    """Attributes of every start tag of a page in order, ``<br>`` and dropped elements left out.

    Args:
        markup: the page as UTF-8 bytes.

    Returns:
        None without a compiled core, and for what is no UTF-8 after all.
    """
    if core.compiled is None:
        return None
    recorded = core.compiled.markup_attributes(prepared(markup)[0], member_mask(VOID))
    if recorded is None:
        return None
    values, value_starts, starts = map(core.array, recorded, (np.uint8, np.int64, np.int64))
    return LazyAttributes(LazyTexts(values, value_starts), starts)


_TYPES: Final = (
    *(np.uint8, np.int64, np.bool_, np.int16),
    *(np.uint8, np.int64, np.uint8, np.int64, np.int64),
)
