"""The log-odds of a block's labels as a sum over features and neighbours.

In a linear chain the marginal of label y at block i is proportional to
``exp(e_i(y) + l_i(y) + r_i(y))``: e is the sum of the weights of the block's feature values, l and
r are the logarithms of the forward message into the block and of the backward message (Lafferty,
McCallum and Pereira 2001, section 3). So the log-odds of two labels are exactly the sum of
the differences of the weights of every feature value, of the bias, and of the two messages.

In a model with trees, the trees give the probability that a block is kept, and the chain only how
header and text share it. So the log-odds of header or text against *other* are the sum of what
every input adds on the way down the trees (Saabas 2014, `Trees.contributions`) and of the logarithm
of the label's share; those of header against text are the chain's as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Floats
from victor.errors import ConfigError, FeatureError
from victor.explain.code_names import CodeNames, outside
from victor.features.base import Bag, ColumnValues
from victor.labels import LABEL_NAMES, Label
from victor.model.crf.attributes import entry_values, extents
from victor.model.crf.marginals import messages
from victor.model.crf.weights import BagWeights, Weights
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model, with_keep
from victor.model.template import Entry
from victor.model.trees import Input, Trees
from victor.page.blocks import BlockTable

BIAS: Final = "bias"
BEFORE: Final = "blocks before"
AFTER: Final = "blocks after"
TREES_BIAS: Final = "bias of the trees"
KIND: Final = "header or text"
CALIBRATION: Final = "calibration"

_Value = Callable[[int], str]
"""From the number of a block to the value of a term in words."""


class Contribution(NamedTuple):
    """What one feature value, or one side of the page, adds to the log-odds of a block."""

    name: str
    """Column and offset, e.g. ``word.count [-1]``; for a conjunction all of them."""
    value: str
    """The value there and its bin, e.g. ``31 (25 or more)``; labels for neighbours."""
    weight: float
    """In natural logarithms; above 0 it speaks for the label."""


class Reasons(NamedTuple):
    """What spoke most for and against a label of a block."""

    block: int
    label: Label
    against: Label
    log_odds: float
    speaks_for: tuple[Contribution, ...]
    """Highest first."""
    speaks_against: tuple[Contribution, ...]
    """Lowest first."""
    rest: Contribution
    """The sum of all others, so that the three add up to the log-odds."""


class Weight(NamedTuple):
    """The weights of one value of one entry, relative to the weight of *other*."""

    name: str
    value: str
    header: float
    text: float


class Importance(NamedTuple):
    """How much of the output of the trees one of their inputs explains."""

    name: str
    share: float
    """0 to 1; all inputs add up to 1."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """The terms that make up the log-odds of the n blocks of a table; see `explain`.

    There are M terms. Those of the trees, if there are any: their I inputs, their bias, and the
    choice between header and text. Those of the chain: the E entries of its template that read
    columns, its bags, its bias, the blocks before, and the blocks after. Last the calibration, if
    the model has one.

    Attributes:
        model, table: what is explained.
        columns: raw values by column name.
        values: (E, n) int32 value of every entry at every block.
        bags: bag column to (n, 3) float64 sums of the weights of the tokens of each block.
        scores: (n, 3) float64 log potentials: the sums of all weights, in double precision where
            `Model.scores` has single; they do not include the labels of the neighbours.
        messages: (2, n, 3) float64 log messages from the blocks before and from those after.
        grown: (n, I + 1) float64 what the inputs of the trees and their bias add to the log-odds of
            being kept; None without trees.
    """

    model: Model
    table: BlockTable
    columns: Mapping[str, ColumnValues]
    values: NDArray[np.int32]
    bags: Mapping[str, Floats]
    scores: Floats
    messages: Floats
    grown: Floats | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(M,) names of the terms; an input and an entry of the same column share a name."""
        trees = self.model.trees
        first = () if trees is None else (*map(column_name, trees.inputs), TREES_BIAS, KIND)
        entries = map(entry_name, self.model.weights.column_entries)
        last = () if self.model.calibration is None else (CALIBRATION,)
        return (*first, *entries, *self.bags, BIAS, BEFORE, AFTER, *last)

    @property
    def first_of_chain(self) -> int:
        """Number of the first term of the chain, after those of the trees."""
        return 0 if self.grown is None else self.grown.shape[1] + 1

    def is_chains(self, label: int, against: int) -> bool:
        """Whether the log-odds of two labels are made up of the terms of the chain."""
        return self.grown is None or Label.OTHER not in (label, against)

    @cached_property
    def marginals(self) -> Floats:
        """(n, 3) probability of every label, columns in the order of `Label`."""
        potentials = self._potentials - self._potentials.max(axis=1, keepdims=True)
        marginals = np.exp(potentials)
        marginals /= marginals.sum(axis=1, keepdims=True)
        if self.grown is not None:
            marginals = with_keep(marginals, self.grown.sum(axis=1))
        calibration = self.model.calibration
        return np.asarray(marginals if calibration is None else calibration(marginals))

    @cached_property
    def content(self) -> NDArray[np.uint8]:
        """(n,) the more probable of header and text; text if they are equal."""
        is_header = self.marginals[:, Label.HEADER] > self.marginals[:, Label.TEXT]
        return np.where(is_header, Label.HEADER, Label.TEXT).astype(np.uint8)

    def contributions(self, label: Label | None = None, against: Label = Label.OTHER) -> Floats:
        """What every term adds to ``log p(label) / p(against)`` of every block.

        Args:
            label: None takes the more probable of header and text, block by block.
            against: the label to compare with.

        Returns:
            (n, M) float64; a row sums to the log-odds of the block.
        """
        chosen = self._chosen(label)
        keeps = (_is_kept(chosen) - _is_kept(np.uint8(against)))[:, None]
        terms = [self._of_chain(chosen, against)]
        if self.grown is not None:
            kind = self._kind(chosen) - self._kind(np.full_like(chosen, against))
            terms = [self.grown * keeps, kind * np.abs(keeps), terms[0] * (keeps == 0)]
        if self.model.calibration is not None:
            terms.append(self._shift * keeps)
        return np.hstack(terms)

    def log_odds(self, label: Label | None = None, against: Label = Label.OTHER) -> Floats:
        """(n,) ``log p(label) / p(against)``; the arguments are those of `contributions`."""
        return np.asarray(self.contributions(label, against).sum(axis=1))

    def reasons(
        self,
        blocks: Sequence[int] | None = None,
        top: int = 5,
        *,
        label: Label | None = None,
        against: Label = Label.OTHER,
    ) -> list[Reasons]:
        """What spoke most for and against a label, in words.

        Args:
            blocks: numbers of blocks of the table; None for all.
            top: how many contributions of each sign.
            label: as for `contributions`.
            against: as for `contributions`.

        Raises:
            ConfigError: there is no such block.
        """
        n = len(self.table)
        wanted = list(range(n)) if blocks is None else list(blocks)
        for block in wanted:
            if not 0 <= block < n:
                raise ConfigError(f"no block {block}: the page has {n} blocks, numbered from 0")
        if not wanted:
            return []
        matrix = self.contributions(label, against)
        chosen = self._chosen(label)
        reader = _Reader(self, chosen, against)
        return [reader.reasons(block, matrix[block], top) for block in wanted]

    def _chosen(self, label: Label | None) -> NDArray[np.uint8]:
        if label is None:
            return self.content
        return np.full(len(self.table), label, dtype=np.uint8)

    def _of_chain(self, chosen: NDArray[np.uint8], against: Label) -> Floats:
        """What the terms of the chain add to the log-odds that the chain alone gives."""
        terms = [
            _relative(weights, against)[values, chosen]
            for weights, values in zip(self.model.weights.entries, self.values, strict=True)
        ]
        bias = np.tile(self.model.weights.bias.astype(np.float64), (len(chosen), 1))
        rows = np.arange(len(chosen))
        sides = [*self.bags.values(), bias, *self.messages]
        terms += [_relative(side, against)[rows, chosen] for side in sides]
        return np.stack(terms, axis=1)

    def _kind(self, labels: NDArray[np.uint8]) -> Floats:
        """(n, 1) log of the share that a label has of header and text; 0 for other."""
        potentials = self._potentials[np.arange(len(labels)), labels]
        return np.where(labels == Label.OTHER, 0.0, potentials - self._content)[:, None]

    @cached_property
    def _potentials(self) -> Floats:
        """(n, 3) log of the marginals of the chain alone, up to a constant of each block."""
        return np.asarray(self.scores + self.messages.sum(axis=0))

    @cached_property
    def _content(self) -> Floats:
        """(n,) the potential of header and text together."""
        header, text = self._potentials[:, Label.HEADER], self._potentials[:, Label.TEXT]
        return np.asarray(np.logaddexp(header, text))

    @cached_property
    def _shift(self) -> Floats:
        """(n, 1) what the calibration adds to the log-odds of being kept."""
        assert self.model.calibration is not None, "called only for a model that has one"
        if self.grown is None:
            log_odds = self._content - self._potentials[:, Label.OTHER]
        else:
            log_odds = self.grown.sum(axis=1)
        return np.asarray(self.model.calibration.log_odds(log_odds) - log_odds)[:, None]


