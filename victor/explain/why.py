"""Why blocks have their labels, by whichever system: the groups of a model, the clues of rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from msgspec import Struct

from victor.base.arrays import Floats
from victor.explain.contributions import explain
from victor.explain.groups import Grouped, grouped
from victor.labelers import Labeler
from victor.labelers.crf import CrfLabeler
from victor.labelers.rules import Clue
from victor.page.table.blocks import BlockTable


class Finding(Struct, frozen=True):
    """What the rules of a labeler found of a block."""

    name: str
    meaning: str
    value: float | bool | str
    limit: float | None
    """What the value is compared with; None if it is compared with nothing."""
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
    findings: tuple[Finding, ...]
    """What the rules found; none for a model."""


@runtime_checkable
class TellsClues(Protocol):
    """A labeler that can say what its rules found."""

    def clues(self, table: BlockTable) -> Sequence[Clue]:
        """What they found of the blocks of a table."""
        ...


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
    limit = None if clue.limit is None else float(clue.limit[block])
    return Finding(
        clue.name, clue.meaning, np.asarray(clue.values)[block].item(), limit, clue.keeps
    )
