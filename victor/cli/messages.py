"""What a command tells: complaints and progress on standard error, lines of a report on output.

What a page says may hold control characters, marks that turn the direction of writing, words
without end: nothing of it may reach a terminal but printable characters.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final

import click

from victor.base.errors import FEATURE_FAILED

LABEL_COLOURS: Final = {"header": "yellow", "text": "green", "other": "red"}
"""Each also has its name beside it, for those who cannot tell the colours."""
_NARROWEST: Final = 40
"""Columns that are written for even where the terminal has fewer."""
_SPACED: Final = 4
"""Characters of a page, most of them perhaps white space, that are read for one that is shown."""


def complain(message: str) -> None:
    """Print a complaint on one line; further lines of the message become a list."""
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    rest = ": " + "; ".join(lines[1:]) if lines[1:] else ""
    click.echo(f"victor: {lines[0] if lines else 'failed'}{rest}", err=True)


def count(
    what: str, reasons: Counter[str], total: int, advice: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Print how many pages are of some kind, if any are, for which reasons, and what to try."""
    if reasons.total():
        counts = ", ".join(
            f"{reason} {n}{f' ({advice[reason]})' if reason in advice else ''}"
            for reason, n in reasons.most_common()
            if n
        )
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


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of items done; it moves a bar on a terminal."""
    if total == 1 or not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=total, label=title, file=sys.stderr) as bar:
        yield bar.update


def write(line: str = "") -> None:
    """Write a line; colours are for terminals, and what the encoding lacks becomes ``?``."""
    encoding = sys.stdout.encoding or "utf-8"
    line = line.rstrip().encode(encoding, "replace").decode(encoding)
    click.echo(line, color=False if os.environ.get("NO_COLOR") else None)


def write_text(
    text: str,
    *,
    start: str = "",
    indent: int = 0,
    lines: int | None = None,
    **style: Any,  # noqa: ANN401  (of click)
) -> None:
    """Write text over as many lines as it takes, or as it may take.

    Args:
        text: of a page or ours.
        start: what the first line begins with, of at most `indent` columns.
        indent: columns before every line.
        lines: most lines; the last of them ends in ``…`` if there is more. None for all.
        style: as `click.style`.
    """
    width = max(shutil.get_terminal_size().columns, _NARROWEST) - indent
    near = text if lines is None else text[: (lines + 1) * width * _SPACED]
    shown = textwrap.wrap(tame(near), width, max_lines=lines, placeholder=" …") or [""]
    room = " " * (indent - len(click.unstyle(start)))
    for number, line in enumerate(shown):
        before = " " * indent if number else start + room
        write(before + click.style(line, **style))


def write_record(record: object) -> None:
    """Write a line of JSON, in UTF-8; what cannot be printed is escaped, for it may be a page's."""
    import msgspec  # few commands write records

    line = msgspec.json.encode(record).decode()
    click.echo("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line).encode())


def tame(text: str, width: int | None = None) -> str:
    """The printable characters of a text, single spaces between; a longer one ends in ``…``."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if width is None or len(line) <= width else line[: width - 1] + "…"
