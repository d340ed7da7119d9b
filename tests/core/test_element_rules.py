"""The tables of the tokeniser say what the parser at hand does."""

import importlib.util
from pathlib import Path

import pytest
from lxml import etree

CORE = Path(__file__).parents[2] / "core"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("derive_rules", CORE / "derive_rules.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(
    etree.LIBXML_VERSION < (2, 14), reason="lxml has a libxml2 that is older than the rules"
)
def test_rules_are_those_of_the_parser(script):
    text = (CORE / "element_rules.h").read_text(encoding="utf-8")
    assert script.rules_header(script.derived()) == text


def test_entities_are_those_of_html(script):
    assert script.entities_header() == (CORE / "entities.h").read_text(encoding="utf-8")
