"""`victor demo`: a page with its blocks coloured, a threshold slider and the clean text."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path

import click

from victor.api import CleanerSpec
from victor.base.files import write_bytes
from victor.cli.commands import Command, OneOf
from victor.cli.inputs import cleaned
from victor.cli.system_options import scope_options, trust_code_option, with_scope
from victor.labelers.labeler import LABELERS


@click.command(
    name="demo",
    cls=Command,
    examples=(
        "victor demo page.html",
        "victor demo https://example.org/ --scope article",
        "victor demo page.html -l density -o page.demo.html --no-open",
    ),
)
@click.argument("page", metavar="FILE|URL|-")
@click.option("-m", "--model", type=click.Path(),
              help="Shipped model or model file.  [default: default]")  # fmt: skip
@click.option("-l", "--labeler", type=OneOf(LABELERS),
              help="Labeler that needs no model.")  # fmt: skip
@scope_options
@trust_code_option
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
              help="File to write.  [default: a temporary one]")  # fmt: skip
@click.option("--no-open", is_flag=True, help="Do not open it in the browser.")
def command(
    page: str,
    *,
    model: str | None,
    labeler: str | None,
    trust_code: bool,
    output: Path | None,
    no_open: bool,
    **scope: str | bool | tuple[str, ...] | None,
) -> None:
    """Show what is kept of a page and why, as one HTML file.

    A slider moves the threshold; pointing at a block shows why. The file loads nothing else.
    """
    spec = CleanerSpec(model, labeler, trust_code=trust_code)
    _, cleaner = with_scope(spec, spec.cleaner(), scope)
    named, result = cleaned(page, cleaner)
    file = output or Path(tempfile.mkdtemp(prefix="victor-")) / f"{named.stem}.demo.html"
    write_bytes(file, result.demo().encode())
    click.echo(f"wrote {file}")
    if not no_open:
        webbrowser.open(file.absolute().as_uri())
