"""The scripts of a demo as one: nothing is imported, nothing left out, no name twice."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from victor.explain import demo_page

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
