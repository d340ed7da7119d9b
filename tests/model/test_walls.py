"""What servers and walls say: the held-out forms of `annotations/walls`, and decisions."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from victor.api import Cleaner, load_cleaner
from victor.labelers.crf import CrfLabeler, load_model
from victor.model.decide import Decision

FILE = Path(__file__).parents[2] / "annotations/walls/pages.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
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
