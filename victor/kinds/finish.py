"""What becomes of the labels of a labeler before anything is written: whole units, kinds, scope.

Most pages have no copies, data tables, declarations, notes, links of headings or comments:
one call of the core makes all judgments on them. Where the core says that a page may have some,
they are made step by step (`victor.kinds.scope`). Kinds are found when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from itertools import repeat
from operator import or_
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints, Labels, unchanging
from victor.base.labels import OTHER, Label
from victor.base.lazy import cached_property
from victor.config.schema import Scope
from victor.kinds import units
from victor.kinds.names import bits_of
from victor.kinds.units import FORUM, LARGEST, Needs
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE
from victor.page.parsing.tags import IDS, roles_of
from victor.page.table.blocks import HIDING_ROLES, BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.paragraphs import DataTables, NoTables, table_roles
from victor.page.verdict.verdict import Verdict

if TYPE_CHECKING:
    from victor.kinds.kinds import Kinds

Value = TypeVar("Value", bound=np.generic)

_MAIN: Final = Scope()


class Finished(NamedTuple):
    """The finished verdict on a page."""

    verdict: Verdict  # on some pages
    number: int  # of the page there
    n_kept: int  # of its blocks
    n_characters: int  # of its visible text

    @classmethod
    def of(cls, verdict: Verdict, number: int) -> Finished:
        """A page that the core has not counted."""
        blocks, table = verdict.page(number), verdict.table
        n_characters = (table.end[blocks] - table.start[blocks]).sum()
        return cls(verdict, number, int(verdict.kept[blocks].sum()), int(n_characters))


def finish(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> list[Finished]:
    """What a labeler says of pages with whole tables and code, with kinds, and in scope.

    In the scope `labels` every block stays as it is labelled. The pages that need what few do are
    finished together.

    Args:
        verdict: of the labeler.
        pages: its P pages as UTF-8 bytes.
        scope: which parts of pages are kept.

    Returns:
        P verdicts; most pages share one, the rest another.
    """
    is_judged = verdict.judged is not None or (verdict.by_model and are_named(verdict.table))
    if not (scope == _MAIN and is_judged):
        whole = _by_steps(verdict, pages, scope, Needs.ALL)
        return [Finished.of(whole, page) for page in range(len(pages))]
    plain, needs, counts = plain_pages(verdict, pages)
    finished = [*map(Finished, repeat(plain), range(len(pages)), counts[::2], counts[1::2])]
    if any(needs):
        some = [page for page, needed in enumerate(needs) if needed]
        stepped = _by_steps(
            verdict.only(some), [pages[page] for page in some], scope, reduce(or_, needs)
        )
        for number, page in enumerate(some):
            finished[page] = Finished.of(stepped, number)
    return finished


def _by_steps(verdict: Verdict, pages: Sequence[bytes], scope: Scope, needs: int) -> Verdict:
    """The finished verdict on some pages, of which it is known what they may need."""
    from victor.kinds.scope import in_scope, made_whole  # most pages need nothing rare

    whole = made_whole(replace(verdict, markups=pages), pages, scope, needs)
    return in_scope(with_kinds(whole, pages), pages, scope)


_GROUPS: Final = (("comment", "review"), ("forum",), ("ingredient",), ("note",))
"""Of names, in the order of core/kinds/finish.c."""


def are_named(table: BlockTable) -> bool:
    """Are the names of elements recorded that judgments look for."""
    return {*ATTRIBUTES} <= {*table.attributes}


def judgments(told: str | None) -> tuple[object, float, bool]:
    """What the core judges labels by, given the type of all pages if the user knows it."""
    return _rules(), LARGEST, told == FORUM


def plain_pages(verdict: Verdict, pages: Sequence[bytes]) -> tuple[Verdict, bytes, memoryview]:
    """The finished verdict on the pages that need nothing rare, in the scope `main`.

    Args:
        verdict: of a model, on pages of which names are recorded.
        pages: its P pages as UTF-8 bytes.

    Returns:
        The verdict, which is not right about pages that need something; (P,) uint8 `Needs` of
        each page; and (2 P,) int64 numbers of each, as `Finished` has them.
    """
    table, found = verdict.table, verdict.judged
    if found is None:
        told = None if verdict.pages is None else verdict.pages.told
        marginals = np.ascontiguousarray(verdict.marginals)
        found = core.compiled.finish(table.batch, judgments(told), verdict.labels, marginals)
    whole, p_other, labels, by_unit, by_scope, needs, counts = found
    changed, scoped = core.array(by_unit, np.bool_), core.array(by_scope, np.bool_)
    tables = NoTables(table)
    finished = replace(
        verdict,
        labels=core.array(labels, np.uint8),
        judged=None,
        markups=pages,
        tables=tables,
        by_unit=changed if changed.size else None,
        by_scope=scoped if scoped.size else None,
        unit_p_other=core.array(p_other, np.float64),
        block_kinds=_KindsOfBlocks(table, core.array(whole, np.uint8), tables, pages),
    )
    return finished, bytes(needs), memoryview(counts).cast("q")


@cache
def _rules() -> object:
    """What the core looks for, in the order of ``finish.c``."""
    arrays = (
        units.ROLES,
        HIDING_ROLES,
        roles_of(WHOLE_PAGE),
        roles_of(),
        roles_of(frozenset({"sup"}), frozenset({"a"}), units.TABLES),
        units.LINK_TAGS,
        units.PRE_TAGS,
        np.array([*map(bits_of, _GROUPS)], dtype=np.uint64),
        table_roles(),
    )
    return core.compiled.judgment_rules(tuple(map(unchanging, arrays)))


# --- Kinds ---


def with_kinds(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with the kinds of its blocks, which are made when they are asked for.

    Args:
        verdict: on these pages.
        pages: as UTF-8 bytes.
    """
    kinds = _KindsOfBlocks(verdict.table, verdict.labels, verdict.tables, pages)
    return replace(verdict, block_kinds=kinds)


