"""SVG drawings of a report: precision-recall plots, reliability diagrams, bars.

Colours come from the style sheet, so a drawing in a report follows the light or dark scheme.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from victor.base import optional
from victor.base.arrays import Floats
from victor.evaluation.curve import OperatingPoint
from victor.evaluation.report.plots import DECISION, Line, Plot
from victor.model.calibration import Reliability

if TYPE_CHECKING:
    from markupsafe import Markup

_COLOURS: Final = 6
"""Colours of the style sheet; further systems have the same ones, their lines dashed."""
_LINE_POINTS: Final = 40
_LETTERS: Final = {"precision": "P", "balanced": "B", "recall": "R", "best F": "F"}
"""Signs of marked points; others show their name."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the plane between `low` and 1 on both axes lies in a drawing, in its units."""

    low: float
    left: float = 52.0
    top: float = 14.0
    width: float = 560.0
    height: float = 460.0

    def x(self, value: float) -> float:
        """Coordinate of a value of the horizontal axis."""
        return self.left + (value - self.low) / (1 - self.low) * self.width

    def y(self, value: float) -> float:
        """Coordinate of a value of the vertical axis."""
        return self.top + (1 - value) / (1 - self.low) * self.height

    @property
    def ticks(self) -> list[float]:
        """Labelled values of an axis."""
        step = 0.2 if self.low < 0.3 else 0.1 if self.low < 0.8 else 0.05
        count = int((1 - self.low) / step + 1e-9)
        return [round(1 - step * number, 2) for number in range(count, -1, -1)]

    def path(self, across: Floats, up: Floats) -> str:
        """Path through points."""
        points = zip(across.tolist(), up.tolist(), strict=True)
        return "M" + "L".join(f"{self.x(x):.2f} {self.y(y):.2f}" for x, y in points)


def element(name: str, attributes: Mapping[str, object], *children: object) -> Markup:
    """One element; attribute values and children that are not markup are escaped."""
    markupsafe = optional.load("markupsafe", extra="train")
    written = "".join(
        f' {key}="{markupsafe.escape(_value(value))}"' for key, value in attributes.items()
    )
    inside = "".join(map(markupsafe.escape, children))
    markup: Markup = markupsafe.Markup(f"<{name}{written}>{inside}</{name}>")
    return markup


def precision_recall(plot: Plot) -> Markup:
    """The curves of one measure; a script adds the values at the pointer."""
    frame = Frame(plot.low)
    return element(
        "svg",
        {
            "class": "curve",
            "viewBox": "0 0 640 520",
            "tabindex": 0,
            "role": "slider",
            "aria-label": f"Precision and recall, {plot.title}",
            "aria-valuemin": 0,
            "aria-valuemax": 1,
            "aria-valuenow": 0,
            "aria-valuetext": "use the arrow keys",
            "data-measure": plot.measure,
            "data-frame": f"{frame.left} {frame.top} {frame.width} {frame.height} {frame.low}",
        },
        precision_recall_plane(frame, plot),
        element("circle", {"class": "cursor", "r": 5, "cx": 0, "cy": 0, "visibility": "hidden"}),
    )


def precision_recall_plane(frame: Frame, plot: Plot) -> Markup:
    """Axes, lines of equal F, the curves of one measure and their marked points."""
    clip = f"clip-{plot.measure}"
    lines = [_curve(frame, line, style(number)) for number, line in enumerate(plot.lines)]
    marks = [
        _mark(frame, line, mark, style(number))
        for number, line in enumerate(plot.lines)
        for mark in line.marks
    ]
    return element(
        "g",
        {},
        _clip(frame, clip),
        _axes(frame, "recall", "precision"),
        *_isolines(frame),
        element("g", {"clip-path": f"url(#{clip})"}, *lines, *marks),
    )


def reliability_diagram(system: str, number: int, bins: Reliability) -> Markup:
    """The reliability of one system, which is the `number`-th of the report."""
    label = f"{system}: reliability, expected calibration error {bins.error:.4f}"
    return element(
        "svg",
        {"class": "reliability", "viewBox": "0 0 376 360", "role": "img", "aria-label": label},
        reliability_plane(Frame(0.0, width=300.0, height=300.0), {number: bins}),
    )


def reliability_plane(frame: Frame, systems: Mapping[int, Reliability]) -> Markup:
    """Share of blocks that gold keeps against the mean marginal, bin by bin.

    Args:
        frame: where to draw.
        systems: the bins of each system by its number.
    """
    ends = np.arange(2.0)
    return element(
        "g",
        {},
        _axes(frame, "marginal of being kept", "share kept in gold"),
        element("path", {"class": "ideal", "d": frame.path(ends, ends)}),
        *(_reliability_line(frame, bins, style(number)) for number, bins in systems.items()),
    )


def _reliability_line(frame: Frame, bins: Reliability, name: str) -> Markup:
    path = frame.path(bins.predicted, bins.observed)
    line = element("path", {"class": f"line {name}", "d": path})
    return element("g", {}, line, *_dots(frame, bins, name))


