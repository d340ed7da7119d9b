"""A page as one line of JSON."""

import json

import pytest

from victor.errors import ConfigError
from victor.render.forms import Page, Shown
from victor.render.json_page import render


def test_address_metadata_and_text(judge):
    known = {"title": "T", "n": [1, None]}
    line = render(Page(judge("<p>a<br>b<p>c"), url="u", id="7", found={"metadata": known}.get))
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    judged = dict.fromkeys(["reason", "page_type", "p_no_content"])
    assert json.loads(line) == {
        "url": "u", "id": "7", "metadata": known, **judged, "words": 3, "text": "a\nb\n\nc\n",
    }  # fmt: skip


def test_fields_on_request(judge):
    page = "<p>a <a href=http://x.cz>b</a><p>c"
    shown, verdict = Shown(links=False), judge(page, drop=[1])
    given = Page(verdict, markup=page.encode(), shown=shown, headline="H")
    made = json.loads(render(given, fields=("blocks", "markdown")))
    judged = ["reason", "page_type", "p_no_content", "words"]
    assert list(made) == ["url", "metadata", *judged, "markdown", "dropped", "blocks"]
    assert (made["dropped"], made["markdown"]) == ("below-threshold", "# H\n\na b\n")
    blocks = [(block["n"], block.get("label"), block["text"]) for block in made["blocks"]]
    assert blocks == [(0, "text", "a b"), (1, None, "c")]
    with pytest.raises(ConfigError, match="html"):
        render(given, fields=("text", "html"))


def test_metadata_that_json_cannot_hold(judge):
    deep = []
    for _ in range(5000):
        deep = [deep]
    known = {
        "nan": float("nan"), "big": 2**70, "bytes": b"a", "half": "\ud83d", "pair": "\ud83d\ude00",
        "deep": deep, 3: "key", "set": {1},
    }  # fmt: skip
    line = render(Page(judge("<p>a"), found={"metadata": known}.get))
    line.encode()
    made = json.loads(line, parse_constant=pytest.fail)["metadata"]
    assert (made["nan"], made["big"], made["half"]) == (None, str(2**70), "\ufffd")
    assert (made["pair"], made["3"], made["set"]) == ("\U0001f600", "key", "{1}")
