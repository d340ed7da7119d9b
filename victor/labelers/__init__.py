"""Labelers: systems that turn the pages of a batch into labelled blocks, behind one protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from victor.blocks import BlockTable
from victor.config import Limits
from victor.decide import Decision
from victor.verdict import Verdict


@runtime_checkable
class Labeler(Protocol):
    """What rendering, evaluation, sweeping, crawling and annotating need of a system."""

    @property
    def name(self) -> str:
        """Name as users give it, e.g. ``crf``."""
        ...

    @property
    def limits(self) -> Limits:
        """Bounds of one page as the system is configured."""
        ...

    @property
    def canonical(self) -> bool:
        """Are the segments of its tables those that labels of annotated pages belong to."""
        ...

    @property
    def decision(self) -> Decision:
        """How labels are chosen unless it is said otherwise."""
        ...

    @property
    def presets(self) -> Mapping[str, float]:
        """Named thresholds, e.g. ``precision``; empty if the system has none."""
        ...

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes, cut as this system needs it."""
        ...

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        """Label the blocks of a batch; without a decision, as the system is configured."""
        ...
