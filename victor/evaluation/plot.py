"""Precision-recall curves and reliability of several systems as a picture.

Needs matplotlib, the extra ``plot``. Nothing of its global state (pyplot) is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from victor.errors import ConfigError
from victor.evaluation.curve import MEASURES, Curve, best_f
from victor.model.calibration import Reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TITLES: Final = {
    "blocks": "Blocks",
    "words": "Words, all pages pooled",
    "pages": "Words, mean of pages",
}
_SUFFIXES: Final = (".png", ".svg")
_INCHES: Final = 5.0
"""Width and height of each of the plots in a picture."""
_ISO_F: Final = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
_SHOWN: Final = 0.8
"""The axes begin below all points that have at least this share of the best F."""


def drawable(path: Path) -> None:
    """Make sure that a picture can be drawn, before the work that it is to show.

    Raises:
        ConfigError: the file name ends in something else than .png or .svg, or matplotlib is not
            installed.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise ConfigError(f"a plot is a file ending in {' or '.join(_SUFFIXES)}, not {path.name}")
    try:
        import matplotlib  # noqa: F401, PLC0415  (optional package)
    except ImportError:
        raise ConfigError("plots need matplotlib: run pip install 'victor[plot]'") from None


def plot(path: Path, curves: Sequence[Curve], reliable: Sequence[Reliability] = ()) -> None:
    """Draw one plot per measure that some system has, with lines of equal F, and the reliability.

    A dot is the best F, a cross what the system's own decision gives.

    Args:
        path: picture to write, .png or .svg; the same input gives the same file.
        curves: of one or more systems.
        reliable: reliability of each system; without it that plot is left out.

    Raises:
        ConfigError: as `drawable`.
    """
    drawable(path)
    from matplotlib import rc_context  # noqa: PLC0415  (optional package, slow to import)
    from matplotlib.figure import Figure  # noqa: PLC0415

    shown = [name for name in MEASURES if any(name in curve.measures for curve in curves)]
    count = len(shown) + bool(reliable)
    rows = -(-count // 2)
    columns = min(count, 2)
    with rc_context({"svg.hashsalt": "victor", "svg.fonttype": "none"}):
        figure = Figure(figsize=(_INCHES * columns, _INCHES * rows), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
        for measure, place in zip(shown, axes, strict=False):
            _draw_curves(place, measure, [c for c in curves if measure in c.measures])
        if reliable:
            _draw_reliability(axes[len(shown)], [c.system for c in curves], reliable)
        for place in axes[count:]:
            place.remove()
        figure.savefig(path, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _draw_curves(axes: Axes, measure: str, curves: Sequence[Curve]) -> None:
    """One measure: recall to the right, precision upward."""
    low = min(_low(curve, measure) for curve in curves)
    _draw_iso_lines(axes, low)
    for number, curve in enumerate(curves):
        points, colour = curve.points(measure), f"C{number}"
        # Where nothing is kept there is no precision.
        axes.plot(points.recall[1:], points.precision[1:], color=colour, label=curve.system)
        best = best_f(curve, measure)
        axes.plot(best.recall, best.precision, "o", color=colour)
        if measure in curve.own:
            own = curve.own[measure]
            axes.plot(own.recall, own.precision, "x", color=colour, markersize=8)
    axes.set(title=_TITLES[measure], xlabel="recall", ylabel="precision")
    axes.set(xlim=(low, 1), ylim=(low, 1), aspect="equal")
    axes.legend(loc="lower left")


def _low(curve: Curve, measure: str) -> float:
    """Lower end of the axes: the tenth below all points nearly as good as the best."""
    points = curve.points(measure)
    good = points.f1 >= _SHOWN * points.f1.max()
    lowest = min(points.precision[good].min(), points.recall[good].min())
    return min(float(np.floor(10 * lowest)) / 10, 0.9)


def _draw_iso_lines(axes: Axes, low: float) -> None:
    """Lines of equal F, each with its value at the right edge."""
    for f in _ISO_F:
        at_full_recall = f / (2 - f)
        if at_full_recall > low:
            recall = np.linspace(at_full_recall, 1, 100)
            axes.plot(recall, f * recall / (2 * recall - f), color="0.85", linewidth=0.8, zorder=0)
            axes.annotate(
                f"F {f:g}", (1, at_full_recall), xytext=(3, 0), textcoords="offset points",
                color="0.5", fontsize="x-small", va="center", annotation_clip=False,
            )  # fmt: skip


def _draw_reliability(axes: Axes, systems: Sequence[str], reliable: Sequence[Reliability]) -> None:
    """What is said to the right, what is found upward."""
    axes.plot([0, 1], [0, 1], color="0.85", linewidth=0.8, zorder=0)
    for system, found in zip(systems, reliable, strict=True):
        label = f"{system}, error {found.error:.4f}"
        axes.plot(found.predicted, found.observed, "o-", markersize=4, label=label)
    axes.set(title="Reliability, blocks", xlabel="said p(keep)", ylabel="found share to keep")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.legend(loc="upper left")
