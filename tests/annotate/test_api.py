"""What the server answers, and what it refuses before a request reaches a route."""

import os
import re
import sqlite3
from contextlib import closing

import pytest
from annotate.conftest import TOKENS

from tests.rows import tables
from victor.annotate.server import MOST_BYTES, Address, Secrets
from victor.page.safe_page import policy

ROWS = tables(__file__)
QUEUE = "/api/queue?annotator=ann"
PAGE = "/api/page/bees?annotator=ann"
SAVE = "/api/page/bees/save"
HEADERS = ("x-content-type-options", "referrer-policy", "x-frame-options",
           "content-security-policy", "cross-origin-resource-policy")  # fmt: skip


def saving(**fields):
    return {"annotator": "ann", "base": 0, "changes": [[0, 1, "t"]]} | fields


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS["refused"], ids=lambda row: " ".join(map(str, row)))
def test_what_is_refused_stores_and_shows_nothing(client, store, row):
    status, who, method, path, *more = row
    headers = TOKENS if who == "front end" else {}
    headers = {k: v for k, v in (headers | (more or [{}])[0]).items() if v is not None}
    if who != "stranger":
        client.get("/?token=start")
    body = saving() if method == "POST" else None
    answer = client.request(method, path, headers=headers, json=body)
    assert answer.status_code == status
    assert not re.search("First paragraph|Traceback", answer.text)
    assert "set-cookie" not in answer.headers
    assert {*HEADERS} <= answer.headers.keys()
    assert store.revisions.heads() == []
    if path.startswith("/api") and "Host" not in headers:
        assert answer.json()["error"]
    elif status == 403:
        assert "victor annotate serve" in answer.text


@pytest.mark.parametrize("wrong", ROWS["saves"], ids=str)
def test_a_wrong_save_is_refused_and_stores_nothing(post, store, wrong):
    answer = post(SAVE, saving(**wrong))
    assert (answer.status_code, bool(answer.json()["error"])) == (400, True)
    assert store.revisions.heads() == []


@pytest.mark.parametrize("body", [*ROWS["bodies"], "[" * 100_000])
def test_a_body_that_is_none_is_refused(post, body):
    answer = post(SAVE, content=body)
    assert (answer.status_code, bool(answer.json()["error"])) == (400, True)


def test_a_large_body_is_refused(post):
    pieces = (b" " * (1 << 20) for _ in range((MOST_BYTES >> 20) + 1))
    assert post(SAVE, content=pieces).status_code == 413


# --- who gets in ----------------------------------------------------------------------------------


def test_the_start_address_gives_the_cookie(client):
    answer = client.get("/?token=start")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("victor-8000=start;")
    assert "HttpOnly" in cookie
    assert re.search("samesite=strict", cookie, re.IGNORECASE)
    assert client.get("/").status_code == 200


def test_what_the_shell_and_the_pages_may_do(browser_in, tokens):
    shell, page = browser_in.get("/"), browser_in.get("/page/bees")
    policy_of_shell = shell.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self';" in policy_of_shell
    assert "unsafe" not in policy_of_shell
    assert f'<meta name="victor-token" content="{tokens.post}">' in shell.text
    assert tokens.start not in re.findall(r'"([^"]*)"', shell.text)
    policy_of_page = page.headers["content-security-policy"]
    assert policy_of_page == policy("http://127.0.0.1:8000/page/")
    assert "default-src 'none'" in policy_of_page
    assert "sandbox" in policy_of_page
    assert "script" not in policy_of_page


def test_secrets_are_new_every_time():
    first, second = Secrets(), Secrets()
    secrets = {first.start, first.post, second.start, second.post}
    assert len(secrets) == 4
    assert min(map(len, secrets)) >= 40


def test_names_of_an_address():
    assert set(Address("127.0.0.1", 80).names) == {"127.0.0.1", "localhost"}
    assert set(Address("::1", 80).names) == {"::1", "[::1]", "localhost"}
    assert set(Address("10.1.2.3", 80).names) == {"10.1.2.3"}
    assert Address("::1", 80).url("t") == "http://[::1]:80/?token=t"


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000"])
def test_its_own_names_are_let_in(browser_in, host):
    answer = browser_in.get("/api/session", headers={"Host": host})
    assert answer.status_code == 200
    assert {*HEADERS} <= answer.headers.keys()
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]


# --- what is answered -----------------------------------------------------------------------------


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


def test_page_before_and_after_a_save(browser_in, post):
    assert browser_in.get(PAGE).json() == {
        "id": "bees", "number": 1, "title": "bees", "url": None, "n_blocks": 4, "revision": 0,
        "state": "todo", "labels": "oooo", "decided": [], "suggestion": None, "suggesting": False,
    }  # fmt: skip
    revision = post(SAVE, saving(state="done")).json()["revision"]
    answer = browser_in.get(PAGE).json()
    assert (answer["revision"], answer["state"], answer["labels"]) == (revision, "done", "ttoo")
    assert browser_in.get("/api/page/bees?annotator=bob").json()["labels"] == "oooo"


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
