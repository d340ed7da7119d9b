"""Records of blocks."""

import json

import numpy as np
import pytest

from victor.page.verdict import Verdict
from victor.render.records import render


def records(verdict, page=0, **metadata):
    return [json.loads(line) for line in render(verdict, page, **metadata).splitlines()]


def test_every_block_kept_or_not_has_a_record(judge):
    judged = judge("<p>first", "<div><h1>Čtvrt\u2028ek</h1><p>two words<br>here</div>", drop=[2])
    marginals = np.array([[0, 0, 1], [1 / 3, 1 / 3, 1 / 3], [0.00004, 0.1, 0.89996]])
    verdict = Verdict(judged.table, judged.labels, marginals, "threshold")
    assert records(verdict, 1, id="p2", url="http://x.cz/") == [
        {
            "id": "p2",
            "url": "http://x.cz/",
            "block": 0,
            "label": "text",
            "kept": True,
            "reason": "kept",
            "marginals": {"header": 0.3333, "text": 0.3333, "other": 0.3333},
            "words": 2,
            "path": "html/body/div/h1",
            "text": "Čtvrt\nek",
        },
        {
            "id": "p2",
            "url": "http://x.cz/",
            "block": 1,
            "label": "other",
            "kept": False,
            "reason": "below-threshold",
            "marginals": {"header": 0.0, "text": 0.1, "other": 0.9},
            "words": 3,
            "path": "html/body/div/p",
            "text": "two words\nhere",
        },
    ]


def test_what_is_not_known_of_a_page_is_left_out(judge):
    assert not {"id", "url"} & set(records(judge("a"))[0])


def test_a_record_is_a_line_whatever_the_text(judge):
    verdict = judge('<pre>a"\n\\b\x85</pre>')
    assert render(verdict, 0).count("\n") == 1
    assert records(verdict)[0]["text"] == 'a"\n\\b'


@pytest.mark.parametrize("depth", [61, 62, 63, 5000])
def test_paths_are_cut_at_their_outer_end(depth, judge):
    path = records(judge("<div>" * depth + "<b>x", split="tag"))[0]["path"].split("/")
    assert path == ["html", "body", *["div"] * depth, "b"][-64:]
