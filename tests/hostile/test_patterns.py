"""Every regular expression takes time in proportion to the text, whatever the text is."""

import re

import pytest
from hostile.pattern_baits import slow_baits

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
