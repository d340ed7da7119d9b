"""The words that both the columns of `class_groups` and the kinds of blocks look for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Ints
from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.page.names.name_groups import NameGroups

COLUMN_GROUPS: Final = (
    "comment", "related", "teaser", "body", "author", "modal", "navigation", "footer", "forum",
)  # fmt: skip
"""Groups that have a column in the module `class_groups`."""


class Words(Struct, frozen=True):
    """The words of the file."""

    groups: Mapping[str, np.uint64]  # name of each group to its bit
    names: NameGroups
    """Patterns of `COLUMN_GROUPS` as columns count them, then of the groups: what the columns of
    a page have looked for, its kinds need not search again."""
    lists: Mapping[str, int]  # name of each list of phrases to its bit
    phrases: Phrases  # the lists


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


# --- Lists of phrases that whole texts are compared with ------------------------------------------

_NO_WORD: Final = re.compile(r"(?:[^\w\n]|[\d_])+")
_SEPARATED: Final = {c: " " for c in range(128) if not chr(c).isalpha() and chr(c) != "\n"}
"""For `str.translate`: a space for every ASCII character but letters and the newline."""


def plain(texts: Sequence[str]) -> list[str]:
    r"""Texts in lower case with nothing but words and single spaces.

    Those in ASCII, and the others, are dealt with all at once each; the former is five times as
    fast.

    >>> plain(["12 Comments:", "Ann\nsays ...", "12 komentářů"])
    ['comments', 'ann says', 'komentářů']
    """
    lines = [text.replace("\n", " ") for text in texts]
    others = [line for line in lines if not line.isascii()]
    spaced = iter("\n".join(filter(str.isascii, lines)).lower().translate(_SEPARATED).split("\n"))
    matched = iter(_NO_WORD.sub(" ", "\n".join(others).lower()).split("\n"))
    return [" ".join(next(spaced if line.isascii() else matched).split()) for line in lines]


class Phrases:
    """Several lists of phrases.

    ``x *`` is x, or a text that begins with the words of x; ``* x`` is x, or one that ends so.

    Args:
        lists: the phrases of each list, at most 63 lists.

    Raises:
        ValueError: a phrase has no letter, or a ``*`` in another place.

    >>> phrases = Phrases([["comments", "comments on *"], ["* says"]])
    >>> phrases.masks(["2 Comments", "Comments on bees", "Ann says:", "says", "Comments off"])
    array([1, 1, 2, 2, 0])
    """

    def __init__(self, lists: Sequence[Iterable[str]]) -> None:
        pairs = [(text, 1 << number) for number, texts in enumerate(lists) for text in texts]
        texts = [text for text, _ in pairs]
        self._exact: dict[str, int] = {}
        self._first: dict[str, dict[str, int]] = {}
        self._last: dict[str, dict[str, int]] = {}
        for (phrase, bit), text in zip(pairs, plain(texts), strict=True):
            self._add(phrase, text, bit)

    def masks(self, texts: Sequence[str]) -> Ints:
        """(m,) one bit per list for each of some texts, the first list lowest.

        Each distinct text is looked at once.
        """
        distinct = [*dict.fromkeys(texts)]
        known = dict(zip(distinct, map(self._mask, plain(distinct)), strict=True))
        return np.array([known[text] for text in texts], dtype=np.int64)

    def _add(self, phrase: str, text: str, bit: int) -> None:
        """Let a phrase set a bit, given it plain."""
        begins, ends = phrase.endswith(" *"), phrase.startswith("* ")
        if not text:
            raise ValueError(f"{phrase!r} has no letter; write a phrase such as 'comments on *'")
        if phrase.count("*") != begins + ends or (begins and ends):
            raise ValueError(f"{phrase!r}: a * stands at the begin or the end, with a space")
        self._exact[text] = self._exact.get(text, 0) | bit
        if begins:
            first = self._first.setdefault(text.partition(" ")[0], {})
            first[f"{text} "] = first.get(f"{text} ", 0) | bit
        if ends:
            last = self._last.setdefault(text.rpartition(" ")[2], {})
            last[f" {text}"] = last.get(f" {text}", 0) | bit

    def _mask(self, text: str) -> int:
        """The bits of one plain text."""
        mask = self._exact.get(text, 0)
        first, _, rest = text.partition(" ")
        if rest:
            for phrase, bit in self._first.get(first, _NONE).items():
                mask |= bit if text.startswith(phrase) else 0
            for phrase, bit in self._last.get(text.rpartition(" ")[2], _NONE).items():
                mask |= bit if text.endswith(phrase) else 0
        return mask


_NONE: Final[Mapping[str, int]] = {}
