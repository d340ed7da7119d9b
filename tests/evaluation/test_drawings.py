"""Curves and calibration as SVG: what is written there, and the same bytes for the same input."""

from dataclasses import replace
from pathlib import Path

from lxml import etree

from victor.evaluation.drawings import (
    calibration_panel,
    curve_panels,
    drawing,
)
from victor.evaluation.predictions import reliabilities
from victor.evaluation.thresholds import curve

MEASURES = ["Words, mean of pages", "Words of all pages", "Blocks"]


def panels(systems):
    bins = [(system.system, reliabilities(system)["blocks"]) for system in systems]
    return [*curve_panels([*map(curve, systems)]).values(), calibration_panel(bins)]


def texts(svg):
    """What can be read in a drawing."""
    found = (text.strip() for text in etree.fromstring(svg).itertext())
    return [text for text in found if text]


def test_panels_name_their_measures_systems_axes_and_marks(by_chance):
    found = texts(drawing(panels(by_chance)))
    assert {*MEASURES, "Reliability, blocks", "recall", "precision", "F 0.9"} <= {*found}
    assert found.count("first") == found.count("second") == len(MEASURES)
    assert found.count("B") == len(MEASURES) * len(by_chance)
    for system in by_chance:
        error = reliabilities(system)["blocks"].error
        assert f"{system.system}, calibration error {error:.4f}" in found


def test_scales_begin_below_all_that_is_good(by_chance, held):
    """What can be read is held: names, and values of scales."""
    of_tool = ("image/svg", "Matplotlib", "*{")
    shown = texts(drawing(panels(by_chance)))
    read = [text for text in shown if not text.startswith(of_tool)]
    assert read == held(Path(__file__).with_name("drawn.yaml"), "by chance", read)


def test_drawings_are_the_same_twice_and_have_colours_for_dark_pages(by_chance):
    shown = panels(by_chance)[-2:]
    light, again, dark = (drawing(shown, is_dark=is_dark) for is_dark in (False, False, True))
    assert light == again
    assert light.count(b"#ffffff") > dark.count(b"#ffffff") == 0
    assert b"#000000" not in light + dark  # of axes and text, unseen on dark paper


def test_any_name_is_shown_as_text(by_chance):
    names = "_hidden", "$x^$", "</text><script>hacked = 1</script>", "\0\ud800", "新聞", "x" * 999
    svg = drawing(panels([replace(by_chance[0], system=name) for name in names])[-1:])
    assert b"<script" not in svg
    shown = [text for text in texts(svg) if ", calibration error " in text]
    assert max(map(len, shown)) < 200
    for text, name in zip(shown, names, strict=True):
        beginning = name[:50].replace("\0", "\ufffd").replace("\ud800", "\ufffd")
        assert text.lstrip("\u200b").startswith(beginning)
