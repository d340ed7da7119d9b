"""A report on stored predictions for the browser: one HTML file that loads nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.errors import CorpusError
from victor.base.files import write_bytes
from victor.base.labels import UNLABELLED
from victor.evaluation.curve import curve
from victor.evaluation.predictions import Predictions
from victor.evaluation.report.block_outcomes import ScoredSystem
from victor.evaluation.report.html import render
from victor.evaluation.report.plots import plots
from victor.evaluation.report.template_values import values

FILE: Final = "index.html"


_MOST_CORPORA: Final = 4
"""Corpora that the title names."""


def write_report(
    directory: Path,
    systems: Sequence[Predictions],
    *,
    title: str | None = None,
    date: str | None = None,
) -> Path:
    """Write a report, replacing one that is there.

    Args:
        directory: folder of the report, made if it is missing.
        systems: predictions on the same corpus. The worst pages are those of the first system;
            others have a column there if they cut the page into the same blocks.
        title: heading of the page; None names the corpora.
        date: stands beside the title, if given.

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
    curves = [curve(system) for system in systems]
    text = render(
        values(
            title or _title(systems[0]), date, [ScoredSystem(system) for system in systems], curves
        ),
        plots(curves),
    )
    directory.mkdir(parents=True, exist_ok=True)
    write_bytes(directory / FILE, text.encode())
    return directory / FILE


def _title(predictions: Predictions) -> str:
    """A heading that names the corpora of the pages, those with most pages first."""
    pages = Counter(page.corpus for page in predictions.pages if page.corpus)
    names = [name for name, _ in pages.most_common(_MOST_CORPORA)]
    if len(pages) > len(names):
        names.append(f"{len(pages) - len(names)} more")
    return f"Victor on {', '.join(names) or 'annotated pages'}"