def explain(
    model: Model, table: BlockTable, columns: Mapping[str, ColumnValues] | None = None
) -> Explanation:
    """Decompose the marginals of the blocks of a batch.

    Args:
        model: a trained model.
        table: pages split as the model's configuration says (`FeatureExtractor.table`).
        columns: the columns of its features, if they are known already.

    Raises:
        ConfigError: the model reads no column, so there is nothing to explain.
        FeatureError: a column that the model reads is missing.
    """
    _check(model)
    if columns is None:
        columns = FeatureExtractor(model.config).columns(table)
    weights, starts = model.weights, table.page_starts
    codes = dict(zip(model.codebook.names, model.codebook.codes(columns).T, strict=True))
    values = np.zeros((len(weights.column_entries), len(table)), dtype=np.int32)
    for row, entry in enumerate(weights.column_entries):
        values[row] = entry_values(
            entry, codes, starts, template=weights.template, sizes=weights.sizes
        )
    bags = {name: _bag_scores(name, columns, bag) for name, bag in weights.bags.items()}
    scores = _scores(weights, values, bags, len(table))
    grown = None if model.trees is None else model.trees.contributions(columns, starts)
    return Explanation(
        model,
        table,
        columns,
        values,
        bags,
        scores,
        messages(scores, weights.transitions, starts),
        grown,
    )


