"""Published layouts of gold standards, each a function of a path to `GoldPage`s."""

from __future__ import annotations

from typing import Any, NamedTuple


class GoldPage(NamedTuple):
    """A page with its gold standard.

    Attributes:
        row: of `gold.jsonl`: id, text, and whatever else the source says.
        html: bytes of the page.
        blocks: (label, text) of all its text in page order, where the source labels it.
    """

    row: dict[str, Any]
    html: bytes
    blocks: list[tuple[str, str]] | None = None


class UnusableError(Exception):
    """A page that gives no gold standard, and why."""
