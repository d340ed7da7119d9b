"""The configuration and the template of 2008: what the original had, and that it all fits."""

import pytest

from victor import features
from victor.config.layers import load
from victor.model.discretize import Codebook, expand_discretizers
from victor.model.template import Template
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

PAGES = (
    "<h1>On bees</h1><p>Bees live in <b>colonies</b>. See <a>more</a>.</p>",
    "<pre>1. one\n2. two</pre><img alt='A hive'><hr><p>Mon 5. 11. 2007, 12:30 pm</p>",
    "<table><tr><td>a<br>b<td>www.a.org</table>",
    "",
)


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


def test_pages_become_codes(config, discretizers):
    events = record([page.encode() for page in PAGES], alt_text=config.segment.alt_text)
    table = segment(events, config.split, pre_lines=config.segment.pre_lines)
    texts = block_texts(table)
    values = features.from_config(config.features)(table)
    codebook = Codebook.fit(values, discretizers)
    codes = dict(zip(codebook.names, codebook.codes(values).T.tolist(), strict=True))
    assert texts[:9] == ["On bees", "Bees live in", "colonies", ". See", "more", ".", "1. one",
                         "2. two", "A hive"]  # fmt: skip
    assert codes["container.img"] == [0] * 8 + [1] + [0] * 4
    assert codes["looks-like-bullet"] == [0] * 6 + [1, 1] + [0] * 4 + [5]  # www. is one, too
    assert codes["split.hr"] == [0] * 9 + [2] + [0] * 3
    assert codes["regexp.date"] == [0] * 9 + [1] + [0] * 3
    assert codes["regexp.time"] == [0] * 9 + [1] + [0] * 3
    assert codes["regexp.url"] == [0] * 12 + [2]


def test_the_original_had_no_transitions(config):
    assert config.crf.transitions
    assert not load("victor2007", ["crf.transitions=false"]).crf.transitions
    assert not config.crf.drop_reference
    assert (config.decide.method, config.decide.threshold) == ("threshold", 0.5)
