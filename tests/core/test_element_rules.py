"""The tables of the tokeniser say what the parser at hand does."""

import importlib.util
from pathlib import Path

import pytest
from lxml import etree


@pytest.fixture(scope="module")
def script():
    path = Path(__file__).parent / "derive_rules.py"
    spec = importlib.util.spec_from_file_location("derive_rules", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.skipif(
    etree.LIBXML_VERSION < (2, 14), reason="lxml has a libxml2 that is older than the rules"
)
def test_rules_are_those_of_the_parser(script):
    assert script.rules_header(script.derived()) == script.HEADER.read_text(encoding="utf-8")
