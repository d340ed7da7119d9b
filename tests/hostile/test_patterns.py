"""Every regular expression takes time in proportion to the text, whatever the text is."""

import re

import pytest
import regex
from hostile.pattern_baits import slow_baits
from hostile.pattern_stock import ROOT, expressions, modules_that_hide_calls

from victor.config import plain_yaml
from victor.features import regexps
from victor.metadata import authors
from victor.page.decoding.legacy_encodings import _NO_MARKUP
from victor.page.parsing import unclosed
from victor.page.parsing.source_lines import _number_pattern


def searched_expressions():
    """Expressions of the feature `regexps`: its own, and those of the shipped configurations."""
    known = [regexps.DEFAULT, regexps.CZECH]
    for file in sorted((ROOT / "configs").glob("*.yaml")):
        entries = [e for e in plain_yaml.read(file).get("features", []) if isinstance(e, dict)]
        known += [entry["regexps"] for entry in entries if "regexps" in entry]
    lists = [value for each in known for value in each.values() if isinstance(value, list | tuple)]
    sources = {source for each in lists for source in each}
    return [regex.compile(source, regex.IGNORECASE) for source in sorted(sources)]


BUILT = {
    "victor.annotate.exchange:_extents": lambda: [
        re.compile("q([0-9]+)q"), re.compile("qxqxq([0-9]+)qxqxq"),
    ],
    "victor.features.regexps:_compiled": searched_expressions,
    "victor.labelers.dom.labeler:_text": lambda: [re.compile("\n{1,}"), re.compile("\n{3,}")],
    "victor.metadata.authors:_label": lambda: [authors._LABEL, authors._LABEL_IN_TEXT],
    "victor.page.decoding.legacy_encodings:_end_of_element": lambda: [
        re.compile(rb"</%s[\t\n\f\r />]" % name, re.IGNORECASE) for name in _NO_MARKUP
    ],
    "victor.base.lazy:_Pattern.__getattr__": list,  # each call counts itself
    "victor.page.parsing.events:BundleColumns.rows_with": lambda: [re.compile(rb"omment")],
    "victor.page.parsing.unclosed:_RAW_END": unclosed._RAW_END.values,
    "victor.page.parsing.source_lines:_number_pattern": lambda: [*map(_number_pattern, (1, 17))],
    "victor.render.tree.notes:_Reader._trim": lambda: [
        re.compile(r"[\[(]?12[\])]?[.:]?\Z"),
        re.compile(r"(?:\[12\][.:]?|12[.:)]+|\(12\))\s+|[.:)\]]+\s+"),
    ],
}  # fmt: skip
"""By function, examples of the patterns that it builds, or all of them where they are few."""

WAYS = {
    "victor.config.plain_yaml:_loader": {"match"},
    "victor.render.tree.notes:_Reader._trim": {"match"},
}
"""How patterns are used that functions hand to a library, where that is known."""


@pytest.fixture(scope="module")
def stock():
    """Every expression of the package."""
    return [*expressions()]


SLOW = {
    "nested": (r"(a+)+b", "match"),
    "same twice": (r"(?:a|a)*b", "match"),
    "split in two ways": (r"(?:a|ab|b)*c", "fullmatch"),
    "optional separator": (r"(?:\w+\s?)*!", "match"),
    "comments in between": (r"(?s)(?:\s|<!--.*?-->)*<x", "match"),
    "neighbours": (r"a*a*b", "match"),
    "neighbours apart": (r"\d+(?:\.\d*)?\d+x", "match"),
    "behind a prefix": (r"key\s*:\s*\w+\w*;", "match"),
    "inside a lookahead": (r"(?=\s*\s*x)", "match"),
    "white space at the end": (r"\s+$", "finditer"),
    "possessive from everywhere": (r"\s++$", "search"),
    "words": (r"\w+x", "search"),
    "comments": (r"(?s)<!--.*?-->", "finditer"),
    "what two characters spoil": (r"\S++\s*+(?:,|\Z)", "finditer"),
    "lines": (r"(?m)^[-\s]*$x", "finditer"),
    "tags": (rb"<[^>]*>", "finditer"),
    "strings": (r"'(?:[^'\\]|\\.)*+'", "finditer"),
    "everything ahead": (r"(?=.*x)", "search"),
    "named behind it": (r"(?s)<(\w+)>.*?</\1>", "search"),
}
LINEAR = {
    "possessive": (r"(?:a++)*+b", "match"),
    "atomic": (r"(?>a+)b", "match"),
    "comments in between": (r"(?s)(?:\s++|<!--.*?-->)*+<x", "match"),
    "disjoint neighbours": (r"a*b*c", "match"),
    "white space": (r"\s+", "finditer"),
    "begins once": (r"(?<!\s)\s++$", "search"),
    "words": (r"\b\w++x?", "finditer"),
    "comments": (r"(?s)<!--(?:.*?-->|.*)", "finditer"),
    "tags": (rb"<[^<>]*+>", "finditer"),
    "bounded": (r"\w{1,20}x", "search"),
    "from the start": (r"\A\s*x", "match"),
}


@pytest.mark.parametrize("name", SLOW)
def test_what_is_slow_is_caught(name):
    source, way = SLOW[name]
    assert next(slow_baits(re.compile(source), [way]), None)


@pytest.mark.parametrize("name", LINEAR)
def test_what_is_linear_passes(name):
    source, way = LINEAR[name]
    assert next(slow_baits(re.compile(source), [way]), None) is None


@pytest.mark.slow
def test_expressions_are_linear(stock):
    slow = set()
    for where, made, used in stock:
        ways = WAYS.get(where, used)
        for pattern in [made] if made else BUILT[where]():
            if bait := next(slow_baits(pattern, ways), None):
                slow.add(f"{where}: {bait}: {pattern.pattern!r}")
    assert slow == set()


def test_every_expression_is_known(stock):
    """Those that functions build have a line above, no line is left over, and none is hidden."""
    assert modules_that_hide_calls() == []
    assert {each.where for each in stock if each.pattern is None} == BUILT.keys()
    assert len(stock) > 250
