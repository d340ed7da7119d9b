"""Bags of words from names that authors give: classes, ids, roles and properties of ancestors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from victor.base.arrays import Ints
from victor.features.base import Bag, Column, ColumnValues, Feature, Measure
from victor.page.table.blocks import BlockTable

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATED = {c: " " for c in range(128) if not chr(c).isalpha() and chr(c) != "\n"}
"""What separates words: ASCII but letters. Numbers are left out, as they number things."""
_NAMES = ("class", "id")
_MARKED = ("role", "itemprop", "itemtype", "property")
_MAX_LENGTH = 400
"""Characters of one element's names; more is noise (utility classes) or an attack."""


def build(near: int = 2, beyond: int = 3, depth: int = 40) -> Feature:
    """Name words of the ancestors.

    Args:
        near: so many innermost elements have a column of their own.
        beyond: so many elements above those have another one.
        depth: ancestors farther up than this are not looked at.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div class=postBody role=main><div><p id=intro-1>Bees</p></div></div><p>Home"
    >>> values = build(near=1)(parse_pages([page]))
    >>> values["lexicon.near"].tokens(), values["lexicon.all"].tokens()
    ([['intro'], []], [['intro', 'post', 'body', 'is=main'], []])
    """
    levels = {
        "lexicon.all": ("any ancestor", range(depth)),
        "lexicon.near": (f"the {near} innermost elements", range(near)),
        "lexicon.beyond": (f"the {beyond} elements above those", range(near, near + beyond)),
    }
    columns = tuple(
        Column(name, "bag", f"class, id, role and property words of {whose}")
        for name, (whose, _) in levels.items()
    )

    def compute(table: BlockTable) -> Mapping[str, ColumnValues]:
        names = _Names(table)
        bundles = _bundles(table, depth)
        return {
            name: names.bag([bundles[level] for level in chosen if level < len(bundles)], table)
            for name, (_, chosen) in levels.items()
        }

    return Measure(columns, compute, attributes=(*_NAMES, *_MARKED))


def _bundles(table: BlockTable, depth: int) -> list[Ints]:
    """For each level above the blocks, innermost first: (n,) attribute bundle, -1 for none.

    A root has none, so it does not matter how often it is met.
    """
    elements = table.elements
    element = table.element
    bundles = []
    for _ in range(min(depth, int(elements.depth[element].max(initial=0)) + 1)):
        bundles.append(elements.bundle[element])
        element = elements.parent[element]
    return bundles


class _Names:
    """Words of every bundle; a bundle is a group of tokens."""

    def __init__(self, table: BlockTable) -> None:
        parts = _Numbers()
        ids: list[int] = []
        ends = [0]
        names = _split(*map(table.attribute, _NAMES))
        marks = zip(*map(table.attribute, _MARKED), strict=True)
        for words, marked in zip(names, marks, strict=True):
            for word in words.split():
                ids += parts[word]
            for value in filter(None, marked):
                for word in value[:_MAX_LENGTH].lower().translate(_SEPARATED).split():
                    ids += parts[f"is={word}"]
            ends.append(len(ids))
        self._vocabulary = list(parts.vocabulary)
        self._ids = np.array(ids, dtype=np.int64)
        self._indptr = np.array(ends, dtype=np.int64)

    def bag(self, levels: Sequence[Ints], table: BlockTable) -> Bag:
        """The bag of the bundles of some levels."""
        count = np.zeros(len(table), dtype=np.int64)
        for bundle in levels:
            count += bundle >= 0
        indptr = np.concatenate(([0], np.cumsum(count)))
        groups = np.empty(indptr[-1], dtype=np.int64)
        filled = indptr[:-1].copy()
        for bundle in levels:
            some = bundle >= 0
            groups[filled[some]] = bundle[some]
            filled += some
        return Bag(indptr, groups, self._indptr, self._ids, self._vocabulary)


class _Numbers(dict[str, tuple[int, ...]]):
    """Numbers of the lower-case parts of a name; ``relatedPosts`` has two parts."""

    def __init__(self) -> None:
        super().__init__()
        self.vocabulary: dict[str, int] = {}

    def __missing__(self, name: str) -> tuple[int, ...]:
        parts = [name] if name.islower() else _CAMEL.sub(" ", name).lower().split()
        vocabulary = self.vocabulary
        self[name] = numbers = tuple(vocabulary.setdefault(part, len(vocabulary)) for part in parts)
        return numbers


def _split(classes: list[str | None], ids: list[str | None]) -> list[str]:
    """Class and id of every bundle with nothing but letters and spaces, in one translation."""
    pairs = zip(classes, ids, strict=True)
    texts = [f"{names or ''} {ident or ''}"[:_MAX_LENGTH] for names, ident in pairs]
    joined = "\n".join(texts)
    if joined.count("\n") != len(texts) - 1:
        joined = "\n".join(" ".join(text.split()) for text in texts)
    return joined.translate(_SEPARATED).split("\n") if texts else []
