"""Data tables, code, lists and footnotes are kept or dropped whole.

A table with a hole is wrong data, and half a listing is no program. What a trained model says of a
unit gives way to the blocks around it, to what the page declares of it
(`victor.kinds.declared`).

A mark without its note leads nowhere. On development pages a model drops the notes of one page in a
hundred whose marks it keeps; where it is not sure, two of three of these pages have them in the
gold text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from victor.base import core
from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.labels import HEADER, OTHER, TEXT
from victor.kinds.declared import declared_units
from victor.kinds.names import have_named
from victor.kinds.units import (
    LARGEST,
    ROLES,
    TABLES,
    Needs,
    Raised,
    expected_words,
    parts_of_pages,
)
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import LINKS_TO_NOTES, BlockTable
from victor.page.verdict.paragraphs import UNITS, DataTables, NoTables
from victor.page.verdict.preformatted import PRE
from victor.page.verdict.verdict import Verdict


def with_whole_units(verdict: Verdict, pages: Sequence[bytes], needs: int = Needs.ALL) -> Verdict:
    """The verdict with data tables and code, and with the lists of a model, kept or dropped whole.

    Each is as most of its words are. The probabilities stay what the labeler thinks.

    Args:
        verdict: of a labeler.
        pages: its pages as UTF-8 bytes.
        needs: what they may need before anything is changed.
    """
    table, labels, p_other = verdict.table, verdict.labels, verdict.p_other
    tables: DataTables | NoTables = NoTables(table)
    # What is kept in place of a copy may be a table, or the mark of a note.
    needs |= Needs.TABLES | Needs.NOTES if needs & Needs.COPIES else 0
    known = labels
    if table.elements.have(UNITS if verdict.by_model else PRE | TABLES):
        whole = _whole(verdict, None)
        known = whole.labels
        if needs & Needs.TABLES and table.elements.have(TABLES):
            from victor.tables.data_tables import data_tables  # many pages have no table

            tables = data_tables(table, whole.may_be_kept)
            if tables.is_data.any():
                whole = _whole(verdict, tables.is_data)
                tables = replace(tables, is_data=whole.is_data)
        labels, p_other = whole.labels, whole.p_other
    if verdict.by_model:
        raised = declared_units(table, verdict.p_other) if needs & Needs.DECLARED else None
        if raised is not None:
            labels, p_other = _with_raised(verdict, raised, labels, p_other)
        if needs & Needs.NOTES or not np.array_equal(labels, known):
            labels, p_other = kept_notes(verdict, pages, labels, p_other)
    if verdict.cut is not None:
        labels = np.where(verdict.is_no_text, OTHER, labels).astype(np.uint8)
    return verdict.with_units(labels, tables, p_other)


class _Whole(NamedTuple):
    """What becomes of the n blocks and E elements of a batch."""

    labels: Labels  # (n,) uint8 with units made whole
    p_other: Floats  # (n,) float64, one for all blocks of a unit
    is_data: Bools  # (E,) the tables of data without those that serve the layout
    may_be_kept: Bools  # (n,) which blocks are kept, or are if those beside them are


def _whole(verdict: Verdict, is_data: Bools | None) -> _Whole:
    """What becomes of a batch, given which elements are tables of data, if any."""
    given = (np.ascontiguousarray(values) for values in (verdict.p_other, verdict.marginals))
    memories = core.compiled.whole_units(
        *(verdict.table.batch, ROLES, LARGEST, verdict.by_model),
        *(verdict.labels, *given, is_data),
    )
    types = (np.uint8, np.float64, np.bool_, np.bool_)
    return _Whole(*map(core.array, memories, types))


def _with_raised(
    verdict: Verdict, raised: Raised, labels: Labels, p_other: Floats
) -> tuple[Labels, Floats]:
    """The labels and p(other) with units kept if the block is kept that each goes with."""
    labels, p_other = labels.copy(), p_other.copy()
    rows, unit = raised.units.rows
    p_other[rows] = np.minimum(p_other[rows], verdict.p_other[raised.beside][unit])
    rows = rows[verdict.kept[raised.beside][unit] & (labels[rows] == OTHER)]
    is_header = verdict.marginals[rows, HEADER] > verdict.marginals[rows, TEXT]
    labels[rows] = np.where(is_header, HEADER, TEXT)
    return labels, p_other


_SURE: Final = 0.8  # mean p(other) of the words of the notes of a page from which they go


def kept_notes(
    verdict: Verdict, pages: Sequence[bytes], labels: Labels, p_other: Floats
) -> tuple[Labels, Floats]:
    """The labels with the notes kept whose marks are, and p(other) with that of their marks.

    Args:
        verdict: of a model.
        pages: its pages as UTF-8 bytes.
        labels: (n,) of its blocks so far.
        p_other: (n,) likewise.
    """
    table = verdict.table
    if not (chosen := _pages(table)):
        return labels, p_other
    kept, labels, p_other = labels != OTHER, labels.copy(), p_other.copy()
    largest = parts_of_pages(table, expected_words(table.words, verdict.p_other))
    whole = verdict.with_labels(np.full_like(labels, TEXT), verdict.method)
    for page in chosen:
        notes = [(blocks, marks[kept[marks]]) for blocks, marks in _notes(whole, page, pages[page])]
        notes = [(blocks, marks) for blocks, marks in notes if len(marks)]
        blocks = np.concatenate([labels[:0].astype(np.int64), *(blocks for blocks, _ in notes)])
        words = table.words[blocks]
        missing = words[~kept[blocks]].sum()
        # A list of references that is no smaller part of its page is judged by itself.
        if words @ verdict.p_other[blocks] < _SURE * words.sum() and missing <= largest[page]:
            labels[blocks[~kept[blocks]]] = TEXT
            for blocks, marks in notes:
                p_marks = verdict.p_other[marks].min()
                p_other[blocks] = np.minimum(p_other[blocks], p_marks)
    return labels, p_other


def _pages(table: BlockTable) -> list[int]:
    """The pages with elements that are named as notes are, or raised text and links to notes."""
    may = table.page_signs & LINKS_TO_NOTES > 0
    may[may] = np.isin(np.flatnonzero(may), table.page_of_element[table.elements.tag == IDS["sup"]])
    found: list[int] = np.flatnonzero(may | have_named(table, "note")).tolist()
    return found


def _notes(whole: Verdict, page: int, markup: bytes) -> Iterator[tuple[Ints, Ints]]:
    """The blocks of each note of a page of which everything is kept, and those of its marks."""
    from victor.render.forms import Page
    from victor.render.tree.notes import notes  # few pages have any
    from victor.render.tree.source import Source

    source = Source(Page(whole, page, markup=markup))
    found = notes(source)
    block_of_segment, first = source.table.block_of_segment, whole.page(page).start
    marks: dict[str, list[int]] = defaultdict(list)
    for segment, label in found.marks.items():
        marks[label].append(int(block_of_segment[segment]) + first)
    for extent, label in found.extents:
        segments = np.searchsorted(source.table.segments.tag, extent)
        blocks = np.unique(block_of_segment[slice(*segments)]) + first
        yield blocks, np.setdiff1d(np.array(marks[label], dtype=np.int64), blocks)
