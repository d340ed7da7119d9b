"""A report on stored predictions for the browser: one HTML file that loads nothing."""

from __future__ import annotations

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from victor.base import lazy
from victor.base.arrays import Bools, Codes, Labels
from victor.base.errors import CorpusError
from victor.base.files import package_folder, write_bytes
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.base.lazy import cached_property
from victor.evaluation.drawings import (
    DECISION,
    TITLES,
    calibration_panel,
    curve_panels,
    cut,
    drawing,
    printable,
)
from victor.evaluation.predictions import Predictions, reliabilities
from victor.evaluation.thresholds import (
    Curve,
    OperatingPoint,
    area,
    configured_points,
    curve,
    operating_points,
    preset_points,
)
from victor.measures.averages import EVERY, Summary, summarize
from victor.measures.blocks import block_scores
from victor.measures.words import Score, word_score

if TYPE_CHECKING:
    from jinja2 import Environment

    from victor.evaluation.drawings import Panel

FILE: Final = "index.html"
PACKAGES: Final = ("jinja2", "matplotlib")
"""What a report needs beside the core."""
Values = dict[str, Any]
"""What the template shows of something, by name."""

_MOST_CORPORA: Final = 4  # corpora that the title names
_OUTCOMES: Final = (
    {"name": "rightly kept", "sign": "✓", "class": "kept"},
    {"name": "rightly dropped", "sign": "·", "class": "dropped"},
    {"name": "lost", "sign": "−", "class": "lost"},
    {"name": "wrongly kept", "sign": "+", "class": "wrong"},
    {"name": "unlabelled", "sign": "?", "class": "none"},
)
"""How each `BlockOutcome` is shown: never by colour alone."""
MOST_PAGES: Final = 30
MOST_CHARACTERS: Final = 2_000
"""Of a block; the rest is cut off."""
_SHORTEST_FOLD: Final = 4  # rightly dropped blocks in a row that are folded into one line
_MOST_ROWS: Final = 500
_MOST_CHARACTERS_OF_PAGE: Final = 100_000


def write_report(
    directory: Path,
    systems: Sequence[Predictions],
    *,
    title: str | None = None,
    date: str | None = None,
    version: str | None = None,
) -> Path:
    """Write a report, replacing one that is there; returns the file to open.

    Args:
        directory: folder of the report, made if it is missing.
        systems: predictions on the same corpus. The worst pages are those of the first system;
            others have a column there if they cut the page into the same blocks.
        title: heading of the page; None names the corpora.
        date: stands beside the title, if given.
        version: of the program, stands among the notes, if given.

    Raises:
        CorpusError: no system, or one without a labelled block.
    """
    if not systems:
        raise CorpusError("nothing to report on: give the predictions of a system")
    for system in systems:
        if not np.any(system.labels != UNLABELLED):
            raise CorpusError(
                f"no block of {system.system} has a gold label: "
                "report on pages that were annotated or aligned"
            )
    curves, scored = [curve(system) for system in systems], [*map(ScoredSystem, systems)]
    bins = [(system.system, reliabilities(system)["blocks"]) for system in systems]
    css = _static("report.css")
    text = _environment().get_template("report.html").render(
        title=cut(title or _title(systems[0])),
        date=date,
        version=version,
        css=css,
        policy=_policy(css),
        curves={title: _drawn(panel) for title, panel in curve_panels(curves).items()},
        calibration=_drawn(calibration_panel(bins)),
        systems=[_system_values(*pair) for pair in zip(scored, curves, strict=True)],
        scores=_score_tables(scored),
        pages=worst_pages(scored),
        labels=LABEL_NAMES,
        outcomes=_OUTCOMES,
    )  # fmt: skip
    write_bytes(directory / FILE, printable(text).encode(), parents=True)
    return directory / FILE


def _title(predictions: Predictions) -> str:
    """A heading that names the corpora of the pages, those with most pages first."""
    pages = Counter(page.corpus for page in predictions.pages if page.corpus)
    names = [name for name, _ in pages.most_common(_MOST_CORPORA)]
    if len(pages) > len(names):
        names.append(f"{len(pages) - len(names)} more")
    return f"Victor on {', '.join(names) or 'annotated pages'}"


