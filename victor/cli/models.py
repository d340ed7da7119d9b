"""`victor models`: the shipped models as a table, and the card or configuration of a model file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import click

from victor.base.errors import ConfigError
from victor.base.labels import LABEL_NAMES
from victor.cli.commands import Options, command, option
from victor.labelers.load import load_model, model_file, model_names
from victor.model.model import Model
from victor.model.presets import Presets

_WIDTHS: Final = {
    "name": 12, "for": 34, "labels": 6, "columns": 7, "word F": 6, "MB": 5, "trained on": 20,
    "licences": 12,
}  # fmt: skip
"""Columns of the table and their widths; together a line of a wide terminal."""
_TO_THE_RIGHT: Final = frozenset(("columns", "word F", "MB"))


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
        rows = [_row(name, load_model(name), model_file(name)) for name in model_names()]
        click.echo("\n".join(chain.from_iterable(map(_lines, [tuple(_WIDTHS), *rows]))))
        return
    loaded = load_model(model)
    if options.config:
        click.echo(loaded.config.dump(), nl=False)
    else:
        presets = {"presets": Presets.of(loaded.presets).shown()} if loaded.presets else {}
        experts = {"experts": loaded.experts} if loaded.experts else {}
        card = {**loaded.card, **experts, **presets}
        click.echo(json.dumps(card, ensure_ascii=False, indent=2))


def _row(name: str, model: Model, file: Path) -> tuple[str, ...]:
    training: Mapping[str, Any] = model.card.get("training", {})
    f1 = model.card.get("scores", {}).get("words, page mean", {}).get("f1")
    return (
        name,
        model.card.get("about", ""),
        " ".join(LABEL_NAMES),
        str(len(model.columns)),
        "" if f1 is None else f"{f1:.3f}",
        f"{file.stat().st_size / 1e6:.2f}",
        f"{training['pages']:,} pages: {', '.join(training.get('corpora', ()))}",
        " ".join(training["licences"]),
    )


def _lines(cells: Sequence[str]) -> Iterator[str]:
    """One row of the table: as many lines as its longest cell takes."""
    wrapped = [
        wrap(cell, width, break_on_hyphens=False)
        for cell, width in zip(cells, _WIDTHS.values(), strict=True)
    ]
    for line in zip_longest(*wrapped, fillvalue=""):
        parts = (
            part.rjust(width) if heading in _TO_THE_RIGHT else part.ljust(width)
            for part, (heading, width) in zip(line, _WIDTHS.items(), strict=True)
        )
        yield "  ".join(parts).rstrip()
