"""`victor features`: the columns of a configuration, and their values for a page."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from victor.base.errors import ConfigError
from victor.cli.commands import Command, OneOf
from victor.cli.feature_tables import FORMS, measure
from victor.cli.system_options import trust_code_option
from victor.config import Config, load
from victor.labelers.load import load_model
from victor.model.discretize import Codebook
from victor.model.extractor import FeatureExtractor


@click.command(
    name="features",
    cls=Command,
    examples=(
        "victor features --list",
        "victor features page.html | head",
        "victor features page.html -c crf -f crfpp",
    ),
)
@click.argument("page", required=False, metavar="[PAGE|-]")
@click.option("--list", "list_", is_flag=True, help="List every column with its meaning.")
@click.option("-c", "--config", "source", type=click.Path(),
              help="A shipped configuration or the path of one.  [default: default]")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration.")  # fmt: skip
@trust_code_option
@click.option("-f", "--format", "form", type=OneOf(list(FORMS)),
              default="tsv", show_default=True,
              help="Table, JSON lines, or training text of CRF++.")  # fmt: skip
@click.option("-m", "--model", type=click.Path(),
              help="Show the codes that this model sees instead of raw values.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    page: str | None,
    *,
    list_: bool,
    source: str | None,
    overrides: tuple[str, ...],
    trust_code: bool,
    form: str,
    model: str | None,
) -> None:
    """Print the columns of every block of a page, raw or as codes (with --model).

    CRF++ needs labels: those of a page that is marked with data-victor attributes are printed,
    for any other page there is a question mark in their place.
    """
    if list_:
        _list(FeatureExtractor(load(source or "default", overrides), trust_code=trust_code))
        return
    if page is None:
        raise ConfigError("name a page, or ask for --list")
    config, codebook = _configured(model, source, overrides)
    extractor = FeatureExtractor(config, trust_code=trust_code)
    measured = measure(_read(page), extractor, codebook)
    for line in FORMS[form](measured):
        click.echo(line.encode())


def _list(extractor: FeatureExtractor) -> None:
    """Every column of the shipped modules and of those that the configuration adds."""
    from victor.features import NAMES  # imports all feature modules
    from victor.features import load as load_feature

    configured = {column.name: column for column in extractor.features.columns}
    shipped = {column.name: column for name in NAMES for column in load_feature(name).columns}
    columns = configured | {n: column for n, column in shipped.items() if n not in configured}
    width = max(map(len, columns))
    for name, column in columns.items():
        mark = "*" if name in configured else " "
        click.echo(f"{mark} {name:<{width}}  {column.kind:<8}  {column.meaning}")
    click.echo("* switched on by the configuration", err=True)


def _configured(
    model: str | None, source: str | None, overrides: tuple[str, ...]
) -> tuple[Config, Codebook | None]:
    """The requested configuration, and the codebook if it is that of a model."""
    if model is None:
        return load(source or "default", overrides), None
    if source is not None or overrides:
        raise ConfigError("a model has its own configuration; leave out --config and --set")
    loaded = load_model(model)
    return loaded.config, loaded.potentials.codebook


def _read(page: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if page == "-" else Path(page).read_bytes()
    except OSError as error:
        raise ConfigError(f"{page} cannot be read: {error.strerror}") from None