def strongest(model: Model, top: int | None = 20) -> list[Weight]:
    """The feature values whose weights differ most from those of *other*, strongest first.

    Args:
        model: a trained model.
        top: how many; None for all whose weights are not 0.

    Raises:
        ConfigError: the model reads no column.
    """
    _check(model)
    weights = model.weights
    tables = [*weights.entries, *(bag.values for bag in weights.bags.values())]
    if not tables:
        return []
    relative = np.concatenate([_relative(table, Label.OTHER)[:, : Label.OTHER] for table in tables])
    strength = np.abs(relative).max(axis=1)
    order = np.argsort(-strength, kind="stable")
    chosen = order[strength[order] > 0][:top]
    ends = np.cumsum([len(table) for table in tables])
    owner = np.searchsorted(ends, chosen, side="right")
    within = chosen - (ends - [len(table) for table in tables])[owner]
    named = _Named(model)
    return [
        Weight(*named.value(int(table), int(value)), *row)
        for table, value, row in zip(owner, within, relative[chosen].tolist(), strict=True)
    ]


def important(model: Model, top: int | None = 20) -> list[Importance]:
    """The inputs that explain most of the output of the trees, most important first.

    Args:
        model: a trained model.
        top: how many; None for all.

    Returns:
        The shares of `Trees.importance`; an empty list for a model without trees.
    """
    if model.trees is None:
        return []
    importance = model.trees.importance()
    shares = importance / max(float(importance.sum()), np.finfo(np.float64).tiny)
    order = np.argsort(-shares, kind="stable")[:top]
    names = [column_name(column) for column in model.trees.inputs]
    return [Importance(names[index], float(shares[index])) for index in order.tolist()]


def _is_kept(label: NDArray[np.uint8] | np.uint8) -> Floats:
    return np.asarray(label != Label.OTHER, dtype=np.float64)


def column_name(column: Input) -> str:
    """``word.count [-1]``."""
    name, offset = column
    return name + _at(offset)


def entry_name(entry: Entry) -> str:
    """``word.count [-1]``, ``center.inside & word.count [0]``, ``a [-1] & b [+2]``."""
    offsets = {offset for _, offset in entry.columns}
    if len(offsets) == 1:
        return " & ".join(name for name, _ in entry.columns) + _at(offsets.pop())
    return " & ".join(map(column_name, entry.columns))


