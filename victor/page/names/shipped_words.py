"""The words that both the columns of `class_groups` and the kinds of blocks look for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.files import package_folder
from victor.config import compiled
from victor.page.names.name_groups import NameGroups
from victor.page.names.phrases import Phrases

COLUMN_GROUPS: Final = (
    "comment", "related", "teaser", "body", "author", "modal", "navigation", "footer", "forum",
)  # fmt: skip
"""Groups of the first file that have a column in the module `class_groups`."""
_FILES: Final = (("victor.features", "class_groups.yaml"), ("victor.page.names", "words.yaml"))


class Words(Struct, frozen=True):
    """The words of all files.

    Attributes:
        groups: name of each group to its bit, those of the second file in place of the first.
        names: patterns of `COLUMN_GROUPS` as the first file has them, then of the groups: what
            the columns of a page have looked for, its kinds need not search again.
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
    files = [compiled.read(package_folder(package) / name) for package, name in _FILES]
    of_columns = [files[0]["groups"][name] for name in COLUMN_GROUPS]
    groups = {name: patterns for file in files for name, patterns in file["groups"].items()}
    lists = {
        name: [phrase for phrases in by_language.values() for phrase in phrases]
        for file in files
        for name, by_language in file["texts"].items()
    }
    return Words(
        {name: np.uint64(1 << number) for number, name in enumerate(groups, len(of_columns))},
        NameGroups([*of_columns, *groups.values()]),
        {name: 1 << number for number, name in enumerate(lists)},
        Phrases([*lists.values()]),
    )
