"""Why blocks have their labels: the log-odds by feature module, or what the rules found.

Every term of a model goes to one group, so the groups add up to the log-odds:

- The term of a column goes to the feature module that gives the column. In trees each question is
  about one column, and what its answer changes is the column's (`victor.explain.contributions`); so
  a tree that asks several modules is divided among them by its questions, and nothing is shared.
- A conjunction in a template of linear potentials has one weight for several columns together. It
  goes to their module if they have the same one, else to the group `TOGETHER`: no rule could say
  whose it is.
- What is no feature has groups of its own: the labels of other blocks, and what holds for every
  block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Floats
from victor.base.labels import Label
from victor.explain.contributions import (
    AFTER,
    BEFORE,
    BIAS,
    OF_NEIGHBOURS,
    POOLING,
    Explanation,
    Inputs,
    Summand,
    explain,
)
from victor.explain.wording import FeatureModules, module_title
from victor.labelers.crf import CrfLabeler
from victor.labelers.labeler import Labeler
from victor.labelers.rules import Clue
from victor.page.table.blocks import BlockTable

NEIGHBOURS: Final = "the labels of other blocks"
EVERY_BLOCK: Final = "starting point for any block"
TOGETHER: Final = "several measures together"
_MEANINGS: Final = {
    BEFORE: "labels of the blocks before it",
    AFTER: "labels of the blocks after it",
    POOLING: "labels of the blocks with the same markup",
    BIAS: EVERY_BLOCK,
}
_GROUPS: Final = {BIAS: EVERY_BLOCK, **dict.fromkeys(OF_NEIGHBOURS, NEIGHBOURS)}
_COUNTS: Final = "no one two three four five six seven eight nine ten".split()


class Part(Struct, frozen=True):
    """What a column at a block, or several in conjunction, adds to the log-odds."""

    name: str  # column and offset, e.g. ``word.count [-1]``; for a conjunction all of them
    meaning: str  # of the column, e.g. ``words in the block``
    where: str  # whose value it is, e.g. ``two blocks before``; empty for the block itself
    value: str  # the value there, e.g. ``31``
    bin: str
    """The bin that the model sees it in, e.g. ``25 or more``; empty where that says no more."""
    weight: float  # in natural logarithms; above 0 it speaks for the label

    @property
    def words(self) -> str:
        """All but the weight, e.g. ``words in the block, two blocks before: 31 (25 or more)``."""
        seen = f" ({self.bin})" if self.bin else ""
        return in_words(self.meaning, self.where, self.value + seen)


class Group(Struct, frozen=True):
    """What the columns of a feature module add to the log-odds of a block."""

    name: str  # for people, e.g. ``the links in and around it``
    module: str | None  # as the configuration names it; None if it is no feature
    weight: float  # the sum of all its parts
    parts: tuple[Part, ...]  # the strongest ones, strongest first
    n_more: int  # parts beside these that add something
    more: float  # what these add together


class Grouped(Struct, frozen=True):
    """The log-odds of a label of a block, by groups."""

    block: int
    label: str
    against: str
    log_odds: float  # the sum of the groups
    groups: tuple[Group, ...]  # all of them, strongest first


def grouped(
    explanation: Explanation, blocks: Sequence[int] | None = None, top: int = 3
) -> list[Grouped]:
    """What each feature module says of blocks (None for all), with the `top` parts in words.

    Raises:
        ConfigError: there is no such block.
    """
    features, found = explanation.features, []
    for block, label, summands in explanation.summands(blocks):
        members: dict[tuple[str, str | None], list[Summand]] = defaultdict(list)
        for summand in summands:
            members[group_of(summand.name, summand.columns, features)].append(summand)
        groups = [_group(*key, of_group, features, top) for key, of_group in members.items()]
        groups.sort(key=lambda group: -abs(group.weight))
        names = label.lower_name, Label.OTHER.lower_name
        found.append(Grouped(block, *names, sum(g.weight for g in groups), tuple(groups)))
    return found


def group_of(name: str, columns: Inputs, features: FeatureModules) -> tuple[str, str | None]:
    """Title and module of the group of a term, given its name and what it is of."""
    if not columns:
        return _GROUPS[name], None
    module = features.module(columns)
    return (TOGETHER if module is None else module_title(module)), module


def meaning_of(columns: Inputs, features: FeatureModules) -> tuple[str, str]:
    """The meaning of a column or conjunction, and whose value it is."""
    meanings = [features.meanings[name] for name, _ in columns]
    places = [where(offset) for _, offset in columns]
    if len({*places}) == 1:
        return " & ".join(meanings), places[0]
    pairs = zip(meanings, places, strict=True)  # of several blocks: each says whose it is
    return " & ".join(f"{what} ({whose})" if whose else what for what, whose in pairs), ""


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


def in_words(meaning: str, whose: str, value: str) -> str:
    """A column with its value.

    >>> in_words("words in the block", "the block before", "31")
    'words in the block, the block before: 31'
    """
    named = f"{meaning}, {whose}" if whose else meaning
    return f"{named}: {value}" if value else named


def _group(
    name: str, module: str | None, summands: Sequence[Summand], features: FeatureModules, top: int
) -> Group:
    weights = np.array([summand.weight for summand in summands])
    order = np.argsort(-np.abs(weights), kind="stable")
    chosen, others = order[:top], weights[order[top:]]
    return Group(
        name=name,
        module=module,
        weight=float(weights.sum()),
        parts=tuple(_part(summands[k], features) for k in chosen.tolist() if weights[k] != 0),
        n_more=int(np.count_nonzero(others)),
        more=float(others.sum()),
    )


def _part(summand: Summand, features: FeatureModules) -> Part:
    meaning, whose = _MEANINGS.get(summand.name, ""), ""
    if summand.columns:
        meaning, whose = meaning_of(summand.columns, features)
    return Part(summand.name, meaning, whose, *summand.value(), summand.weight)


class Finding(Struct, frozen=True):
    """What the rules of a labeler found of a block."""

    name: str
    meaning: str
    value: float | bool | str
    limit: float | None  # what the value is compared with; None if it is compared with nothing
    keeps: str
    """Which values speak for keeping the block: those ``up to``, ``from`` or ``above`` the limit;
    empty without one."""

    @property
    def words(self) -> str:
        """E.g. ``text in links 0.25, kept up to 0.5``; empty if the rules found nothing."""
        if isinstance(self.value, str):
            return f"{self.name}: {self.value}" if self.value else ""
        if isinstance(self.value, bool):
            return f"{self.name}: {'yes' if self.value else 'no'}"
        limit = "" if self.limit is None else f", kept {self.keeps} {self.limit:.3g}"
        return f"{self.name} {self.value:.3g}{limit}"


class Why(Struct, frozen=True):
    """Why a block has its label."""

    block: int
    grouped: Grouped | None
    """What each feature module adds to the log-odds, for a model; None for rules."""
    findings: tuple[Finding, ...]  # what the rules found; none for a model


def why(labeler: Labeler, table: BlockTable, blocks: Sequence[int], top: int = 3) -> list[Why]:
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
    clues: Sequence[Clue] = getattr(labeler, "clues", lambda _: ())(table)
    return [Why(block, None, tuple(_finding(clue, block) for clue in clues)) for block in blocks]


def least_sure(other: Floats, most: int) -> list[int]:
    """The blocks, at most so many, whose (n,) p(other) is least certain, in the page's order."""
    return sorted(np.argsort(np.abs(other - 0.5), kind="stable")[:most].tolist())


def _finding(clue: Clue, block: int) -> Finding:
    limit = None if clue.limit is None else float(clue.limit[block])
    return Finding(
        clue.name, clue.meaning, np.asarray(clue.values)[block].item(), limit, clue.keeps
    )
