"""The scripts of a demo as one: nothing is imported, nothing left out, no name twice."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from victor.explain import demo_page

FOLDER = Path(demo_page.__file__).parent / "demo"
NAMES = re.compile(r"^(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r'from "\./(\w+\.js)"')


def test_all_modules_are_part_of_it_after_those_that_they_import():
    order = list(demo_page._MODULES)
    assert {*order} == {file.name for file in FOLDER.glob("*.js")}
    for name in order:
        imported = IMPORTED.findall((FOLDER / name).read_text(encoding="utf-8"))
        assert all(order.index(other) < order.index(name) for other in imported)


def test_it_imports_and_exports_nothing_and_has_no_name_twice():
    script = demo_page.script()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert [name for name, times in Counter(NAMES.findall(script)).items() if times > 1] == []
    assert "</script" not in script
    assert "</style" not in (FOLDER / "demo.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["</script>", "<!--<script>", "\ud800", "\u2028", '"\\'])
def test_json_ends_no_script(text):
    written = demo_page.json_in_script({text: [text]})
    assert "<" not in written
    written.encode()
    shown = text.replace("\ud800", "?")
    assert json.loads(written) == {shown: [shown]}
