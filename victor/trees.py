"""Oblivious decision trees: many measures of a block and its neighbours in one more column.

All nodes of a level of an oblivious tree ask the same question, so a leaf is the number whose
bits are the answers, and all trees are evaluated for a whole batch by a few array operations.

Source: Prokhorenkova et al. (2018), CatBoost: unbiased boosting with categorical features.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.columns import ColumnValues
from victor.discretize import Codebook
from victor.errors import ConfigError, ModelError

OUTSIDE: Final = 255
"""Code of a place beyond the first and the last block of a page; no code is as high."""
_BITS: Final = 8
"""Levels at most: the answers of a tree are the bits of a byte."""
_ROWS: Final = 4096
"""Blocks evaluated at once, so that what is looked up stays in the cache."""

Codes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Input = tuple[str, int]
"""A column and the offset of the block that it is read from."""


@dataclass(frozen=True, eq=False)
class Trees:
    """T trees of D levels that ask Q distinct questions of I inputs.

    Attributes:
        codebook: fitted discretisers of the columns that are read.
        inputs: (I) columns and offsets.
        asked: (Q,) int64 the input that each question is about.
        border: (Q,) uint8; the question is whether the code of the input is above it.
        questions: (T, D) int64 the question of every level.
        leaves: (T, 2**D) float32 log-odds that a leaf adds; the answer of the first level is the
            highest bit of its number.
        cover: (T, 2**D) float32 share of the training weight that came to each leaf.
        bias: log-odds that every block begins with.

    Raises:
        ModelError: the parts do not fit each other.
    """

    codebook: Codebook
    inputs: tuple[Input, ...]
    asked: Ints
    border: Codes
    questions: Ints
    leaves: Floats
    cover: Floats
    bias: float

    def __post_init__(self) -> None:
        n_trees, depth = self.questions.shape
        fits = (
            self.leaves.shape == self.cover.shape == (n_trees, 2**depth)
            and 1 <= depth <= _BITS
            and self.asked.shape == self.border.shape
            and _below(self.asked, len(self.inputs))
            and _below(self.questions, len(self.asked))
            and {name for name, _ in self.inputs} <= {*self.codebook.names}
            and bool(np.isfinite(self.leaves).all() and np.isfinite(self.bias))
            and bool((self.cover >= 0).all() and np.isfinite(self.cover).all())
        )
        if not fits:
            raise ModelError("the trees of the model do not fit together: train it again")

    def __call__(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Floats:
        """Log-odds of every block.

        Args:
            columns: column name to (n,) values; more than needed do no harm.
            page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

        Returns:
            (n,) float32.

        Raises:
            FeatureError: a column is missing.
        """
        codes = input_codes(self.inputs, self.codebook, columns, page_starts)
        scores = np.empty(codes.shape[1], dtype=np.float32)
        for start in range(0, len(scores), _ROWS):
            rows = slice(start, start + _ROWS)
            scores[rows] = self._scores(codes[:, rows])
        return scores

    def _scores(self, codes: Codes) -> Floats:
        """(m,) sums of the leaves that (I, m) codes lead to."""
        answers = (codes[self.asked] > self.border[:, None]).view(np.uint8)
        n_trees, depth = self.questions.shape
        leaf = answers.take(self.questions[:, 0], axis=0)
        answer = np.empty_like(leaf)
        for level in range(1, depth):
            leaf += leaf
            leaf |= answers.take(self.questions[:, level], axis=0, out=answer, mode="clip")
        place = leaf + (np.arange(n_trees, dtype=np.int32) << depth)[:, None]
        found = self.leaves.ravel().take(place, mode="clip")
        return np.asarray(found.sum(axis=0) + np.float32(self.bias), dtype=np.float32)

    def contributions(
        self, columns: Mapping[str, ColumnValues], page_starts: Ints
    ) -> NDArray[np.float64]:
        """What every input adds to the log-odds of every block.

        On the way from the root of a tree to a leaf every answer changes the mean of the leaves
        that can still be reached; the change is what the input that was asked about adds.

        Returns:
            (n, I + 1) float64, the means of whole trees in the last column; a row sums to the
            log-odds of the block.

        Source: Saabas (2014), treeinterpreter; the means are those of the training blocks.
        """
        codes = input_codes(self.inputs, self.codebook, columns, page_starts)
        answers = codes[self.asked] > self.border[:, None]
        found = np.zeros((len(self.inputs) + 1, codes.shape[1]))
        means = self._means()
        found[-1] = self.bias + sum(float(level[0]) for level in means[0])
        for tree, questions in enumerate(self.questions):
            node = np.zeros(codes.shape[1], dtype=np.int64)
            for level, question in enumerate(questions.tolist()):
                below = 2 * node + answers[question]
                change = means[level + 1][tree][below] - means[level][tree][node]
                found[self.asked[question]] += change
                node = below
        return found.T

    def _means(self) -> list[NDArray[np.float64]]:
        """For every depth from the root down: (T, 2**depth) weighted means of the leaves below."""
        n_trees, depth = self.questions.shape
        leaves, cover = self.leaves.astype(np.float64), self.cover.astype(np.float64)
        # A leaf that no block came to has no say, unless it is alone with others of its kind.
        cover = np.maximum(cover, 1e-12)
        levels = []
        for level in range(depth + 1):
            shape = (n_trees, 2**level, -1)
            weight = cover.reshape(shape)
            levels.append((leaves.reshape(shape) * weight).sum(axis=2) / weight.sum(axis=2))
        return levels

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays for a model file; `from_arrays` reads them."""
        document = {
            "codebook": self.codebook.to_json(),
            "inputs": [list(place) for place in self.inputs],
            "bias": self.bias,
        }
        arrays: dict[str, NDArray[Any]] = {
            "trees.asked": self.asked.astype(np.int16),
            "trees.border": self.border,
            "trees.questions": self.questions.astype(np.int16),
            "trees.leaves": self.leaves,
            "trees.cover": self.cover.astype(np.float16),
        }
        return document, arrays

    @classmethod
    def from_arrays(cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Trees:
        """The trees that `to_arrays` wrote.

        Raises:
            ModelError: something is missing or does not fit.
        """
        try:
            return cls(
                Codebook.from_json(document["codebook"]),
                tuple((str(name), int(offset)) for name, offset in document["inputs"]),
                arrays["trees.asked"].astype(np.int64),
                arrays["trees.border"].astype(np.uint8),
                arrays["trees.questions"].astype(np.int64),
                arrays["trees.leaves"].astype(np.float32),
                arrays["trees.cover"].astype(np.float32),
                float(document["bias"]),
            )
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"the trees are damaged: {error!r}; train the model again") from None


