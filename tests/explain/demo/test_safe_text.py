"""The page in a demo: all of its text, and nothing of it acts."""

import re
from html.parser import HTMLParser

import pytest
import strategies
from hypothesis import given, settings

from victor.api import Cleaner
from victor.labelers.crf import CrfLabeler
from victor.page.parsing.tags import HEADINGS

few = settings(max_examples=20, deadline=None, derandomize=True)
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
OURS = set(
    "html head meta title style body header h1 h2 p button label input output main section aside "
    "ul li i script div span br hr".split()
)
OF_THE_PAGE = {"div", "span", "br", "hr"}


class Elements(HTMLParser):
    """All elements with their attributes; those inside the page's own part apart."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.text, self.inside = [], [], []
        self.open, self.tags = [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if "blocks" in self.open:
            self.inside.append((tag, dict(attrs)))
        if tag not in ("br", "hr", "meta", "input"):
            self.open.append(dict(attrs).get("id") or tag)
            self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.tags.pop() == tag
        self.open.pop()

    def handle_data(self, data):
        if "blocks" in self.open:
            self.text.append(data)


@pytest.fixture(scope="session")
def shown(small_model):
    """Function: a page to its demo and the result of cleaning it."""
    cleaner = Cleaner(CrfLabeler(small_model))

    def shown(page, **options):
        result = cleaner.clean(page)
        return result.demo(**options), result

    return shown


def check_harmless(html):
    elements = Elements(html)
    assert {tag for tag, _ in elements.elements} <= OURS
    assert {tag for tag, _ in elements.inside} <= OF_THE_PAGE
    for _, attributes in elements.inside:
        assert set(attributes) <= {"class", "data-b", "tabindex"}
        assert re.fullmatch(r"|e-[a-z0-9]+|b c[0-9]", attributes.get("class", ""))
    scripts = [attributes for tag, attributes in elements.elements if tag == "script"]
    assert scripts == [{"id": "data", "type": "application/json"}, {"type": "module"}]
    assert elements.open == []
    return elements


def test_nothing_of_a_hostile_page_survives(shown):
    html, _ = shown(HOSTILE.encode(), title='</title><script>hacked = 1</script>"')
    elements = check_harmless(html)
    assert "evil.example" not in html
    assert "javascript:" not in html
    assert html.count("http-equiv") == 1
    assert not re.search(r"<[^>]*\son\w+=", html)
    assert "Click me, said the </script>" in "".join(elements.text)


@pytest.mark.slow
@few
@given(page=strategies.page())
def test_any_page_is_harmless_and_complete(shown, page):
    html, result = shown(page)
    elements = check_harmless(html)
    blocks = {int(a["data-b"]) for _, a in elements.inside if "data-b" in a}
    assert blocks == set(range(len(result.blocks)))
    first = [int(a["data-b"]) for _, a in elements.inside if "tabindex" in a]
    assert first == sorted(blocks)


def test_the_policy_allows_nothing_but_our_script_and_style(shown):
    html, _ = shown(HOSTILE.encode())
    policy = re.search(r'Security-Policy" content="([^"]*)"', html)[1].replace("&#x27;", "'")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert all(rules.pop(name).startswith("'sha256-") for name in ("script-src", "style-src"))
    assert rules == dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'")


def test_blocks_carry_their_probability(shown, annotated):
    html, result = shown(annotated[0].html)
    for _, attributes in Elements(html).inside:
        if "data-b" in attributes:
            keep = 1 - result.marginals[int(attributes["data-b"]), 2]
            assert attributes["class"] == f"b c{min(int(keep * 10), 9)}"


def test_images_headings_and_lists_stand_for_themselves(shown):
    page = b"<h2>Bees</h2><ul><li>one<li>two</ul><img src=x alt='A hive'><br><x-y>z</x-y>"
    html, _ = shown(page)
    classes = [a.get("class", "").split()[0] for _, a in Elements(html).inside if a.get("class")]
    assert {"e-h2", "e-ul", "e-li", "e-img"} <= set(classes)
    assert all(f".e-{name}" in html for name in HEADINGS)


def test_a_hostile_page_does_nothing(opened, shown):
    page = opened(shown(HOSTILE.encode())[0])
    page.locator('#blocks [data-b="0"]').first.click()
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.inner_text("#reasons h2").startswith("Block 0:")
