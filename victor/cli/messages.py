"""What a command tells on standard error: complaints, counts of failures, and progress."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import click

from victor.base.errors import FEATURE_FAILED


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


_SECONDS: Final = 600
"""Over which the speed is taken: a step may be a minute of training."""


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of items done; it moves a bar on a terminal.

    Nothing is drawn for one item, and where the package rich is missing.

    Args:
        title: what is being done.
        total: number of items, None if unknown.
    """
    from victor.base import optional  # most runs have no terminal

    if total == 1 or not (sys.stderr.isatty() and optional.is_installed("rich")):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,  # results go to standard output, past the bar
        speed_estimate_period=_SECONDS,
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)
