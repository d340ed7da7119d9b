"""One page of a batch as a table of its own, for what is made page by page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from victor.page.table.blocks import BlockTable, Segments, TagStream


def one_page(table: BlockTable, page: int) -> BlockTable:
    """The table of one page; its columns are views where positions need not move.

    Lines of the source are left out.
    """
    first, last = table.page_starts[page : page + 2].tolist()
    elements, tags = table.elements_of(page), table.tags_of(page)
    segments = slice(*np.searchsorted(table.segments.tag, (tags.start, tags.stop)).tolist())
    chars = _extent(table, tags)
    stream, texts, signs = table.tags, table.segments, table.formula_signs
    result = replace(
        table,
        chars=table.chars[chars],
        page_starts=np.array([0, last - first]),
        segment_starts=table.segment_starts[first : last + 1] - segments.start,
        segments=Segments(
            texts.tag[segments] - tags.start,
            texts.start[segments] - chars.start,
            texts.end[segments] - chars.start,
        ),
        tags=TagStream(
            id=stream.id[tags],
            step=stream.step[tags],
            element=stream.element[tags] - elements.start,
            text_start=stream.text_start[tags] - chars.start,
            text_length=stream.text_length[tags],
            text_space=stream.text_space[tags],
            bundle=stream.bundle[tags],
        ),
        elements=table.elements.of_page(elements),
        page_roots=np.array([0]),
        heads=table.heads[page : page + 1],
        lines=None,
        formula_signs=None if signs is None else signs[page : page + 1],
    )
    result.freeze()
    return result


def _extent(table: BlockTable, tags: slice) -> slice:
    """The characters of a page."""
    start = int(table.tags.text_start[tags.start])
    if tags.stop < len(table.tags.id):
        return slice(start, int(table.tags.text_start[tags.stop]))
    return slice(start, len(table.chars))
