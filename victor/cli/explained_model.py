"""What a model has learnt, for people or as a line of JSON."""

from __future__ import annotations

from typing import Final

from msgspec.structs import asdict

from victor.base.labels import LABEL_NAMES
from victor.cli.lines import tame, write, write_record, write_text
from victor.explain.model_summary import Learnt, learnt
from victor.labelers.load import load_model

_NUMBER: Final = 10
_HOW: Final = {
    "trees": "Each number is the share of the trees' output that an input or a group of inputs "
    "explains. The groups add up to 1.",
    "linear": "Each number is the weight of header or text less that of other: above 0 it speaks "
    "for the label. A group shows its strongest weight.",
}


def write_model(name: str, top: int, trust_code: bool, *, as_json: bool) -> None:
    """Write what matters most to a model, by feature module, and its transitions.

    Raises:
        ModelError: the model is missing or damaged.
    """
    summary = learnt(load_model(name), top, trust_code=trust_code)
    if as_json:
        write_record({"model": name, **asdict(summary)})
        return
    write_text(f"model {name}: potentials are {summary.potentials}", bold=True)
    if summary.experts:
        write_text(f"experts for types of pages: {', '.join(summary.experts)}")
    write_text(_HOW[summary.potentials])
    write()
    _write_modules(summary)
    write()
    _write_edges(summary)


def _write_modules(summary: Learnt) -> None:
    """A table of the modules with their strongest rows."""
    columns = ("share",) if summary.potentials == "trees" else LABEL_NAMES[:2]
    indent = _NUMBER * (1 + len(columns)) + 2
    write(" " * _NUMBER + "".join(f"{column:>{_NUMBER}}" for column in columns))
    for module in summary.modules:
        start = f"{module.size:{_NUMBER}.3f}"
        write_text(module.name, start=start, indent=_NUMBER + 2, bold=True)
        for row in module.rows:
            write_text(row.words, start=_numbers(row.numbers), indent=indent, lines=3)
    if summary.bias:
        write_text("bias, the same for every block", start=_numbers(summary.bias), indent=indent)


def _numbers(numbers: dict[str, float]) -> str:
    sign = "" if "share" in numbers else "+"
    shown = "".join(f"{number:{sign}{_NUMBER}.3f}" for number in numbers.values())
    return " " * _NUMBER + shown


def _write_edges(summary: Learnt) -> None:
    """A table of the transitions; with kinds of edge each row says its kind."""
    by = f", by {', '.join(summary.reads)} of the edge between them" if summary.reads else ""
    write_text(f"log potentials from a block (row) to the next (column){by}", bold=True)
    kinds = [tame(edge.kind) for edge in summary.edges]
    width, longest = max(map(len, kinds)), max(map(len, LABEL_NAMES))
    heads = "".join(f"{name:>{_NUMBER}}" for name in LABEL_NAMES)
    write(" " * (4 + width + longest) + heads)
    for kind, edge in zip(kinds, summary.edges, strict=True):
        for label, row in edge.transitions.items():
            shown = "".join(f"{value:>+{_NUMBER}.3f}" for value in row.values())
            write(f"  {kind:<{width}}  {label:<{longest}}{shown}")
