"""The text of blocks and segments as strings."""

from __future__ import annotations

from victor.base.arrays import Chars, Ints
from victor.page.table.blocks import BlockTable


def block_texts(table: BlockTable, blocks: Ints | slice = slice(None)) -> list[str]:
    """Text of all blocks, or of some with ascending numbers; white space as in `table.chars`.

    The characters from the first to the last are decoded, so the blocks are best of one page.
    """
    return _texts(table.chars, table.start[blocks], table.end[blocks])


def segment_texts(table: BlockTable) -> list[str]:
    """Text of every segment."""
    return _texts(table.chars, table.segments.start, table.segments.end)


def _texts(chars: Chars, start: Ints, end: Ints) -> list[str]:
    """Text of ascending spans."""
    if not len(start):
        return []
    text = text_of(chars[start[0] : end[-1]])
    bounds = zip((start - start[0]).tolist(), (end - start[0]).tolist(), strict=True)
    return [text[first:last] for first, last in bounds]


def text_of(chars: Chars) -> str:
    """Code points as a string."""
    return chars.tobytes().decode("utf-32-le")
