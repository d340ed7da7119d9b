"""The configuration and the template of 2008: what the original had, and that it all fits."""

import pytest

from victor import features
from victor.config.layers import load
from victor.model.discretize import expand_discretizers
from victor.model.template import Template


@pytest.fixture(scope="module")
def config():
    return load("victor2007")


@pytest.fixture(scope="module")
def columns(config):
    return {column.name: column for column in features.from_config(config.features).columns}


@pytest.fixture(scope="module")
def discretizers(config, columns):
    return expand_discretizers(config.discretize, columns)


@pytest.fixture(scope="module")
def template(config, discretizers):
    return Template.from_config(
        config.template, columns=tuple(discretizers), page_edge=config.page_edge
    )


def test_the_template_has_269_lines(template, discretizers):
    assert len(template.entries) == 269
    assert set(discretizers) - set(template.names) == {"container.u"}
    assert template.page_edge == "distance"


def test_the_only_conjunction(template):
    joined = [entry.columns for entry in template.entries if len(entry.columns) > 1]
    names = ("split.class-inline", "split.class-block")
    assert joined == [tuple((name, offset) for name in names) for offset in range(-2, 4)]


def test_every_value_has_a_code_of_its_own(config, columns, discretizers):
    """No category is cut off: the codes reach as far as the column's values."""
    expressions = next(e["regexps"] for e in config.features if "regexps" in e)
    for name, values in expressions.items():
        assert discretizers[f"regexp.{name}"] == {"category": len(values) + 1}
    assert discretizers["looks-like-bullet"] == {"category": 13}
    flags = {name for name, found in discretizers.items() if found == "bool"}
    assert flags == {name for name in discretizers if columns[name].kind == "bool"}
