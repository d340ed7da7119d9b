"""What servers and walls say: the held-out forms of `annotations/walls`, measures, decisions."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from victor.api import Cleaner, load_cleaner
from victor.labelers.crf import CrfLabeler, load_model
from victor.model.decide import Decision
from victor.model.page_head import MEASURES, measure_names, page_rows

ROWS = [
    json.loads(line)
    for line in Path(__file__)
    .parents[2]
    .joinpath("annotations/walls/pages.jsonl")
    .read_text("utf-8")
    .splitlines()
]
HELD_OUT = [row for row in ROWS if row["held_out"]]
WALLS = [row for row in HELD_OUT if row["gives"] != "content"]
LEARNT_LANGUAGES = {row["language"] for row in ROWS if not row["held_out"]}
DENIED = "<title>Access denied</title><h1>Access denied</h1><p>You have been blocked.</p>"


@pytest.fixture(scope="module", params=["default", "crf", "czech"])
def cleaner(request):
    return Cleaner(CrfLabeler(load_model(request.param)))


def share(found):
    return sum(found) / len(found)


def test_forms_are_learnt_or_held_out():
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    forms = defaultdict(set)
    for row in ROWS:
        forms[row["form"]].add(row["held_out"])
    assert all(len(sides) == 1 for sides in forms.values())
    assert len(WALLS) >= 75
    assert len({row["form"] for row in WALLS}) >= 20
    assert len({row["language"] for row in WALLS}) >= 20


def test_held_out_forms_give_nothing(cleaner):
    results = cleaner.clean_many([row["html"] for row in WALLS])
    found, right = defaultdict(list), []
    for row, result in zip(WALLS, results, strict=True):
        is_found = result.text == ""
        for group in ("all", row["form"], row["language"] in LEARNT_LANGUAGES):
            found[group].append(is_found)
        if is_found:
            right.append(result.reason == row["gives"])
    assert share(found["all"]) >= 0.85
    assert share(found[True]) >= 0.85
    assert share(found[False]) >= 0.85
    forms = [share(values) for name, values in found.items() if isinstance(name, str)]
    assert np.mean(forms) >= 0.85
    assert min(forms) >= 0.5
    assert share(right) >= 0.9


def test_content_that_speaks_of_walls_is_kept(cleaner):
    rows = [row for row in HELD_OUT if row["gives"] == "content"]
    results = [*cleaner.clean_many([row["html"] for row in rows])]
    assert share([result.reason != "error-page" for result in results]) >= 0.85
    assert share([bool(result.text) for result in results]) >= 0.6


def test_the_switch_keeps_every_page():
    # The temperature keeps more: a model may find nothing to keep without any head.
    read = Decision(method="expected-f", temperature=2.0)
    pages = [row["html"] for row in WALLS]
    usual, switched = (
        [result.reason == "ok" for result in load_cleaner(decision=decision).clean_many(pages)]
        for decision in (read, read.replace(no_content=1.0))
    )
    assert share(usual) <= 0.15
    assert all(switched)


@pytest.mark.parametrize("method", ["expected-f", "threshold"])
@pytest.mark.parametrize(("limit", "reason"), [(0.45, "error-page"), (1.0, "ok")])
def test_error_pages_go_by_either_method(method, limit, reason):
    decision = Decision(method=method, threshold=0.99, no_content=limit)
    assert load_cleaner(decision=decision).clean(DENIED).reason == reason


def said(page, keep=0.9):
    table = CrfLabeler(load_model("default")).table([page.encode()])
    marginals = np.tile([0.0, keep, 1 - keep], (len(table), 1))
    (row,) = page_rows(table, marginals)
    return dict(zip(MEASURES, row[len(measure_names(quick=True)) :], strict=False))


def test_phrases_are_measured_where_they_stand():
    named = said("<h1>Access denied</h1><p>Ask the keeper of the server.</p>")
    assert (named["wall.named"], named["wall.groups"]) == (1, 1)
    assert named["said-words"] == pytest.approx(np.log1p(2))
    assert named["other-words"] == pytest.approx(np.log1p(6))
    assert 0 < named["wall.density"] < 1
    unnamed = said("<h1>Sorry</h1><p>Access denied, can’t find the page")
    assert (unnamed["wall.named"], unnamed["wall.groups"]) == (0, 2)
    assert (unnamed["nothing.groups"], said("<p>No results")["nothing.groups"]) == (0, 1)


@pytest.mark.parametrize(
    "text",
    [
        "ACCESS\u2003\n DENIED",
        "We CAN\N{RIGHT SINGLE QUOTATION MARK}T FIND it",
        "ΕΊΣΤΕ ΆΝΘΡΩΠΟΣ;",
        "NÃO ENCONTRADO",
        "禁止访问",
        "x" * 380 + " access denied",
    ],
)
def test_phrases_are_found_in_whatever_case_and_script(text):
    assert said(f"<p>{text}")["wall.groups"] == 1


@pytest.mark.parametrize("text", ["accessdenied", "acces denied", "x" * 390 + " access denied"])
def test_what_is_no_phrase_or_stands_too_far_behind(text):
    assert not any(said(f"<p>{text}").values())


@pytest.mark.parametrize("page", ["<p>A poem of one line", "", "<a href=/>Access denied</a>"])
def test_a_page_that_says_no_phrase_outside_links_has_no_measures(page):
    assert not any(said(page).values())


@pytest.mark.parametrize("words", [97, 98])
def test_what_is_expected_to_keep_many_words_is_not_read(words):
    page = "<h1>Access denied</h1><p>" + "word " * words
    assert any(said(page, keep=1.0).values()) is (words + 2 < 100)
