"""`victor models`: the shipped models, and the card or configuration of a model file."""

from __future__ import annotations

import json

import click

from victor.errors import ConfigError
from victor.labelers.load import load_model, model_names


@click.command(name="models")
@click.argument("model", required=False)
@click.option("--config", "show_config", is_flag=True,
              help="Print the resolved configuration as YAML.")  # fmt: skip
def command(model: str | None, *, show_config: bool) -> None:
    """List shipped models; with MODEL (a name or path) print its card or configuration."""
    if model is None and show_config:
        raise ConfigError("name the model whose configuration is wanted: victor models MODEL")
    if model is None:
        for name in model_names():
            click.echo(name)
        return
    loaded = load_model(model)
    if show_config:
        click.echo(loaded.config.dump(), nl=False)
    else:
        click.echo(json.dumps(dict(loaded.card), ensure_ascii=False, indent=2))
