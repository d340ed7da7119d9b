"""Precision and recall over the threshold on p(other), from 0 to 0.5 (the paper's figure 2).

    python benchmarks/paper/threshold.py CORPUS... [--config NAME] [--picture FILE.svg] [--jobs 2]

Cross-validated marginals on the pages with content, without features of the language. A block is
kept while p(other) is below the threshold. The figure of the paper is a drawing without numbers;
its right end is what table 2 has for a threshold of 0.5.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from experiment import (
    Options,
    counted,
    has_content,
    marginals,
    measured,
    options,
    run,
    without_language,
)
from published import CONTENT_PAGES, PAPER

from victor.config import Config
from victor.evaluation.curve import Curve, OperatingPoint, curve
from victor.evaluation.predictions import collect
from victor.evaluation.report.picture import check_picture, write_plot
from victor.evaluation.report.plots import DECISION, Line, Plot, thinned
from victor.measures.summaries import aligned
from victor.model.decide import Decision

HIGHEST: Final = 0.5
"""The paper's threshold unless another is set."""
THRESHOLDS: Final = (0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, HIGHEST)
"""Rows of the table."""
MARKED: Final = (0.1, 0.2, 0.3)
"""Thresholds named in the picture."""


def main() -> None:
    """Print a table for every configuration and draw one picture of all."""
    given = options(__doc__, picture=True)
    if given.picture is not None:
        check_picture(given.picture)  # before the work
    curves = [of_configuration(name, config, given) for name, config in given.configs.items()]
    for each in curves:
        print(f"== {each.system}\n{aligned(rows(each))}\n")
    print(f"paper, threshold 0.5: precision {CONTENT_PAGES['precision']}, "
          f"recall {CONTENT_PAGES['recall']}\n{PAPER}")  # fmt: skip
    if given.picture is not None:
        title = "Blocks, threshold on p(other) from 0 to 0.5"
        lines = tuple(line(each) for each in curves)
        note = "◆ threshold 0.5; the other numbers are thresholds"
        write_plot(given.picture, Plot("blocks", title, lines, 0.0), note)


def of_configuration(name: str, config: Config, given: Options) -> Curve:
    """The curve of cross-validated marginals."""
    pages = [page for page in given.pages if has_content(page)]
    dataset, extractor = measured(pages, config)
    predicted = marginals(dataset, without_language(config, extractor), extractor, given)
    print(f"{name}: {counted(dataset, given.folds)}")
    protocol = f"{given.folds} folds by site"
    return curve(collect(dataset, predicted, system=name, protocol=protocol, decision=Decision()))


def rows(found: Curve) -> list[list[str]]:
    """The table: a row for every threshold."""
    table = [["threshold", "precision", "recall", "F"]]
    for threshold in THRESHOLDS:
        score = found.at(threshold)["blocks"]
        values = (score.precision, score.recall, score.f1)
        table.append([f"{threshold:g}", *(f"{100 * value:.2f}" for value in values)])
    return table


def line(found: Curve) -> Line:
    """The part of a curve up to the highest threshold; what keeps nothing has no precision."""
    points = found.points("blocks")
    until = int(np.searchsorted(found.values, HIGHEST)) + 1
    shown = np.arange(1, max(until, 2))
    kept = shown[thinned(points.precision[shown], points.recall[shown])]
    return Line(
        system=found.system,
        threshold=found.thresholds[kept],
        precision=points.precision[kept],
        recall=points.recall[kept],
        f1=points.f1[kept],
        marks=tuple(_mark(found, threshold) for threshold in (*MARKED, HIGHEST)),
    )


def _mark(found: Curve, threshold: float) -> OperatingPoint:
    score = found.at(threshold)["blocks"]
    name = DECISION if threshold == HIGHEST else f"{threshold:g}".removeprefix("0")
    return OperatingPoint(name, threshold, score.precision, score.recall, score.f1)


if __name__ == "__main__":
    run(main)
