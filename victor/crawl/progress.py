"""Show the progress of a run: in place on a terminal, else a line now and then."""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final, Self

from victor.crawl.state import RunFolder, State

_EVERY: Final = 10.0
"""Seconds between two lines where there is no terminal."""
_MOST_REASONS: Final = 4
_TO_BEGIN: Final = "\r\x1b[K"
"""Has a terminal write a line anew."""


class Progress:
    """Shows on standard error how far a run is; called after every part."""

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._pages, self._first = 0, (0.0, 0.0)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the line to others."""
        if sys.stderr.isatty():
            print(_TO_BEGIN, end="", file=sys.stderr, flush=True)

    def __call__(self, state: State, share: float) -> None:
        """Show the counts of a run; `share` of its inputs has been read."""
        now = time.monotonic()
        self._first = self._first if self._pages else (now, share)
        self._pages = state.pages
        then, before = self._first
        left = (now - then) * (1 - share) / (share - before) if share > before else None
        text = described(state, now - self._started, left)
        if sys.stderr.isatty():
            shown = text[: shutil.get_terminal_size().columns - 1]
            print(_TO_BEGIN + shown, end="", file=sys.stderr, flush=True)
        elif now - self._shown >= _EVERY:
            self._shown = now
            print(f"victor: {text}", file=sys.stderr, flush=True)

    def spent(self) -> str:
        """How long the run has taken, and its speed if it has read anything.

        Pages of parts that an earlier run has written do not count.
        """
        seconds = max(time.monotonic() - self._started, 1e-3)
        shown = f"{seconds:.1f} s" if seconds < 60 else duration(seconds)
        return f"{shown}, {self._pages / seconds:,.0f} pages/s" if self._pages else shown


def described(totals: State, seconds: float, left: float | None) -> str:
    """One line: pages, speed, outcomes, time left."""
    seconds = max(seconds, 1e-3)
    parts = [
        f"{totals.pages:,} pages",
        f"{totals.pages / seconds:,.0f} pages/s",
        f"{totals.bytes / seconds / 1e6:.1f} MB/s",
        f"kept {totals.written:,}",
        *_reasons("dropped", totals.dropped),
        *_reasons("failed", totals.failed),
    ]
    if left is not None:
        parts.append(f"{duration(left)} left")
    return ", ".join(parts)


def summary(totals: State, form: str, folder: RunFolder, spent: str) -> str:
    """One line: what a run wrote where, in what time, and what became of all else."""
    size = folder.size()
    shown = f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"
    where = f"to {folder.data} ({form}, {shown})"
    parts = [f"wrote {totals.written:,} of {totals.pages:,} pages {where}, {spent}"]
    if not (totals.dropped.total() or totals.failed.total()):
        parts.append("none was dropped, none failed")
    parts += _reasons("dropped", totals.dropped, most=None)
    parts += _reasons("passed over", totals.skipped, most=None)
    if totals.foreign_paragraphs:
        parts.append(f"dropped paragraphs in other languages {totals.foreign_paragraphs:,}")
    for failed in _reasons("failed", totals.failed, most=None):
        parts.append(f"{failed}, see {folder.path / 'failed.jsonl'}")
    return "; ".join(parts)


def _reasons(what: str, counts: Counter[str], most: int | None = _MOST_REASONS) -> Iterator[str]:
    if counts.total():
        ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        named = ", ".join(f"{name} {n:,}" for name, n in ranked[:most])
        yield f"{what} {counts.total():,} ({named})"


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, e.g. ``1:02:05``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
