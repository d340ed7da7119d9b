"""A model holds the source of its author's feature modules, and notices when it was changed."""

from hashlib import sha256

import pytest
from model_files import archived, content_of, members
from msgspec.structs import replace

from tests.rows import tables
from victor.config.layers import load
from victor.errors import ModelError
from victor.labelers.crf import load_model
from victor.model.model import Model

ROWS = tables(__file__)
SOURCE = ROWS["source"]


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A model file with an own module, whose Python file is gone."""
    module = tmp_path / "own.py"
    module.write_text(SOURCE)
    config = load("crf", [f"features+={module}: {{number: 3}}"])
    replace(load_model("crf"), config=config).save(tmp_path / "own.victor")
    module.unlink()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "own.victor"


def test_it_is_a_text_with_its_hash(saved):
    content = members(saved)
    assert content["features/own.py"].decode() == SOURCE
    *_, entry = content_of(saved)[0]["config"]["features"]
    assert entry == {
        "module": "own.py",
        "sha256": sha256(SOURCE.encode()).hexdigest(),
        "parameters": {"number": 3},
    }
    assert SOURCE not in content["model.json"].decode()


def test_it_comes_back_and_is_written_as_the_same_bytes(saved, tmp_path):
    model = Model.load(saved)
    assert model.config.features[-1]["source"] == SOURCE
    model.save(tmp_path / "again.victor")
    assert (tmp_path / "again.victor").read_bytes() == saved.read_bytes()


def test_what_has_none_has_no_member(tmp_path):
    load_model("crf").save(tmp_path / "crf.victor")
    assert not [name for name in members(tmp_path / "crf.victor") if name.startswith("features")]


@pytest.mark.parametrize("changed", [SOURCE + "\n", SOURCE.replace("3", "4") + "# 4", "", "\r"])
def test_a_changed_source_is_refused(saved, changed):
    archived(saved, {**members(saved), "features/own.py": changed})
    with pytest.raises(ModelError, match=r"own\.victor: the source of .* own\.py is not the one"):
        Model.load(saved)


@pytest.mark.parametrize("data", [None, b"\xff\xfe", b"#" * (1 << 21)])
def test_a_source_that_is_missing_or_no_text(saved, data):
    archived(saved, {**members(saved), "features/own.py": data})
    with pytest.raises(ModelError, match=r"features/own\.py is missing or damaged"):
        Model.load(saved)


@pytest.mark.parametrize(("entry", "message"), ROWS["no modules"])
def test_entries_that_no_model_has(saved, entry, message):
    """Such as those of a model that was saved before it could hold modules."""
    document, _ = content_of(saved)
    if isinstance(entry, dict) and entry.get("source") == "SOURCE":
        entry = {**entry, "source": SOURCE}
    document["config"]["features"][-1] = entry
    archived(saved, {**members(saved), "model.json": document})
    saved.with_name("own.py").write_text("open('ran', 'w')")
    with pytest.raises(ModelError) as refusal:
        Model.load(saved)
    assert message in str(refusal.value)
    assert not saved.with_name("ran").exists()
