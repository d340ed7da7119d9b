"""A progress bar on standard error for work that takes longer than two seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Final

from victor import optional

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

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
            bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False)
            task = bar.add_task(self._title, total=self._total, completed=self._done)
            bar.start()
            self._shown = bar, task
