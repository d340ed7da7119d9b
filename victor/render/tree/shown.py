"""What of a document is shown beside its words."""

from __future__ import annotations

from typing import NamedTuple


class Shown(NamedTuple):
    """Switches of the forms that are made from a document.

    Attributes:
        links: where links lead.
        images: images.
        formatting: bold, italic, code, deleted, raised and lowered text.
        tables: data tables as tables; else as lines of text.
    """

    links: bool = True
    images: bool = True
    formatting: bool = True
    tables: bool = True
