"""The end of the work: what was done, and the corpus as a download."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from victor.annotate.exchange.zipped import zipped_corpus
from victor.annotate.store.revisions import Save
from victor.errors import CorpusError, PageError


@pytest.fixture
def labelled(store):
    """Two finished pages of three; another annotator has finished one."""
    store.revisions.save("bees", Save("ann", labels="htt?", state="done"))
    store.revisions.save("knots", Save("ann", labels="hooo", state="no-content"))
    store.revisions.save("kettles", Save("bob", labels="htto", state="done"))
    store.revisions.save("kettles", Save("ann", labels="hooo", state="todo"))
    return store


def test_what_an_annotator_has_done(labelled, browser_in):
    states = {"done": 1, "no-content": 1}
    assert browser_in.get("/api/queue?annotator=ann").json()["states"] == states


def test_the_download_is_what_the_command_writes(labelled, post, tmp_path):
    from victor.cli.program import group

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


def test_it_needs_the_token_of_the_page(labelled, post, browser_in):
    assert post("/api/export", headers={"X-Victor-Token": None}).status_code == 403
    assert browser_in.get("/api/export").status_code == 405


def test_without_a_finished_page_nothing_is_exported(post):
    answer = post("/api/export")
    assert answer.status_code == 400
    assert "no page is done yet" in answer.json()["error"]


def test_pages_whose_labels_do_not_fit_are_named(labelled, monkeypatch):
    from victor.annotate.exchange import store_export

    drifted = store_export.drifted
    monkeypatch.setattr(store_export, "drifted",
                        lambda page, table: page.id == "bees" or drifted(page, table))  # fmt: skip
    made = zipped_corpus(labelled.path)
    assert (made.pages, made.left_out) == (2, 1)
    with ZipFile(BytesIO(made.content)) as archive:
        assert b"page bees: its labels do not fit" in archive.read("left-out.txt")


def test_a_store_without_finished_pages_is_refused(store):
    with pytest.raises(CorpusError, match="no page is done yet"):
        zipped_corpus(store.path)


def test_a_corpus_too_large_for_the_browser_names_the_command(
    labelled, post, processes, monkeypatch
):
    def timeout(*_):
        raise PageError("timeout", "too slow")

    monkeypatch.setattr(processes, "call", timeout)
    answer = post("/api/export")
    assert answer.status_code == 400
    assert "run 'victor annotate export corpus/ -s " in answer.json()["error"]
