"""Commands of the tool: their messages, and files that are hostile, in use or not ready."""

import os

import pytest
from click.testing import CliRunner

from tests.rows import tables
from victor.annotate.collect import collect
from victor.annotate.revisions import Save
from victor.annotate.server import only_server
from victor.cli.program import group
from victor.errors import ConfigError, CorpusError

ROWS = tables(__file__)


@pytest.fixture
def annotate(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(group, ["annotate", *map(str, words)])


def test_a_second_server_of_a_store_is_refused(annotate, store):
    with only_server(store.path):
        result = annotate("serve", "--no-open", "--store", store.path)
    assert isinstance(result.exception, ConfigError)
    assert "another server serves" in str(result.exception)
    with only_server(store.path):  # and after its end the next one is let in
        pass


def test_an_export_of_nothing_is_an_error(annotate, store, tmp_path):
    store.revisions.save("bees", Save("ann", state="skip"))
    for words in ((), ("--annotator", "ann")):
        result = annotate("export", tmp_path / "out", "--store", store.path, *words)
        assert isinstance(result.exception, CorpusError)
        assert "none of the 3 pages" in str(result.exception)
    assert not (tmp_path / "out").exists()
    store.revisions.save("bees", Save("ann", state="done"))
    assert annotate("export", tmp_path / "out", "--store", store.path).exit_code == 0


@pytest.mark.parametrize("content", ["", "[" * 100_000, '{"a":' * 100_000, "[" + "9" * 5000 + "]"])
@pytest.mark.parametrize("folder", ["html", "pages"])
def test_an_import_of_nothing_or_of_hostile_json_is_an_error_of_ours(
    annotate, tmp_path, folder, content
):
    source = tmp_path / "source"
    (source / folder).mkdir(parents=True)
    for name in ("corpus.jsonl", "pages.jsonl", "notes.md"):
        (source / name).write_text(content)
    result = annotate("import", source)
    assert isinstance(result.exception, CorpusError), result.output


@pytest.mark.parametrize("name", ROWS["names"])
def test_any_name_of_a_file_can_be_annotated(store, browser_in, post, tmp_path, name):
    folder = tmp_path / "pages"
    folder.mkdir()
    with open(os.fsencode(folder) + b"/" + name + b".html", "wb") as file:
        file.write(b"<p>x")
    assert store.add(collect([str(folder)])) == 1
    (row,) = browser_in.get("/api/queue?annotator=ann").json()["pages"][3:]
    assert browser_in.get(f"/page/{row['id']}").status_code == 200
    body = {"annotator": "ann", "base": 0, "changes": [[0, 0, "t"]]}
    assert post(f"/api/page/{row['id']}/save", body).status_code == 200
