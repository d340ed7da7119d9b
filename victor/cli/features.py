"""`victor features`: what is measured, and the measures of a page."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import numpy as np

from victor.analysis import Analyzer
from victor.blocks import BlockTable
from victor.cli.corpora import configuration
from victor.columns import Bag, ColumnValues
from victor.config import Config
from victor.decode import decode
from victor.discretize import Codebook
from victor.errors import ConfigError

FORMS = ("tsv", "jsonl", "crfpp", "crfsuite")


@click.command(name="features")
@click.argument("page", required=False, metavar="[PAGE|-]")
@click.option("--list", "list_", is_flag=True, help="List every column with its meaning.")
@click.option("-c", "--config", "source", default="default", show_default=True,
              help="A shipped configuration or the path of one.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration.")  # fmt: skip
@click.option("-f", "--format", "form", type=click.Choice(FORMS), default="tsv", show_default=True,
              help="Table, JSON lines, or training text of CRF++ or CRFsuite.")  # fmt: skip
@click.option("-m", "--model", help="Show the codes that this model sees instead of raw values.")
def command(
    page: str | None,
    *,
    list_: bool,
    source: str,
    overrides: tuple[str, ...],
    form: str,
    model: str | None,
) -> None:
    """Print the columns of every block of a page, raw or as codes (with --model)."""
    if list_:
        _list(configuration(source, overrides))
        return
    if page is None:
        raise ConfigError("name a page, or ask for --list")
    codebook, config = _loaded(model, source, overrides)
    analyzer = Analyzer(config)
    table = analyzer.table([_read(page)])
    values = _shown(analyzer.columns(table), codebook)
    for line in _LINES[form](table, values):
        click.echo(line)


def _list(config: Config) -> None:
    """Every column of the shipped modules and of those that the configuration adds."""
    from victor.features import NAMES, load  # noqa: PLC0415  (imports every module)

    used = {column.name for column in Analyzer(config).features.columns}
    columns = {c.name: c for c in Analyzer(config).features.columns}
    for name in NAMES:
        columns |= {c.name: c for c in load(name).columns if c.name not in columns}
    width = max(map(len, columns))
    for column in columns.values():
        mark = "*" if column.name in used else " "
        click.echo(f"{mark} {column.name:<{width}}  {column.kind:<8}  {column.meaning}")
    click.echo("* switched on by the configuration", err=True)


def _loaded(
    model: str | None, source: str, overrides: tuple[str, ...]
) -> tuple[Codebook | None, Config]:
    from victor.api import load_model  # noqa: PLC0415  (only with a model)

    if model is None:
        return None, configuration(source, overrides)
    loaded = load_model(model)
    return loaded.codebook, loaded.config


def _read(page: str) -> bytes:
    try:
        raw = sys.stdin.buffer.read() if page == "-" else Path(page).read_bytes()
    except OSError as error:
        raise ConfigError(f"{page} cannot be read: {error.strerror}") from None
    return decode(raw).text.encode()


def _shown(
    columns: Mapping[str, ColumnValues], codebook: Codebook | None
) -> dict[str, list[object]]:
    """Values of every column as plain objects; bags as lists of tokens."""
    if codebook is not None:
        codes = codebook.codes(columns)
        return {name: codes[:, place].tolist() for place, name in enumerate(codebook.names)}
    return {
        name: list(map(" ".join, values.tokens())) if isinstance(values, Bag)
        else np.asarray(values).astype(np.float64).round(4).tolist()
        for name, values in columns.items()
    }  # fmt: skip


def _tsv(table: BlockTable, values: Mapping[str, list[object]]) -> Iterator[str]:
    yield "\t".join([*values, "text"])
    texts = [" ".join(text.split()) for text in table.texts()]
    for text, *row in zip(texts, *values.values(), strict=True):
        yield "\t".join([*(_number(value) for value in row), text])


def _jsonl(table: BlockTable, values: Mapping[str, list[object]]) -> Iterator[str]:
    for text, *row in zip(table.texts(), *values.values(), strict=True):
        yield json.dumps(
            {"text": text, **dict(zip(values, row, strict=True))}, ensure_ascii=False
        )


def _crfpp(table: BlockTable, values: Mapping[str, list[object]]) -> Iterator[str]:
    """One block a line, columns in order; the label column is for the user to add."""
    for row in zip(*values.values(), strict=True):
        yield " ".join(_number(value).replace(" ", "_") or "_" for value in row)
    yield ""


def _crfsuite(table: BlockTable, values: Mapping[str, list[object]]) -> Iterator[str]:
    """One block a line, ``name=value`` attributes; the label before them is for the user."""
    escape = str.maketrans({":": r"\:", "\\": r"\\", " ": "_"})
    for row in zip(*values.values(), strict=True):
        pairs = zip(values, row, strict=True)
        yield "\t" + "\t".join(f"{name}={_number(value)}".translate(escape) for name, value in pairs)
    yield ""


def _number(value: object) -> str:
    """Whole numbers without a decimal point."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


_LINES = {"tsv": _tsv, "jsonl": _jsonl, "crfpp": _crfpp, "crfsuite": _crfsuite}
