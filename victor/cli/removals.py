"""What rules drop from pages, for the user: a log of every text, and how many there are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from victor.cli.messages import complain

Rows = Sequence[Mapping[str, Any]]
"""The dropped texts of one page, as `victor.kitten.removals.Removals.rows` gives them."""


class RemovalLog:
    """Counts dropped texts and writes them to a file, if there is one.

    Args:
        file: open for writing, or None.
    """

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file
        self._counts: Counter[str] = Counter()

    def add(self, page: str, rows: Rows) -> None:
        """Take the dropped texts of one page."""
        self._counts.update(str(row["rule"]) for row in rows)
        if self._file is not None:
            for row in rows:
                self._file.write(json.dumps({"page": page, **row}, ensure_ascii=False) + "\n")

    def report(self) -> None:
        """Print how many texts which rules dropped, if any."""
        if self._counts:
            counts = ", ".join(f"{rule} {n}" for rule, n in self._counts.most_common())
            complain(f"{self._counts.total()} texts dropped: {counts}")


@contextmanager
def removal_log(path: Path | None) -> Iterator[RemovalLog]:
    """A log of dropped texts as JSON lines; without a path they are counted only."""
    if path is None:
        yield RemovalLog(None)
        return
    with path.open("w", encoding="utf-8") as file:
        yield RemovalLog(file)
