"""`victor models`: the shipped models, and the card or configuration of a model file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import click

from victor.base.errors import ConfigError
from victor.cli.commands import Options, command, option
from victor.labelers.load import load_model, model_file, model_names
from victor.model.model import Model
from victor.model.presets import Presets

_WIDTH: Final = 90


class _Options(Options):
    config: bool = option("--config", "Print the resolved configuration as YAML.")


@command(
    "victor models",
    "victor models default",
    "victor models mine.victor --config",
    takes=_Options,
)
@click.argument("model", required=False)
def models_command(model: str | None, options: _Options) -> None:
    """List shipped models; with MODEL (a name or path) print its card or configuration.

    Word F is the mean over pages in cross-validation by site, so no page was trained on.
    """
    if model is None and options.config:
        raise ConfigError("name the model whose configuration is wanted: victor models MODEL")
    if model is None:
        for name in model_names():
            click.echo(_described(name, load_model(name), model_file(name)))
        return
    loaded = load_model(model)
    if options.config:
        click.echo(loaded.config.dump(), nl=False)
    else:
        presets = {"presets": Presets.of(loaded.presets).shown()} if loaded.presets else {}
        experts = {"experts": loaded.experts} if loaded.experts else {}
        card = {**loaded.card, **experts, **presets}
        click.echo(json.dumps(card, ensure_ascii=False, indent=2))


def _described(name: str, model: Model, file: Path) -> str:
    """What a shipped model is for, and figures of its card."""
    training: Mapping[str, Any] = model.card["training"]
    f1 = model.card["scores"]["words, page mean"]["f1"]
    size = f"{len(model.columns)} columns, {file.stat().st_size / 1e6:.2f} MB"
    corpora, licences = ", ".join(training["corpora"]), " ".join(training["licences"])
    learnt = f"{training['pages']:,} pages of {corpora} ({licences})"
    lines = [f"word F {f1:.3f}, {size}", *wrap(f"trained on {learnt}", _WIDTH)]
    return "\n".join([f"{name}: {model.card['about']}", *(f"    {line}" for line in lines)])
