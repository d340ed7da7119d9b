"""Pages that take a process of the server for long keep nobody waiting."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from victor.errors import PageError

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


def test_a_page_that_never_ends_keeps_nobody_waiting(busy, browser_in, post, store, page, tmp_path):
    (tmp_path / "style.css").write_text("p { color: red }")
    store.add([page("styled", b"<p>x", file=tmp_path / "page.html")])
    assert browser_in.get("/api/session").status_code == 200
    assert browser_in.get("/page/bees").status_code == 200
    assert browser_in.get("/page/styled/asset/style.css").status_code == 200
    body = {"annotator": "ann", "base": 0, "changes": [[0, 0, "t"]]}
    assert post("/api/page/bees/save", body).status_code == 200


def test_the_server_prepares_nothing_itself(browser_in, store, page, tmp_path, monkeypatch):
    monkeypatch.setattr("victor.annotate.prepare.safe_page", None)
    monkeypatch.setattr("victor.annotate.prepare.style_sheet", None)
    (tmp_path / "style.css").write_text("p { color: red }")
    store.add([page("styled", b"<p>x", file=tmp_path / "page.html")])
    assert 'data-v="0"' in browser_in.get("/page/styled").text
    assert "red" in browser_in.get("/page/styled/asset/style.css").text


def test_a_page_that_cannot_be_prepared_is_said_and_tried_again(browser_in, monkeypatch):
    monkeypatch.setattr("victor.annotate.server.api.prepare_page", os._exit)
    answer = browser_in.get("/page/bees")
    assert (answer.status_code, "cannot be worked on" in answer.text) == (422, True)
    monkeypatch.undo()
    assert browser_in.get("/page/bees").status_code == 200
