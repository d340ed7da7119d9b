"""What is known of the blocks of a page beside their text; every column is made when asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Final, NamedTuple
from urllib.parse import urljoin

import numpy as np

from victor.base.arrays import Ints
from victor.base.labels import Label
from victor.base.lazy import cached_property
from victor.page.allowance import check_added
from victor.page.markup.elements import Siblings
from victor.page.markup.full_record import StartTags
from victor.page.parsing.heads import base_address, page_address
from victor.page.parsing.tags import IDS
from victor.page.places.xpaths import Places
from victor.page.table.blocks import BlockTable, Elements, some_pages
from victor.page.table.texts import block_texts, text_of
from victor.page.verdict.verdict import Verdict

_BYTES_OF_ID: Final = 5
_CELLS: Final = frozenset({"td", "th"})
_BELOW_H6: Final = 7  # level of a block that is labelled header and stands in no heading element


class Link(NamedTuple):
    """A link inside a block."""

    address: str  # absolute if the page has an address or names a base; else as written
    text: str  # what of the link is text of the block


class Surroundings:
    """Columns over the n blocks of one page.

    Args:
        verdict: of its batch.
        page: its number there.
        markup: its UTF-8 bytes.
        url: its address.
    """

    def __init__(self, verdict: Verdict, page: int, markup: bytes, url: str | None = None) -> None:
        self._verdict = verdict
        self._table = verdict.table
        self._page = page
        self._markup = markup
        self._url = url
        self._span = verdict.page(page)

    @cached_property
    def texts(self) -> list[str]:
        """(n,) texts of whole blocks, with what a labeler may have removed from them."""
        return block_texts(self._table, self._span)

    @cached_property
    def ids(self) -> list[str]:
        """(n,) ids, see `block_ids`."""
        return block_ids(self.texts)

    @cached_property
    def places(self) -> Places:
        """Paths to the blocks.

        Raises:
            ConfigError: the table was not made from this markup.
        """
        return Places(self._table, self._page, self._markup)

    @cached_property
    def headings(self) -> list[tuple[str, ...]]:
        """(n,) texts of the headings above each block, the highest first.

        Headings are h1 to h6, and blocks labelled header, which stand below an h6 if they are in
        none of these. To a kept block only kept headings count: those of boxes between its
        paragraphs are not above it.
        """
        kept = self._verdict.kept[self._span]
        trails = [self._trails(counts) for counts in (np.ones(len(kept), dtype=bool), kept)]
        return [trails[stays][block] for block, stays in enumerate(kept.tolist())]

    def _trails(self, counts: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[tuple[str, ...]]:
        """The headings above each block, of those blocks that count."""
        labelled = self._verdict.labels[self._span] == Label.HEADER
        level = self._table.heading_level[self._span]
        level = np.where(labelled & (level == 0), _BELOW_H6, level) * counts
        open_levels: list[int] = []
        trail: tuple[str, ...] = ()
        trails = []
        for text, own in zip(self.texts, level.tolist(), strict=True):
            if own:
                while open_levels and open_levels[-1] >= own:
                    open_levels.pop()
                trail = trail[: len(open_levels)]
            trails.append(trail)
            if own:
                open_levels.append(own)
                trail = (*trail, text)
        return trails

    @cached_property
    def cells(self) -> list[tuple[int, int] | None]:
        """(n,) row, and cell in its row, in the innermost table around each block, from 0.

        None outside of tables. Cells are counted as they are written, whatever they span.
        """
        root, elements = self._elements
        around = self._table.element[self._span] - root
        cell, row, table = (
            elements.innermost(names)[around]
            for names in (_CELLS, frozenset({"tr"}), frozenset({"table"}))
        )
        inside = ((cell > row) & (row > table) & (table >= 0)).tolist()
        row_number = _ranks(elements, frozenset({"tr"}), elements.innermost(frozenset({"table"})))
        cell_number = _ranks(elements, _CELLS, elements.parent)
        pairs = zip(row_number[row].tolist(), cell_number[cell].tolist(), strict=True)
        return [pair if there else None for pair, there in zip(pairs, inside, strict=True)]

    @cached_property
    def links(self) -> list[tuple[Link, ...]]:
        """(n,) links in each block, in order; none if the table was not made from this markup.

        Raises:
            PageError: the base of the page would make the addresses too long together.
        """
        links: list[list[Link]] = [[] for _ in range(self._span.stop - self._span.start)]
        added = 0
        for block, written, text in self._linked_texts():
            address = self._absolute(written)
            added += max(len(address) - len(written), 0)
            check_added(added)
            links[block].append(Link(address, text))
        return [tuple(some) for some in links]

    def _linked_texts(self) -> Iterator[tuple[int, str, str]]:
        """Block, address and text of every link with text."""
        table, (root, elements) = self._table, self._elements
        first, end = table.segment_starts[[self._span.start, self._span.stop]].tolist()
        anchors = elements.innermost(frozenset({"a"}))[table.segment_element[first:end] - root]
        block = table.block_of_segment[first:end] - self._span.start
        some = np.flatnonzero(anchors >= 0)
        pairs = zip(block[some].tolist(), anchors[some].tolist(), strict=True)
        segments = zip(pairs, (some + first).tolist(), strict=True)
        tags = StartTags(self._alone, self._markup, self._table.places(self._page))
        addresses = tags.valued("href")
        opened = elements.open.data
        for (number, anchor), group in groupby(segments, key=lambda pair: pair[0]):
            address = addresses.get(opened[anchor])
            if address is not None:
                inside = [segment for _, segment in group]
                start, stop = table.segments.start[inside[0]], table.segments.end[inside[-1]]
                yield number, address.strip(), text_of(table.chars[start:stop])

    def _absolute(self, address: str) -> str:
        try:
            return urljoin(self._base, address)
        except ValueError:  # of a host that is none
            return address

    @cached_property
    def _base(self) -> str:
        """What addresses of the page are relative to, "" if that is not known."""
        head = self._table.heads[self._page]
        address = page_address(head, self._url)
        try:
            return urljoin(address, base_address(head))
        except ValueError:
            return address

    @cached_property
    def _alone(self) -> BlockTable:
        """The page in a table of its own."""
        return some_pages(self._table, [self._page])

    @property
    def _elements(self) -> tuple[int, Elements]:
        """The root of the page and its elements alone, which parents are numbered by."""
        return int(self._table.page_roots[self._page]), self._alone.elements


def _ranks(elements: Elements, names: frozenset[str], group: Ints) -> Ints:
    """(E,) how many elements of the names come before each of them in its group; else 0."""
    some = np.flatnonzero(np.isin(elements.tag, [IDS[name] for name in names]))
    ranks = np.zeros(len(elements), dtype=np.int64)
    ranks[some] = Siblings.of(group[some]).before
    return ranks


def block_ids(texts: Sequence[str]) -> list[str]:
    """An id for each text of a page: ten hexadecimal digits, then ``-2`` for its second block.

    The digits are a hash of the letters and digits of the text in lower case. Where it has none,
    they are one of all but white space.

    >>> block_ids(["Share", "Bees live in hives.", "share!"])
    ['4f2ba27c12', '6b1aa4cb76', '4f2ba27c12-2']
    """
    seen: Counter[str] = Counter()
    ids = []
    for text in texts:
        digest = _digest(text)
        seen[digest] += 1
        ids.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return ids


def _digest(text: str) -> str:
    letters = "".join(filter(str.isalnum, text.casefold())) or "".join(text.split())
    return blake2b(letters.encode("utf-8", "surrogatepass"), digest_size=_BYTES_OF_ID).hexdigest()
