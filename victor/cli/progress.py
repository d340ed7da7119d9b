"""A progress bar on standard error for whatever takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_PATIENCE: Final = 2.0
"""Seconds before a bar appears."""


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of items done; it draws a bar on a terminal.

    Args:
        title: what is being done.
        total: number of items, None if unknown.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = _Bar(title, total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """A bar that shows itself only after a while."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._total = title, total
        self._done = 0
        self._started = time.monotonic()
        self._shown: object = None

    def advance(self, count: int) -> None:
        self._done += count
        if self._shown is None and time.monotonic() - self._started > _PATIENCE:
            self._show()
        elif self._shown is not None:
            self._progress.update(self._task, completed=self._done)

    def close(self) -> None:
        if self._shown is not None:
            self._progress.stop()

    def _show(self) -> None:
        from rich.console import Console  # noqa: PLC0415  (only where a bar is drawn)
        from rich.progress import Progress  # noqa: PLC0415

        self._progress = Progress(console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task(self._title, total=self._total, completed=self._done)
        self._progress.start()
        self._shown = True
