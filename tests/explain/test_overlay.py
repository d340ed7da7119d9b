"""The page as a file of its own: what it shows, and that nothing of the page acts in it."""

import json
import re
from html.parser import HTMLParser

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.errors import ConfigError
from victor.explain.contributions import explain
from victor.explain.overlay import overlay
from victor.labelers.crf import CrfLabeler
from victor.page.tags import HEADINGS

few = settings(max_examples=40, deadline=None, derandomize=True)
HOSTILE = """<html><head><base href="http://evil.example/"><meta http-equiv="refresh" content="0;
url=http://evil.example/"><link rel=stylesheet href="http://evil.example/a.css">
<script>parent.hacked = 1</script><style>#panel{display:none}@import "http://evil.example/b.css"
</style></head><body onload="hacked = 1" style="background:url(http://evil.example/c)">
</main></div></div></body></html>
<p onclick="hacked = 1" id=panel data-b=99>Click me, said the &lt;/script&gt;&lt;script&gt;hacked
= 1&lt;/script&gt; and &lt;!--&lt;script&gt; too.</p><a href="javascript:hacked=1">A link</a>
<a href="http://evil.example/" target=_top ping="http://evil.example/p">Another</a>
<img src="http://evil.example/d.png" onerror="hacked = 1" alt='"><script>hacked = 1</script>'>
<iframe src="http://evil.example/e">framed</iframe><form action="http://evil.example/f"><button
formaction="http://evil.example/g">Send</button><input value=x autofocus onfocus="hacked=1"></form>
<svg onload="hacked=1"><a xlink:href="javascript:hacked=1"><text>drawn</text></a></svg><x-y
is=evil>custom</x-y><object data="http://evil.example/h">o</object><embed src="http://evil.example/i">
<noscript><p title="</noscript><script>hacked=1</script>">none</p></noscript><template><script>
hacked=1</script></template><math><mi xlink:href="javascript:hacked=1">x</mi></math>
<video src="http://evil.example/j" autoplay></video><plaintext></plaintext><script>hacked=1</script>
"""
OURS = {"html", "head", "meta", "title", "style", "body", "aside", "header", "h1", "p", "main",
        "script", "div", "span", "br", "hr"}  # fmt: skip
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "type", "title",
              "data-b", "tabindex"}  # fmt: skip