def _at(offset: int) -> str:
    return f" [{offset:+d}]" if offset else " [0]"


def _check(model: Model) -> None:
    if not model.weights.column_entries and not model.weights.bags and model.trees is None:
        raise ConfigError(
            "the model reads no column, so there is nothing to explain; "
            "train it with a template that names some"
        )


def _relative(weights: NDArray[np.floating], against: Label) -> Floats:
    """Weights of (m, 3) minus that of one label, in double precision."""
    exact = weights.astype(np.float64)
    return exact - exact[:, against, None]


def _scores(
    weights: Weights, values: NDArray[np.int32], bags: Mapping[str, Floats], n: int
) -> Floats:
    """(n, 3) sums of all weights."""
    scores = np.tile(weights.bias.astype(np.float64), (n, 1))
    for table, rows in zip(weights.entries, values, strict=True):
        scores += table[rows]
    for sums in bags.values():
        scores += sums
    return scores


def _bag_scores(name: str, columns: Mapping[str, ColumnValues], weights: BagWeights) -> Floats:
    """(n, 3) sums of the weights of the tokens of each block; unknown tokens weigh nothing."""
    bag = columns.get(name)
    if not isinstance(bag, Bag):
        raise FeatureError(f"the model needs bag {name}: switch its feature on or retrain")
    row = {token: number for number, token in enumerate(weights.vocabulary)}
    known = np.concatenate([weights.values.astype(np.float64), np.zeros((1, len(Label)))])
    rows = [row.get(token, len(row)) for token in bag.vocabulary]
    return bag.sums(known[np.array(rows, dtype=np.int64)])


class _Named:
    """The weights of a model by name; entries come first, then bags."""

    def __init__(self, model: Model) -> None:
        self.weights = model.weights
        self.entries = self.weights.column_entries
        self.columns = {
            column.name: column for column in FeatureExtractor(model.config).features.columns
        }
        self.code_names = CodeNames(model.codebook, self.columns)

    def codes(self, entry: Entry, value: int) -> list[int]:
        """The code of every column of an entry."""
        shape = extents(entry, self.weights.template, self.weights.sizes)
        return [int(code) for code in np.unravel_index(value, shape)]

    def beyond(self, column: Input, code: int) -> str | None:
        """A code for a position outside the page in words; None if it is inside."""
        name, offset = column
        row = code - self.weights.sizes[name]
        return outside(offset, row, self.weights.template.outside(offset)) if row >= 0 else None

    def value(self, number: int, value: int) -> tuple[str, str]:
        """Names of an entry or bag and of one of its values."""
        if number >= len(self.entries):
            name, bag = [*self.weights.bags.items()][number - len(self.entries)]
            return name, bag.vocabulary[value]
        entry = self.entries[number]
        names = [
            self.beyond(column, code) or self.code_names.name(column[0], code)
            for column, code in zip(entry.columns, self.codes(entry, value), strict=True)
        ]
        return entry_name(entry), " & ".join(names)


