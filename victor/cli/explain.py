"""`victor explain`: why the blocks of a page have their labels, or what a model has learnt."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import click

from victor.api import CleanerSpec
from victor.base.errors import ConfigError
from victor.cli.commands import Command, ModelName, OneOf
from victor.cli.explained_model import write_model
from victor.cli.explained_page import Chosen, explain_page
from victor.cli.system_options import scope_options, trust_code_option, with_scope
from victor.labelers import LABELERS

Form = Literal["text", "json"]
_ROWS: Final = 2


@click.command(
    name="explain",
    cls=Command,
    examples=(
        "victor explain page.html",
        "victor explain page.html --block 26",
        "victor explain -m crf",
    ),
)
@click.argument("page", required=False, metavar="[FILE|URL|-]")
@click.option("-b", "--block", "blocks", multiple=True, metavar="N|WORDS",
              help="Number of a block to show, or words in it; repeatable.")  # fmt: skip
@click.option("-a", "--all", "all_", is_flag=True,
              help="Show all about every block.")  # fmt: skip
@click.option("-m", "--model", type=ModelName(),
              help="Shipped model or model file.  [default: default]")  # fmt: skip
@click.option("-l", "--labeler", type=OneOf(LABELERS),
              help="Labeler that needs no model.")  # fmt: skip
@click.option("-c", "--config", help="Configuration of the labeler.")
@click.option("-k", "--top", type=click.IntRange(1),
              default=_ROWS, show_default=True, help="Rows of each group of reasons.")  # fmt: skip
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="For people, or a line of JSON for every block.")  # fmt: skip
@click.option("--html", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write what `victor demo` does.")  # fmt: skip
@scope_options
@trust_code_option
def command(  # noqa: PLR0913  (one for every option)
    page: str | None,
    *,
    model: str | None,
    labeler: str | None,
    config: str | None,
    trust_code: bool,
    blocks: tuple[str, ...],
    all_: bool,
    top: int,
    form: Form,
    file: Path | None,
    **scope: str | bool | tuple[str, ...] | None,
) -> None:
    """Say why blocks of a page were kept or dropped, a sentence for each.

    By default a summary of the page and the least certain decisions. Without a page, show what
    matters most to --model.
    """
    spec = CleanerSpec(model, labeler, config, trust_code=trust_code)
    if page is not None:
        if blocks and all_:
            raise ConfigError("--block and --all exclude each other; leave one out")
        spec, cleaner = with_scope(spec, spec.cleaner(), scope)
        explain_page(page, spec, cleaner, Chosen(blocks, all_, top, form, file))
    elif labeler is not None:
        raise ConfigError("a labeler without a model has learnt nothing: name a page to explain")
    elif model is None:
        raise ConfigError("name a page to explain, or a model with --model")
    elif blocks or all_ or file:
        raise ConfigError("--block, --all and --html need a page: name one")
    else:
        write_model(model, top, trust_code, as_json=form == "json")
