"""Markdown tables of accuracy and speed, with all that is needed to reproduce them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from peers.pages import Page
from peers.runs import Run, Times
from peers.scores import Scores
from peers.systems import BATCH, BATCHED, REFERENCE, VICTOR

_HEAD: Final = "|word P|R|**F**|F, with content|shingle P|R|**F**|ROUGE-LSum F|empty|failed".split(
    "|"
)
_FEWEST: Final = 5
"""Page types with fewer pages have no column."""


def accuracy(
    corpus: str,
    pages: Sequence[Page],
    scores: Mapping[str, Scores],
    runs: Mapping[str, Run],
    about: Mapping[str, Any],
) -> str:
    """The tables of one corpus, best word F first."""
    order = sorted(scores, key=lambda name: -scores[name].words[2])
    rows = [[name, *_row(scores[name])] for name in order]
    parts = [f"## {corpus}", _origin(about), _table(_HEAD, rows)]
    kinds = [(kind, n) for kind, n in Counter(p.kind for p in pages).most_common() if n >= _FEWEST]
    if len(kinds) > 1:
        head = ["word F", *(f"{kind} ({n})" for kind, n in kinds)]
        by_kind = [[name, *(_f(scores[name].kinds[kind]) for kind, _ in kinds)] for name in order]
        parts.append(_table(head, by_kind))
    parts.append(_missing(about.get("missing", {})) + _versions(run.about for run in runs.values()))
    return "\n\n".join(parts) + "\n"


def _row(scores: Scores) -> list[str]:
    precision, recall, f1 = map(_f, scores.words)
    numbers = [precision, recall, f"**{f1}**", _f(scores.with_content)]
    precision, recall, f1 = map(_f, scores.shingles)
    numbers += [precision, recall, f"**{f1}**", _f(scores.rouge)]
    return [*numbers, str(scores.empty), str(scores.failed)]


def _origin(about: Mapping[str, Any]) -> str:
    return (
        f"{about.get('pages', '?')} pages, SHA-256 `{about.get('sha256', '?')}`;\n"
        f"{about.get('machine', '?')}; {about.get('date', '?')}."
    )


def speed(times: Mapping[str, Times], missing: Mapping[str, str], about: Mapping[str, Any]) -> str:
    """Times as ratios, fastest first; of each system over the pages that it did not fail on."""
    medians = {name: seconds.medians() for name, seconds in times.items()}
    rows = []
    for name, seconds in medians.items():
        ratios = [_ratio(seconds, medians.get(other)) for other in (REFERENCE, VICTOR)]
        milliseconds = 1000 * sum(seconds.values()) / len(seconds) if seconds else math.nan
        label = name + (" (Node)" if times[name].about["clock"] == "node" else "")
        numbers = [f"{milliseconds:.1f}", *map(_times, ratios), str(about["pages"] - len(seconds))]
        rows.append((ratios[0], [label, *numbers]))
    head = ["", "ms/page", f"x {REFERENCE}", f"x {VICTOR}", "pages failed"]
    table = _table(head, [row for _, row in sorted(rows)])
    last = _missing(missing) + _versions(system.about for system in times.values())
    return "\n\n".join(["## Speed", _conditions(about), table, last]) + "\n"


def _conditions(about: Mapping[str, Any]) -> str:
    """How times were taken."""
    kilobytes = about["bytes"] / max(1, about["pages"]) / 1000
    return (
        f"{_origin(about)} {kilobytes:.0f} kB a page; of each page the median of {about['rounds']} "
        f"rounds, the systems in turns of {BATCH} pages. Process time; Python without "
        "garbage collection, Node with its own threads (garbage collector, compiler). Every system "
        f"is given one page at a time, `{BATCHED}` {BATCH} in one call."
    )


def _ratio(seconds: Mapping[str, float], other_seconds: Mapping[str, float] | None) -> float:
    """Time beside another's on the pages that both have."""
    both = seconds.keys() & (other_seconds or {}).keys()
    if other_seconds is None or not both:
        return math.inf
    return sum(seconds[page] for page in both) / sum(other_seconds[page] for page in both)


def _times(ratio: float) -> str:
    return f"{ratio:.2f}" if math.isfinite(ratio) else "-"


def _missing(missing: Mapping[str, str]) -> str:
    return "".join(f"Not run: {name} ({reason}).\n" for name, reason in missing.items())


def _versions(abouts: Iterable[Mapping[str, Any]]) -> str:
    versions: dict[str, str] = {}
    for about in abouts:
        versions |= about.get("versions", {})
    named = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    return f"Versions: {named}."


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [list(head), ["---", *["--:"] * (len(head) - 1)], *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _f(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
