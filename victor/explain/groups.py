"""Why blocks have their labels, by whichever system: the groups of a model, the clues of rules.

The log-odds of a block are divided by feature module. Every term goes to one group, so the groups
add up to the log-odds:

- The term of a column goes to the feature module that gives the column. In trees each question is
  about one column, and what its answer changes is the column's (`victor.explain.terms`); so
  a tree that asks several modules is divided among them by its questions, and nothing is shared.
- A conjunction in a template of linear potentials has one weight for several columns together. It
  goes to their module if they have the same one, else to the group `TOGETHER`: no rule could say
  whose it is.
- What is no feature has groups of its own: the labels of other blocks, what holds for every block,
  and the calibration.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

import numpy as np

from victor.base.arrays import Floats
from victor.base.labels import Label
from victor.explain.columns import FeatureModules, module_title
from victor.explain.contributions import CALIBRATION, POOLING, Explanation, explain
from victor.explain.terms import AFTER, BEFORE, BIAS, Summand
from victor.labelers import Labeler
from victor.labelers.crf import CrfLabeler
from victor.labelers.rules import Clue
from victor.page.table.blocks import BlockTable

NEIGHBOURS: Final = "labels of the other blocks"
EVERY_BLOCK: Final = "starting point for any block"
TOGETHER: Final = "columns of several groups together"
_MEANINGS: Final = {
    BEFORE: "labels of the blocks before it",
    AFTER: "labels of the blocks after it",
    POOLING: "labels of the blocks with the same markup",
    BIAS: EVERY_BLOCK,
    CALIBRATION: "correction that makes the probabilities come true",
}
_GROUPS: Final = {
    BEFORE: NEIGHBOURS,
    AFTER: NEIGHBOURS,
    POOLING: NEIGHBOURS,
    BIAS: EVERY_BLOCK,
    CALIBRATION: CALIBRATION,
}
_COUNTS: Final = "no one two three four five six seven eight nine ten".split()


class Part(NamedTuple):
    """What a column at a block, or several in conjunction, adds to the log-odds."""

    name: str
    """As `victor.explain.contributions.Contribution.name`."""
    meaning: str
    """Of the column, e.g. ``words in the block``."""
    where: str
    """Whose value it is, e.g. ``two blocks before``; empty for the block itself."""
    value: str
    """The value there and its bin, e.g. ``31 (25 or more)``."""
    weight: float
    """In natural logarithms; above 0 it speaks for the label."""


class Group(NamedTuple):
    """What the columns of a feature module add to the log-odds of a block."""

    name: str
    """For people, e.g. ``links``."""
    module: str
    """As the configuration names it; empty if it is no feature."""
    weight: float
    """The sum of all its parts."""
    parts: tuple[Part, ...]
    """The strongest ones, strongest first."""
    n_more: int
    """Parts beside these that add something."""
    more: float
    """What these add together."""


class Grouped(NamedTuple):
    """The log-odds of a label of a block, by groups."""

    block: int
    label: Label
    against: Label
    log_odds: float
    """The sum of the groups."""
    groups: tuple[Group, ...]
    """All of them, strongest first."""


def grouped(
    explanation: Explanation,
    blocks: Sequence[int] | None = None,
    top: int = 3,
    *,
    label: Label | None = None,
    against: Label = Label.OTHER,
) -> list[Grouped]:
    """What each feature module says of blocks.

    Args:
        explanation: of the batch.
        blocks: numbers of blocks of the table; None for all.
        top: how many parts of each group are put into words.
        label: as for `Explanation.contributions`.
        against: as there.

    Raises:
        ConfigError: there is no such block.
    """
    features = explanation.features
    return [
        Grouped(block, of_block, against, sum(group.weight for group in groups), groups)
        for block, of_block, summands in explanation.summands(blocks, label, against)
        for groups in [_groups(summands, features, top)]
    ]


def where(offset: int) -> str:
    """Whose value it is, given the offset of that block.

    >>> where(0), where(-1), where(2)
    ('', 'the block before', 'two blocks after')
    """
    if not offset:
        return ""
    side, distance = "before" if offset < 0 else "after", abs(offset)
    if distance == 1:
        return f"the block {side}"
    return f"{_COUNTS[distance] if distance < len(_COUNTS) else distance} blocks {side}"


def _groups(summands: Sequence[Summand], features: FeatureModules, top: int) -> tuple[Group, ...]:
    """The summands of a block, each in its group."""
    by_group: dict[tuple[str, str], list[Summand]] = defaultdict(list)
    for summand in summands:
        by_group[_group_of(summand, features)].append(summand)
    groups = [
        _group(name, module, parts, features.meanings, top)
        for (name, module), parts in by_group.items()
    ]
    return tuple(sorted(groups, key=lambda group: -abs(group.weight)))


def _group_of(summand: Summand, features: FeatureModules) -> tuple[str, str]:
    """Name and module of the group of a summand."""
    if not summand.columns:
        return _GROUPS[summand.name], ""
    module = features.module(name for name, _ in summand.columns)
    return (TOGETHER, "") if module is None else (module_title(module), module)


def _group(
    name: str,
    module: str,
    summands: Sequence[Summand],
    meanings: Mapping[str, str],
    top: int,
) -> Group:
    weights = np.array([summand.weight for summand in summands])
    order = np.argsort(-np.abs(weights), kind="stable")
    chosen, others = order[:top], weights[order[top:]]
    return Group(
        name=name,
        module=module,
        weight=float(weights.sum()),
        parts=tuple(_part(summands[k], meanings) for k in chosen.tolist() if weights[k] != 0),
        n_more=int(np.count_nonzero(others)),
        more=float(others.sum()),
    )


def _part(summand: Summand, of_columns: Mapping[str, str]) -> Part:
    """A summand in words."""
    if not summand.columns:
        return Part(summand.name, _MEANINGS[summand.name], "", summand.value(), summand.weight)
    meaning, whose = in_words(summand.columns, of_columns)
    return Part(summand.name, meaning, whose, summand.value(), summand.weight)


def in_words(columns: Sequence[tuple[str, int]], of_columns: Mapping[str, str]) -> tuple[str, str]:
    """The meaning of a column or conjunction, and whose value it is.

    Args:
        columns: each with the offset of its block.
        of_columns: meanings of columns by name.
    """
    meanings = [of_columns[name] for name, _ in columns]
    places = [where(offset) for _, offset in columns]
    if len({*places}) == 1:
        return " & ".join(meanings), places[0]
    pairs = zip(meanings, places, strict=True)  # of several blocks: each says whose it is
    return " & ".join(f"{what} ({whose})" if whose else what for what, whose in pairs), ""


class Finding(NamedTuple):
    """What the rules of a labeler found of a block."""

    name: str
    meaning: str
    value: float | bool | str
    limit: float | None
    """What the value is compared with; None if it is compared with nothing."""
    keeps: str
    """Which values speak for keeping the block: those ``up to``, ``from`` or ``above`` the limit;
    empty without one."""
    largest: float
    """The largest of the values of the blocks and of the limit; 0 if they are no numbers."""


class Why(NamedTuple):
    """Why a block has its label."""

    block: int
    grouped: Grouped | None
    """What each feature module adds to the log-odds, for a model; None for rules."""
    findings: tuple[Finding, ...]
    """What the rules found; none for a model."""


@runtime_checkable
class TellsClues(Protocol):
    """A labeler that can say what its rules found."""

    def clues(self, table: BlockTable) -> Sequence[Clue]:
        """What they found of the blocks of a table."""
        ...


def why(
    labeler: Labeler,
    table: BlockTable,
    blocks: Sequence[int],
    top: int = 3,
) -> list[Why]:
    """Why blocks of a table have their labels.

    Args:
        labeler: any system; of one that says nothing of itself there is nothing to tell.
        table: cut by it (`Labeler.table`).
        blocks: numbers of blocks.
        top: parts of each group.

    Raises:
        ConfigError: there is no such block, or the model reads no column.
    """
    if isinstance(labeler, CrfLabeler):
        explanation = explain(labeler.model, table, trust_code=labeler.trust_code)
        return [Why(reasons.block, reasons, ()) for reasons in grouped(explanation, blocks, top)]
    clues = labeler.clues(table) if isinstance(labeler, TellsClues) else ()
    return [Why(block, None, tuple(_finding(clue, block) for clue in clues)) for block in blocks]


def least_sure(other: Floats, most: int) -> list[int]:
    """The blocks whose labels are the least certain, in the order of the page.

    Args:
        other: (n,) p(other) of every block.
        most: how many blocks at the most.
    """
    return sorted(np.argsort(np.abs(other - 0.5), kind="stable")[:most].tolist())


def _finding(clue: Clue, block: int) -> Finding:
    values = np.asarray(clue.values)
    limit = None if clue.limit is None else float(clue.limit[block])
    is_number = values.dtype.kind in "iuf"
    largest = max(float(np.abs(values).max()), abs(limit or 0.0)) if is_number else 0.0
    value: float | bool | str = values[block].item()
    return Finding(clue.name, clue.meaning, value, limit, clue.keeps, largest)