class _KindsOfBlocks(Struct, frozen=True, eq=False, dict=True):
    """The kinds of n blocks, whatever their labeler reads of a page."""

    table: BlockTable  # the blocks
    labels: Labels  # (n,) uint8 of the labeler, units made whole
    tables: DataTables | NoTables | None  # which tables hold data; None if nobody has looked
    pages: Sequence[bytes]  # as UTF-8 bytes

    @cached_property
    def codes(self) -> Codes:
        """(n,) uint8 `victor.base.labels.Kind` of the blocks."""
        return self._spread(self._kinds.codes)

    @cached_property
    def is_headline(self) -> Bools:
        """(n,) is the block the headline of its page, without the kinds of the others."""
        return self._spread(self._kinds.is_headline)

    @cached_property
    def among_comments(self) -> Bools:
        """(n,) does the block stand among comments, as what they say, a name or a button."""
        return self._spread(self._kinds.comments.blocks)

    def _spread(self, values: NDArray[Value]) -> NDArray[Value]:
        """(n,) from the blocks that rules read; zero for all where there is no such block."""
        outer = self._outer
        return values[outer] if len(values) else np.zeros(len(outer), values.dtype)

    @cached_property
    def _kinds(self) -> Kinds:
        """Of the blocks that rules read: cut at block-level tags, with names of the markup."""
        from victor.kinds.kinds import Kinds  # few ask for them

        table = self._named
        if table is self.table:
            return Kinds(table, self.labels, None if self.tables is None else self.tables.is_data)
        return Kinds(table, self._labels_of(len(table)), self._data_tables)

    @cached_property
    def _named(self) -> BlockTable:
        """A table that is not cut at block-level tags, or without names, is made again."""
        if self.table.split == "block" and set(ATTRIBUTES) <= {*self.table.attributes}:
            return self.table
        return read_pages(self.pages, attributes=ATTRIBUTES)

    @cached_property
    def _outer(self) -> Ints:
        """(n,) which of the blocks that rules read holds each block."""
        outer = np.searchsorted(_of_blocks(self._named), _of_blocks(self.table), side="right") - 1
        return np.maximum(outer, 0)

    @property
    def _data_tables(self) -> Bools | None:
        """(E,) which elements of the table that rules read are the tables of data."""
        if self.tables is None:
            return None
        starts = self.table.shared_tags[self.table.elements.open[self.tables.is_data]]
        elements = self._named.elements
        is_table = elements.tag == IDS["table"]
        return np.asarray(is_table & np.isin(self._named.shared_tags[elements.open], starts))

    def _labels_of(self, n: int) -> Codes:
        """(n,) label of most words in each of the blocks that rules read."""
        if not n:
            return np.zeros(0, dtype=np.uint8)
        weights = np.zeros((n, len(Label)))
        np.add.at(weights, (self._outer, self.labels), np.maximum(self.table.words, 1))
        weights[weights.sum(axis=1) == 0, OTHER] = 1
        return np.asarray(weights.argmax(axis=1), dtype=np.uint8)


def _of_blocks(table: BlockTable) -> Ints:
    return table.shared_tags[table.tag]
