"""`victor train`: annotated pages in, a model file out."""

from __future__ import annotations

from pathlib import Path

import click

from victor.cli.corpora import analyzed
from victor.cli.progress import progress
from victor.config import load
from victor.errors import ConfigError
from victor.training import train


@click.command(name="train")
@click.argument("corpora", nargs=-1, required=True,
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="Model file to write.")  # fmt: skip
@click.option("-c", "--config", "source", default="default", show_default=True,
              help="A shipped configuration or the path of one.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration, e.g. crf.c2=1.")  # fmt: skip
def command(
    corpora: tuple[Path, ...], *, output: Path, source: str, overrides: tuple[str, ...]
) -> None:
    """Train a model on annotated pages (folders written by `victor align`, or marked pages)."""
    config = load(source, overrides)
    if not output.parent.is_dir():  # better now than after the training
        raise ConfigError(f"there is no folder {output.parent} for the model; make it first")
    dataset, analyzer = analyzed(corpora, config)
    with progress("training", None):
        model = train(dataset, analyzer)
    model.save(output)
    said = model.card["training"]
    click.echo(
        f"trained on {said['pages']} pages of {said['sites']} sites, "
        f"{output.stat().st_size / 1e6:.2f} MB: {output}",
        err=True,
    )
