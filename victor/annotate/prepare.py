"""Jobs of the processes that prepare pages and style sheets for browsers."""

from __future__ import annotations

from typing import Final, NamedTuple

from victor.annotate.store.page_blocks import checksum
from victor.base.errors import PageError
from victor.page.display.assets import style_sheet
from victor.page.display.safe_page import safe_page

_MOST: Final = 64 << 20
"""Bytes of a prepared page: browsers cannot be expected to show more."""


class Prepared(NamedTuple):
    """A page as it is sent to a browser.

    Attributes:
        content: in UTF-8, to be sent with `victor.page.display.safe_page.CSP`.
        n_blocks: number of its blocks.
        checksum: of their texts, as the store has it.
    """

    content: bytes
    n_blocks: int
    checksum: int


def prepare_page(html: bytes, asset_base: str) -> Prepared:
    """A page without anything alive, as bytes; see `victor.page.display.safe_page.safe_page`.

    Raises:
        PageError: ``too-many-bytes``: it is larger than browsers can be expected to show.
    """
    safe = safe_page(html, asset_base)
    content = safe.markup.encode("utf-8", "replace")
    if len(content) > _MOST:
        raise PageError("too-many-bytes", f"the page takes more than {_MOST >> 20} MB to show")
    return Prepared(content, safe.n_blocks, checksum(safe.texts))


def prepare_style_sheet(content: bytes, folder: str) -> bytes:
    """A style sheet beside a page that loads files beside the page at most, in UTF-8.

    Args:
        content: as it was saved, in any encoding.
        folder: where it is, relative to the folder of the page.
    """
    return style_sheet(content, folder).encode("utf-8", "replace")
