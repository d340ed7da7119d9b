"""One page of a verdict with all that its document is made of.

Columns are for reading row by row, which is many times as fast as in arrays. Those of blocks are
lists; those of tags, elements and segments, of which few rows are read, are views, which take no
time to make.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints
from victor.base.lazy import cached_property
from victor.page.markup.full_record import Attributes, Markup, StartTags, players
from victor.page.parsing.heads import base_address, page_address
from victor.page.parsing.tags import IDS, PARTING, member_mask
from victor.page.table.blocks import MAY_HAVE_PLAYERS, some_pages
from victor.page.table.texts import text_of
from victor.page.verdict.paragraphs import DataTables, paragraphs
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page
from victor.render.tree.addresses import Addresses
from victor.render.tree.formulas import has_tex, loads_tex

_VOIDS: Final = frozenset({"hr", "img", "input", "source"})


class Source:
    """One page of a verdict; without markup it has no attributes."""

    def __init__(self, page: Page) -> None:
        verdict, number = page.verdict, page.number
        table, blocks = some_pages(verdict.reduced, [number]), verdict.page(number)
        self.page, self.markup = page, page.markup or b""
        self.kept = verdict.kept[blocks]  # (n,)
        self.data_tables = _tables(verdict, number, len(table.elements))  # None: nobody has looked
        markups = verdict.with_formulas[number : number + 1]
        self.paragraphs = paragraphs(table, self.kept, self.data_tables, markups)
        self.table = self.paragraphs.table  # of this page alone, without parts that were removed
        self.tags = StartTags(self.table, self.markup, verdict.table.places(number))
        self.addresses = Addresses(
            page_address(table.heads[0], page.url), base_address(table.heads[0])
        )
        self.dropped_tags = _dropped_tags(verdict, number, len(table.tags.id))
        segments, elements = self.table.segments, self.table.elements
        # (S,) extents in `all_text`, the tag before each segment, the innermost element around it
        self.start, self.end = viewed(segments.start), viewed(segments.end)
        self.segment_tag = viewed(segments.tag)
        self.segment_element = viewed(self.table.segment_element)
        self.tag_element = viewed(self.table.tags.element)  # (T,) innermost that is open after it
        self.open, self.close = viewed(elements.open), viewed(elements.close)  # (E,) their tags
        self.parent = viewed(elements.parent)  # (E,)

    def text(self, segment: int) -> str:
        """Text of a segment."""
        return self.all_text[self.start[segment] : self.end[segment]]

    def of_element(self, element: int) -> Attributes:
        """Attributes of an element."""
        return self.tags.of(self.open[element])

    def href(self, element: int) -> str:
        """The address of a link as it is written, "" for none."""
        return self.of_element(element).get("href", "")

    def void(self, name: str) -> Iterable[int]:
        """Ordinals of all tags of one of `_VOIDS`, as long as there is time for them."""
        return self.table.allowance.over(self._voids[IDS[name]])

    @cached_property
    def _voids(self) -> Mapping[int, list[int]]:
        tags = self.table.tags
        rows = np.flatnonzero(member_mask(_VOIDS)[tags.id] & (tags.step >= 0))
        of_names = defaultdict[int, list[int]](list)
        for name, tag in zip(tags.id[rows].tolist(), rows.tolist(), strict=True):
            of_names[name].append(tag)
        return of_names

    @cached_property
    def types_tex(self) -> bool:
        """Is text between single dollars TeX: a program draws it, or some of it is for sure."""
        text = self.all_text
        return "$" in text and (loads_tex(self.markup) or has_tex(text))

    @cached_property
    def all_text(self) -> str:
        """All text of the page."""
        return text_of(self.table.chars)

    # Blocks

    @cached_property
    def is_kept(self) -> list[bool]:
        """(n,) `kept`."""
        return listed(self.kept)

    @cached_property
    def n_kept(self) -> list[int]:
        """(n + 3,) kept blocks before each block and each of three places after the last one."""
        counts = [0, *np.cumsum(self.kept).tolist()]
        return counts + counts[-1:] * 2

    @cached_property
    def words(self) -> list[int]:
        """(n,) words of each block."""
        return listed(self.page.verdict.shown_words(self.page.number))

    @cached_property
    def first_tag(self) -> list[int]:
        """(n,) ordinal of the tag before each block."""
        return listed(self.table.tag)

    @cached_property
    def last_tag(self) -> list[int]:
        """(n,) ordinal of the tag before the last segment of each block."""
        return listed(self.table.last_tag)

    # Segments

    @cached_property
    def n_kept_segments(self) -> list[int]:
        """(S + 1,) kept segments before each segment."""
        return [0, *np.cumsum(self.paragraphs.kept_segments).tolist()]

    # Tags and elements

    @cached_property
    def n_parting(self) -> Sequence[int]:
        """(T,) tags that part paragraphs, up to each tag."""
        return viewed(np.cumsum(member_mask(PARTING)[self.table.tags.id]))

    @property
    def players(self) -> Markup | None:
        """All tags of frames, videos and sounds; None if there are none."""
        may_have_some = self.page.verdict.table.page_signs[self.page.number] & MAY_HAVE_PLAYERS
        return players(self.markup) if may_have_some else None

    @cached_property
    def hrefs(self) -> dict[int, str]:
        """What start tags have as ``href``, by their ordinals."""
        return self.tags.valued("href")

    @cached_property
    def n_breaks(self) -> Ints:
        """(T,) line breaks up to each tag."""
        return np.cumsum(self.table.tags.id == IDS["br"])

    @cached_property
    def anchors(self) -> Ints:
        """(E,) the innermost ``<a>`` around each element, -1 for none."""
        return self.table.elements.innermost(frozenset({"a"}))

    @cached_property
    def figures(self) -> Sequence[int]:
        """(E,) the ``<figure>`` around each element, -1 for none."""
        return viewed(self.table.elements.innermost(frozenset({"figure"})))

    @cached_property
    def pictures(self) -> Sequence[int]:
        """(E,) the ``<picture>`` around each element, -1 for none."""
        return viewed(self.table.elements.innermost(frozenset({"picture"})))

    @cached_property
    def ids(self) -> dict[str, int]:
        """The first element of each ``id``, or ``name`` of an anchor."""
        tags = self.table.tags
        is_anchor = tags.id == IDS["a"]
        named = [(tag, name) for tag, name in self.tags.valued("name").items() if is_anchor[tag]]
        result: dict[str, int] = {}
        for tag, name in sorted([*self.tags.valued("id").items(), *named]):
            if name and tags.step[tag] > 0:  # a void element holds no text
                result.setdefault(name, int(tags.element[tag]))
        return result


def listed(column: NDArray[Any]) -> list[Any]:
    """A column as a list."""
    values: list[Any] = column.tolist()
    return values


def viewed(column: NDArray[Any]) -> Sequence[int]:
    """A column of integers as a view of its memory."""
    return np.ascontiguousarray(column).data


def _tables(verdict: Verdict, page: int, n_elements: int) -> DataTables | None:
    if verdict.tables is None:
        return None
    root = int(verdict.table.page_roots[page])
    span = slice(root, root + n_elements)
    return DataTables(verdict.tables.is_data[span], verdict.tables.column[span])


def _dropped_tags(verdict: Verdict, page: int, n_tags: int) -> Bools | None:
    if verdict.dropped_tags is None:
        return None
    start = verdict.table.tags_of(page).start
    return verdict.dropped_tags[start : start + n_tags]
