"""Hostile pages: nothing in them runs, sends requests or prevents labelling."""


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
    assert tool.stored()["labels"] == "".join(letters)
    assert page.url.startswith(site.url.partition("?")[0])


TEXT = """(block) => [...document.querySelector("#frame iframe").contentDocument
  .querySelectorAll(`v-b[data-v="${block}"]`)].map((one) => one.textContent).join("")"""
