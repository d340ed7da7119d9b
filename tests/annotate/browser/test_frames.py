"""Frames around blocks: one around a whole block, also around links; nothing lies on letters."""

import pytest


@pytest.fixture
def linked(site, open_tool, request):
    """The large page: each of its paragraphs has text, bold text and text again."""
    return open_tool(site.url, request.node.name, "large")


FRAMES = """(kind) => {
  const shown = document.querySelector("#frame iframe").contentDocument;
  const frames = shown.querySelector("v-frames").shadowRoot.querySelectorAll(`.${kind}`);
  const { left, top, right, bottom } = frames[0]?.getBoundingClientRect() ?? {};
  return { n: frames.length, left, top, right, bottom };
}"""
TEXT = """(block) => {
  const shown = document.querySelector("#frame iframe").contentDocument;
  const range = shown.createRange();
  const pieces = shown.querySelectorAll(`v-b[data-v="${block}"]`);
  range.setStartBefore(pieces[0]);
  range.setEndAfter(pieces[pieces.length - 1]);
  const { left, top, right, bottom } = range.getBoundingClientRect();
  return { left, top, right, bottom, pieces: pieces.length };
}"""


def is_around(tool, kind, block):
    """Is there one frame of a kind, around all pieces of a block, and close to them."""
    frame, text = tool.page.evaluate(FRAMES, kind), tool.page.evaluate(TEXT, block)
    assert text["pieces"] > 1
    sides = ("left", "top", "right", "bottom")  # its outline is around that
    return frame["n"] == 1 and all(abs(frame[side] - text[side]) < 1 for side in sides)


def becomes(tool, holds, *arguments):
    """Does something hold soon: frames are drawn when the browser draws next."""
    for _ in range(100):
        if holds(tool, *arguments):
            return True
        tool.page.wait_for_timeout(50)
    return False


def is_gone(tool, kind):
    return not tool.page.evaluate(FRAMES, kind)["n"]


def test_a_frame_is_around_the_whole_block_and_follows_it(linked):
    linked.block(3).hover()
    assert becomes(linked, is_around, "hover", 3)
    linked.page.locator("#block").hover()
    assert becomes(linked, is_gone, "hover")
    linked.keys("j")
    linked.page.set_viewport_size({"width": 700, "height": 600})
    assert becomes(linked, is_around, "cursor", 1)
    width = "document.querySelector('#frame iframe').contentDocument.documentElement.scrollWidth"
    before = linked.page.evaluate(width)
    linked.keys("v", "Shift+End")
    assert linked.page.evaluate(width) <= before