def _dots(frame: Frame, bins: Reliability, name: str) -> Iterator[Markup]:
    values = (column.tolist() for column in (bins.predicted, bins.observed, bins.weight))
    for x, y, weight in zip(*values, strict=True):
        title = f"marginal {x:.3f}, in gold {y:.3f}, {100 * weight:.1f} % of blocks"
        circle = {"class": f"dot {name}", "r": 4, "cx": frame.x(x), "cy": frame.y(y)}
        yield element("circle", circle, element("title", {}, title))


def bar(share: float) -> Markup:
    """A share of 1 as a bar."""
    length = 100 * min(max(share, 0.0), 1.0)
    return element(
        "svg",
        {
            "class": "bar",
            "viewBox": "0 0 100 8",
            "preserveAspectRatio": "none",
            "aria-hidden": "true",
        },
        element("rect", {"width": length, "height": 8}),
    )


def key(number: int) -> Markup:
    """A short piece of a system's line for a legend."""
    return element(
        "svg", {"class": "key", "viewBox": "0 0 36 12", "aria-hidden": "true"}, key_line(number)
    )


def key_line(number: int) -> Markup:
    """The line of a legend's key."""
    return element("path", {"class": f"line {style(number)}", "d": "M1 6H35"})


def style(number: int) -> str:
    """Class of the line style of a system."""
    return f"s{number % _COLOURS}" + (" again" if number >= _COLOURS else "")


def text(x: float, y: float, content: str, name: str) -> Markup:
    """Text at a position, in a class of the style sheet."""
    return element("text", {"x": x, "y": y, "class": name}, content)


def _value(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _clip(frame: Frame, name: str) -> Markup:
    """Nothing is drawn outside the plane; marks on its edge need some room."""
    room = 9
    box = {
        "x": frame.left,
        "y": frame.top - room,
        "width": frame.width + room,
        "height": frame.height + room,
    }
    return element("clipPath", {"id": name}, element("rect", box))


def _axes(frame: Frame, across: str, up: str) -> Markup:
    """Grid, tick labels and names of both axes."""
    right, bottom = frame.left + frame.width, frame.top + frame.height
    lines = "".join(
        f"M{frame.x(tick):.1f} {frame.top}V{bottom}M{frame.left} {frame.y(tick):.1f}H{right}"
        for tick in frame.ticks
    )
    grid = element("path", {"class": "grid", "d": lines})
    below = [text(frame.x(tick), bottom + 18, f"{tick:g}", "tick middle") for tick in frame.ticks]
    beside = [
        text(frame.left - 8, frame.y(tick) + 4, f"{tick:g}", "tick end") for tick in frame.ticks
    ]
    middle = frame.top + frame.height / 2
    turned = {"class": "axis middle", "transform": f"translate(13 {middle:.1f}) rotate(-90)"}
    return element(
        "g",
        {},
        grid,
        *below,
        *beside,
        text(frame.left + frame.width / 2, bottom + 38, across, "axis middle"),
        element("text", turned, up),
    )


def _isolines(frame: Frame) -> Iterator[Markup]:
    """Lines of equal F, each with its value at the upper end."""
    low, step = frame.low, 0.1 if frame.low < 0.6 else 0.05
    values = [number * step for number in range(1, round(1 / step))]
    for f in (f for f in values if f > low + step / 2):
        # With the other measure at 1, F is that of f / (2 - f).
        least = f / (2 - f)
        highest = 1.0 if least >= low else f * low / (2 * low - f)
        recall = np.linspace(max(least, low), highest, _LINE_POINTS)
        precision = f * recall / (2 * recall - f)
        yield element("path", {"class": "iso", "d": frame.path(recall, precision)})
        x, y = frame.x(float(recall[0])) + 8, frame.y(float(precision[0])) + 13
        yield text(x, y, f"F {f:.2g}", "iso-label")


def _curve(frame: Frame, line: Line, name: str) -> Markup:
    title = element("title", {}, line.system)
    drawn = frame.path(line.recall, line.precision)
    return element("path", {"class": f"line {name}", "d": drawn}, title)


def _mark(frame: Frame, line: Line, mark: OperatingPoint, name: str) -> Markup:
    """A diamond for the configured decision, a circle with a letter for a preset."""
    x, y = frame.x(mark.recall), frame.y(mark.precision)
    title = element("title", {}, f"{line.system}, {mark.name}: F {mark.f1:.4f}")
    if mark.name == DECISION:
        drawn = [
            element("path", {"class": "diamond", "d": f"M{x:.1f} {y - 8:.1f}l8 8l-8 8l-8 -8z"})
        ]
    else:
        drawn = [
            element("circle", {"cx": x, "cy": y, "r": 7.5}),
            text(x, y + 3.5, _LETTERS.get(mark.name, mark.name), "middle"),
        ]
    return element("g", {"class": f"mark {name}"}, title, *drawn)
