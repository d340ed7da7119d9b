"""A report on stored predictions for the browser: one HTML file that loads nothing."""

from __future__ import annotations

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from victor.base import optional
from victor.base.errors import CorpusError
from victor.base.files import package_folder, write_bytes
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.evaluation.predictions import Predictions, reliabilities
from victor.evaluation.report.contents import ScoredSystem, score_tables, system_values, worst_pages
from victor.evaluation.report.drawings import (
    calibration_panel,
    curve_panels,
    cut,
    drawing,
    printable,
)
from victor.evaluation.thresholds import curve

if TYPE_CHECKING:
    from jinja2 import Environment

    from victor.evaluation.report.drawings import Panel

FILE: Final = "index.html"
PACKAGES: Final = ("jinja2", "matplotlib")
"""What a report needs beside the core."""
_MOST_CORPORA: Final = 4
"""Corpora that the title names."""
_OUTCOMES: Final = (
    {"name": "rightly kept", "sign": "✓", "class": "kept"},
    {"name": "rightly dropped", "sign": "·", "class": "dropped"},
    {"name": "lost", "sign": "−", "class": "lost"},
    {"name": "wrongly kept", "sign": "+", "class": "wrong"},
    {"name": "unlabelled", "sign": "?", "class": "none"},
)
"""How each `BlockOutcome` is shown: never by colour alone."""


def write_report(
    directory: Path,
    systems: Sequence[Predictions],
    *,
    title: str | None = None,
    date: str | None = None,
    version: str | None = None,
) -> Path:
    """Write a report, replacing one that is there.

    Args:
        directory: folder of the report, made if it is missing.
        systems: predictions on the same corpus. The worst pages are those of the first system;
            others have a column there if they cut the page into the same blocks.
        title: heading of the page; None names the corpora.
        date: stands beside the title, if given.
        version: of the program, stands among the notes, if given.

    Returns:
        The file to open.

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
        systems=[system_values(*pair) for pair in zip(scored, curves, strict=True)],
        scores=score_tables(scored),
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
    return (package_folder("victor.evaluation.report") / name).read_text(encoding="utf-8")


def _environment() -> Environment:
    jinja = optional.load("jinja2", extra="train")
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
