"""Screens of the page that `victor demo` writes."""

from pathlib import Path

import victor

PAGE = Path(__file__).parents[2] / "annotations" / "pages" / "slowmile-lamplighter.html"
LEDE = "For thirty-one years"


def open_demo(tab, folder):
    """The demo of PAGE with the reasons of a paragraph that is kept with some doubt."""
    file = folder / "demo.html"
    result = victor.clean(PAGE.read_bytes(), scope="article")
    file.write_text(result.demo(), encoding="utf-8")
    tab.goto(file.as_uri())
    tab.locator("#blocks").get_by_text(LEDE).first.hover()
    tab.locator("#why").get_by_text("+").first.wait_for()


def test_picture_of_the_readme(new_tab, tmp_path, screen):
    tab = new_tab(1200, 560)
    open_demo(tab, tmp_path)
    screen(tab, "demo")


def test_demo(new_tab, tmp_path, screen):
    tab = new_tab(1280, 600)
    open_demo(tab, tmp_path)
    slider = tab.locator("#threshold")
    slider.focus()
    slider.press("End")
    screen(tab, "demo-threshold")
