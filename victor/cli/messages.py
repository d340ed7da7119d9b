"""What goes to standard error: complaints of one line each, and counts of what failed."""

from __future__ import annotations

import sys
from collections import Counter

import click


def complain(message: str) -> None:
    """Say in one line what is wrong; further lines of the message become a list."""
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    rest = ": " + "; ".join(lines[1:]) if lines[1:] else ""
    click.echo(f"victor: {lines[0] if lines else 'failed'}{rest}", err=True)


def count(what: str, reasons: Counter[str], total: int) -> None:
    """Say how many pages are of some kind, if any are, and for which reasons."""
    if reasons.total():
        counts = ", ".join(f"{reason} {n}" for reason, n in reasons.most_common() if n)
        complain(f"{reasons.total()} of {total} pages {what}: {counts}")


def finish(failed: Counter[str], total: int) -> None:
    """End a command with status 1 if pages failed, after saying how many and why."""
    count("failed", failed, total)
    if failed.total():
        sys.exit(1)
