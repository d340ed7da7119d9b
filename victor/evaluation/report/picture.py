"""The curves and the reliability of several systems as one SVG file, for papers and slides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from victor.base import optional
from victor.base.errors import ConfigError
from victor.evaluation.curve import Curve
from victor.evaluation.presets import GOALS
from victor.evaluation.report import svg
from victor.evaluation.report.html import cut, printable, static
from victor.evaluation.report.plots import Plot, plots
from victor.model.calibration import Reliability

_WIDTH: Final = 640
_HEIGHT: Final = 560
"""Of each of the plots."""
_TITLE: Final = 36
"""Height of a plot's title."""
_LINE: Final = 22
"""Height of a line of the legend."""


def check_picture(path: Path) -> None:
    """Make sure that a picture can be drawn, before the work whose results it will show.

    Raises:
        ConfigError: the file name does not end in .svg, or a package is missing.
    """
    if path.suffix.lower() != ".svg":
        raise ConfigError(f"a plot is drawn as SVG: name a file ending in .svg, not {path.name}")
    optional.load("markupsafe", extra="train")


def write_picture(
    path: Path, curves: Sequence[Curve], reliabilities: Sequence[Reliability]
) -> None:
    """Draw the plots of a report, two in a row, and the reliability of all systems in one more.

    Args:
        path: file to write; the same input gives the same bytes.
        curves: of one or more systems.
        reliabilities: of the same systems.

    Raises:
        ConfigError: as `check_picture`.
    """
    check_picture(path)
    names = [
        f"{cut(curve.system)}, calibration error {bins.error:.4f}"
        for curve, bins in zip(curves, reliabilities, strict=True)
    ]
    path.write_text(_drawn(names, curves, reliabilities), encoding="utf-8", newline="\n")


def write_plot(path: Path, plot: Plot, note: str) -> None:
    """Draw one plot, such as a part of a curve.

    Args:
        path: file to write; the same input gives the same bytes.
        plot: its lines name their systems.
        note: what the marked points are.

    Raises:
        ConfigError: as `check_picture`.
    """
    check_picture(path)
    plane = svg.precision_recall_plane(svg.Frame(plot.low), plot)
    drawing = _drawing([cut(line.system) for line in plot.lines], note, [(plot.title, plane)])
    path.write_text(drawing, encoding="utf-8", newline="\n")


def _drawn(
    names: Sequence[str], curves: Sequence[Curve], reliabilities: Sequence[Reliability]
) -> str:
    planes: list[tuple[str, object]] = [
        (plot.title, svg.precision_recall_plane(svg.Frame(plot.low), plot))
        for plot in plots(curves)
    ]
    bins = dict(enumerate(reliabilities))
    planes.append(("Reliability, blocks", svg.reliability_plane(svg.Frame(0.0), bins)))
    return _drawing(names, _signs(curves), planes)


def _drawing(names: Sequence[str], note: str, planes: Sequence[tuple[str, object]]) -> str:
    """The legend, a note, and planes under their titles, two in a row."""
    legend = [_legend_line(number, name) for number, name in enumerate(names)]
    top = _LINE * (len(legend) + 2)
    width = _WIDTH * min(len(planes), 2)
    height = top + _HEIGHT * -(-len(planes) // 2)
    drawing = svg.element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": width,
            "height": height,
            "font-family": "system-ui, sans-serif",
        },
        svg.element("style", {}, _style()),
        svg.element("rect", {"class": "panel", "width": "100%", "height": "100%"}),
        *legend,
        svg.text(52, top - _LINE + 4, note, "axis"),
        *(_placed(number, top, *plane) for number, plane in enumerate(planes)),
    )
    return printable(drawing) + "\n"


def _legend_line(number: int, name: str) -> object:
    """The line of a system and its name."""
    shift = {"transform": f"translate(52 {_LINE * (number + 1) - 10})"}
    return svg.element("g", shift, svg.key_line(number), svg.text(44, 10, name, "axis"))


def _signs(curves: Sequence[Curve]) -> str:
    """What the marked points are."""
    reached = {name for curve in curves for name in curve.presets}
    signs = [f"{name[0].upper()} {name}" for name in GOALS if name in reached]
    return ", ".join(("◆ as configured", *(signs or ("F best F",))))


def _placed(number: int, top: int, title: str, plane: object) -> object:
    """A plot under its title, in the grid of two columns."""
    x, y = _WIDTH * (number % 2), top + _HEIGHT * (number // 2)
    middle = svg.Frame(0.0).left + svg.Frame(0.0).width / 2
    return svg.element(
        "g",
        {"transform": f"translate({x} {y})"},
        svg.text(middle, _TITLE - 14, title, "title middle"),
        svg.element("g", {"transform": f"translate(0 {_TITLE})"}, plane),
    )


def _style() -> str:
    """The style sheet of drawings with the light colours filled in: not all viewers know var()."""
    palette = dict(re.findall(r"--([\w-]+): ([^;]+);", static("report.css").partition("}")[0]))
    return re.sub(r"var\(--([\w-]+)\)", lambda name: palette[name[1]], static("svg.css"))
