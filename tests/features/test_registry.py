"""Loading modules by name and by path, parameters, and what is said when that fails."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from victor import features
from victor.errors import ConfigError, FeatureError
from victor.features.base import FeatureSet

FOLDER = Path(features.__file__).parent
REFUSED = yaml.safe_load(Path(__file__).with_name("refused.yaml").read_text("utf-8"))
OWN = """
import numpy as np
from victor.features.base import Column, Measure
from victor.page.table.texts import block_texts

def build(word="bees"):
    def compute(table):
        return {"own.word": np.array([word in text for text in block_texts(table)], dtype=bool)}
    return Measure((Column("own.word", "bool", "holds a word of mine"),), compute)
"""


@pytest.mark.parametrize("name", ["", *features.NAMES])
def test_examples_of_docstrings_are_true(name):
    module = import_module(f"victor.features.{name}") if name else features
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0


def test_the_names_are_the_modules():
    others = {"__init__", "base", "kernels", "own_features"}
    modules = {path.stem for path in FOLDER.glob("*.py")} - others
    assert list(features.NAMES) == sorted(modules)


def test_from_config_keeps_the_order_and_passes_parameters():
    chosen = features.from_config(
        ["document", {"regexps": {"url": [], "time": []}}, {"links": None}]
    )
    assert isinstance(chosen, FeatureSet)
    names = [column.name for column in chosen.columns]
    assert names[0] == "position"
    assert [name for name in names if name.startswith("regexp.")] == ["regexp.date"]
    assert "link.density" in names


@pytest.mark.parametrize(("entries", "message"), REFUSED["entries"])
def test_bad_entries(entries, message):
    with pytest.raises(ConfigError, match=message):
        features.from_config(entries)


def test_the_same_column_twice():
    with pytest.raises(FeatureError, match=r"split\.p"):
        features.from_config(["splits", {"splits": {"void_twice": True}}])


def test_a_module_of_the_users_own(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    chosen = features.from_config(["./own.py", "document"], trust_code=True)
    assert chosen.columns[0].name == "own.word"
    assert features.load(str(tmp_path / "own.py"), word="honey").columns[0].kind == "bool"
    with pytest.raises(FeatureError, match=r"other\.py"):
        features.load(str(tmp_path / "other.py"))


@pytest.mark.parametrize(("module", "parameters", "said"), REFUSED["parameters"])
def test_what_a_module_does_not_take(module, parameters, said):
    with pytest.raises(ConfigError) as refusal:
        features.load(module, **parameters)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("module", "parameters"),
    [("tokens", {"cut": "space"}), ("sentences", {"count": "marks"}),
     ("document", {"sentences": "marks"}), ("duplicates", {"unique_is_first": False})],
)  # fmt: skip
def test_the_meaning_of_a_column_follows_the_parameter(module, parameters):
    usual, other = features.load(module).columns, features.load(module, **parameters).columns
    assert [column.name for column in usual] == [column.name for column in other]
    assert [c.meaning for c in usual] != [c.meaning for c in other]


@pytest.mark.parametrize(("content", "message"), REFUSED["lists"])
def test_what_is_wrong_in_a_list_is_named(tmp_path, content, message):
    file = tmp_path / "names.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        features.load("class_groups", lists=[str(file)])
