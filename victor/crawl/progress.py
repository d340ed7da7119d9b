"""Show the progress of a run: in place on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from victor.base import lazy
from victor.crawl.state import RunFolder, State

_EVERY: Final = 10.0
"""Seconds between two lines where there is no terminal."""
_MOST_REASONS: Final = 4

Show = Callable[[str], None]


class Progress:
    """Turns the counts of a run into a line of text; called after every part.

    Args:
        show: function that shows a line.
        clock: function that gives seconds.
    """

    def __init__(self, show: Show, clock: Callable[[], float] = time.monotonic) -> None:
        self._show, self._clock = show, clock
        self._started, self._pages = clock(), 0
        self._first: tuple[float, float] | None = None

    def __call__(self, state: State, share: float) -> None:
        """Show how far the run is; `share` of its inputs has been read."""
        now = self._clock()
        self._pages = state.pages
        self._first = self._first or (now, share)
        then, before = self._first
        left = (now - then) * (1 - share) / (share - before) if share > before else None
        self._show(described(state, now - self._started, left))

    def spent(self) -> str:
        """How long the run has taken, and its speed if it has read anything.

        Pages of parts that an earlier run has written do not count.
        """
        seconds = max(self._clock() - self._started, 1e-3)
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
    """Hours, minutes and seconds.

    >>> duration(3725)
    '1:02:05'
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


@contextmanager
def showing(stream: TextIO | None = None) -> Iterator[Show]:
    """A function that shows lines: in place on a terminal with rich, else every ten seconds.

    Args:
        stream: None for standard error as it is now.
    """
    stream = stream or sys.stderr
    if not (stream.isatty() and lazy.is_installed("rich")):
        yield _now_and_then(lambda text: print(f"victor: {text}", file=stream, flush=True))
        return
    from rich.console import Console  # only where there is a terminal
    from rich.live import Live

    console = Console(file=stream)
    with Live(console=console, transient=True, redirect_stdout=False) as live:
        yield live.update


def _now_and_then(show: Show) -> Show:
    """Show a line only if the last one was shown long enough ago."""
    last = time.monotonic()

    def show_if_due(text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            show(text)

    return show_if_due
