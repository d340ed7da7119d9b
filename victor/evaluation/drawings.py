"""Curves and calibration drawn by matplotlib, as SVG: the same input gives the same bytes."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from victor.base import lazy
from victor.base.arrays import Floats
from victor.evaluation.thresholds import (
    Curve,
    OperatingPoint,
    best_f,
    configured_points,
    preset_points,
)
from victor.model.calibration import Reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    Panel = Callable[[Axes], None]

TITLES: Final = {
    "pages": "Words, mean of pages",
    "words": "Words of all pages",
    "blocks": "Blocks",
}
"""Measures in the order in which a report shows them."""
DECISION: Final = "as configured"
_LETTERS: Final = {"precision": "P", "balanced": "B", "recall": "R", "best F": "F"}
"""Signs of marked points; others show their name."""
_NEAR_THE_BEST: Final = 0.8  # a panel shows at least the points with this share of the best F
_PANEL: Final = (6.4, 5.6)  # inches
_LONGEST_NAME: Final = 100
_UNPRINTABLE: Final = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class _Scheme:
    """Colours of a drawing: paper, ink, grid, and one for each system."""

    paper: str
    ink: str
    grid: str
    systems: tuple[str, ...]


_LIGHT: Final = _Scheme(
    "#ffffff", "#5c626b", "#dcdedb",
    ("#0072b2", "#d55e00", "#007a5a", "#a8508a", "#7a6000", "#444a55"),
)  # fmt: skip
_DARK: Final = _Scheme(
    "#1d2024", "#a0a6ae", "#34383e",
    ("#62b4ee", "#f58b45", "#43c79a", "#e296c6", "#d9bd4a", "#b9bfc9"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Line:
    """One system in a panel: its name, the points of its curve and those that are marked."""

    system: str
    precision: Floats
    recall: Floats
    marks: Sequence[OperatingPoint]


def drawing(panels: Sequence[Panel], *, is_dark: bool = False) -> bytes:
    """An SVG of panels, two in a row."""
    matplotlib = lazy.load("matplotlib", extra="train")
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    file = io.BytesIO()
    with matplotlib.rc_context(_settings(_DARK if is_dark else _LIGHT)), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # names in letters that its font has not
        figure = lazy.load("matplotlib.figure", extra="train").Figure(
            (columns * _PANEL[0], rows * _PANEL[1]), layout="constrained"
        )
        for number, draw in enumerate(panels, start=1):
            draw(figure.add_subplot(rows, columns, number))
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def curve_panels(curves: Sequence[Curve]) -> dict[str, Panel]:
    """Precision over recall by title of each measure that all systems have."""
    common = [name for name in TITLES if all(name in curve.measures for curve in curves)]
    return {TITLES[measure]: _curve_panel(curves, measure) for measure in common}


def lines_panel(title: str, lines: Sequence[Line], low: float) -> Panel:
    """Lines of precision over recall between `low` and 1, with their marks and lines of equal F."""

    def draw(axes: Axes) -> None:
        axes.set(xlim=(low, 1.01), ylim=(low, 1.01), xlabel="recall", ylabel="precision")
        axes.set_title(title)
        _draw_equal_f(axes, low)
        drawn = [axes.plot(line.recall, line.precision)[0] for line in lines]
        for line, artist in zip(lines, drawn, strict=True):
            _draw_marks(axes, artist, line.marks)
        axes.legend(drawn, [_name(line.system) for line in lines], loc="lower center")

    return draw


def calibration_panel(systems: Sequence[tuple[str, Reliability]]) -> Panel:
    """Share of blocks that gold keeps over the mean marginal of being kept, bin by bin."""

    def draw(axes: Axes) -> None:
        axes.set(xlabel="marginal of being kept", ylabel="share kept in gold")
        axes.set_title("Reliability, blocks")
        axes.axline((0, 0), slope=1, color=axes.xaxis.label.get_color(), linestyle="dotted")
        drawn = [axes.plot(bins.predicted, bins.observed, marker="o")[0] for _, bins in systems]
        names = [f"{_name(system)}, calibration error {bins.error:.4f}" for system, bins in systems]
        axes.legend(drawn, names, loc="upper left")

    return draw


def cut(text: str) -> str:
    """The beginning of a name that may be of any length."""
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]} …"


def printable(text: str) -> str:
    """Text in which U+FFFD stands for controls, halves of surrogate pairs and noncharacters."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _name(system: str) -> str:
    """A system's name for a legend, which leaves out names that begin with an underscore."""
    name = printable(cut(system))
    return f"\N{ZERO WIDTH SPACE}{name}" if name.startswith("_") else name


