"""Count records by outcome: those read are those written, dropped and failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from victor.documents.outcome import Outcome


@dataclass
class Totals:
    """Records and damages of a run or of a part, by outcome.

    Attributes:
        written: documents.
        dropped: records that were dropped, by reason.
        failed: records and damages that failed, by reason.
        bytes: markup of all records; characters of those that came as text.
        foreign_paragraphs: paragraphs of documents that were dropped because of their language.
    """

    written: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    bytes: int = 0
    foreign_paragraphs: int = 0

    @property
    def read(self) -> int:
        """All records and damages."""
        return self.written + self.dropped.total() + self.failed.total()

    def count(self, outcome: Outcome, size: int) -> None:
        """Add one record of so many bytes."""
        self.bytes += size
        if outcome.status == "written":
            self.written += 1
            self.foreign_paragraphs += outcome.foreign_paragraphs
        else:
            (self.dropped if outcome.status == "dropped" else self.failed)[outcome.reason] += 1

    def add(self, other: Totals) -> None:
        """Add the counts of another part."""
        self.written += other.written
        self.dropped += other.dropped
        self.failed += other.failed
        self.bytes += other.bytes
        self.foreign_paragraphs += other.foreign_paragraphs

    def to_json(self) -> dict[str, Any]:
        """As plain data, reasons sorted."""
        return {
            "read": self.read,
            "written": self.written,
            "dropped": dict(sorted(self.dropped.items())),
            "failed": dict(sorted(self.failed.items())),
            "bytes": self.bytes,
            "foreign paragraphs": self.foreign_paragraphs,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Totals:
        """The totals that `to_json` gave."""
        return cls(
            data["written"],
            Counter(data["dropped"]),
            Counter(data["failed"]),
            data["bytes"],
            data["foreign paragraphs"],
        )
