"""What becomes of the labels of a labeler before anything is written: whole units, kinds, scope.

Most pages have no copies, data tables, facts, declarations, notes, links of headings or comments:
one call of the core makes all judgments on them. Where the core says that a page may have some,
they are made step by step (`victor.kinds.scope`). Kinds are found when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints, Labels, unchanging
from victor.base.labels import OTHER, Label
from victor.base.lazy import cached_property
from victor.config.schema import Scope
from victor.kinds import units
from victor.kinds.names import MONEY, bits_of
from victor.kinds.units import FORUM, LARGEST, Needs
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE
from victor.page.parsing.tags import IDS, roles_of
from victor.page.table.blocks import HIDING_ROLES, BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.paragraphs import no_tables, table_roles
from victor.page.verdict.verdict import Verdict

if TYPE_CHECKING:
    from victor.kinds.kinds import Kinds

Value = TypeVar("Value", bound=np.generic)

_MAIN: Final = Scope()


def finish(verdict: Verdict, pages: Sequence[bytes], scope: Scope) -> list[tuple[Verdict, int]]:
    """What a labeler says of pages with whole tables and code, with kinds, and in scope.

    Kinds cost nothing until they are asked for. In the scope `labels` every block stays as it is
    labelled. A page that needs what few do is finished alone.

    Args:
        verdict: of the labeler.
        pages: its P pages as UTF-8 bytes.
        scope: which parts of pages are kept.

    Returns:
        P verdicts, each with the number of the page there; most pages share one.
    """
    verdict = verdict.on_pages(pages)
    if verdict.by_model and scope == _MAIN:
        told = None if verdict.pages is None else verdict.pages.told
        plain = plain_pages(verdict, is_forum=told == FORUM)
        if plain is not None:
            shared = with_kinds(plain.verdict, pages).with_scope(plain.labels)
            return [
                (_by_steps(verdict.alone(page), pages[page : page + 1], scope, needs), 0)
                if needs
                else (shared, page)
                for page, needs in enumerate(plain.needs)
            ]
    whole = _by_steps(verdict, pages, scope, Needs.ALL)
    return [(whole, page) for page in range(len(pages))]


def _by_steps(verdict: Verdict, pages: Sequence[bytes], scope: Scope, needs: int) -> Verdict:
    """The finished verdict on some pages, of which it is known what they may need."""
    from victor.kinds.scope import in_scope, made_whole  # most pages need nothing rare

    whole = made_whole(verdict, pages, scope, needs)
    return in_scope(with_kinds(whole, pages), pages, scope)


_GROUPS: Final = (("comment", "review"), ("forum",), ("ingredient",), ("note",))
"""Of names, in the order of core/kinds/finish.c."""


class PlainPages(NamedTuple):
    """What becomes of the P pages of a batch that need nothing rare.

    Attributes:
        verdict: with whole units; its n labels in the scope `main` are `labels`.
        labels: (n,) uint8 `victor.base.labels.Label`.
        needs: `Needs` of each page; of pages that have any the others say nothing.
    """

    verdict: Verdict
    labels: Labels
    needs: bytes


def plain_pages(verdict: Verdict, *, is_forum: bool) -> PlainPages | None:
    """The judgments on pages that need nothing rare; None if names are not recorded.

    Args:
        verdict: of a model.
        is_forum: does the user say that all pages are threads.
    """
    table = verdict.table
    if not {*ATTRIBUTES} <= {*table.attributes}:
        return None
    found = core.compiled.finish(
        table.batch, _rules(), LARGEST, is_forum,
        verdict.labels, np.ascontiguousarray(verdict.marginals),
    )  # fmt: skip
    labels, p_other, in_scope, needs = found
    whole = core.array(labels, np.uint8), no_tables(table), core.array(p_other, np.float64)
    return PlainPages(verdict.with_units(*whole), core.array(in_scope, np.uint8), bytes(needs))


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
        MONEY,
    )
    return core.compiled.judgment_rules(tuple(map(unchanging, arrays)))


# --- Kinds ---


def with_kinds(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with the kinds of its blocks, which are made when they are asked for.

    Args:
        verdict: on these pages.
        pages: as UTF-8 bytes.
    """
    return verdict.with_kinds(_KindsOfVerdict(verdict, pages))


class _KindsOfVerdict(Struct, frozen=True, eq=False, dict=True):
    """The kinds of the n blocks of a verdict, whatever its labeler reads of a page."""

    verdict: Verdict  # of the labeler
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

        verdict, table = self.verdict, self._named
        if table is verdict.table:
            is_data = None if verdict.tables is None else verdict.tables.is_data
            return Kinds(table, verdict.labels, is_data)
        return Kinds(table, _labels(verdict, self._outer, len(table)), _data_tables(verdict, table))

    @cached_property
    def _named(self) -> BlockTable:
        """A table that is not cut at block-level tags, or without names, is made again."""
        table = self.verdict.table
        if table.split == "block" and set(ATTRIBUTES) <= {*table.attributes}:
            return table
        return read_pages(self.pages, attributes=ATTRIBUTES)

    @cached_property
    def _outer(self) -> Ints:
        """(n,) which of the blocks that rules read holds each block of the verdict."""
        table, named = self.verdict.table, self._named
        outer = np.searchsorted(_of_blocks(named), _of_blocks(table), side="right") - 1
        return np.maximum(outer, 0)


def _data_tables(verdict: Verdict, named: BlockTable) -> Bools | None:
    """(E,) which elements of another table of the same pages are the verdict's tables of data."""
    if verdict.tables is None:
        return None
    starts = verdict.table.shared_tags[verdict.table.elements.open[verdict.tables.is_data]]
    elements = named.elements
    is_table = elements.tag == IDS["table"]
    return np.asarray(is_table & np.isin(named.shared_tags[elements.open], starts))


def _of_blocks(table: BlockTable) -> Ints:
    return table.shared_tags[table.tag]


def _labels(verdict: Verdict, outer: Ints, n: int) -> Codes:
    """(n,) label of most words of the verdict's blocks in each of some larger blocks."""
    if not n:
        return np.zeros(0, dtype=np.uint8)
    weights = np.zeros((n, len(Label)))
    np.add.at(weights, (outer, verdict.labels), np.maximum(verdict.table.words, 1))
    weights[weights.sum(axis=1) == 0, OTHER] = 1
    return np.asarray(weights.argmax(axis=1), dtype=np.uint8)
