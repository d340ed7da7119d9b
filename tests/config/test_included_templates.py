"""Entries of a template that stand for all of another template."""

import json

import pytest

from victor.config import load
from victor.errors import ConfigError


@pytest.fixture
def write(tmp_path):
    def write_file(value, name):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    return write_file


@pytest.mark.parametrize("name", ["crf", "trees"])
def test_a_shipped_template_among_entries(name):
    own = {"column": "word.count", "offset": 3}
    found = load(None, [f"template={json.dumps([{'template': name}, own])}"]).template
    assert found == (*load(None, [f"template={name}"]).template, own)


def test_paths_are_relative_to_the_file_that_names_them(write):
    write([{"column": "a"}], "deep/er/low.yaml")
    write([{"template": "er/low.yaml"}, {"column": "b"}], "deep/middle.yaml")
    top = write({"template": [{"column": "c"}, {"template": "deep/middle.yaml"}]}, "top.yaml")
    assert load(top).template == ({"column": "c"}, {"column": "a"}, {"column": "b"})


def test_a_template_that_leads_back_to_itself_is_refused(write):
    write([{"template": "second.yaml"}], "first.yaml")
    write([{"template": "first.yaml"}], "second.yaml")
    top = write({"template": "first.yaml"}, "top.yaml")
    with pytest.raises(ConfigError, match="leads back to itself"):
        load(top)


@pytest.mark.parametrize("entry", [{"template": "crf", "offset": 1}, {"template": 3}])
def test_an_entry_that_names_a_template_says_nothing_else(entry):
    with pytest.raises(ConfigError, match=r"want \{template: NAME or path\}"):
        load(None, [f"template={json.dumps([entry])}"])


def test_the_czech_configuration_adds_to_the_chain():
    crf, czech = load("crf"), load("czech")
    assert czech.template[: len(crf.template)] == crf.template
    assert [*czech.features[: len(crf.features)]] == [*crf.features]
    assert czech.language == "cs"
    assert czech.filter.languages == ("cs",)


def test_the_program_of_2007_has_its_old_name_too():
    assert load("victor2008") == load("victor2007")
    assert load("victor2007", ["template=victor2008"]) == load("victor2007")
