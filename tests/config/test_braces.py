"""Alternatives and ranges in braces."""

import pytest

from victor.config.braces import expand
from victor.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "expansions"),
    [
        ("plain", ["plain"]),
        ("char.{alpha,num}-rel", ["char.alpha-rel", "char.num-rel"]),
        ("{a,b}{1..3}", ["a1", "a2", "a3", "b1", "b2", "b3"]),
        ("{-1..1}", ["-1", "0", "1"]),
        ("{-3..-2, 5}", ["-3", "-2", "5"]),
        ("{7}", ["7"]),
    ],
)
def test_expand(text, expansions):
    assert expand(text) == expansions


@pytest.mark.parametrize("text", ["{a,b", "a}", "{a,{b,c}}", "{}", "{a,}", "{3..1}", "{1..x}"])
def test_expand_refuses(text):
    with pytest.raises(ConfigError):
        expand(text)