def _policy(css: str) -> str:
    """Content Security Policy: the one style sheet, drawings in the file, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _drawn(panel: Panel) -> dict[str, str]:
    """The addresses of a drawing for light and for dark pages."""
    schemes = {name: drawing([panel], is_dark=name == "dark") for name in ("light", "dark")}
    return {
        name: f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
        for name, svg in schemes.items()
    }


def _static(name: str) -> str:
    return (package_folder("victor.evaluation") / name).read_text(encoding="utf-8")


def _environment() -> Environment:
    jinja = lazy.load("jinja2", extra="train")
    environment: Environment = jinja.Environment(
        loader=jinja.FunctionLoader(_static),
        autoescape=True,
        undefined=jinja.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "decimal": lambda value: "–" if math.isnan(value) else f"{value:.4f}",
        "interval": _interval,
        "whole": lambda value: f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}"),
        "marginals": lambda values: "h {:.2f} t {:.2f} o {:.2f}".format(*values),
        "cut": cut,
    }
    return environment


def _interval(ends: tuple[float, float]) -> str:
    low, high = ends
    return "–" if math.isnan(low) else f"{low:.3f} – {high:.3f}"


# --- Scores ---------------------------------------------------------------------------------------


class BlockOutcome(IntEnum):
    """Gold label and decision of a block together; header and text are one."""

    KEPT = 0
    DROPPED = 1
    LOST = 2
    WRONGLY_KEPT = 3
    UNLABELLED = 4


@dataclass(frozen=True, eq=False)
class ScoredSystem:
    """A system's decision beside the gold standard: n blocks on P pages."""

    predictions: Predictions

    @cached_property
    def kept(self) -> Bools:
        """(n,) blocks that the system keeps."""
        return np.asarray(self.predictions.decided != Label.OTHER)

    @cached_property
    def outcomes(self) -> Codes:
        """(n,) `BlockOutcome` of each block."""
        gold = self.predictions.labels
        content = np.where(self.kept, BlockOutcome.KEPT, BlockOutcome.LOST)
        other = np.where(self.kept, BlockOutcome.WRONGLY_KEPT, BlockOutcome.DROPPED)
        outcomes = np.where(gold == Label.OTHER, other, content)
        return np.where(gold == UNLABELLED, BlockOutcome.UNLABELLED, outcomes).astype(np.uint8)

    @cached_property
    def gold_texts(self) -> list[str]:
        """(P) gold texts; for a page that has none, the text of its blocks with a gold label."""
        pages = zip(self.predictions.pages, self._texts(self._is_gold), strict=True)
        return [text if page.gold is None else page.gold for page, text in pages]

    @cached_property
    def scores(self) -> list[Score]:
        """(P) word score of the kept blocks; unlabelled blocks count as dropped."""
        return self._scores(self.kept & (self.predictions.labels != UNLABELLED))

    @cached_property
    def reachable(self) -> list[Score]:
        """(P) word score that keeping by the gold labels would give."""
        return self._scores(self._is_gold)

    @property
    def _is_gold(self) -> Bools:
        return np.isin(self.predictions.labels, (Label.HEADER, Label.TEXT))

    def _scores(self, kept: Bools) -> list[Score]:
        texts = zip(self._texts(kept), self.gold_texts, strict=True)
        return [word_score(text, gold) for text, gold in texts]

    def _texts(self, kept: Bools) -> list[str]:
        """Text of the given blocks, page by page."""
        texts = self.predictions.texts
        return [
            "\n".join([texts[page.start + row] for row in np.flatnonzero(kept[page]).tolist()])
            for page in self.predictions.page_slices
        ]

    def summaries(self, groups: Sequence[str]) -> list[Summary]:
        """All pages, then the groups; intervals by drawing sites."""
        return summarize(self.scores, groups, sites=self.predictions.sites)


def _score_tables(systems: Sequence[ScoredSystem]) -> dict[str, list[Values]]:
    """Page means of word scores with 95 % intervals, by title of the table."""
    pages = [(system, system.predictions.pages) for system in systems]
    kinds = [system.summaries([page.kind for page in own]) for system, own in pages]
    languages = [system.summaries([page.language for page in own]) for system, own in pages]
    return {
        "By page type": _rows(kinds),
        "By language": _rows(languages),
    }


def _rows(columns: Sequence[Sequence[Summary]]) -> list[Values]:
    """Groups of the first system, then those that only others have."""
    systems = [{summary.group: summary for summary in column} for column in columns]
    groups = dict.fromkeys(group for system in systems for group in system)
    return [
        {
            "group": "all pages" if group == EVERY else group,
            "pages": max(system[group].pages for system in systems if group in system),
            "summaries": [system.get(group) for system in systems],
        }
        for group in groups
    ]


def _operating_points(curve: Curve) -> dict[str, list[OperatingPoint]]:
    """The configured decision, presets and thresholds worth choosing, by title of the measure."""
    return {
        TITLES[measure]: [
            *configured_points(curve, measure, DECISION),
            *(replace(p, name=f"preset {p.name}") for p in preset_points(curve, measure)),
            *operating_points(curve, measure),
        ]
        for measure in TITLES
        if measure in curve.measures
    }


