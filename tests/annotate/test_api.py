"""What the server answers."""

import os
import sqlite3
from contextlib import closing

import pytest

QUEUE = "/api/queue?annotator=ann"
PAGE = "/api/page/bees?annotator=ann"
SAVE = "/api/page/bees/save"


def saving(**fields):
    return {"annotator": "ann", "base": 0, "changes": [[0, 1, "t"]]} | fields


def test_queue(browser_in, post):
    post(SAVE, saving(state="done"))
    post("/api/page/knots/save", saving(annotator="bob", state="skip"))
    answer = browser_in.get(QUEUE).json()
    assert (answer["total"], answer["states"], answer["labelled"]) == (3, {"done": 1}, 1)
    rows = [(row["id"], row["number"], row["state"], row["annotators"]) for row in answer["pages"]]
    assert rows == [
        ("bees", 1, "done", ["ann"]), ("kettles", 2, "todo", []), ("knots", 3, "todo", ["bob"])
    ]  # fmt: skip
    assert answer["pages"][0]["title"] == "bees"
    assert answer["pages"][0]["n_blocks"] == 4


@pytest.mark.parametrize(
    "query", [{}, {"annotator": ""}, {"annotator": "a", "state": "lost"},
              {"annotator": "a", "order": "size"}, {"annotator": "a", "order": "uncertainty"},
              {"annotator": "a", "offset": "-1"}, {"annotator": "a", "limit": "x"},
              {"annotator": "a", "limit": "9" * 30}],
)  # fmt: skip
def test_a_wrong_queue_is_refused(browser_in, query):
    answer = browser_in.get("/api/queue", params=query)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_page_before_and_after_a_save(browser_in, post):
    assert browser_in.get(PAGE).json() == {
        "id": "bees", "number": 1, "title": "bees", "url": None, "n_blocks": 4, "revision": 0,
        "state": "todo", "labels": "oooo", "decided": [], "suggestion": None, "suggesting": False,
    }  # fmt: skip
    revision = post(SAVE, saving(state="done")).json()["revision"]
    answer = browser_in.get(PAGE).json()
    assert (answer["revision"], answer["state"], answer["labels"]) == (revision, "done", "ttoo")
    assert browser_in.get("/api/page/bees?annotator=bob").json()["labels"] == "oooo"


@pytest.mark.parametrize(
    "path", ["/api/page/wasps?annotator=a", "/api/page/wasps/suggestion", "/page/wasps",
             "/page/wasps/asset/a.css", "/page/bees/asset/a.css",
             "/page/bees/asset/../store.py", "/api/nothing"],
)  # fmt: skip
def test_what_is_not_there_is_404(browser_in, path):
    answer = browser_in.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_files_beside_the_page_are_served(browser_in, store, page, tmp_path):
    (tmp_path / "style.css").write_text("p { color: red }")
    html = b"<link rel=stylesheet href=style.css><p>Text."
    store.add([page("styled page", html, file=tmp_path / "page.html")])
    shown = browser_in.get("/page/styled%20page").text
    assert '<base href="/page/styled%20page/asset/">' in shown
    assert '<link rel=stylesheet href="style.css"' in shown
    answer = browser_in.get("/page/styled%20page/asset/style.css")
    assert (answer.status_code, "red" in answer.text) == (200, True)
    assert answer.headers["content-type"].startswith("text/css")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert browser_in.get("/page/styled%20page/asset/annotations.sqlite").status_code == 404


def test_a_page_whose_blocks_changed_is_not_shown(browser_in, store):
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE page SET cut = cut + 1 WHERE id = 'bees'")
    answer = browser_in.get("/page/bees")
    assert answer.status_code == 422
    assert "other blocks" in answer.json()["error"]


def test_two_tabs_get_a_conflict_with_what_is_newer(browser_in, post):
    first = post(SAVE, saving()).json()["revision"]
    answer = post(SAVE, saving(changes=[[3, 3, "h"]]))
    assert answer.status_code == 409
    newest = answer.json()
    assert newest.pop("error")
    assert newest == {
        "annotator": "ann", "revision": first, "state": "todo", "labels": "ttoo", "decided": []
    }  # fmt: skip
    assert post(SAVE, saving(base=first, changes=[[3, 3, "h"]])).status_code == 200
    assert browser_in.get(PAGE).json()["labels"] == "ttoh"


@pytest.mark.parametrize(
    "wrong",
    [{"annotator": None}, {"annotator": ""}, {"annotator": 3}, {"base": None}, {"base": -1},
     {"base": "0"}, {"base": True}, {"base": 2**70}, {"base": 0.0}, {"changes": [[0, 4, "t"]]},
     {"changes": [[1, 0, "t"]]}, {"changes": [[-1, 0, "t"]]}, {"changes": [[0, 0, "x"]]},
     {"changes": "t"}, {"changes": {}}, {"changes": None}, {"state": "lost"}, {"state": 1},
     {"state": []}, {"labels": "tttt"}, {"key": ""}, {"key": 3}, {"key": "k" * 101}],
)  # fmt: skip
def test_a_wrong_save_is_refused_and_stores_nothing(post, store, wrong):
    answer = post(SAVE, saving(**wrong))
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert store.revisions.heads() == []


@pytest.mark.parametrize(
    "body", [b"{", b"\xff", b"[]", b"3", b'"t"', b"[" * 100_000, b"",
             b'{"annotator": "ann", "base": NaN}'],
)  # fmt: skip
def test_a_body_that_is_none_is_refused(post, body):
    answer = post(SAVE, content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_a_page_that_nobody_saw_can_be_given_a_state_without_its_revision(post, store):
    for state in ("skip", "broken"):
        body = {"annotator": "ann", "state": state}
        assert post(SAVE, body).status_code == 200
    assert store.revisions.head("bees", "ann").state == "broken"


def test_a_failure_of_ours_is_said_without_its_trace(browser_in, store, monkeypatch):
    monkeypatch.setattr(store.revisions, "annotators", lambda: 1 / 0)
    answer = browser_in.get("/api/session")
    assert answer.status_code == 500
    assert "ZeroDivisionError" in answer.json()["error"]
    assert "Traceback" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_page_that_cannot_be_prepared_is_said_and_tried_again(browser_in, monkeypatch):
    monkeypatch.setattr("victor.annotate.api.prepare_page", os._exit)
    answer = browser_in.get("/page/bees")
    assert (answer.status_code, "cannot be worked on" in answer.text) == (422, True)
    monkeypatch.undo()
    assert browser_in.get("/page/bees").status_code == 200
