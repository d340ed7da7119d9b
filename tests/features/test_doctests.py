"""The examples in the modules' docstrings are true."""

import doctest
from importlib import import_module

import pytest

from victor import features


@pytest.mark.parametrize("name", ["", *features.NAMES])
def test_examples(name):
    module = import_module(f"victor.features.{name}") if name else features
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0
