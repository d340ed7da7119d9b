"""What a model has learnt, for people or as a line of JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from victor.base.labels import LABEL_NAMES, Label
from victor.cli.screen import INDENT, Screen, tame, write_record
from victor.explain import edge_kinds, learnt
from victor.explain.entries import entry_name
from victor.explain.model_summary import EdgeKind, Learnt, LearntRow
from victor.labelers.load import load_model
from victor.model.crf.linear import LinearPotentials
from victor.model.model import Model
from victor.model.trees import Trees

_LEFT: Final = 13
"""Columns of the weights of header."""


def write_model(name: str, top: int, trust_code: bool, *, as_json: bool) -> None:
    """Write what matters most to a model, by feature module, and its transitions.

    Raises:
        ModelError: the model is missing or damaged.
    """
    model = load_model(name)
    groups = learnt(model, top, trust_code=trust_code)
    edges = edge_kinds(model, trust_code=trust_code)
    if as_json:
        write_record(_record(name, model, groups, edges))
        return
    screen = Screen.stdout()
    _write_head(screen, name, model)
    if isinstance(model.potentials, Trees):
        _write_shares(screen, groups)
    else:
        _write_weights(screen, groups)
        _write_bias(screen, model.potentials)
    _write_edges(screen, model, edges)


def _write_head(screen: Screen, name: str, model: Model) -> None:
    potentials = model.potentials
    if isinstance(potentials, Trees):
        kind = f"{len(potentials.inputs)} inputs of trees"
        how = (
            "Each number is the share of the trees' output that an input or a group of inputs "
            "explains. The groups add up to 1."
        )
    else:
        kind = f"linear weights of {len(potentials.weights.template.entries)} template entries"
        how = (
            "Each number is the weight of header or text less that of other: above 0 it speaks for "
            "the label. A group shows its strongest weight."
        )
    screen.text(f"model {tame(name)}: {kind}", bold=True)
    screen.text(how)
    screen.write()


def _write_shares(screen: Screen, groups: Sequence[Learnt]) -> None:
    largest = max((group.size for group in groups), default=0.0)
    for group in groups:
        bar = screen.styled(screen.bar(group.size, largest), fg="blue")
        screen.row(f"  {group.size:7.3f}  {bar}", INDENT, group.name, bold=True)
        for row in group.rows:
            screen.row(f"{row.numbers[0]:{INDENT - 2}.3f}", INDENT, _words(row))
    screen.write()


def _write_weights(screen: Screen, groups: Sequence[Learnt]) -> None:
    screen.write(f"  {'header':>{_LEFT}}{'text':>{INDENT - _LEFT - 4}}")
    largest = max((group.size for group in groups), default=0.0)
    for group in groups:
        bar = screen.styled(screen.bar(group.size, largest), fg="blue")
        screen.row(f"  {group.size:7.2f}  {bar}", INDENT, group.name, bold=True)
        for row in group.rows:
            screen.row(_two(*row.numbers), INDENT, _words(row))
    screen.write()


def _write_bias(screen: Screen, potentials: LinearPotentials) -> None:
    screen.row(_two(*_bias(potentials)), INDENT, "bias, the same for every block")
    screen.write()


def _two(header: float, text: float) -> str:
    return f"  {header:+{_LEFT}.2f}{text:+{INDENT - _LEFT - 4}.2f}"


def _bias(potentials: LinearPotentials) -> tuple[float, float]:
    """The weights of header and text of every block, relative to other."""
    header, text, other = potentials.weights.bias.astype(float).tolist()
    return header - other, text - other


def _words(row: LearntRow) -> str:
    whose = f", {row.where}" if row.where else ""
    return f"{row.meaning}{whose}" + (f": {row.value}" if row.value else "")


def _write_edges(screen: Screen, model: Model, kinds: Sequence[EdgeKind]) -> None:
    """The transitions; with kinds of edge each row says its kind."""
    read = ", ".join(map(entry_name, model.edges.entries))
    by = f", by what the edge between them reads ({read})" if read else ""
    screen.text(f"transitions from a block to the next{by}, as log potentials", bold=True)
    width = max(len(tame(kind.name)) for kind in kinds)
    first, longest = 4 + width, max(map(len, LABEL_NAMES))
    heads = "".join(f"{f'to {name}':>11}" for name in LABEL_NAMES)
    screen.write(" " * (first + len("from ") + longest) + heads)
    for kind in kinds:
        for label, row in zip(LABEL_NAMES, kind.transitions.tolist(), strict=True):
            numbers = "".join(f"{value:>+11.3f}" for value in row)
            screen.write(f"  {tame(kind.name):<{width}}  from {label:<{longest}}{numbers}")


def _record(
    name: str, model: Model, groups: Sequence[Learnt], edges: Sequence[EdgeKind]
) -> dict[str, Any]:
    potentials = model.potentials
    is_trees = isinstance(potentials, Trees)
    record: dict[str, Any] = {"model": name, "potentials": "trees" if is_trees else "linear"}
    if isinstance(potentials, LinearPotentials):
        record["bias"] = dict(zip(LABEL_NAMES, _bias(potentials), strict=False))
    keys = ("share",) if is_trees else LABEL_NAMES[: Label.OTHER]
    record["groups"] = [
        {
            "name": group.name,
            "module": group.module or None,
            "share" if is_trees else "strongest": group.size,
            "rows": [
                {
                    "name": row.name,
                    "meaning": row.meaning,
                    "where": row.where,
                    **({} if is_trees else {"value": row.value}),
                    **dict(zip(keys, row.numbers, strict=True)),
                }
                for row in group.rows
            ],
            "more": group.n_more,
        }
        for group in groups
    ]
    record["edges"] = [
        {
            "kind": kind.name or None,
            "transitions": {
                first: dict(zip(LABEL_NAMES, row, strict=True))
                for first, row in zip(LABEL_NAMES, kind.transitions.tolist(), strict=True)
            },
        }
        for kind in edges
    ]
    return record
