"""Records of blocks."""

import json
from types import SimpleNamespace
from unittest.mock import ANY

import numpy as np

from victor.base.labels import Kind
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page
from victor.render.json_page import records as render


def records(verdict, page=0, **metadata):
    return [json.loads(line) for line in render(Page(verdict, page, **metadata)).splitlines()]


PAGES = ("<p>first", "<div><h1>Čtvrt\u2028ek</h1><p>two words<br>here</div>")


def judged(judge, method="threshold"):
    table, labels = (verdict := judge(*PAGES, drop=[2])).table, verdict.labels
    marginals = np.array([[0, 0, 1], [1 / 3, 1 / 3, 1 / 3], [0.00004, 0.1, 0.89996]])
    return Verdict(table, labels, marginals, method)


def test_a_page_has_a_record_and_every_block_kept_or_not(judge):
    assert records(judged(judge), 1, id="p2", url="http://x.cz/", markup=PAGES[1].encode()) == [
        {"id": "p2", "url": "http://x.cz/", "blocks": 2, "words": 2, "dropped": "below-threshold"},
        {
            "n": 0,
            "label": "text",
            "p": [0.333, 0.333],
            "level": 1,
            "xpath": "(//h1)[1]",
            "text": "Čtvrt ek",
        },
        {"n": 1, "p": [0.9, 0], "text": "two words\nhere"},
    ]


def test_what_is_not_known_of_a_page_is_left_out(judge):
    assert records(judge("a")) == [
        {"blocks": 1, "words": 1},
        {"n": 0, "label": "text", "p": ANY, "text": "a"},
    ]
    assert records(judge("")) == [{"blocks": 0, "words": 0}]


def test_reasons_are_written_where_they_are_not_the_usual_ones(judge):
    verdict = judge("<p>a<p>b<p>c<p>d", drop=[1, 2, 3])
    by_scope = np.array([True, False, True, False])
    scoped = Verdict(verdict.table, verdict.labels, verdict.marginals, "viterbi", by_scope=by_scope)
    page, *blocks = records(scoped)
    assert page["dropped"] == "viterbi"
    assert [block.get("reason") for block in blocks] == ["scope", None, "scope", None]


def test_kinds_are_written_where_they_are_not_those_of_labels(judge):
    verdict = judge("<p>a<p>b<p>c", drop=[2])
    kinds = np.array([Kind.TEXT, Kind.CODE, Kind.COMMENT], dtype=np.uint8)
    found = verdict.with_kinds(SimpleNamespace(codes=kinds))
    assert [block.get("kind") for block in records(found)[1:]] == [None, "code", "comment"]


def test_a_record_is_a_line_whatever_the_text(judge):
    verdict = judge('<pre>a"\n\\b\x85</pre>')
    assert render(Page(verdict)).count("\n") == 2
    assert records(verdict)[1]["text"] == 'a"\n\\b'


def test_half_a_character_in_an_address_is_replaced(judge):
    written = render(Page(judged(judge), id="\udc00", url="http://x.cz/\ud800"))
    written.encode()
    assert json.loads(written.splitlines()[0])["url"] == "http://x.cz/\ufffd"
