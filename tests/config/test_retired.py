"""Keys of earlier versions that nothing reads any more."""

import pytest

from victor.config import Config, load
from victor.errors import ConfigError


def test_a_stored_configuration_may_still_have_them():
    scope = {"name": "article", "captions": None, "lists": "keep"}
    assert Config.from_json({**load("crf").to_json(), "scope": scope}).scope.name == "article"


@pytest.mark.parametrize("key", ["scope.lists=drop", "decide.nothing_below=0.3"])
def test_what_a_user_writes_is_refused(key):
    with pytest.raises(ConfigError, match="unknown key"):
        load("crf", [key])
