"""The tables of the tokeniser say what the parser at hand does, and what the HTML standard says."""

import importlib.util
from html.entities import html5
from pathlib import Path

import pytest
from lxml import etree

from victor.page.markup.full_record import record_full


@pytest.fixture(scope="module")
def script():
    path = Path(__file__).parent / "derive_rules.py"
    spec = importlib.util.spec_from_file_location("derive_rules", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(
    etree.LIBXML_VERSION < (2, 14), reason="lxml has a libxml2 that is older than the rules"
)
def test_rules_are_those_of_the_parser(script):
    assert script.rules_header(script.derived()) == script.HEADER.read_text(encoding="utf-8")


@pytest.mark.parametrize("ends", [";", ""])
def test_named_references_are_those_of_html(ends):
    names = [name for name in html5 if name.endswith(";") == bool(ends)]
    page = "".join(f"<p>|&{name}|" for name in names)
    texts = [text for text in record_full(page.encode()).texts if text.startswith("|")]
    assert texts == [f"|{html5[name]}|" for name in names]
