"""The tree of a page as columns: every element, dropped ones too, and every text node.

A block table knows neither dropped elements nor comments nor white space that stands alone. Who
leads to a block in somebody else's tree has to count them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Ints
from victor.base.errors import ConfigError
from victor.page.markup.full_record import has_alt_texts
from victor.page.markup.markup_columns import LazyTexts
from victor.page.parsing.events import is_tex, parse, prepared
from victor.page.parsing.tags import DROPPED, NAMES, VOID, member_mask
from victor.page.table.blocks import BlockTable

_BLANK: Final = " \t\r\n"
"""White space in XPath 1.0."""


@dataclass(frozen=True, eq=False)
class Dom:
    """The tree that libxml2 makes of one page; E elements in document order, X text nodes.

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
        text_parent: (X,) int64 element that each text node stands in.
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
    text_parent: Ints
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
    dom = _dom(markup, alt_text=has_alt_texts(table, tags))
    if len(dom.of_table) != end - first:
        raise ConfigError(
            f"the markup has {len(dom.of_table)} elements but page {page} of the table "
            f"{end - first}; give the markup that the table was made from"
        )
    return dom


def _dom(markup: bytes, *, alt_text: bool) -> Dom:
    """The tree of one page given as UTF-8 bytes."""
    dom = None if core.compiled is None else _compiled(markup, alt_text=alt_text)
    if dom is not None:
        return dom
    target = _Target(alt_text=alt_text)
    parse(markup, target)
    return target.dom()


_NAMED: Final = frozenset(name for name in NAMES if not name.startswith("#"))
_TYPES: Final = (
    *(np.int64, np.int64, np.int64, np.bool_, np.int64, np.int64, np.int64, np.int64, np.int64),
    *(np.int64, np.uint8, np.int64) * 3,
)


def _compiled(markup: bytes, *, alt_text: bool) -> Dom | None:
    """`_dom` by the compiled core; None for what is no UTF-8 after all."""
    masks = member_mask(VOID), member_mask(_NAMED)
    made = core.compiled.markup_tree(prepared(markup)[0], *masks, alt_text)
    if made is None:
        return None
    *columns, n_tags = made
    arrays = [core.array(*column) for column in zip(columns, _TYPES, strict=True)]
    tags, parent, last, dropped, first_text, end_text, text_parent, text_tag, of_table = arrays[:9]
    ids: list[str] = [""] * len(tags)
    addresses: list[str | None] = [None] * len(tags)
    names = [NAMES[tag] for tag in tags.tolist()]
    for some, number in ((names, 9), (ids, 12), (addresses, 15)):
        texts = LazyTexts(*arrays[number + 1 : number + 3])
        for element, text in zip(arrays[number].tolist(), texts, strict=True):
            some[element] = text.strip() if some is addresses else text
    return Dom(
        names=names,
        ids=ids,
        addresses=addresses,
        parent=parent,
        last=last,
        dropped=dropped,
        first_text=first_text,
        end_text=end_text,
        text_parent=text_parent,
        text_tag=text_tag,
        n_tags=n_tags,
        of_table=of_table,
    )


class _Target:
    """Parser target that counts tags as the lean events do.

    Args:
        alt_text: images are elements that hold their alternative text.
    """

    def __init__(self, *, alt_text: bool) -> None:
        self._image_tags = 2 if alt_text else 1
        self._void = VOID - {"img"} if alt_text else VOID
        self._names: list[str] = []
        self._ids: list[str] = []
        self._addresses: list[str | None] = []
        self._of_table = [-1]
        self._parent: list[int] = []
        self._last: list[int] = []
        self._dropped: list[bool] = []
        self._first_text: list[int] = []
        self._end_text: list[int] = []
        self._text_parent: list[int] = []
        self._text_tag: list[int] = []
        self._open: list[int] = []
        self._dropped_depth = 0
        self._tag = 0
        """Ordinal of the last tag; that of the page itself is 0."""
        self._in_tex = False
        self._in_text = False
        """Has the text node that is being read been noted."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._in_text = False
        # The source of a formula is text of the page.
        self._in_tex = not self._dropped_depth and is_tex(name, attributes)
        self._dropped_depth += name in DROPPED and not self._in_tex
        if not self._dropped_depth:
            self._tag += self._image_tags if name == "img" else 1
            if name not in self._void:
                self._of_table.append(len(self._names))
        self._parent.append(self._open[-1] if self._open else -1)
        self._open.append(len(self._names))
        self._names.append(name)
        self._ids.append(attributes.get("id", ""))
        address = attributes.get("href")
        self._addresses.append(None if address is None else address.strip())
        self._last.append(0)
        self._dropped.append(self._dropped_depth > 0)
        self._first_text.append(len(self._text_tag))
        self._end_text.append(0)

    def end(self, name: str) -> None:
        self._in_text = False
        if self._in_tex:
            self._in_tex = False
            self._tag += 1
        elif self._dropped_depth:
            self._dropped_depth -= name in DROPPED
        elif name not in VOID:
            self._tag += 1
        element = self._open.pop()
        self._last[element] = len(self._names) - 1
        self._end_text[element] = len(self._text_tag)

    def data(self, text: str) -> None:
        if self._in_text or not text.strip(_BLANK):
            return
        self._in_text = True
        self._text_parent.append(self._open[-1] if self._open else -1)
        self._text_tag.append(-1 if self._dropped_depth else self._tag)

    def comment(self, _: str) -> None:
        self._in_text = False

    def pi(self, target: str, data: str | None = None) -> None:
        self._in_text = False

    def close(self) -> None:
        pass

    def dom(self) -> Dom:
        return Dom(
            names=self._names,
            ids=self._ids,
            addresses=self._addresses,
            parent=np.array(self._parent, dtype=np.int64),
            last=np.array(self._last, dtype=np.int64),
            dropped=np.array(self._dropped, dtype=bool),
            first_text=np.array(self._first_text, dtype=np.int64),
            end_text=np.array(self._end_text, dtype=np.int64),
            text_parent=np.array(self._text_parent, dtype=np.int64),
            text_tag=np.array(self._text_tag, dtype=np.int64),
            n_tags=self._tag + 2,
            of_table=np.array(self._of_table, dtype=np.int64),
        )
