"""What markup calls the elements around a block, e.g. comment or teaser, and the page: a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.errors import ConfigError
from victor.base.lazy import pattern
from victor.config import plain_yaml
from victor.config.schema import Section, from_data
from victor.features.base import Column, Feature, Kernel, tag_ids
from victor.page.names.name_groups import (
    ATTRIBUTES,
    COLUMN_GROUPS,
    MOST_GROUPS,
    WHOLE_PAGE,
    NameGroups,
    column_patterns,
)

_COMMENT, _THREAD = "comment", "forum"
_SHARES: Final = ("body", "related", "modal")
_GROUP: Final = pattern(r"[a-z][a-z0-9-]*")

_COLUMNS: Final = (
    Column("comment.prose-outside", "count", "blocks of 25 free words outside comment elements"),
    Column(
        "thread.signs", "count", "sorts of sign that the page is a thread: names, generator, type"
    ),
    Column("thread.posts", "count", "elements of the page named as posts of threads, at most 255"),
)


class _Lists(Section, frozen=True):
    """A file of words."""

    groups: Mapping[str, tuple[str, ...]] = {}
    """Patterns of names by group, as `victor.page.names.name_groups` reads them."""


def build(lists: str | Sequence[str] = ()) -> Feature:
    """Groups of names around a block, and what they say of comments and threads.

    Names are classes, ids, roles, itemprops and itemtypes; those of <html> and <body> do not count,
    as they are around everything. Near are the block's innermost element, the one around that, its
    container and two block-level ancestors.

    Args:
        lists: one or more YAML files in the form of ``features/class_groups.yaml``, whose names are
            added; another group has a column of its own.

    Raises:
        ConfigError: a file cannot be read, or has another form; there are too many groups.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<p>Bees<div class=comment-list><h3>1 comment</h3><p class=post-body>Nice!</div>"
    >>> values = build()(parse_pages([page], "block"))
    >>> values["class.comment"].tolist(), values["class.body"].tolist()
    ([0.0, 2.0, 2.0], [0.0, 0.0, 2.0])
    >>> values["class-share.body"].tolist()
    [0.25, 0.25, 0.25]
    """
    paths = [lists] if isinstance(lists, str) else lists
    if not isinstance(paths, list | tuple) or not all(isinstance(path, str) for path in paths):
        raise ConfigError(f"class_groups: lists: want paths of YAML files, got {lists!r}")
    groups, patterns = _names([_checked_groups(Path(path)) for path in paths])
    around = "is an element around it named as {}: 0 none, 1 far, 2 near"
    inside = "share of the page's words in {} elements"
    columns = (
        *(Column(f"class.{group}", "count", around.format(group)) for group in groups),
        *(Column(f"class-share.{group}", "number", inside.format(group)) for group in _SHARES),
        *_COLUMNS,
    )
    parameters = (
        np.array([groups.index(group) for group in _SHARES]),
        np.array([groups.index(_COMMENT), groups.index(_THREAD)]),
        tag_ids(sorted(WHOLE_PAGE)),
    )

    inputs = None if patterns is None else lambda table: (patterns.masks(table),)
    nothing = np.zeros(0, dtype=np.uint64)
    return Kernel(columns, "class_groups", parameters, inputs, lambda: (nothing,), ATTRIBUTES)


def _names(
    files: Sequence[Mapping[str, Sequence[str]]],
) -> tuple[list[str], NameGroups | None]:
    """Groups of the shipped names and of some files, and their patterns; None for the shipped ones.

    Raises:
        ConfigError: there are too many groups.
    """
    if not files:
        return [*COLUMN_GROUPS], None
    shipped = column_patterns()
    groups = [*dict.fromkeys([*COLUMN_GROUPS, *(group for file in files for group in file)])]
    if len(groups) > MOST_GROUPS:
        message = f"{len(groups)} groups, at most {MOST_GROUPS} are possible; join some"
        raise ConfigError(f"class_groups: {message}")
    patterns = [
        [pattern for file in (shipped, *files) for pattern in file.get(group, ())]
        for group in groups
    ]
    return groups, NameGroups(patterns)


def _checked_groups(path: Path) -> Mapping[str, Sequence[str]]:
    """The names of a file of the user, each checked, so that a message names the file."""
    content = plain_yaml.read(path)
    if not content:
        raise ConfigError(f"{path} is empty; want `groups`, see features/class_groups.yaml")
    groups = from_data(_Lists, content, str(path)).groups
    for group, patterns in groups.items():
        if not _GROUP.fullmatch(group):
            raise ConfigError(f"{path}: groups.{group}: want small letters, digits and hyphens")
        try:
            NameGroups([patterns])
        except ValueError as error:
            raise ConfigError(f"{path}: groups.{group}: {error}") from None
    return groups
