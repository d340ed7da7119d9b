"""Why a model labels a block as it does: its log-odds as a sum over features and neighbours.

In a linear chain the marginal of label y at block i is proportional to
``exp(e_i(y) + l_i(y) + r_i(y))``: e is the sum of the weights of the block's feature values, l and
r are the logarithms of the forward message into the block and of the backward message (Lafferty,
McCallum and Pereira 2001, section 3). So the log-odds of two labels are exactly the sum of
the differences of the weights of every feature value, of the bias, and of the two messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.analysis import Analyzer
from victor.bins import Bins, outside
from victor.blocks import BlockTable
from victor.columns import Bag, ColumnValues
from victor.crf.attributes import entry_values, extents
from victor.crf.marginals import messages
from victor.crf.model import Model
from victor.crf.weights import BagWeights, Weights
from victor.errors import ConfigError, FeatureError
from victor.labels import LABEL_NAMES, Label
from victor.template import Entry

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BIAS: Final = "bias"
BEFORE: Final = "blocks before"
AFTER: Final = "blocks after"
CALIBRATION: Final = "calibration"


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


@dataclass(frozen=True, eq=False)
class Explanation:
    """The terms that make up the log-odds of the n blocks of a table; see `explain`.

    There are M terms: the E entries of the template that read columns, its bags, the bias, the
    blocks before, the blocks after, and the calibration of a model that has one.

    Attributes:
        model, table: what is explained.
        columns: raw values by column name.
        values: (E, n) int32 value of every entry at every block.
        bags: bag column to (n, 3) float64 sums of the weights of the tokens of each block.
        scores: (n, 3) float64 log potentials: the sums of all weights, in double precision where
            `Model.scores` has single; the labels of the neighbours are not in them.
        messages: (2, n, 3) float64 what comes from the blocks before and from those behind.
    """

    model: Model
    table: BlockTable
    columns: Mapping[str, ColumnValues]
    values: NDArray[np.int32]
    bags: Mapping[str, Floats]
    scores: Floats
    messages: Floats

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(M,) names of the terms."""
        entries = map(entry_name, self.model.weights.column_entries)
        last = () if self.model.calibration is None else (CALIBRATION,)
        return (*entries, *self.bags, BIAS, BEFORE, AFTER, *last)

    @cached_property
    def marginals(self) -> Floats:
        """(n, 3) probability of every label, columns in the order of `Label`."""
        potentials = self.scores + self.messages.sum(axis=0)
        potentials -= potentials.max(axis=1, keepdims=True)
        found = np.exp(potentials)
        found /= found.sum(axis=1, keepdims=True)
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
        terms = [
            _relative(weights, against)[values, chosen]
            for weights, values in zip(self.model.weights.entries, self.values, strict=True)
        ]
        rows = np.arange(len(chosen))
        sides = [*self.bags.values(), *self._bias_and_messages()]
        terms += [_relative(side, against)[rows, chosen] for side in sides]
        if self.model.calibration is not None:
            terms.append(self._shift * (_is_kept(chosen) - _is_kept(np.uint8(against))))
        return np.stack(terms, axis=1)

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

    @cached_property
    def _shift(self) -> Floats:
        """(n,) what the calibration adds to the log-odds of being kept."""
        assert self.model.calibration is not None, "asked only of a model that has one"
        potentials = self.scores + self.messages.sum(axis=0)
        kept = np.logaddexp(potentials[:, Label.HEADER], potentials[:, Label.TEXT])
        log_odds = kept - potentials[:, Label.OTHER]
        return np.asarray(self.model.calibration.log_odds(log_odds) - log_odds)

    def _bias_and_messages(self) -> list[Floats]:
        bias = np.tile(self.model.weights.bias.astype(np.float64), (len(self.table), 1))
        return [bias, self.messages[0], self.messages[1]]


def explain(
    model: Model, table: BlockTable, columns: Mapping[str, ColumnValues] | None = None
) -> Explanation:
    """Take the marginals of the blocks of a batch apart.

    Args:
        model: a trained model.
        table: pages cut as the model's configuration says (`victor.analysis.Analyzer.table`).
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
    return Explanation(model, table, columns, values, bags, scores, heard)


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


def _is_kept(label: NDArray[np.uint8] | np.uint8) -> Floats:
    return np.asarray(label != Label.OTHER, dtype=np.float64)


def entry_name(entry: Entry) -> str:
    """``word.count [-1]``, ``center.inside & word.count [0]``, ``a [-1] & b [+2]``."""
    offsets = {offset for _, offset in entry.columns}
    if len(offsets) == 1:
        return " & ".join(name for name, _ in entry.columns) + _at(offsets.pop())
    return " & ".join(name + _at(offset) for name, offset in entry.columns)


def _at(offset: int) -> str:
    return f" [{offset:+d}]" if offset else " [0]"


def _check(model: Model) -> None:
    if not model.weights.column_entries and not model.weights.bags:
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
        declared = {column.name: column for column in Analyzer(model.config).features.columns}
        self.bins = Bins(model.codebook, declared)

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

    def reasons(self, block: int, row: Floats, top: int) -> Reasons:
        """The strongest contributions of each sign of one block, given its (M,) terms."""
        tokens = self._of_tokens(block)
        weights = np.append(row, [token.weight for token in tokens])
        n_entries, n_bags = len(self._named.entries), len(self._tokens)
        weights[n_entries : n_entries + n_bags] = 0  # their tokens stand for them
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
        return Contribution(names[number], self._value(number, block), float(weights[number]))

    def _value(self, number: int, block: int) -> str:
        """The value of a term at a block in words; nothing is said of the bias."""
        name = self._explained.names[number]
        if number < len(self._named.entries):
            return self._entry(number, block)
        return (
            ""
            if name in (BIAS, CALIBRATION)
            else self._neighbour(block, -1 if name == BEFORE else 1)
        )

    def _of_tokens(self, block: int) -> list[Contribution]:
        """What the tokens of all bags add to a block, each kind of token once."""
        chosen, found = int(self._chosen[block]), []
        for name, weights in self._explained.model.weights.bags.items():
            for token, times in Counter(self._tokens[name][block]).items():
                if token in self._row[name]:
                    row = weights.values[self._row[name][token]].astype(np.float64)
                    shown = token if times == 1 else f"{token}, {times} times"
                    found.append(
                        Contribution(name, shown, times * float(row[chosen] - row[self._against]))
                    )
        return found

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

    def _neighbour(self, block: int, step: int) -> str:
        """The most probable labels of a block and the next one in a direction."""
        page, other = self._explained.table.page, block + step
        own = LABEL_NAMES[self._chosen[block]]
        if not 0 <= other < len(page) or page[other] != page[block]:
            return "the page begins here" if step < 0 else "the page ends here"
        beside = LABEL_NAMES[self._likely[other]]
        return f"{beside} → {own}" if step < 0 else f"{own} → {beside}"


def _tokens(values: ColumnValues) -> list[list[str]]:
    assert isinstance(values, Bag), "a bag column is a bag"
    return values.tokens()