class _Reader:
    """Puts the terms of an explanation into words."""

    def __init__(self, explanation: Explanation, chosen: NDArray[np.uint8], against: Label) -> None:
        self._explained = explanation
        self._named = _Named(explanation.model)
        self._chosen = chosen
        self._against = against
        self._likely = explanation.marginals.argmax(axis=1)
        names = list(explanation.bags)
        self._tokens = {name: _tokens(explanation.columns[name]) for name in names}
        self._row = {
            name: {token: row for row, token in enumerate(bag.vocabulary)}
            for name, bag in explanation.model.weights.bags.items()
        }
        self._values = [*self._of_trees(explanation.model.trees), *self._of_chain()]

    def _of_trees(self, trees: Trees | None) -> Iterator[_Value]:
        """The value of each term of the trees as a function of the block."""
        if trees is not None:
            code_names = CodeNames(trees.codebook, self._named.columns)
            codes = trees.codebook.codes(self._explained.columns)
            by_name = dict(zip(trees.codebook.names, codes.T, strict=True))
            for column in trees.inputs:
                yield partial(self._input, code_names, column, by_name[column[0]])
            yield _nothing
            yield self._share

    def _of_chain(self) -> Iterator[_Value]:
        """The value of each term of the chain, and of a calibration, as a function of the block."""
        for number in range(len(self._named.entries)):
            yield partial(self._entry, number)
        yield from (_nothing for _ in (*self._tokens, BIAS))
        yield partial(self._neighbour, -1)
        yield partial(self._neighbour, 1)
        yield _nothing

    def reasons(self, block: int, row: Floats, top: int) -> Reasons:
        """The strongest contributions of each sign of one block, given its (M,) terms."""
        tokens = self._of_tokens(block)
        weights = np.append(row, [token.weight for token in tokens])
        bags = self._explained.first_of_chain + len(self._named.entries)
        weights[bags : bags + len(self._tokens)] = 0  # replaced by their tokens
        order = np.argsort(-weights, kind="stable").tolist()
        high = [k for k in order[:top] if weights[k] > 0]
        low = [k for k in order[::-1][:top] if weights[k] < 0]
        others = np.delete(weights, high + low)
        return Reasons(
            block=block,
            label=Label(int(self._chosen[block])),
            against=self._against,
            log_odds=float(weights.sum()),
            speaks_for=tuple(self._contribution(k, block, weights, tokens) for k in high),
            speaks_against=tuple(self._contribution(k, block, weights, tokens) for k in low),
            rest=Contribution(f"{np.count_nonzero(others)} more", "", float(others.sum())),
        )

    def _contribution(
        self, number: int, block: int, weights: Floats, tokens: Sequence[Contribution]
    ) -> Contribution:
        names = self._explained.names
        if number >= len(names):
            return tokens[number - len(names)]
        return Contribution(names[number], self._values[number](block), float(weights[number]))

    def _of_tokens(self, block: int) -> list[Contribution]:
        """What the tokens of all bags add to a block, one contribution per distinct token."""
        chosen, contributions = int(self._chosen[block]), []
        if not self._explained.is_chains(chosen, self._against):
            return []
        for name, weights in self._explained.model.weights.bags.items():
            for token, times in Counter(self._tokens[name][block]).items():
                if token in self._row[name]:
                    row = weights.values[self._row[name][token]].astype(np.float64)
                    shown = token if times == 1 else f"{token}, {times} times"
                    weight = times * float(row[chosen] - row[self._against])
                    contributions.append(Contribution(name, shown, weight))
        return contributions

    def _input(
        self, code_names: CodeNames, column: Input, codes: NDArray[np.uint8], block: int
    ) -> str:
        name, offset = column
        values, source = self._explained.columns[name], block + offset
        assert not isinstance(values, Bag), "trees read no bags"
        if not self._is_same_page(block, source):
            return outside(offset, 0, 1)
        return code_names.value(name, values[source], int(codes[source]))

    def _share(self, block: int) -> str:
        """The share of the label in question among header and text."""
        label = int(min(self._chosen[block], self._against))
        header, text, _ = self._explained.marginals[block].tolist()
        share = (header, text)[label] / max(header + text, np.finfo(np.float64).tiny)
        return f"{LABEL_NAMES[label]} {share:.3f}"

    def _entry(self, number: int, block: int) -> str:
        entry = self._named.entries[number]
        codes = self._named.codes(entry, int(self._explained.values[number, block]))
        return " & ".join(
            self._named.beyond(column, code) or self._value(column, block, code)
            for column, code in zip(entry.columns, codes, strict=True)
        )

    def _value(self, column: Input, block: int, code: int) -> str:
        name, offset = column
        values = self._explained.columns[name]
        assert not isinstance(values, Bag), "entries read no bags"
        return self._named.code_names.value(name, values[block + offset], code)

    def _neighbour(self, step: int, block: int) -> str:
        """The label of a block and the most probable one of the next block in a direction."""
        if not self._is_same_page(block, block + step):
            return "the page begins here" if step < 0 else "the page ends here"
        label = LABEL_NAMES[self._chosen[block]]
        neighbour = LABEL_NAMES[self._likely[block + step]]
        return f"{neighbour} → {label}" if step < 0 else f"{label} → {neighbour}"

    def _is_same_page(self, block: int, other: int) -> bool:
        page = self._explained.table.page
        return 0 <= other < len(page) and bool(page[other] == page[block])


def _nothing(_: int) -> str:
    """A bias, a calibration and a whole bag have no value."""
    return ""


def _tokens(values: ColumnValues) -> list[list[str]]:
    assert isinstance(values, Bag), "a bag column is a bag"
    return values.tokens()
