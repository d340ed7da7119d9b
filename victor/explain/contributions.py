"""Why a model labels a block as it does: its log-odds as a sum over features and neighbours.

In a linear chain the marginal of label y at block i is proportional to
``exp(e_i(y) + l_i(y) + r_i(y))``: e is the sum of the weights of the block's feature values, l and
r are the logarithms of the forward message into the block and of the backward message (Lafferty,
McCallum and Pereira 2001, section 3). So the log-odds of two labels are exactly the sum of
the differences of the weights of every feature value, of the bias, and of the two messages.

Where a model has trees, these say how probable it is that a block is kept, and the chain only how
header and text share that. So the log-odds of header or text against *other* are the sum of what
every input adds on the way down the trees (Saabas 2014, `Trees.contributions`) and
of the logarithm of the label's share; those of header against text are the chain's as before.
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
from victor.explain.code_names import Bins, outside
from victor.features.base import Bag, ColumnValues
from victor.labels import LABEL_NAMES, Label
from victor.model.crf.attributes import entry_values, extents
from victor.model.crf.marginals import messages
from victor.model.crf.weights import BagWeights, Weights
from victor.model.extractor import Analyzer
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
    """The weights of one value of one entry relative to that of *other*."""

    name: str
    value: str
    header: float
    text: float


class Importance(NamedTuple):
    """What an input of the trees explains of all that they say."""

    name: str
    share: float
    """0 to 1; all inputs together have 1."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """The terms that make up the log-odds of the n blocks of a table; see `explain`.

    There are M terms. Those of the trees, where there are some: their I inputs, their bias, and
    the choice between header and text. Those of the chain: the E entries of its template that read
    columns, its bags, its bias, the blocks before, and the blocks after. Last the calibration of a
    model that has one.

    Attributes:
        model, table: what is explained.
        columns: raw values by column name.
        values: (E, n) int32 value of every entry at every block.
        bags: bag column to (n, 3) float64 sums of the weights of the tokens of each block.
        scores: (n, 3) float64 log potentials: the sums of all weights, in double precision where
            `Model.scores` has single; the labels of the neighbours are not in them.
        messages: (2, n, 3) float64 what comes from the blocks before and from those behind.
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
        """(M,) names of the terms; an input and an entry of one place have the same name."""
        trees = self.model.trees
        first = () if trees is None else (*map(place_name, trees.inputs), TREES_BIAS, KIND)
        entries = map(entry_name, self.model.weights.column_entries)
        last = () if self.model.calibration is None else (CALIBRATION,)
        return (*first, *entries, *self.bags, BIAS, BEFORE, AFTER, *last)

    @property
    def first_of_chain(self) -> int:
        """Number of the first term of the chain; the terms of the trees come before."""
        return 0 if self.grown is None else self.grown.shape[1] + 1

    def is_chains(self, label: int, against: int) -> bool:
        """Are the log-odds of two labels made up of the terms of the chain."""
        return self.grown is None or Label.OTHER not in (label, against)

    @cached_property
    def marginals(self) -> Floats:
        """(n, 3) probability of every label, columns in the order of `Label`."""
        potentials = self._potentials - self._potentials.max(axis=1, keepdims=True)
        found = np.exp(potentials)
        found /= found.sum(axis=1, keepdims=True)
        if self.grown is not None:
            found = with_keep(found, self.grown.sum(axis=1))
        calibration = self.model.calibration
        return np.asarray(found if calibration is None else calibration(found))

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
        own = self._potentials[np.arange(len(labels)), labels]
        return np.where(labels == Label.OTHER, 0.0, own - self._content)[:, None]

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
        assert self.model.calibration is not None, "asked only of a model that has one"
        if self.grown is None:
            log_odds = self._content - self._potentials[:, Label.OTHER]
        else:
            log_odds = self.grown.sum(axis=1)
        return np.asarray(self.model.calibration.log_odds(log_odds) - log_odds)[:, None]


def explain(
    model: Model, table: BlockTable, columns: Mapping[str, ColumnValues] | None = None
) -> Explanation:
    """Take the marginals of the blocks of a batch apart.

    Args:
        model: a trained model.
        table: pages cut as the model's configuration says (`Analyzer.table`).
        columns: the columns of its features, if they are there already.

    Raises:
        ConfigError: the model reads no column, so there is nothing to explain.
        FeatureError: a column that the model reads is missing.
    """
    _check(model)
    if columns is None:
        columns = Analyzer(model.config).columns(table)
    weights, starts = model.weights, table.page_starts
    codes = dict(zip(model.codebook.names, model.codebook.codes(columns).T, strict=True))
    values = np.zeros((len(weights.column_entries), len(table)), dtype=np.int32)
    for row, entry in enumerate(weights.column_entries):
        values[row] = entry_values(
            entry, codes, starts, template=weights.template, sizes=weights.sizes
        )
    bags = {name: _bag_scores(name, columns, bag) for name, bag in weights.bags.items()}
    scores = _scores(weights, values, bags, len(table))
    heard = messages(scores, weights.transitions, starts)
    grown = None if model.trees is None else model.trees.contributions(columns, starts)
    return Explanation(model, table, columns, values, bags, scores, heard, grown)


