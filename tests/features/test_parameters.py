"""Parameters that a module does not take are refused, and what it takes shows in its columns."""

from pathlib import Path

import pytest
import yaml

from victor import features
from victor.errors import ConfigError

REFUSED = yaml.safe_load(Path(__file__).with_name("refused.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("module", "parameters", "said"), REFUSED["parameters"])
def test_what_a_module_does_not_take(module, parameters, said):
    with pytest.raises(ConfigError) as refusal:
        features.load(module, **parameters)
    assert said in str(refusal.value)


def test_the_meaning_of_a_column_follows_the_parameter():
    for module, parameters in (
        ("tokens", {"cut": "space"}),
        ("sentences", {"count": "marks"}),
        ("document", {"sentences": "marks"}),
        ("duplicates", {"unique_is_first": False}),
    ):
        usual, other = features.load(module).columns, features.load(module, **parameters).columns
        assert [column.name for column in usual] == [column.name for column in other]
        assert [c.meaning for c in usual] != [c.meaning for c in other]


@pytest.mark.parametrize(("content", "message"), REFUSED["lists"])
def test_what_is_wrong_in_a_list_is_named(tmp_path, content, message):
    file = tmp_path / "names.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        features.load("class_groups", lists=[str(file)])
