"""A demo in a real browser: the slider, the keyboard, reasons, narrow screens, hostile pages."""

import html as entities

import pytest

import victor

NASTY = (
    "</script><script>hacked=1</script><!--<script>hacked=1</script>--> \u202egnp.evil\u2066 "
    "{title} {{x}} ]]> \u2028 &amp;lt; '\"`${hacked=1}"
)
MOVE = """([position]) => {
  const slider = document.getElementById("threshold");
  slider.value = String(position);
  slider.dispatchEvent(new Event("input", {bubbles: true}));
}"""


def text_of(page):
    return page.evaluate("document.getElementById('text').textContent")


def kept_of(page):
    """Numbers of the blocks that are shown as kept."""
    return page.eval_on_selector_all(
        "#blocks .b.kept", "found => [...new Set(found.map(e => Number(e.dataset.b)))]"
    )


def check(page, markup, threshold, position):
    """Compare what is shown at a position with cleaning at its threshold."""
    page.evaluate(MOVE, [position])
    result = victor.clean(markup, threshold=threshold)
    assert text_of(page) == result.text
    assert kept_of(page) == [block.number for block in result.blocks if block.kept]
    words = int(page.inner_text("#counts").split()[0].replace(",", ""))
    table = result.in_batch[0].table
    assert words == table.words[result.labels != 2].sum()


@pytest.mark.slow
def test_the_slider_shows_what_cleaning_gives(opened, golden_pages, read):
    for name, markup in golden_pages.items():
        html = victor.clean(markup).demo()
        thresholds = read.data_of(html)["thresholds"]
        page = opened(html, name)
        assert text_of(page) == victor.clean(markup).text
        for position in (15, 50, 85):
            check(page, markup, thresholds[position], position)
        page.click("#own")
        assert text_of(page) == victor.clean(markup).text


MENU = "".join(f"<ul><li><a href=/{k}>Topic {k}</a></li></ul>" for k in range(80))
ARTICLE = "".join(
    f"<p>Paragraph {k} of the article tells much of bees, of what they eat, where they live, "
    "and of all the people who keep them in the gardens of the town.</p>"
    for k in range(60)
)
LONG = f"<body>{MENU}<h1>Of bees in the town</h1>{ARTICLE}{MENU}</body>"
TOP = """name => {
  const part = [...document.querySelectorAll(name)].find(e => e.getClientRects().length);
  return part.getBoundingClientRect().top - part.closest(".pane").getBoundingClientRect().top;
}"""


def test_it_opens_at_the_first_kept_block_with_the_least_sure_one_explained(opened):
    result = victor.clean(LONG)
    page = opened(result.demo())
    kept_of(page)
    for name in ("#blocks .b.kept", "#text span:not(:empty)"):
        assert 0 <= page.evaluate(TOP, name) < 300
    block = min(result.blocks, key=lambda block: abs(block.marginals["other"] - 0.5))
    assert page.inner_text("#reasons h2").startswith(f"Block {block.number}:")
    assert "% sure" in page.inner_text("#reasons .sentence")


@pytest.mark.slow
def test_the_keyboard_is_enough(opened, annotated):
    markup = annotated[0].html
    page = opened(victor.clean(markup).demo())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "own"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "threshold"
    page.keyboard.press("Home")
    assert text_of(page) == ""
    assert page.inner_text("#counts").startswith("0 of")
    page.keyboard.press("End")
    assert page.inner_text("#value") == "1.00"
    assert text_of(page) == victor.clean(markup, threshold=1.0).text
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute("#threshold", "aria-valuetext") == "0.999"
    while page.evaluate("document.activeElement.dataset.b") is None:
        page.keyboard.press("Tab")
    first = next(block.number for block in victor.clean(markup).blocks if block.kept)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#reasons h2").startswith(f"Block {first + 2}:")
    assert page.inner_text("#said").startswith(f"Block {first + 2}:")
    page.keyboard.press("End")
    assert f"Block {len(victor.clean(markup).blocks) - 1}:" in page.inner_text("#reasons h2")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "tab-text"
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#markdown").startswith(victor.clean(markup).markdown[:40].strip())
    assert not page.is_visible("#text")


