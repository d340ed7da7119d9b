"""`victor models` and `victor features`: the shipped models, and what models read of pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

from victor.base.errors import ConfigError
from victor.base.labels import LABEL_NAMES
from victor.cli.cleaner_options import Overriding
from victor.cli.commands import PATH, OneOf, Options, command, option
from victor.cli.pages import read_bytes
from victor.config.layers import load
from victor.corpus.pages import ATTRIBUTE, read_marked
from victor.labelers.crf import load_model, model_file, model_names
from victor.model.decide import Presets
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.page.table.texts import block_texts
from victor.training.dataset import label_blocks, single

_WIDTH: Final = 90
_NO_LABEL: Final = "?"
Values = Sequence[int | float]


class _ModelsOptions(Options):
    config: bool = option("--config", "Print the resolved configuration as YAML.")


@command(
    "victor models",
    "victor models default",
    "victor models mine.victor --config",
    takes=_ModelsOptions,
)
@click.argument("model", required=False)
def models_command(model: str | None, options: _ModelsOptions) -> None:
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


# --- victor features ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """The texts, labels and values by column name of the blocks of a page."""

    texts: list[str]
    labels: list[str]
    columns: dict[str, Values]

    def rows(self) -> Iterator[tuple[int | float, ...]]:
        """The values of every block."""
        if not self.columns:
            return repeat((), len(self.texts))
        return zip(*self.columns.values(), strict=True)


def measure(page: bytes, extractor: FeatureExtractor) -> Measured:
    """The columns of a page; a page without the marks of `victor.corpus.pages` has no labels."""
    labelled = label_blocks([read_marked("page", page)], extractor)
    table = labelled.tables[0]
    columns = extractor.columns(table).items()
    values: dict[str, Values] = {name: _numbers(single(each)) for name, each in columns}
    names = dict(enumerate(LABEL_NAMES)) if f" {ATTRIBUTE}=".encode() in page else {}
    labels = [names.get(label, _NO_LABEL) for label in labelled.labels.tolist()]
    return Measured(block_texts(table), labels, values)


def _numbers(values: NDArray[Any]) -> list[int | float]:
    """Four decimals, whole numbers without a decimal point."""
    rounded = np.asarray(values).astype(np.float64).round(4).tolist()
    return [int(value) if value.is_integer() else value for value in rounded]


def _tsv(measured: Measured) -> Iterator[str]:
    yield "\t".join([*measured.columns, "text"])
    for text, row in zip(measured.texts, measured.rows(), strict=True):
        yield "\t".join([*map(str, row), " ".join(text.split())])


def _jsonl(measured: Measured) -> Iterator[str]:
    for text, row in zip(measured.texts, measured.rows(), strict=True):
        values = dict(zip(measured.columns, row, strict=True))
        yield json.dumps({"text": text, **values}, ensure_ascii=False)


def _crfpp(measured: Measured) -> Iterator[str]:
    """One block a line: the columns in order and the label; an empty line ends the page."""
    for label, row in zip(measured.labels, measured.rows(), strict=True):
        yield " ".join([*map(str, row), label])
    yield ""


FORMS: Final = {"tsv": _tsv, "jsonl": _jsonl, "crfpp": _crfpp}  # name of every form to its lines


class _FeaturesOptions(Overriding):
    listed: bool = option("--list", "List every column with its meaning.")
    config: str = option("-c --config", "Shipped configuration or file.", PATH, "default")
    form: str = option("-f --format", "Output format:", OneOf([*FORMS]), "tsv")


@command(
    "victor features --list",
    "victor features page.html | head",
    "victor features page.html -c crf -f crfpp",
    takes=_FeaturesOptions,
)
@click.argument("page", required=False, metavar="[PAGE|-]")
def features_command(page: str | None, options: _FeaturesOptions) -> None:
    """Print the columns of every block of a page.

    CRF++ needs labels: those of a page that is marked with data-victor attributes are printed,
    for any other page there is a question mark in their place.
    """
    if page is None and not options.listed:
        raise ConfigError("name a page, or ask for --list")
    config = load(options.config, options.overrides)
    extractor = FeatureExtractor(config, trust_code=options.trust_code)
    if page is None or options.listed:
        _list(extractor)
        return
    measured = measure(read_bytes(page), extractor)
    for line in FORMS[options.form](measured):
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
