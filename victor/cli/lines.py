"""Lines for people and lines of JSON: text of pages drives no terminal.

What a page says may hold control characters, marks that turn the direction of writing, words
without end: nothing of it may reach a terminal but printable characters.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from typing import Any, Final

import click
import msgspec

from victor.api import CleanerSpec

LABEL_COLOURS: Final = {"header": "yellow", "text": "green", "other": "red"}
"""Each also has its name beside it, for those who cannot tell the colours."""
_NARROWEST: Final = 40
"""Columns that are written for even where the terminal has fewer."""

_SPACED: Final = 4
"""Characters of a page, most of them perhaps white space, that are read for one that is shown."""


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
    line = msgspec.json.encode(record).decode()
    click.echo("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line).encode())


def system_name(spec: CleanerSpec) -> str:
    """A system for people: ``model default``, ``labeler density``."""
    if spec.labeler is not None:
        return f"labeler {spec.labeler}"
    return tame(f"model {spec.model or 'default'}")


def tame(text: str) -> str:
    """The printable characters of a text, with single spaces between."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