def test_pointing_shows_why_and_a_click_holds(opened, annotated):
    result = victor.clean(annotated[0].html)
    page = opened(result.demo())
    block = next(b for b in result.blocks if b.kept)
    page.locator(f'#blocks [data-b="{block.number}"]').first.hover()
    panel = page.inner_text("#reasons")
    assert panel.startswith(f"Block {block.number}: kept")
    assert block.kind in panel
    assert all(f"{p:.3f}" in panel for p in block.marginals.values())
    assert page.locator("#reasons .groups li").count() > 3
    assert page.locator("#text .chosen").inner_text() == block.text
    page.locator('#blocks [data-b="0"]').first.click()
    page.locator(f'#blocks [data-b="{block.number}"]').first.hover()
    assert page.inner_text("#reasons h2").startswith("Block 0:")
    page.keyboard.press("Escape")
    page.locator(f'#blocks [data-b="{block.number}"]').last.hover()
    page.locator('#blocks [data-b="1"]').first.hover()
    assert page.inner_text("#reasons h2").startswith("Block 1:")


def test_the_reason_follows_the_slider(opened, annotated):
    result = victor.clean(annotated[0].html)
    block = next(b for b in result.blocks if b.kept and 0.001 < b.marginals["other"] < 0.9)
    page = opened(result.demo())
    page.locator(f'#blocks [data-b="{block.number}"]').first.click()
    page.evaluate(MOVE, [0])
    assert page.inner_text("#reasons h2") == f"Block {block.number}: dropped"
    assert page.locator("#reasons .sentence").count() == 0  # it tells why the block was kept


def test_nothing_of_a_hostile_text_acts(opened):
    body = "".join(f"<p>{entities.escape(NASTY)} bees live in colonies" for _ in range(40))
    title = f"<title>{entities.escape(NASTY)}</title>"
    markup = f"{title}<body>{body}<p>\udfff lone</body>".encode("utf-8", "surrogatepass")
    result = victor.clean(markup, url="http://x/</title><script>hacked=1</script>", threshold=1.0)
    page = opened(result.demo())
    page.locator('#blocks [data-b="3"]').first.click()
    page.evaluate(MOVE, [100])
    assert text_of(page) == result.text
    assert NASTY.split(maxsplit=1)[0] in text_of(page)
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.evaluate("document.scripts.length") == 2


SHADES = """() => {
  const kinds = ["", "kept", "kept header"];
  [...document.querySelectorAll("#blocks .b")].slice(0, 30).forEach((block, n) => {
    block.className = `b c${n % 10} ${kinds[Math.floor(n / 10)]}`;
  });
}"""
"""Blocks of every probability, dropped, kept and kept as headings."""


@pytest.mark.slow
def test_axe_has_nothing_to_object_to(opened, annotated):
    axe = pytest.importorskip("axe", reason="tests/axe.py runs axe-core")
    html = victor.clean(annotated[0].html).demo()
    for scheme in ("light", "dark"):
        for width in (1366, 380):
            viewport = {"width": width, "height": 768}
            page = opened(html, f"{scheme}{width}", color_scheme=scheme, viewport=viewport)
            page.locator("#blocks .b.kept").nth(2).click()
            page.evaluate(SHADES)
            assert axe.violations(page) == []


def test_in_a_notebook_nothing_gets_out(browser, annotated):
    page = browser.new_page()
    page.set_content("<style>* {color: red !important}</style><div id=cell></div>")
    html = victor.clean(annotated[0].html)._repr_html_()
    page.evaluate("html => { document.getElementById('cell').innerHTML = html }", html)
    frame = page.wait_for_selector("iframe").content_frame()
    frame.wait_for_selector("#counts:has-text('words kept')")
    assert frame.evaluate("getComputedStyle(document.body).color") != "rgb(255, 0, 0)"
    assert frame.evaluate("self.origin") == "null"
    with pytest.raises(Exception, match=r"Blocked a frame|SecurityError"):
        frame.evaluate("parent.document.body")
    page.close()
