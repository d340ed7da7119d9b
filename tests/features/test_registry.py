"""Loading modules by name and by path, and what is said when that fails."""

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


def test_the_names_are_the_modules():
    modules = {path.stem for path in FOLDER.glob("*.py")} - {
        "__init__",
        "base",
        "kernels",
        "own_features",
    }
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


def test_a_module_that_is_not_there(tmp_path):
    with pytest.raises(FeatureError, match=r"no feature module at .*own\.py"):
        features.load(str(tmp_path / "own.py"))
