"""`victor train`: annotated pages in, a model file out."""

from __future__ import annotations

from pathlib import Path

import click

from victor.cli.corpora import analyzed, configuration
from victor.training import train


@click.command(name="train")
@click.argument("corpora", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True,
              help="Model file to write.")  # fmt: skip
@click.option("-c", "--config", "source", default="default", show_default=True,
              help="A shipped configuration or the path of one.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration, e.g. crf.c2=1.")  # fmt: skip
def command(
    corpora: tuple[Path, ...], *, output: Path, source: str, overrides: tuple[str, ...]
) -> None:
    """Train a model on annotated pages (folders written by `victor align`, or marked pages)."""
    config = configuration(source, overrides)
    dataset, analyzer = analyzed(corpora, config)
    model = train(dataset, analyzer)
    model.save(output)
    said = model.card["training"]
    click.echo(
        f"trained on {said['pages']} pages of {said['sites']} sites, "
        f"{output.stat().st_size / 1e6:.2f} MB: {output}",
        err=True,
    )
