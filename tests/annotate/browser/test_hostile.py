"""Hostile pages: nothing in them runs, sends requests or prevents labelling."""

import pytest
from playwright.sync_api import expect


def test_a_hostile_page_is_labelled_like_any_other(site, open_tool):
    tool = open_tool(site.url, "careful", "hostile")
    page = tool.page
    tool.keys("c")
    letters = list(tool.labels())
    texts = [page.evaluate(TEXT, block) for block in range(len(letters))]
    first, last = (next(n for n, text in enumerate(texts) if name in text)
                   for name in ("first paragraph", "last paragraph"))  # fmt: skip
    for block in (first, last):  # a transparent layer covers everything
        box = tool.block(block).bounding_box()
        page.mouse.click(box["x"] + 5, box["y"] + 5)
    letters[first : last + 1] = "t" * (last + 1 - first)
    tool.wait_for_labels("".join(letters))
    tool.keys("Control+z", "Control+Shift+z", "d")
    tool.wait_for_save()
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.evaluate("typeof document.querySelector('iframe').contentWindow.hacked") == (
        "undefined"
    )
    assert tool.stored("hostile", "careful")["labels"] == "".join(letters)
    assert page.url.startswith(site.url.partition("?")[0])


FRAME = "document.querySelector('#frame iframe').contentWindow"
TEXT = """(block) => [...document.querySelector("#frame iframe").contentDocument
  .querySelectorAll(`v-b[data-v="${block}"]`)].map((one) => one.textContent).join("")"""


@pytest.mark.slow
def test_thousands_of_blocks(site, open_tool):
    tool = open_tool(site.url, "patient", "large")
    tool.keys("PageDown")
    tool.page.wait_for_function(f"() => {FRAME}.scrollY > 100")
    tool.keys("Shift+End", "t")
    tool.wait_for_labels("t" * 3000)
    tool.keys("Home", "1")
    tool.block(0).click()
    tool.keys("Escape", "End")
    expect(tool.page.locator("#block")).to_contain_text("Block 3000 of 3000: text")
    expect(tool.block(2999)).to_be_in_viewport()
    tool.keys("h")
    tool.wait_for_save()
    labels = "t" * 2999 + "h"
    assert tool.stored("large", "patient")["labels"] == labels
    tool.keys("c")
    tool.wait_for_labels("o" * 3000)
