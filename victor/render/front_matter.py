"""Metadata above a text, as YAML between two lines of dashes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from victor.page.plain_data import plain

_WIDEST: Final = 2**31
"""Texts are never broken into several lines."""


def front_matter(metadata: Mapping[str, Any]) -> str:
    """A block that YAML's safe loaders read back, in the order of the fields, and a blank line."""
    import yaml  # takes a while to load, and only who asks for metadata needs it

    written = yaml.safe_dump(plain(metadata), allow_unicode=True, sort_keys=False, width=_WIDEST)
    return f"---\n{written}---\n\n"
