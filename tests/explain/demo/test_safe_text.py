"""The page in a demo: all of its text, and nothing of it acts."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
import strategies
from hypothesis import given, settings
from markup_elements import Elements

from tests.rows import tables
from victor.api import Cleaner
from victor.explain import demo_page
from victor.labelers.crf import CrfLabeler
from victor.page.parsing.tags import HEADINGS

few = settings(max_examples=8, deadline=None, derandomize=True)
HOSTILE = tables(__file__)["hostile"].encode()
OURS = set(
    "html head meta title style body header h1 h2 p button label input output main section aside "
    "ul li i script div span br hr".split()
)
OF_THE_PAGE = {"div", "span", "br", "hr"}


@pytest.fixture(scope="session")
def shown(small_model):
    """Function: a page to its demo and the result of cleaning it."""
    cleaner = Cleaner(CrfLabeler(small_model))

    def shown(page, **options):
        result = cleaner.clean(page)
        return result.demo(**options), result

    return shown


def check_harmless(html):
    elements = Elements(html, "blocks")
    assert elements.names <= OURS
    assert {tag for tag, _ in elements.inside} <= OF_THE_PAGE
    for _, attributes in elements.inside:
        assert set(attributes) <= {"class", "data-b", "tabindex"}
        assert re.fullmatch(r"|e-[a-z0-9]+|b c[0-9]", attributes.get("class", ""))
    scripts = [attributes for tag, attributes in elements.all if tag == "script"]
    assert scripts == [{"id": "data", "type": "application/json"}, {"type": "module"}]
    return elements


def test_nothing_of_a_hostile_page_survives(shown):
    html, _ = shown(HOSTILE, title='</title><script>hacked = 1</script>"')
    elements = check_harmless(html)
    assert "evil.example" not in html
    assert "javascript:" not in html
    assert html.count("http-equiv") == 1
    assert not re.search(r"<[^>]*\son\w+=", html)
    assert "Click me, said the </script>" in "".join(elements.text)


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
    html, _ = shown(HOSTILE)
    policy = re.search(r'Security-Policy" content="([^"]*)"', html)[1].replace("&#x27;", "'")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert all(rules.pop(name).startswith("'sha256-") for name in ("script-src", "style-src"))
    assert rules == dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'")


def test_images_headings_and_lists_stand_for_themselves(shown):
    page = b"<h2>Bees</h2><ul><li>one<li>two</ul><img src=x alt='A hive'><br><x-y>z</x-y>"
    html, _ = shown(page)
    classes = [
        a.get("class", "").split()[0] for _, a in Elements(html, "blocks").inside if a.get("class")
    ]
    assert {"e-h2", "e-ul", "e-li", "e-img"} <= set(classes)
    assert all(f".e-{name}" in html for name in HEADINGS)


# --- the scripts as one ---------------------------------------------------------------------------


FOLDER = Path(demo_page.__file__).parent / "demo"
NAMES = re.compile(r"^(?:export )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)


def test_all_modules_are_in_one_script_that_imports_and_exports_nothing():
    script, names = demo_page.script(), Counter(NAMES.findall(demo_page.script()))
    assert names == Counter(
        name for file in FOLDER.glob("*.js") for name in NAMES.findall(file.read_text("utf-8"))
    )
    assert {*names.values()} == {1}, "a name twice"
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "</script" not in script
    assert "</style" not in (FOLDER / "demo.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["</script>", "<!--<script>", "\ud800", "\u2028", '"\\'])
def test_json_ends_no_script(text):
    written = demo_page.json_in_script({text: [text]})
    assert "<" not in written
    written.encode()
    shown = text.replace("\ud800", "?")
    assert json.loads(written) == {shown: [shown]}
