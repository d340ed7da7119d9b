"""Messages on a terminal: one-line complaints, counts of failures, and shortened page text."""

from __future__ import annotations

import sys
from collections import Counter

import click

from victor.errors import FEATURE_FAILED


def complain(message: str) -> None:
    """Print a complaint on one line; further lines of the message become a list."""
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    rest = ": " + "; ".join(lines[1:]) if lines[1:] else ""
    click.echo(f"victor: {lines[0] if lines else 'failed'}{rest}", err=True)


def count(what: str, reasons: Counter[str], total: int) -> None:
    """Print how many pages are of some kind, if any are, and for which reasons."""
    if reasons.total():
        counts = ", ".join(f"{reason} {n}" for reason, n in reasons.most_common() if n)
        complain(f"{reasons.total()} of {total} pages {what}: {counts}")


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
