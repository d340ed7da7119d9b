"""Alternative texts that stand in place of ignored images: the two switches *Display ALT Links*."""

from __future__ import annotations

from collections.abc import Sequence

from victor.labelers.dom.settings import Filters
from victor.page.parsing.events import AltText, record
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment


def are_shown(filters: Filters) -> bool:
    """Do alternative texts stand in place of some images."""
    return (filters.non_link_images and filters.alt_for_images) or (
        filters.image_links and filters.alt_for_image_links
    )


def with_alternatives(
    pages: Sequence[bytes], filters: Filters, attributes: tuple[str, ...]
) -> BlockTable:
    """Block table of a batch of pages given as UTF-8 bytes, with the texts for ignored images.

    Such a text lies inside the image element. All images of such a table have an end tag.
    """
    shown = AltText.BUNDLED
    if filters.image_links and filters.alt_for_image_links:
        shown |= AltText.IN_LINKS
    if filters.non_link_images and filters.alt_for_images:
        shown |= AltText.ELSEWHERE
    return segment(record(pages, alt_text=shown, attributes=attributes), "block")
