"""What goes with a module that is off, and what is read of one that nothing reads."""

import json

import pytest

from victor.config.layers import load
from victor.errors import ConfigError, FeatureError, TemplateError
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template

SMALL = (
    "features=[words, links, {regexps: {url: [], time: []}}]",
    """template=[{column: '{word.count,link.density}', offset: '{-1..1}'},
        {columns: [word.count, link.density]}, {column: regexp.date}]""",
)


def fitted(*overrides):
    """The configuration as it is trained, with the columns that it has."""
    extractor = FeatureExtractor(load(None, [*SMALL, *overrides]))
    return extractor.config, extractor.kinds


def entries(config, columns):
    template = Template.from_config(config.template, columns=columns)
    return [str(entry) for entry in template.entries]


def test_entries_go_with_their_module_and_conjunctions_with_either():
    config, kinds = fitted("features-=links")
    assert config.features == ("words", {"regexps": {"url": [], "time": []}})
    assert entries(config, kinds) == [
        "word.count[-1]",
        "word.count",
        "word.count[+1]",
        "regexp.date",
    ]


def test_codes_and_scales_go_and_those_of_others_stay():
    config, _ = fitted(
        "features-=links",
        "discretize={default: bool, 'link.{density,free-words}': bool,"
        " '{word.count,link.density}': {scale: 3}}",
        "crf.scale={word.count: 2.0, link.density: 3.0}",
    )
    assert config.discretize == {"default": "bool", "word.count": {"scale": 3}}
    assert config.crf.scale == {"word.count": 2.0}


@pytest.mark.parametrize(("switch", "strength"), [("words", 0), ("paths", 0), ("links", 0.4)])
def test_pooling_goes_with_the_modules_that_it_reads(switch, strength):
    config, _ = fitted("features+=paths", "crf.pooling=0.4", f"features-={switch}")
    assert config.crf.pooling == strength


@pytest.mark.parametrize(("switch", "edges"), [("relations", None), ("links", "relation.before")])
def test_edges_go_with_the_module_that_they_read(switch, edges):
    config, _ = fitted("features+=relations", "crf.edges=relation.before", f"features-={switch}")
    assert config.crf.edges == edges


def test_entries_of_edges_go_too_and_count_as_reading():
    edges = [{"edge": "relation.before"}, {"edge": {"column": "link.density", "offset": -1}}]
    more = ("features+=relations", *(f"template+={json.dumps(edge)}" for edge in edges))
    kept, kinds = fitted(*more)
    assert kept.template[-2:] == (*edges,), "no entry of blocks reads it"
    rest, _ = fitted(*more, "features-=links")
    assert rest.template[-1] == {"edge": [{"column": "relation.before", "offset": 0}]}
    assert [str(edge) for edge in Template.of(rest, kinds).edges] == ["relation.before"]


def test_an_added_module_that_nothing_reads_is_read_at_its_block():
    config, kinds = fitted("features+=sentences")
    added = [name for name in kinds if name.startswith("sentence")]
    assert entries(config, kinds) == [*entries(*fitted()), *added]
    assert len(added) == 6


def test_columns_that_other_parameters_no_longer_give():
    config, kinds = fitted("features.regexps={date: [], url: [www]}", "discretize.regexp.date=bool")
    assert "regexp.date" not in kinds
    assert entries(config, kinds) == [*entries(*fitted())[:-1], "regexp.url", "regexp.time"]
    assert config.discretize == {}


def test_code_that_is_off_runs_no_more_than_code_that_is_on(tmp_path):
    (tmp_path / "mine.py").write_text("open('ran', 'w')")
    extractor = FeatureExtractor(
        load(None, [*SMALL, f"features+={tmp_path}/mine.py", "features-=mine.py"])
    )
    with pytest.raises(FeatureError, match="nothing was run"):
        extractor.config  # noqa: B018


def test_a_template_is_not_emptied():
    with pytest.raises(ConfigError, match="no model is left"):
        fitted("features-=[words, links, regexps]")


def test_a_list_that_leaves_columns_of_the_template_says_what_to_do():
    with pytest.raises(TemplateError, match=r"unknown column link\.density.*`features-: \[MODULE"):
        entries(*fitted("features=[words]"))


def test_as_if_a_module_were_off():
    """For ablation, which measures all modules once."""
    extractor = FeatureExtractor(load("default"))
    for name in ("links", "relations", "words"):
        switched = FeatureExtractor(load("default", [f"features-={name}"])).config
        assert extractor.without(name) == switched
