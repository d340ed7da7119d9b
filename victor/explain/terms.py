"""The terms of node potentials: what linear potentials and trees have in common.

The log potential of a label at a block is a sum. For linear potentials the terms are the weights of
the block's feature values, for trees what each of their inputs adds. Explanations read both
through this interface.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from victor.base.arrays import Floats, Labels
from victor.base.labels import Label

BIAS: Final = "bias"
"""Name of the term that is the same for every block."""


class Summand(NamedTuple):
    """One part of the log-odds of two labels of a block."""

    name: str
    weight: float
    value: Callable[[], str]
    """Gives the value in words; only the few summands that are shown need it."""
    columns: tuple[tuple[str, int], ...] = ()
    """The columns that it is of, each with the offset of its block; none if it is no feature."""


class NodeTerms(Protocol):
    """The M terms of the log potentials of the n blocks of a table."""

    @property
    def names(self) -> tuple[str, ...]:
        """(M,) names."""
        ...

    @property
    def potentials(self) -> Floats:
        """(n, 3) float64 log potentials of the labels: the sums of all terms."""
        ...

    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, M) what every term gives to a label of each block more than to another label."""
        ...

    def summands(self, block: int, row: Floats, label: Label, against: Label) -> list[Summand]:
        """The terms of a block in words; a bag is divided among its tokens.

        Args:
            block: number of the block.
            row: (M,) the row of `differences` of this block.
            label: the label of the block there.
            against: as there.
        """
        ...


def column_name(name: str, offset: int) -> str:
    """A column and the offset of the block that it is read from.

    >>> column_name("word.count", -1), column_name("word.count", 0)
    ('word.count [-1]', 'word.count [0]')
    """
    return name + at(offset)


def at(offset: int) -> str:
    """An offset in brackets."""
    return f" [{offset:+d}]" if offset else " [0]"


def nothing() -> str:
    """A bias and a calibration have no value."""
    return ""