def _settings(scheme: _Scheme) -> dict[str, Any]:
    """Settings of matplotlib: colours, text that stays text, and nothing by chance."""
    cycler = lazy.load("matplotlib", extra="train").cycler
    inks = ("axes.labelcolor", "axes.titlecolor", "text.color", "xtick.color", "ytick.color")
    papers = ("axes.facecolor", "figure.facecolor", "legend.facecolor")
    grids = ("axes.edgecolor", "grid.color", "legend.edgecolor")
    return {
        **dict.fromkeys(inks, scheme.ink),
        **dict.fromkeys(papers, scheme.paper),
        **dict.fromkeys(grids, scheme.grid),
        "axes.grid": True,
        "axes.prop_cycle": cycler(color=scheme.systems * 2)
        + cycler(linestyle=("-", "--", ":", "-.") * 3),  # twelve pairs that differ
        "path.simplify_threshold": 0.5,  # of a point: curves may have a point for every block
        "svg.fonttype": "none",
        "svg.hashsalt": "victor",
        "text.parse_math": False,
    }


def _curve_panel(curves: Sequence[Curve], measure: str) -> Panel:
    """One measure of some systems; marked are the presets, or the best F, and the decisions."""
    lines = []
    for curve in curves:
        points = curve.points(measure)
        marks = preset_points(curve, measure) or [best_f(curve, measure)]
        marks += configured_points(curve, measure, DECISION)
        lines.append(Line(curve.system, points.precision, points.recall, marks))
    return lines_panel(TITLES[measure], lines, _low(curves, measure, lines))


def _low(curves: Sequence[Curve], measure: str, lines: Sequence[Line]) -> float:
    """The tenth below all points that are marked or nearly as good as the best one."""
    best = max(best_f(curve, measure).f1 for curve in curves)
    lowest = [min(mark.precision, mark.recall) for line in lines for mark in line.marks]
    for curve, line in zip(curves, lines, strict=True):
        is_near = curve.points(measure).f1 >= _NEAR_THE_BEST * best
        lowest += np.minimum(line.precision, line.recall)[is_near].tolist()
    # A value on the tenth itself would lie on the edge of the panel.
    return min(max(math.ceil(10 * min(lowest)) - 1, 0), 9) / 10


def _draw_equal_f(axes: Axes, low: float) -> None:
    """Dotted lines on which F is the same, each with its value."""
    values = np.linspace(max(low, 0.01), 1, 200)
    recall, precision = np.meshgrid(values, values)
    f1 = 2 * recall * precision / (recall + precision)
    step = 0.1 if low < 0.6 else 0.05
    levels = np.arange(1, round(1 / step)) * step
    grey = axes.xaxis.label.get_color()
    lines = axes.contour(
        recall, precision, f1, levels=levels[levels > low],
        colors=[grey], linestyles="dotted", linewidths=0.8,
    )  # fmt: skip
    axes.clabel(lines, fmt="F %.2g", fontsize=8)


def _draw_marks(axes: Axes, artist: Line2D, marks: Sequence[OperatingPoint]) -> None:
    """A diamond for the configured decision, circles with a letter for presets."""
    colour = artist.get_color()
    for mark in marks:
        place = (mark.recall, mark.precision)
        if mark.name == DECISION:
            axes.plot(*place, "D", color=colour, markersize=8)
            continue
        axes.plot(*place, "o", color=colour, markersize=11, markerfacecolor=axes.get_facecolor())
        letter = _LETTERS.get(mark.name, mark.name)
        axes.annotate(letter, place, ha="center", va="center", fontsize=7, color=colour)
