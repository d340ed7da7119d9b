"""Pages in groups: by page type, language, site or any other name of each page."""

from __future__ import annotations

from collections.abc import Sequence

from victor.errors import ConfigError


def same_length(scores: Sequence[object], groups: Sequence[str]) -> None:
    """Refuse scores and groups that cannot belong together."""
    if len(scores) != len(groups):
        raise ConfigError(f"{len(scores)} scores but {len(groups)} groups: give one per page")


def members_of(groups: Sequence[str]) -> dict[str, list[int]]:
    """Positions of the pages of every group in alphabetical order, after ``"all"``."""
    members: dict[str, list[int]] = {"all": list(range(len(groups)))}
    for name in sorted(set(groups)):
        members[name] = [position for position, group in enumerate(groups) if group == name]
    return members
