"""Keys of earlier versions that nothing reads any more."""

import warnings

import pytest

from victor.config import Config, load
from victor.errors import ConfigError


@pytest.mark.parametrize("key", ["nothing_below=0.3", "without_prose=0.7", "error_pages=true"])
def test_a_retired_key_warns_and_changes_nothing(key):
    with pytest.warns(DeprecationWarning, match=r"decide\.no_content says when a page gives"):
        config = load("crf", [f"decide.{key}"])
    assert config == load("crf")


def test_a_stored_configuration_may_still_have_them():
    data = {**load("crf").to_json(), "decide": {"method": "expected-f", "nothing_below": 0.3}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Config.from_json(data).decide.method == "expected-f"


def test_other_keys_are_refused_as_ever():
    with pytest.raises(ConfigError, match=r"decide\.nothing_under: unknown key"):
        load("crf", ["decide.nothing_under=0.3"])
