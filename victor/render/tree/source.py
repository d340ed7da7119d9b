"""One page of a verdict with all that its document is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Ints
from victor.base.cached import cached_property
from victor.page.markup.markup_columns import start_tags
from victor.page.markup.start_tags import Attributes, StartTags
from victor.page.parsing.base_address import base_address, page_address
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.one_page import one_page
from victor.page.verdict.paragraphs import DataTables, Paragraphs, paragraphs
from victor.page.verdict.verdict import Verdict
from victor.render.tree.addresses import Addresses
from victor.render.tree.rows import Rows, listed, viewed
from victor.render.tree.typed_formulas import has_tex, loads_tex

if TYPE_CHECKING:
    from victor.render.tree.posts import Entry


class Source(Struct, frozen=True, eq=False, dict=True):
    """One page of a verdict.

    Attributes:
        table: of this page alone, without parts that a labeler removed.
        labels: (n,) of its blocks.
        kept: (n,) bool; which blocks are.
        paragraphs: of the kept blocks.
        column: (E,) of each cell of a data table, from 0; None if nobody has looked for these.
        tags: attributes of its start tags.
        addresses: makes addresses absolute.
        markup: the page as UTF-8 bytes, empty if nobody gave it.
        whole: the verdict, and the number of the page there.
        outline: posts that are to be told apart.
        dropped_tags: (T,) bool as of `Verdict`.
    """

    table: BlockTable
    labels: Ints
    kept: Bools
    paragraphs: Paragraphs
    column: Ints | None
    tags: StartTags
    addresses: Addresses
    markup: bytes
    whole: tuple[Verdict, int]
    outline: Sequence[Entry] = ()
    dropped_tags: Bools | None = None

    @classmethod
    def of(
        cls,
        verdict: Verdict,
        page: int,
        markup: bytes | None,
        url: str | None,
        outline: Sequence[Entry] = (),
    ) -> Source:
        """A page of a verdict; without markup it has no attributes."""
        table, blocks = one_page(verdict.reduced, page), verdict.page(page)
        kept = verdict.kept[blocks]
        tables = _tables(verdict, page, len(table.elements))
        shown = paragraphs(table, kept, tables, verdict.with_formulas[page : page + 1])
        return cls(
            table=shown.table,
            labels=verdict.labels[blocks].astype(np.int64),
            kept=kept,
            paragraphs=shown,
            column=None if tables is None else tables.column,
            tags=StartTags(table, start_tags(markup) if markup else ()),
            addresses=Addresses(page_address(table.heads[0], url), base_address(table.heads[0])),
            markup=markup or b"",
            whole=(verdict, page),
            outline=outline,
            dropped_tags=_dropped_tags(verdict, page, len(table.tags.id)),
        )

    @cached_property
    def rows(self) -> Rows:
        """Columns of the table as lists."""
        return Rows(self.table)

    @cached_property
    def types_tex(self) -> bool:
        """Is text between single dollars TeX: a program draws it, or some of it is for sure."""
        text = self.rows.all_text
        return "$" in text and (loads_tex(self.markup) or has_tex(text))

    def attributes(self, tag: int) -> Attributes:
        """Attributes of a start tag or void element, given its ordinal."""
        return self.tags.of(tag)

    def of_element(self, element: int) -> Attributes:
        """Attributes of an element."""
        return self.attributes(self.rows.open[element])

    def void(self, name: str) -> Iterable[int]:
        """Ordinals of all tags of a void element, as long as there is time for them."""
        rows = np.flatnonzero(self.table.tags.id == IDS[name])
        tags: list[int] = rows[self.table.tags.step[rows] >= 0].tolist()
        return self.table.allowance.over(tags)

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
    def n_kept_segments(self) -> list[int]:
        """(S + 1,) kept segments before each segment."""
        return [0, *np.cumsum(self.paragraphs.kept_segments).tolist()]

    @cached_property
    def words(self) -> list[int]:
        """(n,) words of each block."""
        verdict, page = self.whole  # whose words are known, as a rule
        return listed(verdict.shown_words(page))

    @cached_property
    def heading_level(self) -> Ints:
        """(n,) level of the heading that each block is, 0 for none."""
        verdict, page = self.whole
        return verdict.reduced.heading_level[verdict.page(page)]

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


def _tables(verdict: Verdict, page: int, n_elements: int) -> DataTables | None:
    """The data tables of one page."""
    if verdict.tables is None:
        return None
    root = int(verdict.table.page_roots[page])
    span = slice(root, root + n_elements)
    return DataTables(verdict.tables.is_data[span], verdict.tables.column[span])


def _dropped_tags(verdict: Verdict, page: int, n_tags: int) -> Bools | None:
    """The tags of one page that selectors drop."""
    if verdict.dropped_tags is None:
        return None
    start = verdict.table.tags_of(page).start
    return verdict.dropped_tags[start : start + n_tags]
