"""The picture of `victor sweep --plot`: it holds the points of the curves, their names and axes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from victor.errors import ConfigError
from victor.evaluation.curve import OperatingPoint, curve
from victor.evaluation.predictions import reliabilities
from victor.evaluation.report.picture import check_picture, write_picture, write_plot
from victor.evaluation.report.plots import DECISION, Line, Plot, plots
from victor.evaluation.report.svg import Frame

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawn(tmp_path, systems):
    """The root of the picture of some predictions."""
    path = tmp_path / "a.svg"
    curves = [curve(system) for system in systems]
    write_picture(path, curves, [reliabilities(system)["blocks"] for system in systems])
    return etree.fromstring(path.read_bytes())


def elements(root, tag, name):
    """Elements of a class."""
    return [e for e in root.iter(NAMESPACE + tag) if name in e.get("class", "").split()]


def planes(root):
    """Title to group of every plot."""
    return {e.text: e.getparent() for e in elements(root, "text", "title")}


def points(path):
    """Coordinates of a path of straight lines."""
    return [tuple(map(float, point.split())) for point in re.split("[ML]", path.get("d"))[1:]]


def test_every_line_goes_through_the_points_of_its_curve(by_chance, tmp_path):
    root = drawn(tmp_path, by_chance)
    shown = plots([curve(system) for system in by_chance])
    assert [plot.measure for plot in shown] == ["pages", "words", "blocks"]
    for plot in shown:
        frame = Frame(plot.low)
        paths = elements(planes(root)[plot.title], "path", "line")
        assert len(paths) == len(by_chance)
        for path, system in zip(paths, by_chance, strict=True):
            full = curve(system).points(plot.measure)
            expected = {
                (round(frame.x(recall), 2), round(frame.y(precision), 2))
                for recall, precision in zip(full.recall, full.precision, strict=True)
            }
            assert {*points(path)} <= expected
            assert len({*points(path)}) > 100
            assert path.find(f"{NAMESPACE}title").text == system.system


def test_marked_points_and_axes_are_named(by_chance, tmp_path):
    root = drawn(tmp_path, by_chance)
    for title in ("Words, mean of pages", "Words of all pages", "Blocks"):
        texts = [*planes(root)[title].itertext()]
        assert {"recall", "precision", "1", "F 0.9"} <= {*texts}
        assert [text for text in texts if text.startswith("first, balanced: F ")]
        if title == "Words, mean of pages":
            swept = curve(by_chance[0])
            f1 = swept.at(swept.presets["balanced"])["pages"].f1
            assert f"first, balanced: F {f1:.4f}" in texts
    (signs,) = (text for text in root.itertext() if text.startswith("◆ as configured"))
    reached = {name for system in by_chance for name in curve(system).presets}
    assert {sign.split()[1] for sign in signs.split(", ")[1:]} == reached


def test_the_reliability_of_all_systems_is_in_one_plot(by_chance, tmp_path):
    root = drawn(tmp_path, by_chance)
    plane = planes(root)["Reliability, blocks"]
    assert {"marginal of being kept", "share kept in gold"} <= {*plane.itertext()}
    frame = Frame(0.0)
    for path, system in zip(elements(plane, "path", "line"), by_chance, strict=True):
        bins = reliabilities(system)["blocks"]
        np.testing.assert_allclose(
            points(path),
            [(frame.x(x), frame.y(y)) for x, y in zip(bins.predicted, bins.observed, strict=True)],
            atol=0.006,
        )


def test_many_systems_have_lines_that_differ(by_chance, tmp_path):
    systems = [replace(by_chance[0], system=f"system {number}") for number in range(12)]
    paths = elements(planes(drawn(tmp_path, systems))["Blocks"], "path", "line")
    assert len({path.get("class") for path in paths}) == 12


def test_without_gold_texts_blocks_are_drawn(by_chance, tmp_path):
    (system, _) = by_chance
    bare = replace(system, pages=tuple(replace(page, gold=None) for page in system.pages))
    root = drawn(tmp_path, [bare])
    assert [*planes(root)] == ["Blocks", "Reliability, blocks"]
    assert curve(bare).presets.measure == "blocks"
    (signs,) = (text for text in root.itertext() if text.startswith("◆ as configured"))
    assert "B balanced" in signs


def test_colours_need_no_variables(by_chance, tmp_path):
    (style,) = drawn(tmp_path, by_chance).iter(f"{NAMESPACE}style")
    assert "var(" not in style.text
    assert "#0072b2" in style.text


def test_hostile_names_stay_text(by_chance, tmp_path):
    name = "</text><script>hacked = 1</script>\0\ud800" + "x" * 1_000
    root = drawn(tmp_path, [replace(by_chance[0], system=name)])
    assert not [*root.iter(f"{NAMESPACE}script")]
    (legend,) = [text for text in root.itertext() if ", calibration error " in text]
    assert len(legend) < 200


@pytest.mark.parametrize("name", ["a.png", "a.pdf", "svg"])
def test_another_file_name_is_refused(tmp_path, name):
    with pytest.raises(ConfigError, match=r"ending in \.svg"):
        check_picture(tmp_path / name)


def test_one_plot_alone_with_points_that_show_their_names(tmp_path):
    path = tmp_path / "a.svg"
    values = np.array([0.2, 0.5, 1.0])
    marks = (OperatingPoint(".1", 0.1, 0.9, 0.3, 0.45), OperatingPoint("best F", 0.3, 1, 0.5, 0.7),
             OperatingPoint(DECISION, 0.5, 0.8, 0.6, 0.7))  # fmt: skip
    line = Line("mine & yours", values, values[::-1], values, values, marks)
    write_plot(path, Plot("blocks", "Some blocks", (line,), 0.0), "what the signs are")
    root = etree.fromstring(path.read_bytes())
    (title,) = planes(root)
    assert title == "Some blocks"
    (drawn,) = [
        p for p in elements(root, "path", "line") if p.find(f"{NAMESPACE}title") is not None
    ]
    frame = Frame(0.0)
    expected = [(frame.x(x), frame.y(y)) for x, y in zip(values, values[::-1], strict=True)]
    assert points(drawn) == [pytest.approx(point, abs=0.01) for point in expected]
    texts = [e.text for e in root.iter(f"{NAMESPACE}text")]
    assert {"mine & yours", "what the signs are", ".1", "F"} <= {*texts}
    assert len(elements(root, "path", "diamond")) == 1
    assert root.get("width") == "640"
