"""What a command tells on standard error: complaints, counts of failures, and progress."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Final

import click

from victor.base.errors import FEATURE_FAILED

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID


def complain(message: str) -> None:
    """Print a complaint on one line; further lines of the message become a list."""
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    rest = ": " + "; ".join(lines[1:]) if lines[1:] else ""
    click.echo(f"victor: {lines[0] if lines else 'failed'}{rest}", err=True)


def count(what: str, reasons: Counter[str], total: int) -> None:
    """Print how many pages are of some kind, if any are, and for which reasons."""
    if reasons.total():
        counts = ", ".join(f"{reason} {n}" for reason, n in reasons.most_common() if n)
        pages = "pages" if total != 1 else "page"
        plural, _, rest = what.partition(" ")
        verb = {"have": "has", "are": "is"}.get(plural, plural) if total == 1 else plural
        complain(f"{reasons.total()} of {total} {pages} {f'{verb} {rest}'.strip()}: {counts}")


def finish(failed: Counter[str], total: int) -> None:
    """Exit with status 1 if pages failed, after printing how many and why.

    If a feature module could measure none of them, the call is wrong, not a page: status 2.
    """
    if failed[FEATURE_FAILED] == total > 0:
        if total > 1:
            count("failed", failed, total)
        sys.exit(2)
    count("failed", failed, total)
    if failed.total():
        sys.exit(1)


def one_line(text: str, width: int = 60) -> str:
    """The printable characters of a text on one line of at most `width` characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= width else line[: width - 1] + "…"


_PATIENCE: Final = 2.0
"""Seconds before a bar appears."""


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of items done; it draws a bar on a terminal.

    Nothing is drawn where the package rich is missing.

    Args:
        title: what is being done.
        total: number of items, None if unknown.
    """
    from victor.base import optional  # most runs have no terminal

    if not (sys.stderr.isatty() and optional.is_installed("rich")):
        yield lambda _: None
        return
    bar = _Bar(title, total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """A bar that a timer shows, so that it appears even before the first item is done."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._total = title, total
        self._done = 0
        self._started = time.monotonic()
        self._shown: tuple[Progress, TaskID] | None = None
        self._closed = False
        self._lock = Lock()
        self._timer = Timer(_PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def advance(self, count: int) -> None:
        with self._lock:
            self._done += count
            if self._shown is not None:
                bar, task = self._shown
                bar.update(task, completed=self._done)

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._shown is not None:
                self._shown[0].stop()

    def _show(self) -> None:
        from rich.console import Console  # only where a bar is drawn
        from rich.progress import Progress

        with self._lock:
            if self._closed:
                return
            # Results go to standard output, past the bar; messages are put above it.
            bar = Progress(
                *self._columns(),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,
            )
            task = bar.add_task(self._title, total=self._total, completed=self._done)
            bar.start()
            self._shown = bar, task

    def _columns(self) -> list[ProgressColumn]:
        """Title, bar, share and time left; of work of unknown length the time it has taken.

        The time left is told from the whole time so far: rich's own column looks at the last 30
        seconds, in which there may be no step at all.
        """
        from rich.progress import (
            BarColumn,
            ProgressColumn,
            Task,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
        )
        from rich.text import Text

        started = self._started

        class Left(ProgressColumn):
            """Time left."""

            def render(self, task: Task) -> Text:
                seconds = time.monotonic() - started
                return Text(time_left(task.completed, task.total or 0, seconds))

        shown = [TextColumn("{task.description}"), BarColumn()]
        if self._total is None:
            return [*shown, TimeElapsedColumn()]
        return [*shown, TaskProgressColumn(), Left()]


def time_left(done: float, total: float, seconds: float) -> str:
    """What is left of some steps at their average speed, as hours, minutes and seconds.

    >>> time_left(25, 100, 60), time_left(0, 100, 60), time_left(1, 1000, 30)
    ('0:03:00 left', '', '8:19:30 left')
    """
    if not done:
        return ""
    minutes, rest = divmod(round(seconds * (total - done) / done), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d} left"
