"""Tables of the figures in `docs/reports/results.yaml`, written into the pages that show them.

`python docs/_ext/results.py` writes each table between `<!-- results: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = (
    "README.md",
    "benchmarks/board.md",
    "docs/concepts/labelers.md",
    "docs/how-to/retrieval.md",
    "docs/tutorials/czech-corpus.md",
)
"""Where tables stand."""
_PART: Final = re.compile(r"(<!-- results: (\w+) -->\n)[^<]*(<!-- end -->)")
_NUMBER: Final = re.compile(r"\d|$")
_FIGURE: Final = re.compile(r"\d+\.\d+")
_FIRST: Final = ("wcxb-dev", "cleaneval-dev", "czech-dev")
"""The corpora that README tells of."""
_FIRST_SYSTEMS: Final = (
    "Victor",
    "Victor with the model czech",
    "Victor with the labeler kimatu",
    "Readability.js",
    "resiliparse",
    "Defuddle",
    "trafilatura",
    "readability-lxml",
    "magic-html",
)
_SMALLER_IS_BETTER: Final = ("in batches", "one by one")

Figures = dict[str, dict[str, str]]
"""System to column to figure, as it is written; empty where there is none."""


def tables() -> dict[str, Figures]:
    """The tables by name, that of README among them."""
    text = (ROOT / "docs/reports/results.yaml").read_text(encoding="utf-8")
    stored = yaml.load(text, yaml.BaseLoader)  # figures stay as they are written
    made = {name: _figures(table["columns"], table["rows"]) for name, table in stored.items()}
    times = made["times"]
    no_times = dict.fromkeys(_SMALLER_IS_BETTER, "")
    made["readme"] = {
        system: {column: made["systems"][system][column] for column in _FIRST}
        | {"answer first": made["retrieval"].get(system, {}).get("answer in the first", "")}
        | times.get(system, no_times)
        for system in _FIRST_SYSTEMS
    }
    return made


def _figures(columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> Figures:
    return {name: dict(zip(columns, row, strict=True)) for name, row in rows.items()}


def updated(page: str, by_name: Mapping[str, Figures]) -> str:
    """A page with its tables as the figures are."""
    return _PART.sub(lambda part: f"{part[1]}{markdown(by_name[part[2]])}{part[3]}", page)


def markdown(figures: Figures) -> str:
    """A table, the best figures of each column in bold; columns of words and counts have none."""
    columns = [*next(iter(figures.values()))]
    best = {column: _best(column, [row[column] for row in figures.values()]) for column in columns}
    rows = figures.values()
    marks = (
        "--:" if all(_NUMBER.match(row[column]) for row in rows) else "---" for column in columns
    )
    lines = [["", *columns], ["---", *marks]]
    for system, row in figures.items():
        cells = (_shown(row[column], best[column]) for column in columns)
        lines.append([f"**{system}**" if system == "Victor" else system, *cells])
    return "".join(_line(cells) for cells in lines)


def _best(column: str, figures: Iterable[str]) -> float | None:
    choose = min if column in _SMALLER_IS_BETTER else max
    given = [figure for figure in figures if figure]
    return choose(map(float, given)) if all(map(_FIGURE.fullmatch, given)) else None


def _shown(figure: str, best: float | None) -> str:
    is_best = best is not None and figure and float(figure) == best
    return f"**{figure}**" if is_best else figure


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |")


if __name__ == "__main__":
    for name in PAGES:
        path = ROOT / name
        path.write_text(updated(path.read_text(encoding="utf-8"), tables()), encoding="utf-8")
