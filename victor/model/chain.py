"""Exact marginals and best paths in linear chains, for a whole batch of pages at once.

What a page gets depends on nothing but the page: pages are cut at fixed places, and every sum has
its order. Exponentials are computed here, too: those of libraries depend on the processor in their
last bits. So the same numbers come out alone and in any batch, on every machine.

Before their neighbours, the blocks of one template path say something to each other: their log-odds
go towards their mean. The posts of a thread and the cards of a listing are written by one template,
so the blocks at one place of it are content or are not, all of them. The chain knows only
neighbours, and the next block of the same path may be far away. A path counts only where it repeats
under several parents: the paragraphs of one element share theirs whether they are the article or
what follows it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Floats, Ints, Labels
from victor.base.errors import ConfigError, FeatureError, ModelError, TemplateError
from victor.base.labels import Label
from victor.base.lazy import cached_property
from victor.features.base import ColumnValues
from victor.model import archive
from victor.model.discretize import Category, Codebook
from victor.model.template import Entry, Template, entry_values, n_values

LOWEST: Final = -708.0  # below this the result is 0: it would hardly be a normal number

_TERMS: Final = 14
_COEFFICIENTS: Final = tuple(1.0 / math.factorial(term) for term in reversed(range(_TERMS)))
"""Of the highest power first."""
_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 0.6931471803691238
"""The first 33 bits of the logarithm of 2: a product with a small integer is exact."""
_LN2_LOW: Final = 1.9082149292705877e-10
_NEAREST: Final = 1.5 * 2.0**52  # added to a number below 2**51 it leaves no bits for a fraction
_EXPONENT_BIAS: Final = 1023
_EXPONENT_SHIFT: Final = 52


def exponentials(values: Floats) -> Floats:
    """Exponentials of an array of finite numbers up to 0, right but for the last bits.

    They are a few additions and multiplications of double precision in a fixed order, those of
    ``exponential`` in ``core/model/chain.c``.

    Source: Cody and Waite (1980), Software manual for the elementary functions, chapter 6
    (reduction of the argument); the polynomial is the Taylor series.
    """
    bounded = np.maximum(values, LOWEST)
    power = bounded * _LOG2_E
    power += _NEAREST
    power -= _NEAREST
    rest = bounded - power * _LN2_HIGH
    rest -= power * _LN2_LOW
    result = np.full_like(rest, _COEFFICIENTS[0])
    for coefficient in _COEFFICIENTS[1:]:
        result *= rest
        result += coefficient
    scale = (power.astype(np.int64) + _EXPONENT_BIAS) << _EXPONENT_SHIFT
    result *= scale.view(np.float64)
    result[values < LOWEST] = 0.0
    return result


MAX_RANGE: Final = 300.0
"""Transition weights further than this below the highest act as if they were this far below it."""

_HEADROOM: Final = 300.0
"""How far, in natural logarithms, running products may drift before they are scaled back to 1."""

CHUNK: Final = 32
"""Blocks of a chunk. A page takes two steps for each of them, and one for every chunk."""

COLUMNS: Final = ("path-class.first", "word.count")
"""What is read: which blocks share a path, and how many words they have."""

_FEWEST: Final = 3  # blocks of a path that is a template
_LONG: Final = 8
"""Mean words of these blocks: names, dates and buttons repeat in content and around it alike."""
_LARGEST: Final = 4.0  # log-odds beyond this count as this: one sure block does not decide for all


class Factors(Struct, frozen=True, eq=False, dict=True):
    """What the labels of neighbours are worth to each other, as factors of a product."""

    edges: Floats
    """(K, L, L) finite log potentials by kind of edge, of a label (row) being followed by
    another (column)."""

    @cached_property
    def are_free(self) -> bool:
        """Whether the labels of neighbours do not depend on each other."""
        return bool((np.ptp(self.edges, axis=(1, 2)) == 0).all())

    @cached_property
    def values(self) -> Floats:
        """(K, L, L) exponentials, the largest of each kind 1."""
        return exponentials(self._spread)

    @cached_property
    def period(self) -> int:
        """After how many steps running products are scaled back."""
        drift = max(-float(self._spread.min()), math.log(self.edges.shape[1]))
        return max(1, int(_HEADROOM / drift))

    @cached_property
    def _spread(self) -> Floats:
        highest = self.edges.max(axis=(1, 2), keepdims=True)
        return np.asarray(np.maximum(self.edges - highest, -MAX_RANGE))


def marginals(scores: Floats, edges: Floats | Factors, kinds: Ints, page_starts: Ints) -> Floats:
    """Probability of every label of every block, each page being a chain of its own.

    Forward-backward as a blocked scan: pages are cut into chunks, all chunks of a page advance
    together, one step at a time; products of step matrices carry the state from chunk to chunk.
    The backward pass is the forward pass over the reversed page and runs in the same steps.

    Args:
        scores: (n, 3) finite float64 log potentials of the labels of each block.
        edges: (K, 3, 3) by kind of edge, log potentials of a label (row) being followed by another
            (column), or the factors made of them.
        kinds: (n,) kind of the edge that leads to each block; that of a page's first is not read.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

    Returns:
        (n, 3) float64; each row sums to 1.
    """
    factors = edges if isinstance(edges, Factors) else Factors(edges)
    memory = core.compiled.chain_marginals(
        np.ascontiguousarray(scores),
        factors.values,
        np.ascontiguousarray(kinds, dtype=np.int64),
        np.ascontiguousarray(page_starts, dtype=np.int64),
        CHUNK,
        0 if factors.are_free else factors.period,
    )
    return core.array(memory, np.float64).reshape(scores.shape)


def messages(scores: Floats, edges: Floats, kinds: Ints, page_starts: Ints) -> Floats:
    """Messages to every block from the blocks before it on its page and from those after it.

    Scores and both messages add up to the logarithms of the marginals, but for a number that is
    the same for all labels of a block.

    Args:
        scores: (n, L) as for `marginals`.
        edges: (K, L, L) as there.
        kinds: (n,) as there.
        page_starts: (P + 1,) as there.

    Returns:
        (2, n, L) float64 log potentials, the largest of each block 0.
    """
    both = np.zeros((2, *scores.shape))
    before, behind = both
    for start, end in pairwise(page_starts.tolist()):
        for block in range(start + 1, end):
            last = before[block - 1] + scores[block - 1]
            before[block] = np.logaddexp.reduce(last[:, None] + edges[kinds[block]], axis=0)
        for block in range(end - 2, start - 1, -1):
            following = behind[block + 1] + scores[block + 1]
            behind[block] = np.logaddexp.reduce(edges[kinds[block + 1]] + following, axis=1)
    return np.asarray(both - both.max(axis=2, keepdims=True))


def viterbi(scores: Floats, edges: Floats | Factors, kinds: Ints, page_starts: Ints) -> Labels:
    """The most probable label sequence of every page; among equals the lower label wins.

    Args:
        scores: (n, 3) finite log potentials of the labels of each block.
        edges: (K, 3, 3) or the factors made of them, as for `marginals`.
        kinds: (n,) as there.
        page_starts: (P + 1,) as there.

    Returns:
        (n,) uint8 labels.
    """
    factors = edges if isinstance(edges, Factors) else Factors(edges)
    if factors.are_free:
        labels: Labels = scores.argmax(axis=1).astype(np.uint8)
        return labels
    memory = core.compiled.chain_viterbi(
        np.ascontiguousarray(scores, dtype=np.float64),
        np.ascontiguousarray(factors.edges, dtype=np.float64),
        np.ascontiguousarray(kinds, dtype=np.int64),
        np.ascontiguousarray(page_starts, dtype=np.int64),
    )
    return core.array(memory, np.uint8)


# --- Blocks of one template path ------------------------------------------------------------------


class Pooling(Struct, frozen=True):
    """How far the log-odds of the blocks of a path go towards their mean."""

    strength: float  # share of the way, 0 to 1; 0 leaves all blocks as they are

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return COLUMNS if self.strength else ()

    def __call__(
        self, scores: Floats, columns: Mapping[str, ColumnValues], page_starts: Ints
    ) -> Floats:
        """(n, 3) log potentials, given those of each block by itself.

        Raises:
            FeatureError: a column is missing.
        """
        if not self.strength:
            return scores
        return shifted(scores, self.shift(scores, columns, page_starts))

    def shift(
        self, scores: Floats, columns: Mapping[str, ColumnValues], page_starts: Ints
    ) -> Floats:
        """(n,) what the log-odds of being kept gain, in natural logarithms.

        The odds of a block are those of the better of header and text; words weigh blocks.

        Raises:
            FeatureError: a column is missing.
        """
        if not self.strength:
            return np.zeros(len(scores))
        first, words = (_integers(columns, name) for name in COLUMNS)
        odds = np.maximum(scores[:, Label.HEADER], scores[:, Label.TEXT]) - scores[:, Label.OTHER]
        odds = np.minimum(np.maximum(odds, -_LARGEST), _LARGEST)
        path = np.repeat(page_starts[:-1], np.diff(page_starts)) + first
        n_blocks, n_words = np.bincount(path)[path], np.bincount(path, words)[path]
        is_pooled = (n_blocks >= _FEWEST) & (n_words >= _LONG * n_blocks)
        mean = np.bincount(path, words * odds)[path] / np.maximum(n_words, 1)
        return np.where(is_pooled, self.strength * (mean - odds), 0.0)


def shifted(scores: Floats, shift: Floats) -> Floats:
    """(n, 3) log potentials whose log-odds of being kept gain (n,) so much."""
    is_kept = np.arange(len(Label)) != Label.OTHER
    return np.asarray(scores + shift[:, None] * is_kept)


def _integers(columns: Mapping[str, ColumnValues], name: str) -> Ints:
    if name not in columns:
        raise FeatureError(f"pooling needs column {name}: switch its feature on, or retrain")
    return np.asarray(columns[name]).astype(np.int64)


# --- What edges read ------------------------------------------------------------------------------

MOST_KINDS: Final = 4096
"""Kinds of edge at most: every kind has a table of its own while pages are cleaned."""


class EdgeTables(NamedTuple):
    """The tables of the entries that edges read, stacked, and the kinds of edge they stand for.

    A kind of edge is one value for every entry; its log potentials are the sum of the rows that
    these values have in the tables. Without entries there is one table of one row, and one kind.
    """

    sizes: tuple[int, ...]  # number of values of every entry

    @property
    def n_kinds(self) -> int:
        """K, the number of kinds."""
        return math.prod(self.sizes)

    @property
    def n_rows(self) -> int:
        """R, the number of rows of all tables."""
        return sum(self.sizes) if self.sizes else 1

    def split(self, tables: Floats) -> list[Floats]:
        """(R, ...) stacked tables, each by itself."""
        return np.split(tables, np.cumsum(self.sizes[:-1]))

    def spread(self, tables: Floats) -> Floats:
        """(K, L, L) log potentials of every kind, given the (R, L, L) tables."""
        first, *others = self.split(tables)
        kinds = first
        for table in others:
            kinds = (kinds[:, None] + table).reshape(-1, *tables.shape[1:])
        return kinds

    def gathered(self, slopes: Floats) -> Floats:
        """(R, L, L) derivatives by the tables, given the (K, L, L) derivatives by the kinds."""
        by_value = slopes.reshape(*(self.sizes or (1,)), *slopes.shape[1:])
        axes = range(max(len(self.sizes), 1))
        parts = [by_value.sum(axis=tuple(a for a in axes if a != axis)) for axis in axes]
        return np.concatenate(parts)


class Edges(Struct, frozen=True, eq=False, dict=True):
    """Log potentials of the labels of two neighbouring blocks.

    Raises:
        ModelError: the numbers are not those of L labels and these entries, or not finite.
    """

    tables: Floats
    """(R, L, L) float64 stacked tables (`EdgeTables`), a row for every value of every entry: a
    label (row) is followed by another (column)."""
    entries: tuple[Entry, ...] = ()
    """What is read at the later of the two blocks; none if all edges are alike."""
    codebook: Codebook = field(default_factory=lambda: Codebook({}))
    """Fitted discretisers of the columns that the entries read."""

    def __post_init__(self) -> None:
        shape = (self.layout.n_rows, len(Label), len(Label))
        if self.tables.shape != shape or not 1 <= self.layout.n_kinds <= MOST_KINDS:
            raise ModelError("the edges of the model are not those of its labels: train it again")
        if not np.isfinite(self.tables).all():
            raise ModelError("the edges of the model are not all finite: train it again")

    @classmethod
    def alike(cls, transitions: Floats) -> Edges:
        """Edges of one kind, given their (L, L) log potentials."""
        return cls(np.asarray(transitions, dtype=np.float64)[None])

    @classmethod
    def by_category(cls, tables: Floats, column: str) -> Edges:
        """Edges of (K, L, L) log potentials, their kind being the value of a column."""
        if len(tables) == 1:
            return cls(tables)
        codebook = Codebook({column: Category(len(tables))})
        return cls(tables, (Entry(((column, 0),)),), codebook)

    @classmethod
    def untrained(cls, entries: tuple[Entry, ...], codebook: Codebook) -> Edges:
        """Edges that know what they read, and nothing of labels.

        Raises:
            TemplateError: there would be too many kinds.
        """
        n_rows = layout_of(entries, codebook.sizes).n_rows
        return cls(np.zeros((n_rows, len(Label), len(Label))), entries, codebook)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return self.codebook.names

    @property
    def sizes(self) -> dict[str, int]:
        """Number of codes of every column."""
        return self.codebook.sizes

    @cached_property
    def template(self) -> Template:
        """The entries as a template of their own."""
        return Template(self.entries, "one")

    @cached_property
    def layout(self) -> EdgeTables:
        """How the tables make up the kinds."""
        return layout_of(self.entries, self.sizes)

    @cached_property
    def values(self) -> Floats:
        """(K, L, L) log potentials by kind of edge."""
        return self.layout.spread(self.tables)

    @cached_property
    def factors(self) -> Factors:
        """What `victor.model.chain` makes of the values, once for all pages."""
        return Factors(self.values)

    def kinds(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Ints:
        """(n,) kind of the edge to the block before.

        Raises:
            FeatureError: a column is missing.
        """
        n = int(page_starts[-1])
        if not self.entries:
            return np.zeros(n, dtype=np.int64)
        for name in self.columns:
            if name not in columns:
                raise FeatureError(
                    f"the edges need column {name}: switch its feature on or retrain"
                )
        if self.category is not None:
            name, levels = self.category
            values = np.asarray(columns[name]).astype(np.int64)
            return np.minimum(np.maximum(values, 0), levels - 1)
        codes = dict(zip(self.columns, self.codebook.codes(columns).T, strict=True))
        kinds = np.zeros(n, dtype=np.int64)
        for entry, size in zip(self.entries, self.layout.sizes, strict=True):
            kinds *= size
            kinds += entry_values(
                entry, codes, page_starts, template=self.template, sizes=self.sizes
            )
        return kinds

    @cached_property
    def category(self) -> tuple[str, int] | None:
        """The column whose values are the kinds, and their number, if it is that simple.

        Looking codes up takes as long as all else for a small page.
        """
        if len(self.entries) != 1 or self.entries[0].columns[0][1] or len(self.columns) != 1:
            return None
        (name,) = self.columns
        discretizer = self.codebook.discretizers[name]
        return (name, discretizer.levels) if isinstance(discretizer, Category) else None

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays for a model file; `from_arrays` reads them."""
        document = {"template": self.template.to_json(), "codebook": self.codebook.to_json()}
        return document, {"edges": self.tables}

    @classmethod
    def from_arrays(cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Edges:
        """The edges that `to_arrays` wrote.

        Raises:
            ModelError: something is missing or does not fit.
        """
        try:
            tables = archive.weights(arrays["edges"]).astype(np.float64)
            template = Template.from_json(document["template"])
            codebook = Codebook.from_json(document["codebook"])
            template.check(codebook.sizes)
            return cls(tables, template.entries, codebook)
        except (
            AttributeError, KeyError, TypeError, ValueError, ConfigError, TemplateError
        ) as error:  # fmt: skip
            raise ModelError(f"the edges are damaged: {error!r}; train the model again") from None


def layout_of(entries: tuple[Entry, ...], sizes: Mapping[str, int]) -> EdgeTables:
    """How the tables of some entries make up kinds.

    Raises:
        TemplateError: there would be too many.
    """
    template = Template(entries, "one")
    layout = EdgeTables(tuple(n_values(entry, template, sizes) for entry in entries))
    if layout.n_kinds > MOST_KINDS:
        raise TemplateError(
            f"the edge entries of the template make {layout.n_kinds:,} kinds of edge, at most "
            f"{MOST_KINDS:,} are possible: give fewer entries, or coarser codes (`discretize`)"
        )
    return layout
