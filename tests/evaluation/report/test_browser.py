"""The report in a real browser: it draws, answers to pointer and keys, and asks for nothing."""

import math
import re

import numpy as np
import pytest

from victor.base.labels import Label
from victor.evaluation.curve import curve
from victor.evaluation.report import write_report
from victor.training.dataset import PageInfo

MEASURES = ("pages", "words", "blocks")


@pytest.fixture
def opened(browser):
    """Opens a file; afterwards nothing may have gone wrong or asked for anything else."""
    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    troubles, requests = [], []

    def open_file(path):
        page = context.new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_file
    pages = [page.url for page in context.pages]
    context.close()
    assert not troubles
    assert [url.split("#")[0] for url in requests] == [url.split("#")[0] for url in pages]


def measure_of(page, name):
    page.locator(f".switch label:has([value={name}])").click()
    return page.locator(f"svg.curve[data-measure={name}]")


def place_in(svg, recall, precision):
    """Where a point of the plane is on the screen."""
    left, top, width, height, low = map(float, svg.get_attribute("data-frame").split())
    box, scale = svg.bounding_box(), svg.bounding_box()["width"] / 640
    x = left + (recall - low) / (1 - low) * width
    y = top + (1 - precision) / (1 - low) * height
    return box["x"] + scale * x, box["y"] + scale * y


def readout(svg):
    """What is shown: system, threshold, precision, recall, F."""
    system, *lines = svg.locator("xpath=..").locator(".readout").inner_text().split("\n")
    assert [line.split()[0] for line in lines] == ["threshold", "precision", "recall", "F"]
    return system, *(line.split()[1] for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_curves_are_drawn(opened, by_chance_report, measure):
    svg = measure_of(opened(by_chance_report), measure)
    lines = svg.locator("path.line")
    assert lines.count() == 2
    for line in lines.all():
        assert len(re.findall("[ML]", line.get_attribute("d"))) > 100
        box = line.bounding_box()
        assert box["width"] > 100
        assert box["height"] > 100
    assert svg.locator(".mark").count() == 8


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_pointing_shows_the_values_of_the_curve(opened, by_chance_report, by_chance, measure):
    page = opened(by_chance_report)
    svg = measure_of(page, measure)
    svg.scroll_into_view_if_needed()
    low = float(svg.get_attribute("data-frame").split()[-1])
    for system in by_chance:
        full = curve(system)
        points = full.points(measure)
        inside = np.flatnonzero(np.minimum(points.precision, points.recall) > low)
        for place in inside[[3, len(inside) // 2, -3]]:
            x, y = place_in(svg, points.recall[place], points.precision[place])
            page.mouse.move(x, y)
            check_readout(readout(svg), by_chance, measure, (x, y), svg)


def check_readout(shown, systems, measure, pointer, svg):
    """It is a point of the curve it names, and one that is near the pointer."""
    name, *values = shown
    (system,) = [system for system in systems if system.system == name]
    full = curve(system)
    points = full.points(measure)
    columns = (full.thresholds, points.precision, points.recall, points.f1)
    rows = [[f"{value:.4f}" for value in row] for row in zip(*columns, strict=True)]
    assert values in rows
    place = rows.index(values)
    found = place_in(svg, points.recall[place], points.precision[place])
    assert math.dist(found, pointer) < 8


def test_the_switch_shows_one_measure(opened, by_chance_report):
    page = opened(by_chance_report)
    for name in (*MEASURES, "pages"):
        measure_of(page, name)
        assert page.locator("svg.curve:visible").evaluate_all(
            "found => found.map(svg => svg.dataset.measure)"
        ) == [name]


def test_keys_walk_along_the_curve(opened, by_chance_report, by_chance):
    page = opened(by_chance_report)
    svg = page.locator("svg.curve:visible")
    svg.focus()
    best = curve(by_chance[0]).best("pages")
    assert readout(svg)[:2] == ("first", f"{best.threshold:.4f}")
    svg.press("Home")
    assert readout(svg)[:2] == ("first", "0.0000")
    svg.press("ArrowRight")
    assert float(readout(svg)[1]) > 0
    svg.press("End")
    assert readout(svg)[1] == "1.0000"
    svg.press("ArrowDown")
    assert readout(svg)[:2] == ("second", "1.0000")
    assert "second, threshold 1.0000" in svg.get_attribute("aria-valuetext")


def test_worst_pages_show_colours_and_marks(opened, by_chance_report):
    page = opened(by_chance_report)
    worst = page.locator("details.page").first
    assert not worst.locator("table.blocks").is_visible()
    worst.locator("> summary").click()
    colours = {}
    for name, sign in (("kept", "✓"), ("dropped", "·"), ("lost", "−"), ("wrong", "+")):
        cell = worst.locator(f"td.system.outcome-{name}").first
        assert cell.is_visible()
        assert cell.inner_text().startswith(sign)
        colours[name] = cell.evaluate("cell => getComputedStyle(cell).backgroundColor")
    assert len({*colours.values()}) == 4
    assert "rgba(0, 0, 0, 0)" not in colours.values()
    fold = worst.locator("td.fold details").first
    assert re.fullmatch(r"… \d+ blocks rightly dropped \(\d+ words\)", fold.inner_text())
    fold.locator("summary").click()
    assert fold.locator("li").first.is_visible()


def test_dark_scheme_has_other_colours(browser, by_chance_report):
    found = set()
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto(by_chance_report.as_uri())
        found.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.close()
    assert len(found) == 2


def test_narrow_screens_need_no_sideways_scrolling(browser, by_chance_report):
    page = browser.new_page(viewport={"width": 380, "height": 800})
    page.goto(by_chance_report.as_uri())
    page.locator("details.page > summary").first.click()
    width = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert width <= 380


def test_hostile_pages_stay_text(opened, make, tmp_path):
    nasty = "</script><script>hacked = 1</script><img src=x onerror='hacked = 1'>\0\ud800"
    blocks = [(nasty, label, 0.1, nasty, nasty) for label in (Label.TEXT, Label.OTHER)]
    found = make([(PageInfo(nasty, nasty, nasty, nasty, nasty), blocks)], system=nasty)
    page = opened(write_report(tmp_path, [found], title=nasty))
    page.locator("details.page > summary").first.click()
    shown = page.locator("td.text div").first.inner_text()
    assert shown == nasty.replace("\0", "\ufffd").replace("\ud800", "\ufffd")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("img").count() == 0
