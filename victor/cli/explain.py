"""`victor explain`: why the blocks of a page have their labels, or the weights of a model."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click
import numpy as np

from victor import optional
from victor.api import Cleaner
from victor.cli.feature_files import feature_files_option
from victor.cli.helping import Command
from victor.cli.inputs import expand, source
from victor.cli.messages import complain, finish, one_line
from victor.errors import ConfigError, PageError
from victor.explain import Explanation, Reasons, edge_kinds, explain, important, strongest
from victor.explain.model_summary import EdgeKind, Weight
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.labels import LABEL_NAMES, Label
from victor.model.crf.linear import LinearPotentials
from victor.model.model import Model
from victor.model.trees import Trees
from victor.page.decode import decode, utf8
from victor.page.texts import block_texts
from victor.page.verdict import Verdict

_FEW: Final = 20
"""Blocks of a page, and weights and inputs of a model, that are shown by default."""
_TOP: Final = 5


@click.command(
    name="explain",
    cls=Command,
    examples=(
        "victor explain page.html",
        "victor explain page.html -b 3 -k 10",
        "victor explain page.html --html reasons.html",
        "victor explain -m crf",
    ),
)
@click.argument("page", required=False, metavar="[FILE|URL|-]")
@click.option("-m", "--model", help="A shipped model or the path of one.  [default: default]")
@feature_files_option
@click.option("-b", "--block", "blocks", type=click.IntRange(0), multiple=True,
              help="Explain this block, numbered from 0; may be repeated.")  # fmt: skip
@click.option("-a", "--all", "all_", is_flag=True,
              help=f"Explain all blocks instead of the {_FEW} least sure ones.")  # fmt: skip
@click.option("-k", "--top", type=click.IntRange(1),
              help=f"Contributions for and against [default: {_TOP}], or weights of the model "
              f"[default: {_FEW}].")  # fmt: skip
@click.option("--html", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the page with coloured blocks and reasons as one file, as "
              "`victor demo` does.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    page: str | None,
    *,
    model: str | None,
    feature_files: tuple[str, ...],
    blocks: tuple[int, ...],
    all_: bool,
    top: int | None,
    file: Path | None,
) -> None:
    """Show what spoke most for and against the label of each block of a page.

    Without a page, show the strongest weights of --model, or the inputs that matter most to its
    trees, and its transitions.
    """
    if page is not None:
        if blocks and all_:
            raise ConfigError("--block and --all exclude each other; leave one out")
        labeler = CrfLabeler(load_model(model or "default"), feature_files=feature_files)
        shown = _Shown(blocks, all_, top, file, f"{page} · {model or 'default'}")
        _explain_page(page, labeler, shown, feature_files)
    elif model is None:
        raise ConfigError("name a page to explain, or a model with --model")
    elif blocks or all_ or file:
        raise ConfigError("--block, --all and --html need a page: name one")
    else:
        _show_model(load_model(model), top or _FEW, feature_files)


# --- a page --------------------------------------------------------------------------------------


class _Shown(NamedTuple):
    """What is shown of a page: the options of `command`, and the title of the file."""

    blocks: Sequence[int]
    all_: bool
    top: int | None
    file: Path | None
    title: str


def _explain_page(
    page: str, labeler: CrfLabeler, shown: _Shown, feature_files: Sequence[str]
) -> None:
    """Print the reasons of blocks of a page, or write those of all as a file."""
    try:
        markup = _read(page, labeler.limits.bytes)
    except PageError as error:
        complain(f"{page}: {error}")
        finish(Counter([error.reason]), 1)
        return
    verdict = labeler.label(labeler.table([markup]))
    if not len(verdict.table):
        complain(f"{page}: the page has no text")
    explanation = explain(labeler.model, verdict.table, feature_files=feature_files)
    if shown.file is not None:
        html = Cleaner(labeler).clean(markup).demo(title=shown.title)
        shown.file.write_text(html, encoding="utf-8")
    if shown.file is None or shown.blocks or shown.all_:
        numbers = sorted(set(shown.blocks)) or _blocks_to_show(verdict, all_=shown.all_)
        _show_blocks(verdict, explanation.reasons(numbers, shown.top or _TOP), explanation)


def _read(name: str, limit: int) -> bytes:
    """The page as UTF-8.

    Raises:
        PageError: it cannot be read or is too long.
    """
    inputs = list(expand(name))
    if len(inputs) > 1:
        raise ConfigError(f"{name} holds {len(inputs)} pages; name one of them")
    page, _, charset = source(inputs[0], limit)
    if isinstance(page, PageError):
        raise page
    if len(page) > limit:
        raise PageError("too-many-bytes", f"the page has more than {limit} bytes")
    return utf8(page, decode(page, declared=charset))


def _blocks_to_show(verdict: Verdict, *, all_: bool) -> list[int]:
    """All blocks, or those whose labels are the least certain, in the order of the page."""
    n = len(verdict.table)
    if all_ or n <= _FEW:
        return list(range(n))
    complain(f"the {_FEW} least sure of {n} blocks; --all shows all, --block N one of them")
    certainty = np.abs(verdict.marginals[:, Label.OTHER] - 0.5)
    return sorted(np.argsort(certainty, kind="stable")[:_FEW].tolist())


def _show_blocks(verdict: Verdict, shown: Sequence[Reasons], explanation: Explanation) -> None:
    texts = block_texts(verdict.table, np.array([reasons.block for reasons in shown], np.int64))
    for reasons, text in zip(shown, texts, strict=True):
        marginals = explanation.marginals[reasons.block].tolist()
        label = LABEL_NAMES[verdict.labels[reasons.block]]
        shares = "  ".join(
            f"{name} {p:.3f}" for name, p in zip(LABEL_NAMES, marginals, strict=True)
        )
        title = f"block {reasons.block}  {label}  ({shares})  {one_line(text)}"
        head = f"{reasons.label.lower_name} against {reasons.against.lower_name}"
        rows = [(f"{reasons.log_odds:+.3f}", head, "")]
        rows += [
            (f"{weight:+.3f}", name, one_line(value))
            for name, value, weight in (*reasons.speaks_for, *reasons.speaks_against, reasons.rest)
        ]
        _show(title, ("log-odds", "feature", "value"), rows)


# --- a model -------------------------------------------------------------------------------------


def _show_model(model: Model, top: int, feature_files: Sequence[str]) -> None:
    """What the potentials weigh most, and the edges."""
    if isinstance(model.potentials, Trees):
        inputs = [(f"{share:.3f}", name) for name, share in important(model, top)]
        title = f"the {len(inputs)} inputs that explain most of the output of the trees"
        _show(title, ("share", "input"), inputs)
    else:
        _show_weights(model, strongest(model, top, feature_files=feature_files))
    _show_edges(model, edge_kinds(model, feature_files=feature_files))


def _show_weights(model: Model, weights: Sequence[Weight]) -> None:
    rows = [
        (f"{weight.header:+.3f}", f"{weight.text:+.3f}", weight.name, one_line(weight.value))
        for weight in weights
    ]
    title = f"the {len(rows)} strongest weights, relative to those of other"
    _show(title, ("header", "text", "feature", "value"), rows)
    assert isinstance(model.potentials, LinearPotentials), "trees have no weights"
    bias = model.potentials.weights.bias - model.potentials.weights.bias[Label.OTHER]
    _show("bias", LABEL_NAMES, [tuple(f"{weight:+.3f}" for weight in bias.tolist())])


def _show_edges(model: Model, kinds: Sequence[EdgeKind]) -> None:
    """The transitions; with kinds of edge each row says its kind."""
    column = model.edges.column
    rows = [
        (*([one_line(kind)] if column else []), f"{name} →", *(f"{value:+z.3f}" for value in row))
        for kind, transitions in kinds
        for name, row in zip(LABEL_NAMES, transitions.tolist(), strict=True)
    ]
    title = "transitions, from a block to the next one"
    if column:
        _show(f"{title}, by {column}", ("edge", "", *LABEL_NAMES), rows)
    else:
        _show(title, ("", *LABEL_NAMES), rows)


# --- tables --------------------------------------------------------------------------------------


def _show(title: str, head: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
    """A table, ruled and coloured on a terminal if rich is installed."""
    if not (sys.stdout.isatty() and optional.is_installed("rich")):
        for line in _plain(title, head, rows):
            click.echo(line.encode())
        return
    from rich.console import Console  # only on a terminal
    from rich.table import Table
    from rich.text import Text

    table = Table(*head, title=Text(title), title_justify="left", title_style="bold")
    for row in rows:
        style = "red" if row[0].startswith("-") else "green" if row[0].startswith("+") else ""
        table.add_row(Text(row[0], style=style), *map(Text, row[1:]))
    Console().print(table)


def _plain(title: str, head: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A title, lines of aligned columns and an empty line."""
    yield title
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield ("  " + "  ".join(cells)).rstrip()
    yield ""
