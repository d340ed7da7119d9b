"""Markdown tables of accuracy, with all that is needed to reproduce them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from peers.pages import Page, fingerprint
from peers.runs import Run
from peers.scores import Scores

_HEAD: Final = "|word P|R|**F**|F, with content|nothing, without|empty|failed".split("|")
_FEWEST: Final = 5
"""Page types with fewer pages have no column."""


def accuracy(
    corpus: str,
    pages: Sequence[Page],
    scores: Mapping[str, Scores],
    runs: Mapping[str, Run],
    missing: Mapping[str, str],
) -> str:
    """The tables of one corpus, best word F first."""
    order = sorted(scores, key=lambda name: -scores[name].words[2])
    origin = f"{len(pages)} pages, SHA-256 `{fingerprint(pages)}`; {datetime.now(UTC).date()}."
    rows = [[name, *_row(scores[name])] for name in order]
    parts = [f"## {corpus}", origin, _table(_HEAD, rows)]
    kinds = [(kind, n) for kind, n in Counter(p.kind for p in pages).most_common() if n >= _FEWEST]
    if len(kinds) > 1:
        head = ["word F", *(f"{kind} ({n})" for kind, n in kinds)]
        by_kind = [[name, *(_f(scores[name].kinds[kind]) for kind, _ in kinds)] for name in order]
        parts.append(_table(head, by_kind))
    not_run = "".join(f"Not run: {name} ({reason}).\n" for name, reason in missing.items())
    return "\n\n".join([*parts, not_run + _versions(runs.values())]) + "\n"


def _row(scores: Scores) -> list[str]:
    precision, recall, f1 = map(_f, scores.words)
    nothing = "{} of {}".format(*scores.nothing)
    cells = [precision, recall, f"**{f1}**", _f(scores.with_content), nothing]
    return [*cells, str(scores.empty), str(scores.failed)]


def _versions(runs: Iterable[Run]) -> str:
    versions: dict[str, str] = {}
    for run in runs:
        versions |= run.about.get("versions", {})
    return f"Versions: {', '.join(f'{name} {versions[name]}' for name in sorted(versions))}."


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [list(head), ["---", *["--:"] * (len(head) - 1)], *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _f(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