def strongest(model: Model, top: int | None = 20) -> list[Weight]:
    """The feature values whose weights differ most from those of *other*, strongest first.

    Args:
        model: a trained model.
        top: how many; None for all that are not 0.

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
    """The inputs that the trees of a model say most by, most important first.

    Args:
        model: a trained model.
        top: how many; None for all.

    Returns:
        Nothing for a model without trees. The shares are those of `Trees.importance`.
    """
    if model.trees is None:
        return []
    found = model.trees.importance()
    shares = found / max(float(found.sum()), np.finfo(np.float64).tiny)
    order = np.argsort(-shares, kind="stable")[:top]
    return [
        Importance(place_name(model.trees.inputs[place]), float(shares[place]))
        for place in order.tolist()
    ]


def _is_kept(label: NDArray[np.uint8] | np.uint8) -> Floats:
    return np.asarray(label != Label.OTHER, dtype=np.float64)


def place_name(place: Input) -> str:
    """``word.count [-1]``."""
    name, offset = place
    return name + _at(offset)


def entry_name(entry: Entry) -> str:
    """``word.count [-1]``, ``center.inside & word.count [0]``, ``a [-1] & b [+2]``."""
    offsets = {offset for _, offset in entry.columns}
    if len(offsets) == 1:
        return " & ".join(name for name, _ in entry.columns) + _at(offsets.pop())
    return " & ".join(map(place_name, entry.columns))


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
    for table, found in zip(weights.entries, values, strict=True):
        scores += table[found]
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
        self.columns = {column.name: column for column in Analyzer(model.config).features.columns}
        self.bins = Bins(model.codebook, self.columns)

    def codes(self, entry: Entry, value: int) -> list[int]:
        """The code at every place of an entry."""
        shape = extents(entry, self.weights.template, self.weights.sizes)
        return [int(code) for code in np.unravel_index(value, shape)]

    def beyond(self, place: tuple[str, int], code: int) -> str | None:
        """What a code says of a place outside the page; None if it is inside."""
        name, offset = place
        row = code - self.weights.sizes[name]
        return outside(offset, row, self.weights.template.outside(offset)) if row >= 0 else None

    def value(self, number: int, value: int) -> tuple[str, str]:
        """Names of an entry or bag and of one of its values."""
        if number >= len(self.entries):
            name, bag = [*self.weights.bags.items()][number - len(self.entries)]
            return name, bag.vocabulary[value]
        entry = self.entries[number]
        places = zip(entry.columns, self.codes(entry, value), strict=True)
        parts = [self.beyond(p, code) or self.bins.name(p[0], code) for p, code in places]
        return entry_name(entry), " & ".join(parts)


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
        """What says the value of each term of the trees at a block."""
        if trees is not None:
            bins = Bins(trees.codebook, self._named.columns)
            codes = trees.codebook.codes(self._explained.columns)
            by_name = dict(zip(trees.codebook.names, codes.T, strict=True))
            for place in trees.inputs:
                yield partial(self._input, bins, place, by_name[place[0]])
            yield _nothing
            yield self._share

    def _of_chain(self) -> Iterator[_Value]:
        """What says the value of each term of the chain, and of a calibration."""
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
        weights[bags : bags + len(self._tokens)] = 0  # their tokens stand for them
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
        """What the tokens of all bags add to a block, each kind of token once."""
        chosen, found = int(self._chosen[block]), []
        if not self._explained.is_chains(chosen, self._against):
            return []
        for name, weights in self._explained.model.weights.bags.items():
            for token, times in Counter(self._tokens[name][block]).items():
                if token in self._row[name]:
                    row = weights.values[self._row[name][token]].astype(np.float64)
                    shown = token if times == 1 else f"{token}, {times} times"
                    found.append(
                        Contribution(name, shown, times * float(row[chosen] - row[self._against]))
                    )
        return found

    def _input(self, bins: Bins, place: Input, codes: NDArray[np.uint8], block: int) -> str:
        name, offset = place
        values, there = self._explained.columns[name], block + offset
        assert not isinstance(values, Bag), "trees read no bags"
        if not self._is_same_page(block, there):
            return outside(offset, 0, 1)
        return bins.value(name, values[there], int(codes[there]))

    def _share(self, block: int) -> str:
        """How much of header and text is the label that they are asked about."""
        label = int(min(self._chosen[block], self._against))
        header, text, _ = self._explained.marginals[block].tolist()
        share = (header, text)[label] / max(header + text, np.finfo(np.float64).tiny)
        return f"{LABEL_NAMES[label]} {share:.3f}"

    def _entry(self, number: int, block: int) -> str:
        entry = self._named.entries[number]
        codes = self._named.codes(entry, int(self._explained.values[number, block]))
        return " & ".join(
            self._named.beyond(place, code) or self._place(place, block, code)
            for place, code in zip(entry.columns, codes, strict=True)
        )

    def _place(self, place: tuple[str, int], block: int, code: int) -> str:
        name, offset = place
        values = self._explained.columns[name]
        assert not isinstance(values, Bag), "entries read no bags"
        return self._named.bins.value(name, values[block + offset], code)

    def _neighbour(self, step: int, block: int) -> str:
        """The most probable labels of a block and the next one in a direction."""
        other = block + step
        own = LABEL_NAMES[self._chosen[block]]
        if not self._is_same_page(block, other):
            return "the page begins here" if step < 0 else "the page ends here"
        beside = LABEL_NAMES[self._likely[other]]
        return f"{beside} → {own}" if step < 0 else f"{own} → {beside}"

    def _is_same_page(self, block: int, other: int) -> bool:
        page = self._explained.table.page
        return 0 <= other < len(page) and bool(page[other] == page[block])


def _nothing(_: int) -> str:
    """Of a bias, a calibration and a whole bag there is nothing to say."""
    return ""


def _tokens(values: ColumnValues) -> list[list[str]]:
    assert isinstance(values, Bag), "a bag column is a bag"
    return values.tokens()
