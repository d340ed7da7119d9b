"""The words that both the columns of `class_groups` and the kinds of blocks look for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
from msgspec import Struct

from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.page.names.name_groups import NameGroups
from victor.page.names.phrases import Phrases

COLUMN_GROUPS: Final = (
    "comment", "related", "teaser", "body", "author", "modal", "navigation", "footer", "forum",
)  # fmt: skip
"""Groups that have a column in the module `class_groups`."""


class Words(Struct, frozen=True):
    """The words of the file.

    Attributes:
        groups: name of each group to its bit.
        names: patterns of `COLUMN_GROUPS` as columns count them, then of the groups: what the
            columns of a page have looked for, its kinds need not search again.
        lists: name of each list of phrases to its bit.
        phrases: the lists.
    """

    groups: Mapping[str, np.uint64]
    names: NameGroups
    lists: Mapping[str, int]
    phrases: Phrases


@lru_cache(maxsize=1)
def words() -> Words:
    """The shipped words, read once."""
    file = _file()
    of_columns = column_patterns()
    groups = {**file["groups"], **file["kinds"]}
    lists = {
        name: [phrase for phrases in by_language.values() for phrase in phrases]
        for name, by_language in file["texts"].items()
    }
    return Words(
        {name: np.uint64(1 << number) for number, name in enumerate(groups, len(COLUMN_GROUPS))},
        NameGroups([*map(of_columns.__getitem__, COLUMN_GROUPS), *groups.values()]),
        {name: 1 << number for number, name in enumerate(lists)},
        Phrases([*lists.values()]),
    )


def column_patterns() -> dict[str, list[str]]:
    """The patterns of each group as columns count them."""
    file = _file()
    return {
        group: [*patterns, *file["columns"].get(group, ())]
        for group, patterns in file["groups"].items()
    }


def _file() -> Any:  # noqa: ANN401  (any YAML)
    return plain_yaml.read_compiled(package_folder("victor.features") / "class_groups.yaml")
