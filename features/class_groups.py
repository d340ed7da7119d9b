"""What markup calls the elements around a block, e.g. comment or teaser, and the page: a thread."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Hashes, Ints, window_sums
from victor.base.errors import ConfigError
from victor.base.files import package_folder
from victor.config import Section, compiled, from_data, plain_yaml
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import tag_ids
from victor.page.names.name_groups import (
    ATTRIBUTES,
    MOST_GROUPS,
    WHOLE_PAGE,
    NameGroups,
    near,
    without_whole_page,
)
from victor.page.names.threads import head_signs, thread_signs
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable

_LIST: Final = "class_groups.yaml"
_COMMENT, _THREAD = "comment", "forum"
_GROUPS: Final = (
    _COMMENT, "related", "teaser", "body", "author", "modal", "navigation", "footer", _THREAD,
)  # fmt: skip
"""Groups of the shipped list that have a column."""
_SHARES: Final = ("body", "related", "modal")
_MOST_POSTS: Final = 255
_PROSE: Final = 25
_GROUP: Final = re.compile(r"[a-z][a-z0-9-]*")

_COLUMNS: Final = (
    Column("comment.prose-outside", "count", "blocks of 25 free words outside comment elements"),
    Column(
        "thread.signs", "count", "sorts of sign that the page is a thread: names, generator, type"
    ),
    Column("thread.posts", "count", "elements of the page that are named as posts of threads are"),
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
    ([0, 2, 2], [0, 0, 2])
    >>> values["class-share.body"].tolist()
    [0.25, 0.25, 0.25]
    """
    paths = [lists] if isinstance(lists, str) else lists
    if not isinstance(paths, list | tuple) or not all(isinstance(path, str) for path in paths):
        raise ConfigError(f"class_groups: lists: want paths of YAML files, got {lists!r}")
    names = _Names.of([_checked_groups(Path(path)) for path in paths])
    columns = (
        *(
            Column(
                f"class.{group}",
                "count",
                f"is an element around it named as {group}: 0 none, 1 far, 2 near",
            )
            for group in names.bits
        ),
        *(
            Column(
                f"class-share.{group}", "number", f"share of the page's words in {group} elements"
            )
            for group in _SHARES
        ),
        *_COLUMNS,
    )
    compute = partial(_compute, names=names)
    return Measure(columns, compute, attributes=ATTRIBUTES, kernel=_kernel(names))


class _Names(Struct, frozen=True):
    """The names of all files.

    Attributes:
        bits: name of each group to its bit; the first group has the lowest.
        patterns: of the groups.
    """

    bits: Mapping[str, np.uint64]
    patterns: NameGroups

    @classmethod
    def of(cls, files: Sequence[Mapping[str, Sequence[str]]]) -> _Names:
        """The shipped names, and those of some files by group.

        Raises:
            ConfigError: there are too many groups.
        """
        shipped = compiled.read(package_folder("victor.features") / _LIST)["groups"]
        groups = dict.fromkeys([*_GROUPS, *(group for file in files for group in file)])
        if len(groups) > MOST_GROUPS:
            message = f"{len(groups)} groups, at most {MOST_GROUPS} are possible; join some"
            raise ConfigError(f"class_groups: {message}")
        patterns = [
            [pattern for file in (shipped, *files) for pattern in file.get(group, ())]
            for group in groups
        ]
        bits = {group: np.uint64(1 << number) for number, group in enumerate(groups)}
        return cls(bits, NameGroups(patterns))


def _checked_groups(path: Path) -> Mapping[str, Sequence[str]]:
    """The names of a file of the user, each checked, so that a message names the file."""
    content = plain_yaml.read(path)
    if not content:
        raise ConfigError(f"{path} is empty; want `groups`, see features/{_LIST}")
    groups = from_data(_Lists, content, str(path)).groups
    for group, patterns in groups.items():
        if not _GROUP.fullmatch(group):
            raise ConfigError(f"{path}: groups.{group}: want small letters, digits and hyphens")
        try:
            NameGroups([patterns])
        except ValueError as error:
            raise ConfigError(f"{path}: groups.{group}: {error}") from None
    return groups


def _kernel(names: _Names) -> Kernel:
    """The compiled twin."""
    row = {group: number for number, group in enumerate(names.bits)}
    parameters = (
        np.array([row[group] for group in _SHARES]),
        np.array([row[_COMMENT], row[_THREAD]]),
        tag_ids(sorted(WHOLE_PAGE)),
    )

    def inputs(table: BlockTable) -> tuple[Hashes, Ints]:
        return names.patterns.masks(table), head_signs(table)

    return Kernel("class_groups", parameters, inputs)


def _compute(table: BlockTable, *, names: _Names) -> Mapping[str, ColumnValues]:
    of_bundles = names.patterns.masks(table)
    masks = without_whole_page(table, of_bundles[table.elements.bundle])
    far = table.elements.gathered(masks)
    comment = far[table.element] & names.bits[_COMMENT] != 0
    prose = window_sums((table.free_words >= _PROSE) & ~comment, table.page_starts)
    signs, posts = _of_threads(table, of_bundles & names.bits[_THREAD])
    return {
        **_places(names.bits, near(table, masks), far[table.element]),
        **_shares(table, far[table.segment_element], names.bits),
        "comment.prose-outside": prose[table.page],
        "thread.signs": signs[table.page],
        "thread.posts": posts[table.page],
    }


def _of_threads(table: BlockTable, masks: Hashes) -> tuple[Ints, Ints]:
    """(P,) signs of a thread on each page, and elements named as its posts are, at most 255.

    Args:
        table: the pages.
        masks: not 0 where a bundle row is named as posts are.
    """
    named = np.flatnonzero(masks[table.elements.bundle])
    is_post = ~member_mask(WHOLE_PAGE)[table.elements.tag[named]]
    posts = np.bincount(table.page_of_element[named[is_post]], minlength=table.n_pages)
    return thread_signs(table, named), np.minimum(posts, _MOST_POSTS)


def _places(groups: Mapping[str, np.uint64], near: Hashes, far: Hashes) -> dict[str, ColumnValues]:
    """2 where an element near a block is of the group, 1 where one further out is, else 0."""
    return {
        f"class.{group}": (near & bit != 0).view(np.uint8) + (far & bit != 0).view(np.uint8)
        for group, bit in groups.items()
    }


def _shares(
    table: BlockTable, masks: Hashes, groups: Mapping[str, np.uint64]
) -> dict[str, ColumnValues]:
    """Shares of the words of each page, given the bits around each segment."""
    page_words = np.maximum(table.page_words, 1)
    values: dict[str, ColumnValues] = {}
    for group in _SHARES:
        inside = table.sum_segments(table.segment_words * (masks & groups[group] != 0))
        share = window_sums(inside, table.page_starts) / page_words
        values[f"class-share.{group}"] = share[table.page]
    return values
