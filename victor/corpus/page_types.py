"""Types of whole pages, and what corpora call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

TYPES: Final = (
    "article", "forum", "product", "listing", "documentation", "service", "front", "recipe",
    "media",
)  # fmt: skip
"""The types that a page head tells apart."""
_OTHER_NAMES: Final = {
    "news": "article", "blog": "article", "collection": "listing", "docs": "documentation",
    "reference": "documentation", "video": "media", "social": "media",
}  # fmt: skip


def page_type(name: str | None, metadata: Mapping[str, Any]) -> str:
    """The type of an annotated page; "" for one that is of none of `TYPES`.

    Args:
        name: what the corpus calls it.
        metadata: of the page; one with ingredients is a recipe, whatever its name.

    >>> page_type("collection", {}), page_type("article", {"ingredients": ["an egg"]})
    ('listing', 'recipe')
    >>> page_type("empty", {})
    ''
    """
    if metadata.get("ingredients") or metadata.get("instructions"):
        return "recipe"
    kind = _OTHER_NAMES.get(name or "", name or "")
    return kind if kind in TYPES else ""