def input_codes(
    inputs: Sequence[Input],
    codebook: Codebook,
    columns: Mapping[str, ColumnValues],
    page_starts: Ints,
) -> Codes:
    """(I, n) code of every input; `OUTSIDE` where an offset leads out of the page.

    Raises:
        FeatureError: a column is missing.
    """
    own = codebook.codes(columns).T
    place = {name: number for number, name in enumerate(codebook.names)}
    page = np.repeat(np.arange(len(page_starts) - 1), np.diff(page_starts))
    codes = np.empty((len(inputs), own.shape[1]), dtype=np.uint8)
    for offset in {offset for _, offset in inputs}:
        rows = [number for number, (_, at) in enumerate(inputs) if at == offset]
        names = [place[inputs[row][0]] for row in rows]
        codes[rows] = _moved(own[names], offset, page)
    return codes


def _moved(codes: Codes, offset: int, page: Ints) -> Codes:
    """(C, n) codes of the blocks at an offset."""
    if not offset:
        return codes
    place = np.arange(len(page)) + offset
    here = np.clip(place, 0, max(len(page) - 1, 0))
    moved = np.roll(codes, -offset, axis=1)
    moved[:, (place != here) | (page[here] != page)] = OUTSIDE
    return moved


def _below(numbers: Ints, bound: int) -> bool:
    """Are all of them 0 or more, and below a bound."""
    return not numbers.size or bool(numbers.min() >= 0 and numbers.max() < bound)
