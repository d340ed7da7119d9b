"""The result for a batch of pages: the label of every block, its probability, and the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from victor.base import core
from victor.base.arrays import Bools, Codes, Floats, Ints, Labels, span_indices, window_sums
from victor.base.labels import HEADER, N_LABELS, OTHER, TEXT
from victor.base.lazy import cached_property
from victor.page.table.blocks import MAY_HAVE_FORMULAS, BlockTable, some_pages
from victor.page.verdict.paragraphs import (
    DataTables,
    NoTables,
    Paragraphs,
    paragraphs,
    roles_of_paragraphs,
)
from victor.page.verdict.preformatted import roles_of_code

if TYPE_CHECKING:
    from victor.page.verdict.removed_parts import Cut

KEPT: Final = "kept"
BY_SCOPE: Final = "scope"
BY_UNIT: Final = "whole"
HEADING_LINK: Final = "heading-link"
COPY: Final = "copy"
_DROP_REASONS: Final = {"threshold": "below-threshold"}


class BlockKinds(Protocol):
    """The kinds of the blocks of a batch, which are found when somebody asks."""

    @property
    def codes(self) -> Codes:
        """(n,) uint8 `victor.base.labels.Kind` of the blocks."""

    @property
    def among_comments(self) -> Bools:
        """(n,) does the block stand among comments of readers, whatever it says."""

    @property
    def is_headline(self) -> Bools:
        """(n,) is the block the headline of its page; takes less time than all kinds."""


class PageJudgements(Protocol):
    """What is thought of the P pages of a batch as wholes."""

    @property
    def told(self) -> str | None:
        """The type of all pages as the user knows it, e.g. forum; None if nobody said."""

    @property
    def p_no_content(self) -> Floats:
        """(P,) float64 probability that the page has no content."""

    @property
    def p_error(self) -> Floats:
        """(P,) float64 probability that a server or a wall speaks on the page."""

    def type_of(self, page: int) -> str:
        """What a page is, told or most probably, e.g. article; found when somebody asks."""

    def why_nothing(self, page: int) -> str:
        """Why a page gives nothing: ``error-page`` or ``no-content``."""

    def only(self, table: BlockTable, marginals: Floats) -> PageJudgements:
        """What is thought of some of the pages, given their table and (n, 3) marginals."""


class Verdict(Struct, frozen=True, eq=False, dict=True):
    """Labels of the n blocks of a batch, for all renderers and measures.

    Attributes:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`; OTHER is dropped.
        marginals: (n, 3) float64 probability of every label, columns in the order of `Label`.
        method: what chose the labels: a method of `victor.model.decide` or the name of a labeler.
        extras: further findings of the labeler on a page, as plain data; made on demand.
        native: writes a page, given its UTF-8 bytes, in the format of the labeler's authors.
        cut: the parts of blocks that the labeler removes, and its reasons; None if it labels whole
            blocks only.
        block_kinds: finds the kinds of the blocks; None if nothing does.
        tables: which tables hold data; None if nobody has looked.
        by_unit: (n,) bool; is the block kept or dropped with the table or code it is part of,
            against the labeler; None if none is.
        unit_p_other: (n,) float64 p(other) with that of each table, code or formula in place of
            those of its blocks; None where none is on the pages.
        by_scope: (n,) bool; is the block kept or dropped because the user's scope says so, against
            the labeler; None without a scope.
        dropped_tags: (T,) bool; does the tag stand in what the user's selectors drop; None if they
            drop nothing.
        by_model: is the labeler a trained model, and no published system.
        pages: what the labeler thinks of the pages as wholes; None if it judges blocks only.
        markups: the pages as UTF-8 bytes, for what the table does not tell: their formulas; none
            if they are not known.
        judged: what the core's judgments on these labels are, see `victor.kinds.finish`; None if
            nobody has asked yet.
    """

    table: BlockTable
    labels: Labels
    marginals: Floats
    method: str
    extras: Callable[[Verdict, int], Mapping[str, Any]] | None = None
    native: Callable[[Verdict, int, bytes | None], str] | None = None
    cut: Cut | None = None
    block_kinds: BlockKinds | None = None
    by_scope: Bools | None = None
    dropped_tags: Bools | None = None
    tables: DataTables | NoTables | None = None
    by_unit: Bools | None = None
    unit_p_other: Floats | None = None
    by_model: bool = False
    pages: PageJudgements | None = None
    markups: Sequence[bytes] = ()
    judged: tuple[memoryview, ...] | None = None

    def only(self, pages: Sequence[int]) -> Verdict:
        """The verdict on some pages, of a labeler before anything is made whole or removed."""
        table, starts = some_pages(self.table, pages), self.table.page_starts
        blocks = span_indices(starts[pages], np.diff(table.page_starts))
        marginals = self.marginals[blocks]
        return replace(
            self,
            table=table,
            labels=self.labels[blocks],
            marginals=marginals,
            pages=None if self.pages is None else self.pages.only(table, marginals),
            judged=None,
        )

    def with_labels(self, labels: Labels, method: str) -> Verdict:
        """The verdict with labels that another method chose."""
        return replace(self, labels=labels, method=method, judged=None)

    def with_units(
        self, labels: Labels, tables: DataTables | NoTables, p_other: Floats | None
    ) -> Verdict:
        """The verdict with its tables, and with the labels of these and of code made whole."""
        is_changed = None if labels is self.labels else labels != self.labels
        by_unit = is_changed if is_changed is not None and is_changed.any() else None
        return replace(self, labels=labels, tables=tables, by_unit=by_unit, unit_p_other=p_other)

    def without_parts(self, places: Bools, reason: str) -> Verdict:
        """The verdict without some parts of blocks.

        Args:
            places: (T,) bool; is the text after each tag removed.
            reason: why.
        """
        from victor.page.verdict.removed_parts import STAYS, Cut  # few lose anything

        cut = self.cut
        if cut is None:
            nothing = (np.full(n, STAYS) for n in (len(places), len(self.table)))
            cut = Cut(self.table, (), *nothing)
        reasons = np.where(places, len(cut.names), cut.places)
        return replace(self, cut=replace(cut, names=(*cut.names, reason), places=reasons))

    def without_segments(self, gone: Bools, reason: str) -> Verdict:
        """The verdict of a model without (S,) some segments, which nothing keeps afterwards."""
        table = self.table
        places = np.zeros(len(table.tags.id), dtype=bool)
        places[table.segments.tag[gone]] = True
        cut = self.without_parts(places, reason).cut
        assert cut is not None, "parts are removed"
        whole = window_sums(~gone, table.segment_starts) == 0
        return replace(
            self,
            cut=replace(cut, blocks=np.where(whole, len(cut.names) - 1, cut.blocks)),
            labels=np.where(whole, OTHER, self.labels).astype(np.uint8),
            unit_p_other=np.where(whole, 1.0, self.p_other),
        )

    def with_scope(self, labels: Labels) -> Verdict:
        """The verdict with the labels that the user's scope asks for."""
        if labels is self.labels:
            return self
        is_changed = labels != self.labels
        return replace(self, labels=labels, by_scope=is_changed) if is_changed.any() else self

    def without(self, blocks: Bools) -> Verdict:
        """The verdict without some of the n blocks, as if the user's scope had dropped them."""
        dropped = blocks & self.kept
        labels = np.where(dropped, OTHER, self.labels).astype(np.uint8)
        by_scope = dropped if self.by_scope is None else self.by_scope | dropped
        return replace(self, labels=labels, by_scope=by_scope)

    @cached_property
    def kept(self) -> Bools:
        """(n,) bool; is the block part of the clean text."""
        return np.asarray(self.labels != OTHER)

    @cached_property
    def is_no_text(self) -> Bools:
        """(n,) bool; is the block a copy, which nothing keeps."""
        none = np.zeros(len(self.table), dtype=bool)
        return none if self.cut is None or not self.by_model else self.cut.blocks >= 0

    @cached_property
    def p_other(self) -> Floats:
        """(n,) float64 p(other) of every block, of one for all blocks of a table, code or formula.

        A threshold keeps the blocks of which this is below it.
        """
        return self.marginals[:, OTHER] if self.unit_p_other is None else self.unit_p_other

    @cached_property
    def kinds(self) -> Codes | None:
        """(n,) uint8 `victor.base.labels.Kind` of every block; None if nothing finds them."""
        return None if self.block_kinds is None else self.block_kinds.codes

    @cached_property
    def kept_segments(self) -> Bools:
        """(S,) bool; is the segment of `table` part of the clean text."""
        kept = self.kept[self.table.block_of_segment]
        return kept if self.cut is None else kept & ~self.cut.parts

    @cached_property
    def reduced(self) -> BlockTable:
        """The same blocks without removed parts; renderers take their text here."""
        return self.table if self.cut is None else self.cut.reduced

    def plain_text(self, page: int) -> str | None:
        """The text of a page of whole paragraphs alone; None if it needs `paragraphs`."""
        if self.tables is None or (self.cut is not None and self.cut.shortens(self.page(page))):
            return None
        text: str | None = core.compiled.plain_text(
            self.table.batch, page, self.labels, roles_of_paragraphs(),
            self.tables.is_data if isinstance(self.tables, DataTables) else None, roles_of_code(),
        )  # fmt: skip
        return text

    @cached_property
    def paragraphs(self) -> Paragraphs:
        """The kept blocks as paragraphs, for the renderers."""
        return paragraphs(self.reduced, self.kept, self.tables, self.with_formulas)

    @cached_property
    def with_formulas(self) -> list[bytes]:
        """`markups`, empty for the pages that have no formulas for sure."""
        may = self.table.page_signs & MAY_HAVE_FORMULAS
        return [markup if sign else b"" for markup, sign in zip(self.markups, may, strict=False)]

    def page(self, number: int) -> slice:
        """The blocks of one page."""
        starts = self.table.page_starts
        return slice(int(starts[number]), int(starts[number + 1]))

    def why_nothing(self, page: int) -> str:
        """Why nothing is kept of a page that has blocks; ``no-content`` if nobody says more."""
        return "no-content" if self.pages is None else self.pages.why_nothing(page)

    def n_words(self, page: int) -> int:
        """Words of the clean text of one page."""
        blocks = self.page(page)
        return int(self.shown_words(page)[self.kept[blocks]].sum())

    def shown_words(self, page: int) -> Ints:
        """(m,) words of the blocks of a page in `reduced`; only pages that differ are counted."""
        blocks, tables = self.page(page), (self.table, self.reduced)
        if tables[0] is not tables[1] and blocks.start < blocks.stop:
            rows = blocks.start, blocks.stop - 1
            own, shown = (each.chars[each.start[rows[0]] : each.end[rows[1]]] for each in tables)
            if not np.array_equal(own, shown):
                return some_pages(self.reduced, [page]).words
        return self.table.words[blocks]

    def more(self, page: int) -> Mapping[str, Any]:
        """Further findings of the labeler on a page, e.g. its images; empty for most labelers."""
        return self.extras(self, page) if self.extras is not None else {}

    def reason(self, block: int) -> str:
        """Why a block was kept or dropped, as a short code; the numbers are in `marginals`.

        ``scope`` where the user's scope decided, ``whole`` where the unit did that it is part
        of, else ``kept``, or what dropped it: ``copy`` (it also stands elsewhere on the page),
        another reason of the `cut`, else ``below-threshold``,
        ``viterbi``, ``expected-f``, or the name of the labeler.
        """
        return self.reasons(slice(block, block + 1))[0]

    def reasons(self, blocks: slice = slice(None)) -> list[str]:
        """The reason of every block, or of some."""
        cut, kept = self.cut, self.kept[blocks].tolist()
        names = [*(() if cut is None else cut.names), _DROP_REASONS.get(self.method, self.method)]
        removed = [-1] * len(kept) if cut is None else cut.blocks[blocks].tolist()
        reasons = [
            KEPT if stays else names[name] for stays, name in zip(kept, removed, strict=True)
        ]
        for chosen, reason in ((self.by_unit, BY_UNIT), (self.by_scope, BY_SCOPE)):
            if chosen is not None:
                for row in np.flatnonzero(chosen[blocks]).tolist():
                    reasons[row] = reason
        return reasons


def marginals(keep: Floats, header: Bools) -> Floats:
    """(n, 3) marginals of blocks that are kept with a probability, as header or as text."""
    result = np.zeros((len(keep), N_LABELS))
    result[:, HEADER] = np.where(header, keep, 0.0)
    result[:, TEXT] = np.where(header, 0.0, keep)
    result[:, OTHER] = 1.0 - keep
    return result
