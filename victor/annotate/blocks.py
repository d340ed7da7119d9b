"""Blocks of a page as annotators see them: the text between block-level tags, shown and counted."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from victor.base.errors import PageError
from victor.corpus.pages import segment_hash
from victor.page.safe_page import safe_page, style_sheet
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

_MOST_SHOWN: Final = 64 << 20  # bytes of a prepared page: browsers cannot be expected to show more


class Cut(NamedTuple):
    """How a page is cut into blocks.

    Attributes:
        n_blocks: how many there are.
        checksum: of the letters of all blocks and the borders between them; if it changes, labels
            would shift.
    """

    n_blocks: int
    checksum: int

    @classmethod
    def of(cls, texts: Iterable[str]) -> Cut:
        """The cut into blocks with these texts."""
        hashes = [segment_hash(text) for text in texts]
        return cls(len(hashes), zlib.crc32("".join(hashes).encode()))


def block_table(html: bytes) -> BlockTable:
    """The page split at block-level tags: the blocks that annotators label."""
    return parse_pages([html], "block")


def cut_of(table: BlockTable) -> Cut:
    """The cut of a page, given its `block_table`."""
    return Cut.of(block_texts(table))


def prepare_page(html: bytes, asset_base: str) -> tuple[bytes, Cut]:
    """A page without anything alive, in UTF-8, and its cut: a job of a process.

    Args:
        html: as it was saved, in any encoding.
        asset_base: see `victor.page.safe_page.safe_page`.

    Raises:
        PageError: ``too-many-bytes``: it is larger than browsers can be expected to show.
    """
    safe = safe_page(html, asset_base)
    content = safe.markup.encode("utf-8", "replace")
    if len(content) > _MOST_SHOWN:
        most = _MOST_SHOWN >> 20
        raise PageError("too-many-bytes", f"the page takes more than {most} MB to show")
    return content, Cut.of(safe.texts)


def prepare_style_sheet(content: bytes) -> bytes:
    """A style sheet beside a page, to be sent with it, in UTF-8: a job of a process."""
    return style_sheet(content).encode("utf-8", "replace")
