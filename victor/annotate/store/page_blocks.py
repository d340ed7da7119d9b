"""The blocks of a page as they are shown and clicked: what stands between block-level tags."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import NamedTuple

from victor.corpus.pages import segment_hash
from victor.page.blocks import BlockTable
from victor.page.segment import parse_pages
from victor.page.texts import block_texts


class Cut(NamedTuple):
    """What a store keeps of the blocks of a page.

    Attributes:
        n_blocks: how many there are.
        title: what the page calls itself.
        checksum: of the letters of all blocks; another one means that labels would shift.
    """

    n_blocks: int
    title: str | None
    checksum: int


def block_table(html: bytes) -> BlockTable:
    """The page cut at block-level tags: the blocks that labels of annotators belong to."""
    return parse_pages([html], "block")


def cut(table: BlockTable) -> Cut:
    """What a store keeps of a page, by its `block_table`."""
    return Cut(len(table), table.heads[0].title or None, checksum(block_texts(table)))


def checksum(texts: Iterable[str]) -> int:
    """Checksum of the letters of blocks, and of where one ends and the next begins."""
    return zlib.crc32("".join(map(segment_hash, texts)).encode())