def _system_values(system: ScoredSystem, curve: Curve) -> Values:
    """What stands of one system beside its scores by group."""
    predictions = system.predictions
    decision = predictions.decision.on_marginals
    return {
        "name": cut(predictions.system),
        "protocol": cut(predictions.protocol),
        "decision": f"keeps blocks with p(other) below {decision.threshold:g}"
        if decision.method == "threshold"
        else f"keeps what maximises expected F, temperature {decision.temperature:g}",
        "overall": summarize(system.scores, sites=predictions.sites)[0],
        "points": _operating_points(curve),
        "areas": {TITLES[measure]: area(curve, measure) for measure in curve.measures},
        "confusion": block_scores(predictions.labels, predictions.decided),
        "pages": len(predictions.pages),
        "sites": len(set(predictions.sites)),
        "blocks": len(predictions.labels),
        "unlabelled": int(np.sum(predictions.labels == UNLABELLED)),
        "without_gold": sum(page.gold is None for page in predictions.pages),
    }


# --- The worst pages ------------------------------------------------------------------------------


def worst_pages(systems: Sequence[ScoredSystem]) -> list[Values]:
    """The pages on which the first system is furthest below what its blocks allow.

    Ranked by the word F of keeping by the gold labels minus that of the system, so that pages whose
    gold text is not on the page come last. Another system has a column where it cuts the page into
    the same blocks.
    """
    first = systems[0]
    scores = zip(first.reachable, first.scores, strict=True)
    losses = np.array([reachable.f1 - score.f1 for reachable, score in scores])
    ranked = np.argsort(-losses, kind="stable")[:MOST_PAGES]
    blocks = [_blocks_by_id(system.predictions) for system in systems]
    return [_worst_page(systems, blocks, page) for page in ranked.tolist() if losses[page] > 0]


def _blocks_by_id(predictions: Predictions) -> dict[str, slice]:
    ids = [page.id for page in predictions.pages]
    return dict(zip(ids, predictions.page_slices, strict=True))


def _worst_page(
    systems: Sequence[ScoredSystem], blocks: Sequence[dict[str, slice]], page: int
) -> Values:
    """One page with the columns of all systems that have the same blocks."""
    first = systems[0]
    info = first.predictions.pages[page]
    own = first.predictions.page_slices[page]
    texts = first.predictions.texts[own]
    columns = [
        (system, by_id[info.id])
        for system, by_id in zip(systems, blocks, strict=True)
        if info.id in by_id and system.predictions.texts[by_id[info.id]] == texts
    ]
    shown = _blocks_shown(texts)
    words, outcomes = first.predictions.words[own], first.outcomes[own]
    return {
        "info": info,
        "title": _page_title(texts, first.predictions.labels[own]),
        "score": first.scores[page],
        "reachable": first.reachable[page].f1,
        "lost": int(words[outcomes == BlockOutcome.LOST].sum()),
        "wrongly_kept": int(words[outcomes == BlockOutcome.WRONGLY_KEPT].sum()),
        "systems": [system.predictions.system for system, _ in columns],
        "runs": _runs([_row(columns, block) for block in range(shown)]),
        "omitted": len(texts) - shown,
    }


def _page_title(texts: Sequence[str], labels: Labels) -> str:
    """The first header of the gold standard, or its first text."""
    gold = [*np.flatnonzero(labels == Label.HEADER), *np.flatnonzero(labels == Label.TEXT)]
    return texts[gold[0]] if gold else ""


def _blocks_shown(texts: Sequence[str]) -> int:
    """How many blocks of a page a report can hold."""
    characters = np.cumsum([min(len(text), MOST_CHARACTERS) for text in texts[:_MOST_ROWS]])
    return min(int(np.searchsorted(characters, _MOST_CHARACTERS_OF_PAGE)) + 1, len(characters))


def _runs(rows: Sequence[Values]) -> list[Values]:
    """Rows in order; long runs that every system rightly dropped are folded."""
    runs = [(is_dropped, [*run]) for is_dropped, run in groupby(rows, _is_dropped)]
    return [
        {
            "rows": run,
            "is_folded": is_dropped and len(run) >= _SHORTEST_FOLD,
            "words": sum(row["words"] for row in run),
        }
        for is_dropped, run in runs
    ]


def _is_dropped(row: Values) -> bool:
    return all(cell["outcome"] == BlockOutcome.DROPPED for cell in row["cells"])


def _row(columns: Sequence[tuple[ScoredSystem, slice]], block: int) -> Values:
    """A block and what each system made of it."""
    predictions, row = columns[0][0].predictions, columns[0][1].start + block
    label = int(predictions.labels[row])
    return {
        "number": block,
        "text": predictions.texts[row][:MOST_CHARACTERS],
        "words": int(predictions.words[row]),
        "gold": "" if label == UNLABELLED else LABEL_NAMES[label],
        "cells": [_cell(system, rows.start + block) for system, rows in columns],
    }


def _cell(system: ScoredSystem, row: int) -> Values:
    return {
        "outcome": int(system.outcomes[row]),
        "kept": bool(system.kept[row]),
        "marginals": system.predictions.marginals[row].tolist(),
    }
