"""What the server answers."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from victor.annotate.exchange import zipped_corpus
from victor.annotate.revisions import Save
from victor.cli.program import group
from victor.errors import PageError

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


def test_queue_of_a_state_and_in_parts(browser_in, store):
    store.revisions.save("bees", Save("ann", base=0, state="done"))

    def ids(**query):
        answer = browser_in.get(QUEUE, params={"annotator": "ann", **query}).json()
        return [row["id"] for row in answer["pages"]], answer["total"]

    assert ids(state="todo") == (["kettles", "knots"], 2)
    assert ids(state="done") == (["bees"], 1)
    assert ids(state="all") == ids(state="") == ids()
    assert ids(offset=1, limit=1) == (["kettles"], 3)
    assert ids(offset=9) == ([], 3)


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
    store._database._writer.execute("UPDATE page SET cut = cut + 1 WHERE id = 'bees'")
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


@pytest.fixture
def labelled(store):
    """Two finished pages of three; another annotator has finished one."""
    store.revisions.save("bees", Save("ann", labels="htt?", state="done"))
    store.revisions.save("knots", Save("ann", labels="hooo", state="no-content"))
    store.revisions.save("kettles", Save("bob", labels="htto", state="done"))
    store.revisions.save("kettles", Save("ann", labels="hooo", state="todo"))
    return store


def test_the_download_is_what_the_command_writes(labelled, browser_in, post, tmp_path):
    states = {"done": 1, "no-content": 1}
    assert browser_in.get(QUEUE).json()["states"] == states
    answer = post("/api/export")
    assert answer.headers["content-type"] == "application/zip"
    assert (answer.headers["x-victor-pages"], answer.headers["x-victor-left-out"]) == ("3", "0")
    folder = tmp_path / "corpus"
    arguments = ["annotate", "export", str(folder), "-s", str(labelled.path)]
    assert CliRunner().invoke(group, arguments).exit_code == 0
    files = [file for file in folder.rglob("*") if file.is_file()]
    expected = {file.relative_to(tmp_path).as_posix(): file.read_bytes() for file in files}
    with ZipFile(BytesIO(answer.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == expected
    assert post("/api/export").content == answer.content


def test_pages_whose_labels_do_not_fit_are_named(labelled):
    labelled._database._writer.execute("UPDATE page SET cut = cut + 1 WHERE id = 'bees'")
    made = zipped_corpus(labelled.path)
    assert (made.pages, made.left_out) == (2, 1)
    with ZipFile(BytesIO(made.content)) as archive:
        assert b"page bees: its labels do not fit" in archive.read("left-out.txt")


def test_a_corpus_too_large_for_the_browser_names_the_command(
    labelled, post, processes, monkeypatch
):
    def timeout(*_):
        raise PageError("timeout", "too slow")

    monkeypatch.setattr(processes, "call", timeout)
    answer = post("/api/export")
    assert answer.status_code == 400
    assert "run 'victor annotate export corpus/ -s " in answer.json()["error"]


ENDLESS = 3600
"""Seconds that a job sleeps that is never to end."""


@pytest.fixture
def busy(processes):
    """One of the two processes of the server has a job that does not end."""
    with ThreadPoolExecutor(1) as threads:
        endless = threads.submit(processes.call, time.sleep, ENDLESS)
        while processes._idle.qsize() > 1:
            time.sleep(0.01)
        yield endless
        assert not endless.done()
        idle = processes._idle.get()
        processes._idle.put(idle)
        (process,) = {*processes.processes} - {idle}
        process.end()
        with pytest.raises(PageError):
            endless.result(60)


def test_a_page_that_never_ends_keeps_nobody_waiting(busy, browser_in, post):
    assert browser_in.get("/api/session").status_code == 200
    assert browser_in.get("/page/bees").status_code == 200
    assert post(SAVE, saving()).status_code == 200


def test_a_page_that_cannot_be_prepared_is_said_and_tried_again(browser_in, monkeypatch):
    monkeypatch.setattr("victor.annotate.api.prepare_page", os._exit)
    answer = browser_in.get("/page/bees")
    assert (answer.status_code, "cannot be worked on" in answer.text) == (422, True)
    monkeypatch.undo()
    assert browser_in.get("/page/bees").status_code == 200
