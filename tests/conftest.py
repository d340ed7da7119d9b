"""Fixtures for all tests."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def strategies():
    """The module `tests/strategies.py`: under importlib mode tests cannot import one another."""
    spec = spec_from_file_location("strategies", Path(__file__).with_name("strategies.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
