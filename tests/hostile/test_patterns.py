"""Every regular expression takes time in proportion to the text, whatever the text is."""

import re
from pathlib import Path

import pytest
import regex
import yaml
from hostile.pattern_baits import slow_baits
from hostile.pattern_stock import ALL_WAYS, Expression, expressions

from tests.modules import ROOT
from victor.config import plain_yaml
from victor.features import regexps

KNOWN = yaml.safe_load(Path(__file__).with_name("patterns.yaml").read_text("utf-8"))


def searched_expressions():
    """Expressions of the feature `regexps`: its own, and those of the shipped configurations."""
    known = [regexps.DEFAULT, regexps.CZECH]
    for file in sorted((ROOT / "configs").glob("*.yaml")):
        entries = [e for e in plain_yaml.read(file).get("features", []) if isinstance(e, dict)]
        known += [entry["regexps"] for entry in entries if "regexps" in entry]
    lists = [value for each in known for value in each.values() if isinstance(value, list | tuple)]
    sources = {source for each in lists for source in each}
    return [regex.compile(source, regex.IGNORECASE) for source in sorted(sources)]


@pytest.mark.parametrize("name", KNOWN["slow"])
def test_what_is_slow_is_caught(name):
    way, source = KNOWN["slow"][name]
    assert next(slow_baits(re.compile(source), [way]), None)


@pytest.mark.parametrize("name", KNOWN["linear"])
def test_what_is_linear_passes(name):
    way, source = KNOWN["linear"][name]
    assert next(slow_baits(re.compile(source), [way]), None) is None


def test_every_module_is_looked_through():
    places = [each.where.partition(":")[0] for each in expressions()]
    assert {"victor.metadata.authors", "victor.page.parsing.source_lines"} <= {*places}
    assert len(places) > 200


@pytest.mark.slow
def test_expressions_are_linear():
    slow = set()
    searched = [Expression("regexps", each, ALL_WAYS) for each in searched_expressions()]
    built = [
        Expression(where, re.compile(source), frozenset({way}))
        for where, (way, source) in KNOWN["built"].items()
    ]
    for where, pattern, ways in [*expressions(), *searched, *built]:
        if bait := next(slow_baits(pattern, ways), None):
            slow.add(f"{where}: {bait}: {pattern.pattern!r}")
    assert slow == set()
