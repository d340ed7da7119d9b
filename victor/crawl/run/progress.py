"""Show the progress of a run: in place on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Final, TextIO

from victor.base import optional
from victor.crawl.run.counts import Totals
from victor.crawl.run.pieces import Piece
from victor.crawl.run.state import RunFolder
from victor.crawl.workers.batching import input_size
from victor.sources import Input

_EVERY: Final = 10.0
"""Seconds between two lines where there is no terminal."""
_MOST_REASONS: Final = 4

Show = Callable[[str], None]


class Progress:
    """Turns totals into a line of text; called after every piece.

    Args:
        inputs: of the run; their sizes tell how much of it is left.
        show: function that shows a line.
        clock: function that gives seconds.
    """

    def __init__(
        self, inputs: Sequence[Input], show: Show, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._show, self._clock = show, clock
        self._started = clock()
        self._read = 0
        sizes = [input_size(each) for each in inputs]
        self._in_bytes = all(sizes)
        self._before = [0, *accumulate(sizes if self._in_bytes else [1] * len(sizes))]
        self._first: tuple[float, float] | None = None

    def __call__(self, totals: Totals, piece: Piece) -> None:
        """Show how far the run is.

        Args:
            totals: of what was read since the run began or was resumed.
            piece: the last one that is finished.
        """
        now = self._clock()
        self._read = totals.read
        self._show(described(totals, now - self._started, self._left(piece, now)))

    def spent(self) -> str:
        """How long the run has taken, and its speed if it has read anything.

        Pages of parts that an earlier run has written do not count.
        """
        seconds = max(self._clock() - self._started, 1e-3)
        shown = f"{seconds:.1f} s" if seconds < 60 else duration(seconds)
        return f"{shown}, {self._read / seconds:,.0f} pages/s" if self._read else shown

    def _left(self, piece: Piece, now: float) -> float | None:
        """Seconds left at the speed since the first piece; None as long as that is unknown."""
        read = float(self._before[piece.after.input])
        if self._in_bytes:
            read += piece.position
        if self._first is None:
            self._first = now, read
        then, before = self._first
        return (now - then) * (self._before[-1] - read) / (read - before) if read > before else None


def described(totals: Totals, seconds: float, left: float | None) -> str:
    """One line: pages, speed, outcomes, time left."""
    seconds = max(seconds, 1e-3)
    parts = [
        f"{totals.read:,} pages",
        f"{totals.read / seconds:,.0f} pages/s",
        f"{totals.bytes / seconds / 1e6:.1f} MB/s",
        f"kept {totals.written:,}",
        *_reasons("dropped", totals.dropped),
        *_reasons("failed", totals.failed),
    ]
    if left is not None:
        parts.append(f"{duration(left)} left")
    return ", ".join(parts)


def summary(totals: Totals, form: str, folder: RunFolder, spent: str) -> str:
    """One line: what a run wrote where, in what time, and what became of all else."""
    size = folder.size()
    shown = f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"
    where = f"to {folder.data} ({form}, {shown})"
    parts = [f"wrote {totals.written:,} of {totals.read:,} pages {where}, {spent}"]
    if not (totals.dropped.total() or totals.failed.total()):
        parts.append("none was dropped, none failed")
    parts += _reasons("dropped", totals.dropped, most=None)
    if totals.foreign_paragraphs:
        parts.append(f"dropped paragraphs in other languages {totals.foreign_paragraphs:,}")
    for failed in _reasons("failed", totals.failed, most=None):
        parts.append(f"{failed}, see {folder.path / 'failed.jsonl'}")
    return "; ".join(parts)


def _reasons(what: str, counts: Counter[str], most: int | None = _MOST_REASONS) -> Iterator[str]:
    if counts.total():
        named = ", ".join(f"{name} {n:,}" for name, n in counts.most_common(most))
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
    if not (stream.isatty() and optional.is_installed("rich")):
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
