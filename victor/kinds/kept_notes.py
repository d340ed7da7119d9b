"""Footnotes are kept if their marks are, unless a model is sure that the notes of a page go.

A mark without its note leads nowhere. On development pages a model drops the notes of one page in a
hundred whose marks it keeps; where it is not sure, two of three of these pages have them in the
gold text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Floats, Labels
from victor.base.labels import OTHER, TEXT
from victor.kinds.islands import parts_of_pages
from victor.page.parsing.attributes import rows_with
from victor.page.parsing.patterns import pattern
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.verdict.expected_words import expected_words
from victor.page.verdict.verdict import Verdict

_LINKED: Final = pattern(
    rb"#(?=[\w:.%-]{1,124}+[\"'>])[\w:.%-]{0,60}?(?:[Nn]ote|FOOT|fn|ftn|edn|[Cc]ite|[Rr]ef|[Bb]ib|r\d)[\w:.%-]{0,60}[\"'>]"
)
"""The end of an address that may lead to a note; what is no end of an address is told first."""
_NAMES: Final = (b"ootnote", b"ndnote", b"references", b"cite_note")
"""What is in names of notes and of lists of them."""
_SURE: Final = 0.8
"""Mean p(other) of the words of the notes of a page from which they go."""
_ALL_SURE: Final = 0.9
"""Likewise of the dropped words in elements that are named so, among which may be titles."""


class _Note(NamedTuple):
    """A note of a page: its blocks and those of its marks."""

    blocks: list[int]
    marks: list[int]


def kept_notes(
    verdict: Verdict, labels: Labels, pages: Sequence[bytes]
) -> tuple[Bools, Floats] | None:
    """Blocks of notes whose marks are kept, and p(other) of all blocks with that of the marks.

    Args:
        verdict: of a model.
        labels: (n,) of its blocks so far.
        pages: its pages as UTF-8 bytes.

    Returns:
        (n,) bool and (n,) float64; None if there are none.
    """
    kept = labels != OTHER
    chosen = [*_with_notes(verdict, kept, pages)]
    if not chosen:
        return None
    p_other = verdict.p_other.copy()
    is_noted = np.zeros(len(labels), dtype=bool)
    table = verdict.table
    largest = parts_of_pages(table, expected_words(table.words, verdict.p_other))
    whole = verdict.with_labels(np.full_like(labels, TEXT), verdict.method)
    for page in chosen:
        notes = _unsure(verdict, kept, [*_notes(whole, page, pages[page])])
        missing = [block for note in notes for block in note.blocks if not kept[block]]
        if table.words[missing].sum() > largest[page]:
            continue  # a list of references that is no smaller part of its page
        for note in notes:
            is_noted[note.blocks] = True
            p_other[note.blocks] = np.minimum(p_other[note.blocks], p_other[note.marks].min())
    return (is_noted, p_other) if is_noted.any() else None


def may_have_notes(table: BlockTable) -> bool:
    """Is anything on some pages raised, or named as notes are."""
    return table.elements.have(frozenset({"sup"})) or len(rows_with(table.bundles, *_NAMES)) > 0


def _with_notes(verdict: Verdict, kept: Bools, pages: Sequence[bytes]) -> Iterator[int]:
    """Pages with dropped text that is named as notes are, or with links to what is."""
    table, elements = verdict.table, verdict.table.elements
    is_named = np.isin(elements.bundle, rows_with(table.bundles, *_NAMES))
    rows = np.flatnonzero(elements.gathered(is_named)[table.element] & ~kept)
    size = table.words[rows]
    words = np.bincount(table.page[rows], size, table.n_pages)
    sure = np.bincount(table.page[rows], size * verdict.p_other[rows], table.n_pages)
    yield from np.flatnonzero((words > 0) & (sure < _ALL_SURE * words)).tolist()
    raised, named = (
        {*table.page_of_element[np.flatnonzero(chosen)].tolist()}
        for chosen in (elements.tag == IDS["sup"], is_named)
    )
    yield from (page for page in raised - named if _LINKED.search(pages[page]))


def _notes(whole: Verdict, page: int, markup: bytes) -> Iterator[_Note]:
    """The notes of a page of which everything is kept."""
    from victor.render.tree.notes import notes  # few pages have any
    from victor.render.tree.source import Source

    source = Source.of(whole, page, markup, None)
    found = notes(source)
    block_of_segment, first = source.table.block_of_segment, whole.page(page).start
    marks: dict[str, list[int]] = defaultdict(list)
    for segment, label in found.marks.items():
        marks[label].append(int(block_of_segment[segment]) + first)
    for extent, label in found.extents:
        segments = np.searchsorted(source.table.segments.tag, extent)
        blocks = np.unique(block_of_segment[slice(*segments)]) + first
        yield _Note(blocks.tolist(), marks[label])


def _unsure(verdict: Verdict, kept: Bools, notes: Sequence[_Note]) -> list[_Note]:
    """The notes of a page with marks in kept text, if the model is not sure that they go."""
    marked = [
        _Note(note.blocks, marks)
        for note in notes
        if (marks := [mark for mark in {*note.marks} - {*note.blocks} if kept[mark]])
    ]
    blocks = [block for note in marked for block in note.blocks]
    words = verdict.table.words[blocks]
    if not words.sum() or np.average(verdict.p_other[blocks], weights=words) >= _SURE:
        return []
    return marked
