"""Blocks of a page as they are shown and clicked: the text between block-level tags."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import NamedTuple

from victor.corpus.pages import segment_hash
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts


class BlockSummary(NamedTuple):
    """What a store keeps of the blocks of a page.

    Attributes:
        n_blocks: how many there are.
        title: of the page.
        checksum: of the letters of all blocks; if it changes, labels would shift.
    """

    n_blocks: int
    title: str | None
    checksum: int


def block_table(html: bytes) -> BlockTable:
    """The page split at block-level tags: the blocks that annotators label."""
    return parse_pages([html], "block")


def summarize_blocks(table: BlockTable) -> BlockSummary:
    """What a store keeps of the blocks of a page, given its `block_table`."""
    return BlockSummary(len(table), table.heads[0].title or None, checksum(block_texts(table)))


def checksum(texts: Iterable[str]) -> int:
    """Checksum of the letters of blocks and of the borders between them."""
    return zlib.crc32("".join(map(segment_hash, texts)).encode())
