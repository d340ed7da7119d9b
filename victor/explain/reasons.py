"""The reasons for a decision: facts of a block without which the model would think otherwise.

A reason is named only if three things agree: the fact holds of the block, the columns that it is
read from speak for the same side, and the model moves to the other side when it runs again without
the module (`victor.explain.deletion`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Floats
from victor.base.cached import cached_property
from victor.base.labels import Label
from victor.explain.columns import number
from victor.explain.contributions import Explanation
from victor.explain.deletion import Deletions
from victor.explain.facts import FACTS, Fact
from victor.features.base import Bag

NEIGHBOURS: Final = "neighbours"
"""Stands for a module where the labels of other blocks are the reason."""
_LEAST: Final = 0.3
"""Log-odds by which a deletion has to move a block, before and after its neighbours speak."""
_LEAST_SHARE, _MOST_SHARE = 0.2, 0.5
"""Share of what the first reason moves that every other one moves: less is not worth a word, and of
two that move nearly the same nobody could say which comes first."""
_MOST: Final = 3
"""Reasons of a side."""
_BACKGROUND: Final = frozenset({NEIGHBOURS, "declared", "document"})
"""What is no property of the block: it is named if little else is, or if it alone decides."""
_FEW: Final = 2
"""Reasons of the block itself that are enough."""
_BEGINNING: Final = 3
"""Words that two facts begin with if they say much the same: *in a box* of either kind."""
_ORDER: Final = frozenset({"after", "before", "between"})
"""Words that say where a block stands, which a sentence says once."""
_KEPT, _DROPPED = 1.0, -1.0


class Reason(NamedTuple):
    """A fact of a block that matters."""

    words: str
    """E.g. ``mostly links``."""
    module: str
    """Whose columns it is read from; `NEIGHBOURS` if the blocks beside it are the reason."""
    change: float
    """What the module adds to the log-odds of being kept: the model with it, less without."""


class Sides(NamedTuple):
    """The reasons to keep a block and those to drop it, the strongest first."""

    to_keep: tuple[Reason, ...]
    to_drop: tuple[Reason, ...]


@dataclass(frozen=True, eq=False)
class _Deletion:
    """A module, and what its deletion changes for each of n blocks.

    Attributes:
        module: its name.
        change: (n,) of the log-odds of being kept, by the whole model.
        strength: (n,) the least of the changes of the whole model, of the node and of the sum of
            its contributions, 0 where they disagree; with a sign.
    """

    module: str
    change: Floats
    strength: Floats


@dataclass(frozen=True, eq=False)
class PageReasons:
    """Finds the reasons of the n blocks of an explained table.

    Attributes:
        explanation: of the blocks.
    """

    explanation: Explanation

    def of_block(self, block: int) -> Sides:
        """The reasons of both sides of a block."""
        return Sides(self._side(block, _KEPT), self._side(block, _DROPPED))

    def _side(self, block: int, sign: float) -> tuple[Reason, ...]:
        reasons: dict[str, Reason] = {}
        for reason in sorted(self._candidates(block, sign), key=lambda it: -sign * it.change):
            reasons.setdefault(_theme(reason), reason)
        n_own = sum(reason.module not in _BACKGROUND for reason in reasons.values())
        told = [
            reason
            for reason in reasons.values()
            if n_own < _FEW or reason.module not in _BACKGROUND or self._turns(block, reason)
        ]
        shares = [(reason, reason.change / told[0].change) for reason in told[1:]]
        weaker = [reason for reason, share in shares if _LEAST_SHARE <= share <= _MOST_SHARE]
        return (*told[:1], *weaker[: _MOST - 1])

    def _candidates(self, block: int, sign: float) -> Iterator[Reason]:
        """Every module with something to say for a side."""
        for deletion in self._deletions:
            if sign * deletion.strength[block] >= _LEAST:
                words = self._told(deletion.module, block, sign)
                if words:
                    yield Reason(words, deletion.module, float(deletion.change[block]))
        change = float(self._neighbours[block])
        words = self._beside(block, sign) if sign * change >= _LEAST else ""
        if words:
            yield Reason(words, NEIGHBOURS, change)

    def _told(self, module: str, block: int, sign: float) -> str:
        """The first fact of a module that holds and speaks for the side; empty if none does.

        Of a module without facts, such as a user's own, the column that speaks most is told.
        """
        if module not in FACTS:
            return self._measured(module, block, sign)
        for fact, speaks in self._facts[module]:
            if speaks[block] and fact.keeps == (sign > 0):
                return fact.told(self.explanation.columns, block)
        return ""

    def _measured(self, module: str, block: int, sign: float) -> str:
        """The column of a module that speaks most for a side, with its value."""
        features, columns = self.explanation.features, self.explanation.columns
        weights = {
            name: sign * sums[block]
            for name, sums in self._by_column.items()
            if features.by_column.get(name) == module
        }
        name = max(weights, key=lambda column: weights[column], default="")
        values = columns.get(name)
        if values is None or isinstance(values, Bag) or weights[name] <= 0:
            return ""
        value = float(values[block])
        is_bool = features.declared[name].kind == "bool"
        shown = ("no", "yes")[int(value)] if is_bool else number(value)
        return f"{features.meanings[name]} = {shown}"

    def _beside(self, block: int, sign: float) -> str:
        """The neighbours, if all of them are on the side."""
        page = self.explanation.table.page
        beside = [b for b in (block - 1, block + 1)
                  if 0 <= b < len(page) and page[b] == page[block]]  # fmt: skip
        is_kept = self.explanation.marginals[beside, Label.OTHER] < 0.5
        if not beside or (is_kept != (sign > 0)).any():
            return ""
        return f"beside {'text' if sign > 0 else 'boilerplate'}"

    def _turns(self, block: int, reason: Reason) -> bool:
        """Would the block be on the other side without a reason."""
        odds = self._odds[block]
        return bool(odds * (odds - reason.change) < 0)

    @cached_property
    def _odds(self) -> Floats:
        other = self.explanation.marginals[:, Label.OTHER]
        return np.asarray(np.log1p(-other) - np.log(other))

    @cached_property
    def _deletions(self) -> Sequence[_Deletion]:
        deletions, found = Deletions(self.explanation), []
        for module in deletions.modules():
            node, change = deletions.of_module(module)
            found.append(_Deletion(module, change, _agreed(node, change, self._sum(module))))
        return found

    @cached_property
    def _neighbours(self) -> Floats:
        return Deletions(self.explanation).of_neighbours()

    @cached_property
    def _facts(self) -> dict[str, list[tuple[Fact, Bools]]]:
        """The facts of each module, and for which blocks they hold and their columns speak."""
        return {
            module: [(fact, self._speaks(fact, holds)) for fact, holds in self._holding(module)]
            for module in FACTS
        }

    def _holding(self, module: str) -> Iterator[tuple[Fact, Bools]]:
        """The facts of a module of which the columns are known, and of which blocks they hold."""
        for fact in FACTS[module]:
            holds = fact.of(self.explanation.columns)
            if holds is not None and holds.any():
                yield fact, holds

    def _speaks(self, fact: Fact, holds: Bools) -> Bools:
        """(n,) does a fact hold and what its columns add speak for its side."""
        weights = sum(self._by_column[name] for name in fact.columns if name in self._by_column)
        return np.asarray(holds & (weights > 0 if fact.keeps else weights < 0))

    def _sum(self, module: str) -> Floats:
        """(n,) what the columns of a module add to the log-odds of the better label kept."""
        owner = self.explanation.features.by_column
        columns = self._by_column.items()
        return np.asarray(sum(sums for name, sums in columns if owner.get(name) == module))

    @cached_property
    def _by_column(self) -> dict[str, Floats]:
        """(n,) what the terms of each column, at any offset, add to these log-odds."""
        matrix = self.explanation.contributions()
        sums: dict[str, Floats] = {}
        for name, weights in zip(self.explanation.names, matrix.T, strict=True):
            column = name.partition(" ")[0]
            sums[column] = sums[column] + weights if column in sums else weights
        return sums


def _theme(reason: Reason) -> str:
    """What a sentence says once."""
    words = reason.words.split()
    return words[0] if words[0] in _ORDER else " ".join(words[:_BEGINNING])


def _agreed(*changes: Floats) -> Floats:
    """(n,) the change of least size where all have one sign, else 0."""
    stacked = np.stack(changes)
    low, high = stacked.min(axis=0), stacked.max(axis=0)
    return np.where(low > 0, low, np.where(high < 0, high, 0.0))
