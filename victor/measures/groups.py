"""Pages in groups: by page type, language, site or any other name of each page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from victor.errors import ConfigError

EVERY: Final = "all"
"""Name of the group of all pages."""


def members_of(groups: Sequence[str]) -> dict[str, list[int]]:
    """Positions of the pages of every group in alphabetical order, after those of all pages."""
    members: dict[str, list[int]] = {name: [] for name in sorted(set(groups))}
    for position, name in enumerate(groups):
        members[name].append(position)
    return {EVERY: []} | members | {EVERY: [*range(len(groups))]}


def same_length(scores: Sequence[object], groups: Sequence[str], name: str = "groups") -> None:
    """Refuse scores and groups that cannot belong together."""
    if len(scores) != len(groups):
        raise ConfigError(f"{len(scores)} scores but {len(groups)} {name}: give one per page")
