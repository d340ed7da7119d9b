"""Bags of tokens from markup: classes, ids, roles and properties of the ancestors, tag paths."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from victor.blocks import BlockTable
from victor.columns import Bag, Column, ColumnValues, Feature, Measure
from victor.events import ATTRIBUTES, Bundle

_WORDS = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
_MARKED = {"class": "", "id": "", "role": "role=", "itemprop": "is=", "itemtype": "is=",
           "property": "is="}  # fmt: skip
_MAX_TOKENS = 40
"""Tokens of one element; more is noise (utility classes) or an attack."""


def build(near: int = 2, next_: int = 3, depth: int = 40) -> Feature:
    """Name tokens of the ancestors.

    Args:
        near: so many innermost elements also give tokens of their own (``n=``).
        next_: so many elements above those do too (``m=``).
        depth: ancestors farther up than this are not looked at.
    """
    column = Column("lexicon.names", "bag", "class, id, role and property words of the ancestors")
    compute = partial(_compute, near=near, next_=next_, depth=depth)
    return Measure((column,), compute)


def _compute(table: BlockTable, *, near: int, next_: int, depth: int) -> Mapping[str, ColumnValues]:
    names = _Names(table.bundles)
    blocks, tokens = [], []
    element = table.element
    open_blocks = np.arange(len(table))
    for level in range(depth):
        for kind in ("c", *_kinds(level, near, next_)):
            at, found = names.tokens_of(table.elements.bundle[element], kind)
            blocks.append(open_blocks[at])
            tokens.append(found)
        above = table.elements.depth[element] > 1
        open_blocks = open_blocks[above]
        element = table.elements.parent[element[above]]
        if not len(open_blocks):
            break
    return {"lexicon.names": _bag(len(table), blocks, tokens, names.vocabulary)}


def _kinds(level: int, near: int, next_: int) -> tuple[str, ...]:
    if level < near:
        return ("n",)
    return ("m",) if level < near + next_ else ()


def _bag(
    n_blocks: int,
    blocks: list[NDArray[np.int64]],
    tokens: list[NDArray[np.int64]],
    vocabulary: list[str],
) -> Bag:
    """A bag from pairs of block and token, each pair once."""
    if not blocks or not vocabulary:
        return Bag(np.zeros(n_blocks + 1, dtype=np.int64), np.zeros(0, dtype=np.int64), vocabulary)
    pairs = np.unique(np.concatenate(blocks) * len(vocabulary) + np.concatenate(tokens))
    block, token = np.divmod(pairs, len(vocabulary))
    indptr = np.searchsorted(block, np.arange(n_blocks + 1)).astype(np.int64)
    return Bag(indptr, token, vocabulary)


class _Names:
    """Tokens of every bundle, under each of the kinds in which they are asked for."""

    def __init__(self, bundles: tuple[Bundle, ...]) -> None:
        self.vocabulary: list[str] = []
        index: dict[str, int] = {}
        rows = [[index.setdefault(word, len(index)) for word in _words(bundle)]
                for bundle in bundles]  # fmt: skip
        rows.append([])
        self._words = list(index)
        self._counts = np.array([len(row) for row in rows], dtype=np.int64)
        self._starts = np.cumsum(self._counts) - self._counts
        self._ids = np.array([word for row in rows for word in row], dtype=np.int64)
        self._offsets = {"c": 0, "n": len(index), "m": 2 * len(index)}
        for kind in self._offsets:
            self.vocabulary += [f"{kind}={word}" for word in self._words]

    def tokens_of(
        self, bundle: NDArray[np.int64], kind: str
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Positions in `bundle` and token numbers, one pair per token of each bundle."""
        counts = self._counts[bundle]
        at = np.repeat(np.arange(len(bundle)), counts)
        within = np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts, counts)
        found = self._ids[self._starts[bundle][at] + within]
        return at, found + self._offsets[kind]


def _words(bundle: Bundle) -> list[str]:
    """Distinct name tokens of one element, digits as 0."""
    found: dict[str, None] = {}
    for name, value in zip(ATTRIBUTES, bundle, strict=True):
        if value and name in _MARKED:
            for word in _WORDS.findall(value[:400]):
                found[_MARKED[name] + ("0" if word[0].isdigit() else word.lower())] = None
    return list(found)[:_MAX_TOKENS]
