"""Footnotes are kept if their marks are, unless a model is sure that the notes of a page go.

A mark without its note leads nowhere. On development pages a model drops the notes of one page in a
hundred whose marks it keeps; where it is not sure, two of three of these pages have them in the
gold text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Ints, Labels
from victor.base.labels import OTHER, TEXT
from victor.base.lazy import pattern
from victor.kinds.names import have_named
from victor.kinds.units import expected_words, parts_of_pages
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict

_LINKED: Final = pattern(
    rb"#(?=[\w:.%-]{1,124}+[\"'>])[\w:.%-]{0,60}?(?:[Nn]ote|FOOT|fn|ftn|edn|[Cc]ite|[Rr]ef|[Bb]ib|r\d)[\w:.%-]{0,60}[\"'>]"
)
"""The end of an address that may lead to a note; what is no end of an address is told first."""
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
    if not (chosen := _pages(table, pages)):
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


def _pages(table: BlockTable, pages: Sequence[bytes]) -> list[int]:
    """The pages with elements that are named as notes are, or raised text and links to notes."""
    of_named = {*np.flatnonzero(have_named(table, "note")).tolist()}
    if not table.elements.have(frozenset({"sup"})):
        return sorted(of_named)
    of_raised = {*table.page_of_element[table.elements.tag == IDS["sup"]].tolist()}
    linked = (page for page in of_raised - of_named if _LINKED.search(pages[page]))
    return sorted(of_named | {*linked})


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
