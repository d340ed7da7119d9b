"""Node potentials of oblivious decision trees over many measures of a block and its neighbours.

All nodes of a level of an oblivious tree ask the same question, so a leaf is the number whose
bits are the answers, and all trees are evaluated for a whole batch by a few array operations.
Experts ask the same questions and have leaves of their own; a gate says of each page how much each
of them counts, and what a leaf adds is their weighted sum.

A comment goes below an article and is the text of a thread, so potentials differ by the type of a
page. The gate is a logistic regression over the page means of the codes of all columns and of their
squares, which ``core/model/gate.c`` computes. These are sums of small integers: they are exact, and
those of a page are the same alone and in any batch.

Sources: Prokhorenkova et al. (2018), CatBoost: unbiased boosting with categorical features; Jacobs,
Jordan, Nowlan and Hinton (1991), Adaptive mixtures of local experts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Floats, Floats32, Ints, span_indices
from victor.base.errors import ConfigError, ModelError, hint
from victor.base.labels import Label
from victor.base.lazy import cached_property
from victor.features.base import ColumnValues
from victor.model import archive
from victor.model.discretize import Codebook
from victor.model.template import FARTHEST

OUTSIDE: Final = 255
"""Code of a place beyond the first and the last block of a page; no code is as high."""
_BITS: Final = 8  # levels at most: the answers of a tree are the bits of a byte
_INFINITE: Final = 0x7C00  # bits of an infinite float16
_TRACE: Final = 1e-12  # weight of a leaf without a training block in means

_DAMAGE: Final = (
    AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, ConfigError,
)  # fmt: skip
"""Errors that damaged parts of a model file cause."""

Input = tuple[str, int]  # a column and the offset of the block that it is read from


EXPERTS: Final[Mapping[str, tuple[str, ...]]] = {
    "article": ("article", "recipe"),
    "forum": ("forum",),
    "other": ("product", "listing", "documentation", "service", "front", "media"),
}
"""Expert to the types of pages that it knows; questions with answers are forums, too."""
TYPES: Final = tuple(chain.from_iterable(EXPERTS.values()))
"""The types of pages that a page head tells apart."""
TOLD: Final = tuple(dict.fromkeys((*EXPERTS, *TYPES)))
"""What a user may call pages: experts and types."""
MOST_EXPERTS: Final = 16
"""Of so many, one weighs enough to be asked; the compiled core knows the number, too."""


def expert_of(page_type: str) -> str:
    """The expert of a type of pages; an expert's own name is one, too.

    Raises:
        ConfigError: there is no such type.
    """
    for expert, types in EXPERTS.items():
        if page_type == expert or page_type in types:
            return expert
    raise ConfigError(f"no page type {page_type}{hint(page_type, TOLD)}: {', '.join(TOLD)}")


class Gate(Struct, frozen=True, eq=False):
    """What says how much each of E experts has to say of a page, given the codes of C columns.

    Raises:
        ValueError: they do not fit each other.
    """

    experts: tuple[str, ...]  # (E,) their names
    weights: Floats
    """(2 C + 1, E) float64, of the means of codes, of their squares, and the intercepts."""

    def __post_init__(self) -> None:
        n_experts = len({*self.experts})
        if not 2 <= n_experts == len(self.experts) <= MOST_EXPERTS:
            raise ValueError(f"a gate has 2 to {MOST_EXPERTS} experts of different names")
        if self.weights.ndim != 2 or self.weights.shape[1] != n_experts:
            raise ValueError("the weights of the gate do not fit its experts")

    @classmethod
    def even(cls, experts: tuple[str, ...], n_columns: int) -> Gate | None:
        """A gate that weighs all experts alike, before it has learnt; None for one alone."""
        if len(experts) < 2:
            return None
        return cls(experts, np.zeros((2 * n_columns + 1, len(experts))))


class Trees(Struct, frozen=True, eq=False, dict=True):
    """T trees of D levels that ask Q distinct questions of I inputs, with leaves of E experts.

    The first trees sum up to the log potential of text over other, the rest to that of header over
    text, so that a block is worth keeping to much the same degree whichever of the two it is.

    Raises:
        ModelError: the parts do not fit each other.
    """

    codebook: Codebook  # fitted discretisers of the columns that are read
    inputs: tuple[Input, ...]  # (I) columns and offsets
    asked: Ints  # (Q,) int64 the input that each question is about
    border: Codes  # (Q,) uint8; the question is whether the code of the input is above it
    questions: Ints  # (T, D) int64 the question of every level
    leaves: Floats32
    """(E, T, 2**D) float32 what a leaf adds; the answer of the first level is the highest bit of
    its number."""
    cover: NDArray[np.floating[Any]]
    """(E, T, 2**D) share of the training weight that reached each leaf, 1 a tree; of files float16,
    which only explanations widen: that takes as long as all else that is read of a model."""
    n_text: int  # the trees that speak for text, the first ones
    bias: tuple[float, float]
    """What every block begins with: of text over other, and of header over text."""
    gate: Gate | None = None
    """Weighs the experts of each page, by the columns of the codebook; None for one alone."""

    def __post_init__(self) -> None:
        if not (self._shapes_fit() and self._numbers_fit()):
            raise ModelError("the trees of the model do not fit together: train it again")

    def _shapes_fit(self) -> bool:
        return (
            self.questions.ndim == 2
            and self.asked.ndim == 1
            # Before 2**depth is computed: a damaged file may promise any depth.
            and 1 <= self.questions.shape[1] <= _BITS
            and self.asked.shape == self.border.shape
            and self.leaves.shape == self.cover.shape
            and self.leaves.ndim == 3
            and len(self.leaves) == max(1, len(self.experts))
            and self.leaves.shape[1:] == (len(self.questions), 2 ** self.questions.shape[1])
            and (self.gate is None or len(self.gate.weights) == 2 * len(self.columns) + 1)
            and 0 <= self.n_text <= len(self.questions)
        )

    def _numbers_fit(self) -> bool:
        return (
            _below(self.asked, len(self.inputs))
            and _below(self.questions, len(self.asked))
            and {name for name, _ in self.inputs} <= {*self.codebook.names}
            and all(abs(offset) <= FARTHEST for _, offset in self.inputs)
            and bool(np.isfinite(self.leaves).all())
            and all(abs(bias) <= archive.LARGEST for bias in self.bias)
            and _are_shares(self.cover)
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return self.codebook.names

    @property
    def experts(self) -> tuple[str, ...]:
        """Names of the experts that the gate knows; none where there is one for all pages."""
        return () if self.gate is None else self.gate.experts

    def __call__(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Floats:
        """Log potentials of the labels of every block.

        Args:
            columns: column name to (n,) values; more than needed do no harm.
            page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

        Returns:
            (n, 3) float64, those of `Label.OTHER` 0.

        Raises:
            FeatureError: a column is missing.
        """
        return self._scorer(self.codebook.codes(columns).T, page_starts)

    def scorer(self, names: Sequence[str]) -> Callable[[Codes, Ints], Floats]:
        """What gives the same of (C, n) codes of columns of these names."""
        order = tuple(names)
        layout = cache(lambda: self.layout(order))

        def score(codes: Codes, page_starts: Ints) -> Floats:
            starts = np.ascontiguousarray(page_starts, dtype=np.int64)
            memory = core.compiled.trees(np.ascontiguousarray(codes), starts, layout())
            return core.array(memory, np.float64).reshape(-1, len(Label))

        return score

    def layout(self, names: Sequence[str]) -> object:
        """What the compiled core keeps of the trees for codes of columns of these names."""
        return core.compiled.tree_layout(self._layout(names))

    def weights(self, codes: Codes, page_starts: Ints, layout: object = None) -> Floats32:
        """(P, E) float32 what each expert weighs on a page, each page's adding up to 1.

        Args:
            codes: (C, n) codes of the columns, or of those of a layout.
            page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
            layout: of other columns.
        """
        starts = np.ascontiguousarray(page_starts, dtype=np.int64)
        layout = layout or self.layout(self.columns)
        memory = core.compiled.expert_weights(np.ascontiguousarray(codes), starts, layout)
        return core.array(memory, np.float32).reshape(-1, len(self.leaves))

    def mixed(self, weights: Floats32) -> Trees:
        """The trees of a page, as those of one expert.

        Args:
            weights: (E,) float32 what each expert weighs on it.
        """
        leaves, cover = self.leaves, self.cover
        if len(leaves) > 1:
            shares = weights[:, None, None]
            leaves, cover = (
                np.add.reduce(shares * each, keepdims=True) for each in (leaves, cover)
            )
        return replace(self, leaves=leaves, cover=cover, gate=None)

    def of_expert(self, name: str) -> Trees:
        """The trees of one of the experts, whatever the gate would say of a page."""
        return self.mixed(np.array([each == name for each in self.experts], dtype=np.float32))

    @cached_property
    def _scorer(self) -> Callable[[Codes, Ints], Floats]:
        """The scorer for columns in the order of the codebook."""
        return self.scorer(self.codebook.names)

    def _layout(self, names: Sequence[str]) -> tuple[NDArray[Any], ...]:
        """The trees as the compiled core wants them for codes of columns of these names.

        All trees have as many levels as there are bits: the first ones ask what no code is above.

        Returns:
            Of I inputs the column and the offset of the block that it is read from; of each level
            of T trees the input that it asks about and what its code has to be above; the leaves
            of each expert; how many trees, the first ones, speak for text, and how many experts
            there are; the biases; the columns that the gate reads and its weights.
        """
        column_of = {name: column for column, name in enumerate(names)}
        read = () if self.gate is None else self.columns
        n_trees, depth = self.questions.shape
        asked = np.zeros((n_trees, _BITS), dtype=np.int32)
        border = np.full((n_trees, _BITS), OUTSIDE, dtype=np.uint8)
        asked[:, _BITS - depth :] = self.asked[self.questions]
        border[:, _BITS - depth :] = self.border[self.questions]
        return (
            np.array([column_of[name] for name, _ in self.inputs], dtype=np.int64),
            np.array([offset for _, offset in self.inputs], dtype=np.int64),
            asked.ravel(),
            border.ravel(),
            np.ascontiguousarray(self.leaves).ravel(),
            np.array([self.n_text, len(self.leaves)], dtype=np.int64),
            np.array(self.bias, dtype=np.float32),
            np.array([column_of[name] for name in read], dtype=np.int64),
            np.zeros(0) if self.gate is None else np.ravel(self.gate.weights).astype(np.float64),
        )

    def contributions(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Floats:
        """The contribution of every input to the potentials of every block.

        On the way from the root of a tree to a leaf every answer changes the mean of the leaves
        that can still be reached; the change is the contribution of the question's input. Leaves
        are those that the experts of the page have together.

        Returns:
            (3, n, I + 1) float64 by label, the means of whole trees in the last column; a row sums
            to the log potential of the label.

        Source: Saabas (2014), treeinterpreter; the means are those of the training blocks.
        """
        codes = input_codes(self.inputs, self.codebook, columns, page_starts)
        answers = codes[self.asked] > self.border[:, None]
        weights = self.weights(self.codebook.codes(columns).T, page_starts)
        terms = np.zeros((len(Label), codes.shape[1], len(self.inputs) + 1))
        for of_page, blocks in pages_alike(weights, page_starts):
            terms[:, blocks] = self.mixed(of_page)._terms(answers[:, blocks])
        return terms

    def _terms(self, answers: Bools) -> Floats:
        """(3, m, I + 1) the contributions, of one expert, given (Q, m) answers."""
        means, added = self._means(), np.zeros((len(self.inputs) + 1, answers.shape[1]))
        terms = np.zeros((len(Label), answers.shape[1], len(self.inputs) + 1))
        halves = [(Label.TEXT, range(self.n_text)),
                  (Label.HEADER, range(self.n_text, len(self.questions)))]  # fmt: skip
        for (label, trees), bias in zip(halves, self.bias, strict=True):
            added[-1] += bias
            for tree in trees:
                added[-1] += float(means[0][tree, 0])
                self._follow(tree, answers, means, added)
            terms[label] = added.T.copy()  # header goes on from text
        return terms

    def _follow(self, tree: int, answers: Bools, means: Sequence[Floats], added: Floats) -> None:
        """Add what the answers on the way to the leaves of a tree change."""
        node = np.zeros(answers.shape[1], dtype=np.int64)
        for level, question in enumerate(self.questions[tree].tolist()):
            below = 2 * node + answers[question]
            added[self.asked[question]] += means[level + 1][tree][below] - means[level][tree][node]
            node = below

    def leaves_of(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Ints:
        """(T, n) number of the leaf that every block reaches in each tree."""
        codes = input_codes(self.inputs, self.codebook, columns, page_starts)
        answers = codes[self.asked] > self.border[:, None]
        leaves = np.zeros((len(self.questions), codes.shape[1]), dtype=np.int64)
        for questions in self.questions.T:
            leaves = 2 * leaves + answers[questions]
        return leaves

    def importance(self) -> Floats:
        """(I,) importance of each input.

        A question divides the training blocks that reach it in two; it explains the variance
        between the two means, weighted by the share of these blocks. An input gets the sum over all
        questions about it, in squared log-odds.

        Source: Friedman (2001), Greedy function approximation, section 8.1.
        """
        alone = np.eye(len(self.leaves), dtype=np.float32)
        return np.asarray(np.sum([self.mixed(row)._importance() for row in alone], axis=0))

    def _importance(self) -> Floats:
        """(I,) the same, of one expert."""
        n_trees, depth = self.questions.shape
        means, cover, sums = self._means(), self._cover(), np.zeros(len(self.inputs))
        for level in range(depth):
            change = means[level + 1] - means[level].repeat(2, axis=1)
            share = cover.reshape(n_trees, 2 ** (level + 1), 2 ** (depth - level - 1)).sum(axis=2)
            inputs = self.asked[self.questions[:, level]]
            np.add.at(sums, inputs, (share * change**2).sum(axis=1))
        return sums

    def _means(self) -> list[Floats]:
        """For every depth down: (T, 2**depth) weighted means of the leaves below, of one expert."""
        n_trees, depth = self.questions.shape
        leaves, cover = self.leaves[0].astype(np.float64), self._cover()
        levels = []
        for level in range(depth + 1):
            shape = (n_trees, 2**level, 2 ** (depth - level))
            weight = cover.reshape(shape)
            levels.append((leaves.reshape(shape) * weight).sum(axis=2) / weight.sum(axis=2))
        return levels

    def _cover(self) -> Floats:
        """The cover, at least a trace, so that leaves that no block reached have a mean too."""
        return np.asarray(np.maximum(self.cover[0].astype(np.float64), _TRACE))

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays for a model file; `from_arrays` reads them."""
        document = {
            "codebook": self.codebook.to_json(),
            "inputs": [list(entry) for entry in self.inputs],
            "n_text": self.n_text,
            "bias": list(self.bias),
            "experts": [*self.experts],
        }
        arrays: dict[str, NDArray[Any]] = {
            "trees.asked": _narrow(self.asked),
            "trees.border": self.border,
            "trees.questions": _narrow(self.questions),
            "trees.leaves": self.leaves,
            "trees.cover": self.cover.astype(np.float16),
        }
        if self.gate is not None:
            arrays["trees.gate"] = self.gate.weights
        return document, arrays

    @classmethod
    def from_arrays(cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Trees:
        """The trees that `to_arrays` wrote.

        Raises:
            ModelError: something is missing or does not fit.
        """
        try:
            inputs = tuple((str(name), int(offset)) for name, offset in document["inputs"])
            if len({*inputs}) < len(inputs):  # a row of codes each, for every page
                raise ValueError("an input is named twice")
            asked = archive.numbers(arrays["trees.asked"], len(inputs), np.int64)
            of_text, of_header = map(float, document["bias"])
            experts = tuple(map(str, document["experts"]))
            return cls(
                Codebook.from_json(document["codebook"]),
                inputs,
                asked,
                archive.numbers(arrays["trees.border"], 1 << _BITS, np.uint8),
                archive.numbers(arrays["trees.questions"], len(asked), np.int64),
                archive.weights(arrays["trees.leaves"]).astype(np.float32),
                arrays["trees.cover"],
                int(document["n_text"]),
                (of_text, of_header),
                Gate(experts, archive.weights(arrays["trees.gate"])) if experts else None,
            )
        except _DAMAGE as error:
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
    return codes_of_inputs(inputs, codebook.names, codebook.codes(columns).T, page_starts)


def codes_of_inputs(
    inputs: Sequence[Input], names: tuple[str, ...], column_codes: Codes, page_starts: Ints
) -> Codes:
    """(I, n) code of every input from (C, n) codes of the columns of these names."""
    page = np.repeat(np.arange(len(page_starts) - 1), np.diff(page_starts))
    codes = np.empty((len(inputs), column_codes.shape[1]), dtype=np.uint8)
    column = {name: index for index, name in enumerate(names)}
    rows_at = defaultdict[int, list[int]](list)
    for row, (_, offset) in enumerate(inputs):
        rows_at[offset].append(row)
    for offset, rows in rows_at.items():
        columns = [column[inputs[row][0]] for row in rows]
        codes[rows] = _moved(column_codes[columns], offset, page)
    return codes


def pages_alike(weights: Floats32, page_starts: Ints) -> Iterator[tuple[Floats32, Ints]]:
    """The different rows of (P, E) weights, each with the blocks of the pages that have it."""
    rows, which = np.unique(weights, axis=0, return_inverse=True)
    lengths = np.diff(page_starts)
    for row, of_pages in enumerate(rows):
        pages = np.flatnonzero(which.ravel() == row)
        yield of_pages, span_indices(page_starts[pages], lengths[pages])


def _moved(codes: Codes, offset: int, page: Ints) -> Codes:
    """(C, n) codes of the blocks at an offset."""
    if not offset:
        return codes
    block = np.arange(len(page)) + offset
    inside = np.clip(block, 0, max(len(page) - 1, 0))
    moved = np.roll(codes, -offset, axis=1)
    moved[:, (block != inside) | (page[inside] != page)] = OUTSIDE
    return moved


def _are_shares(cover: NDArray[np.floating[Any]]) -> bool:
    """Are all of them finite and none negative; the bits of float16 ascend as its numbers do."""
    if cover.dtype == np.float16:
        return int(cover.view(np.uint16).max(initial=0)) < _INFINITE
    return bool(cover.dtype.kind == "f" and (cover >= 0).all() and np.isfinite(cover).all())


def _below(numbers: Ints, bound: int) -> bool:
    """Are all of them 0 or more, and below a bound."""
    return not numbers.size or bool(numbers.min() >= 0 and numbers.max() < bound)


def _narrow(numbers: Ints) -> NDArray[np.signedinteger[Any]]:
    """Numbers in two bytes each, in four if there are too many."""
    fits = numbers.max(initial=0) <= np.iinfo(np.int16).max
    return numbers.astype(np.int16 if fits else np.int32)