class Elements(HTMLParser):
    """All elements with their attributes; those inside the page's own part apart."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.text, self.inside, self.open = [], [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if "main" in self.open:
            self.inside.append((tag, dict(attrs)))
        if tag not in ("br", "hr", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "main" in self.open:
            self.text.append(data)


@pytest.fixture(scope="session")
def overlaid(small_model):
    """Function: a page to its overlay and the verdict on it."""
    labeler = CrfLabeler(small_model)

    def overlaid(page, **options):
        verdict = labeler.label(labeler.table([page]))
        reasons = explain(small_model, verdict.table).reasons(top=4)
        return overlay(verdict, reasons, page, **options), verdict

    return overlaid


def data_of(html):
    (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', html, re.S)
    return json.loads(data)


def check_harmless(html):
    elements = Elements(html)
    assert {tag for tag, _ in elements.elements} <= OURS
    assert {name for _, attributes in elements.elements for name in attributes} <= ATTRIBUTES
    assert {tag for tag, _ in elements.inside} <= {"div", "span", "br", "hr"}
    for _, attributes in elements.inside:
        assert set(attributes) <= {"class", "data-b", "tabindex", "title"}
    assert [tag for tag, _ in elements.elements].count("script") == 2
    assert elements.open == []
    return elements


# --- nothing of the page acts --------------------------------------------------------------------


def test_nothing_of_a_hostile_page_survives(overlaid):
    html, _ = overlaid(HOSTILE.encode(), title='</title><script>hacked = 1</script>"')
    elements = check_harmless(html)
    assert "evil.example" not in html
    assert "javascript:" not in html
    assert html.count("http-equiv") == 1
    assert not re.search(r"<[^>]*\son\w+=", html)
    assert "Click me, said the </script>" in "".join(elements.text)


@pytest.mark.slow
@few
@given(data=st.data())
def test_any_page_is_harmless_and_complete(overlaid, data):
    page = data.draw(strategies.page())
    html, verdict = overlaid(page)
    elements = check_harmless(html)
    shown = {int(a["data-b"]) for _, a in elements.inside if "data-b" in a}
    assert shown == set(range(len(verdict.table)))
    assert len(data_of(html)) == len(verdict.table)


def test_the_policy_allows_nothing_but_our_script_and_style(overlaid):
    html, _ = overlaid(HOSTILE.encode())
    policy = re.search(r'Security-Policy" content="([^"]*)"', html)[1]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("script-src").startswith("'sha256-")
    assert rules.pop("style-src").startswith("'sha256-")
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


@pytest.mark.slow
def test_deep_and_crossed_elements_are_closed(overlaid):
    page = b"<div><b>" * 1000 + b"deep" + b"</div></i></p></main>" * 1000
    html, _ = overlaid(page)
    check_harmless(html)


# --- what it shows -------------------------------------------------------------------------------


def test_blocks_carry_label_and_probability(overlaid, annotated):
    html, verdict = overlaid(annotated[0].html)
    elements = Elements(html)
    names = ["header", "text", "other"]
    for _, attributes in elements.inside:
        if "data-b" in attributes:
            block = int(attributes["data-b"])
            label = verdict.labels[block]
            probable = verdict.marginals[block, label]
            assert attributes["class"] == f"b {names[label]} c{min(int(probable * 10), 9)}"
            assert attributes["title"] == f"{block}: {names[label]} {probable:.3f}"
    first = [a["data-b"] for _, a in elements.inside if "tabindex" in a]
    assert first == [str(block) for block in range(len(verdict.table))]


@pytest.mark.slow
def test_the_data_of_the_panel(overlaid, annotated, small_model):
    html, verdict = overlaid(annotated[0].html)
    reasons = explain(small_model, verdict.table).reasons(top=4)
    for row, reason, kept in zip(data_of(html), reasons, verdict.kept, strict=True):
        weights = [w for _, _, w in (*row["for"], *row["against"], row["rest"])]
        assert sum(weights) == pytest.approx(row["logOdds"], abs=1e-3)
        assert row["logOdds"] == pytest.approx(reason.log_odds, abs=1e-4)
        assert (row["reason"] == "kept") == kept
        assert [found[0] for found in row["for"]] == [found.name for found in reason.speaks_for]


@pytest.mark.slow
def test_second_page_of_a_batch(small_model, annotated):
    labeler = CrfLabeler(small_model)
    pages = [annotated[0].html, annotated[1].html]
    verdict = labeler.label(labeler.table(pages))
    blocks = range(verdict.page(1).start, verdict.page(1).stop)
    reasons = explain(small_model, verdict.table).reasons(blocks, 4)
    alone = labeler.label(labeler.table(pages[1:]))
    expected = overlay(alone, explain(small_model, alone.table).reasons(top=4), pages[1])
    assert overlay(verdict, reasons, pages[1], page=1) == expected
    with pytest.raises(ConfigError, match="not those of the page"):
        overlay(verdict, reasons, pages[0], page=0)


def test_images_headings_and_lists_stand_for_themselves(overlaid):
    page = b"<h2>Bees</h2><ul><li>one<li>two</ul><img src=x alt='A hive'><br><x-y>z</x-y>"
    html, _ = overlaid(page)
    classes = [a.get("class", "").split()[0] for _, a in Elements(html).inside if a.get("class")]
    assert {"e-h2", "e-ul", "e-li", "e-img"} <= set(classes)
    assert all(f".e-{name}" in html for name in HEADINGS)


# --- in a browser --------------------------------------------------------------------------------


@pytest.fixture
def opened(browser, tmp_path):
    """Function: a file's content to the page in the browser, with what it asked and complained."""
    pages = []

    def opened(html):
        path = tmp_path / "overlay.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        pages.append(page)
        page.seen = []
        page.on("request", lambda request: page.seen.append(request.url))
        page.on("console", lambda message: page.seen.append(message.text))
        page.on("pageerror", lambda error: page.seen.append(str(error)))
        page.goto(path.as_uri())
        assert page.seen.pop(0) == path.as_uri()
        return page

    yield opened
    for page in pages:
        page.close()


def test_pointing_shows_why(opened, overlaid, annotated):
    html, verdict = overlaid(annotated[0].html)
    page, rows = opened(html), data_of(html)
    kept = int(verdict.kept.argmax())
    part = page.locator(f'[data-b="{kept}"]').first
    part.hover()
    panel = page.inner_text("#panel")
    assert f"Block {kept}: {rows[kept]['label']} (kept)" in panel
    assert all(name in panel for name, _, _ in rows[kept]["for"])
    assert f"{rows[kept]['marginals']['other']:.4f}" in panel
    assert page.seen == []


def test_a_click_holds_the_panel(opened, overlaid, annotated):
    html, _ = overlaid(annotated[0].html)
    page = opened(html)
    page.locator('[data-b="0"]').first.click()
    page.locator('[data-b="2"]').first.hover()
    assert page.inner_text("#panel h2").startswith("Block 0:")
    page.locator('[data-b="2"]').first.focus()
    page.locator('[data-b="2"]').first.click()
    assert page.inner_text("#panel h2").startswith("Block 2:")


def test_colours_tell_the_labels(opened, overlaid, annotated):
    pages = (overlaid(page.html) for page in annotated)
    page = opened(next(html for html, verdict in pages if set(verdict.labels) == {0, 1, 2}))
    colour = "e => getComputedStyle(e).backgroundColor"
    colours = {
        name: page.locator(f"#page .b.{name}").first.evaluate(colour)
        for name in ("header", "text", "other")
    }
    assert len({value.rsplit(",", 1)[0] for value in colours.values()}) == 3


def test_a_hostile_page_does_nothing(opened, overlaid):
    html, _ = overlaid(HOSTILE.encode())
    page = opened(html)
    page.locator('#page [data-b="0"]').first.click()
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("#panel").count() == 1
    assert page.inner_text("#panel h2").startswith("Block 0:")
    assert page.seen == []
