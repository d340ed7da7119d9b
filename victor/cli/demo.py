"""`victor demo`: a page with its blocks coloured, a threshold slider and the clean text."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path

import click

from victor.base.files import write_bytes
from victor.cli.cleaner_options import Cleaning
from victor.cli.commands import NEW_FILE, command, option
from victor.cli.pages import cleaned


class _Options(Cleaning):
    output: Path | None = option(
        "-o --output", "File to write.  [default: a temporary one]", NEW_FILE
    )
    no_open: bool = option("--no-open", "Do not open it in the browser.")


@command(
    "victor demo page.html",
    "victor demo https://example.org/ --scope article",
    "victor demo page.html -l density -o page.demo.html --no-open",
    takes=_Options,
)
@click.argument("page", metavar="FILE|URL|-")
def demo_command(page: str, options: _Options) -> None:
    """Show what is kept of a page and why, as one HTML file.

    A slider moves the threshold; pointing at a block shows why. The file loads nothing else.
    """
    _, cleaner = options.cleaner(options.spec())
    named, result = cleaned(page, cleaner)
    file = options.output or Path(tempfile.mkdtemp(prefix="victor-")) / f"{named.stem}.demo.html"
    write_bytes(file, result.demo().encode())
    click.echo(f"wrote {file}")
    if not options.no_open:
        webbrowser.open(file.absolute().as_uri())
