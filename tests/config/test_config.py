"""Configurations: layers, overrides, errors that say where and what, round trips."""

import json
from pathlib import Path
from typing import get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from victor.config import plain_yaml
from victor.config.layers import load, load_as, names
from victor.config.schema import Config, fields_of, resolve_template
from victor.errors import ConfigError
from victor.kitten.settings import Settings as KittenSettings
from victor.labelers.dom.removal import Settings as DomSettings
from victor.labelers.labeler import system
from victor.model import template
from victor.model.discretize import Quantiles, expand_discretizers
from victor.model.template import expand
from victor.page.table import blocks

CASES = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text("utf-8"))


def message(source, overrides=()):
    with pytest.raises(ConfigError) as caught:
        load(source, overrides)
    return str(caught.value)


# --- Shipped files --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_a_shipped_configuration_loads_with_its_template_and_comes_back(name, write):
    config = load(name)
    assert config.features
    assert config.template
    assert not isinstance(config.template, str)
    assert Config.from_json(json.loads(json.dumps(config.to_json()))) == config
    assert load(write(config.dump())) == config


def test_what_no_file_says_has_a_default():
    assert json.loads(json.dumps(Config().to_json())) == CASES["defaults"]


@pytest.mark.parametrize("name", CASES["bounds"])
def test_numbers_have_bounds(name):
    schema = {"crf": Config, "kitten": KittenSettings}.get(name) or system(name).settings
    for key, bounds in CASES["bounds"][name].items():
        for allowed, refused in bounds:
            load_as(schema, name, [f"{key}={allowed}"])
            with pytest.raises(ConfigError, match=key.rpartition(".")[2]):
                load_as(schema, name, [f"{key}={refused}"])


def test_names_are_the_files_of_the_folder_that_configure_models(request):
    files = (request.config.rootpath / "configs").glob("*.yaml")
    shipped = [path.stem for path in files if "labeler" not in plain_yaml.read(path)]
    assert names() == tuple(sorted(shipped))


def test_the_czech_configuration_adds_to_the_chain():
    crf, czech = load("crf"), load("czech")
    assert czech.features == (*crf.features, {"langid": {"language": "cs"}})
    added = {"column": "langid{1,2}", "offset": "{-1..1}"}
    assert czech.template == (*crf.template, added)
    assert (czech.language, czech.filter.languages) == ("cs", ("cs",))


def test_the_program_of_2007_has_its_old_name_too():
    assert load("victor2008") == load("victor2007")
    assert load("victor2007", ["template=victor2008"]) == load("victor2007")


# --- Layers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "# only comments\n", "crf:\n", "\ufefflanguage: null"])
def test_a_file_that_changes_nothing(write, text):
    assert load(write(text)) == load(None) == Config()


LAYERS = CASES["layers"]


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_over_another(write, name):
    layers = LAYERS[name]
    write("- column: t", "t.yaml")
    write(layers["below"], "base.yaml")
    above = write(f"base: base.yaml\n{layers['above']}")
    assert load(above) == Config.from_json(layers["together"])


def test_paths_start_at_the_file_that_names_them(write, monkeypatch, tmp_path):
    write("- {column: word.count}", "folder/t.yaml")
    write("template: [{template: t.yaml}]\nlanguage: cs", "folder/base.yaml")
    write("base: base.yaml", "folder/middle.yaml")
    config = load(write("base: folder/middle.yaml"))
    assert (config.language, config.template) == ("cs", ({"column": "word.count"},))
    monkeypatch.chdir(tmp_path / "folder")
    assert load(None, ["template=t.yaml"]).template == config.template
    named = Config(template="t.yaml")
    assert resolve_template(named, tmp_path / "folder") == [*config.template]
    assert tuple(Config(template="crf").to_json()["template"]) == load("crf").template


def test_what_leads_back_to_itself(write):
    write("base: top.yaml", "other.yaml")
    assert "leads back to itself" in message(write("base: other.yaml"))
    write("- template: second.yaml", "first.yaml")
    write("- template: first.yaml", "second.yaml")
    assert "leads back to itself" in message(write("template: first.yaml"))


@pytest.mark.parametrize(("override", "changed"), CASES["overrides"])
def test_an_override(override, changed):
    assert load(None, [override]) == Config.from_json(changed)


def test_overrides_win_over_the_file_and_later_ones_over_earlier(write):
    config = load(write("crf: {c1: 1, c2: 2}"), ["crf.c2=3", "crf.c2=4", "language=cs"])
    assert (config.crf.c1, config.crf.c2, config.language) == (1, 4, "cs")


# --- Modules by one word --------------------------------------------------------------------------


SWITCHED = CASES["switched"]


@pytest.mark.parametrize("overrides", SWITCHED)
def test_switching_modules_keeps_their_places(write, overrides):
    path = write("features: [words, regexps: {url: [], time: []}, links]")
    layers = [f"features{part}" for part in overrides.split("features") if part.strip()]
    config = load(path, [layer.strip() for layer in layers])
    assert [*config.features] == SWITCHED[overrides]
    assert load(write(config.dump(), "dumped.yaml")) == config


def test_a_table_says_what_lists_say(write):
    write("features: [words, links]", "base.yaml")
    lists = write("base: base.yaml\nfeatures+: [tokens]\nfeatures-: [words, links]", "lists.yaml")
    table = write("base: base.yaml\nfeatures: {tokens: on, words: off, links: off}")
    assert load(table) == load(lists)
    assert load(table).added == ("tokens",)


# --- Mistakes -------------------------------------------------------------------------------------

MISTAKES = dict(CASES["mistakes"]) | {
    "split: \x00": "not plain YAML",
    "language: \udcff": "cannot be read",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_named_with_its_file_and_key(write, text):
    write("column: word.count", "list.yaml")
    path = write(text.encode("utf-8", "surrogateescape"))
    said = message(path)
    assert said.startswith(str(path.parent))
    assert MISTAKES[text] in said


def test_a_mistake_of_a_base_names_the_base(write):
    base = write("crf: {c3: 1}", "base.yaml")
    assert message(write("base: base.yaml\nspilt: tag")).startswith(f"{base}: crf.c3: unknown key")


@pytest.mark.parametrize("override", ["crf.c2", "=3", "", "crf.c2=[1", "segment.alt_txt=true"])
def test_an_override_that_is_wrong(override):
    assert message(None, [override]).startswith("--set")


def test_no_such_configuration():
    assert "did you mean default?" in message("defualt")
    assert "known are: " in message(Path("there/is/none.yaml"))


def test_a_stored_configuration_of_another_version():
    with pytest.raises(ConfigError, match=r"the stored configuration: crf\.c3: unknown key"):
        Config.from_json({"crf": {"c3": 1}})


def test_settings_of_a_labeler_are_loaded_by_the_same_rules(write, tmp_path):
    write("base: dom\nads: {lists: [a.txt]}", "low.yaml")
    path = write("base: low.yaml\nads: {lists+: b.txt}")
    loaded = load_as(DomSettings, path, ["images.relevance=0.25"])
    assert loaded.ads_lists == (str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert loaded.images_relevance == 0.25
    assert load_as(DomSettings, write(loaded.dump(), "again.yaml")) == loaded
    for text, said in (
        ("images.relevanc: 1", r"images.relevanc: unknown key, did you mean images.relevance\?"),
        ("labeler: crf", "labeler: should be 'dom', got 'crf'"),
    ):
        with pytest.raises(ConfigError, match=said):
            load_as(DomSettings, write(text))


def test_sections_are_checked_when_made_and_do_not_change():
    with pytest.raises(ConfigError, match="relevance: Expected `float`"):
        DomSettings(images_relevance="much")
    with pytest.raises(AttributeError, match="immutable"):
        Config().language = "cs"


# --- YAML -----------------------------------------------------------------------------------------

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("ab~.:=-", max_size=3), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(plain)
def test_what_is_dumped_is_read_again(value):
    again = plain_yaml.parse(plain_yaml.dump(value), "here")
    assert json.dumps(again) == json.dumps(value)  # 1, 1.0 and True are equal


@pytest.mark.parametrize(("text", "value"), CASES["scalars"])
def test_plain_scalars_are_those_of_pyyaml_and_numbers_may_have_an_exponent(text, value):
    assert plain_yaml.parse(f"key: {text}", "here") == {"key": value}


# --- Braces and columns ---------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "expansions"), CASES["braces"])
def test_braces(text, expansions):
    if expansions is not None:
        assert expand(text) == expansions
    else:
        with pytest.raises(ConfigError):
            expand(text)


def test_discretizers_of_columns():
    columns = ["char.alpha-rel", "char.num-rel", "twins"]
    given_ = {"default": "bool", "char.{alpha,num}-rel": {"scale": 9}, "char.num-rel": "bool"}
    expanded = {"char.alpha-rel": {"scale": 9}, "char.num-rel": "bool"}
    assert expand_discretizers(given_, columns) == expanded
    with pytest.raises(ConfigError, match=r"char\.nmu-rel, did you mean char\.num-rel.*; twin"):
        expand_discretizers({"char.{alpha,nmu}-rel": "bool", "twin": "bool"}, columns)


# The schema names what other floors define; these are the places where they could part.


def test_choices_are_those_of_the_modules_that_make_them():
    kinds = fields_of(Config)
    assert get_args(kinds["split"]) == get_args(blocks.Split)
    assert get_args(kinds["page_edge"]) == get_args(template.PageEdge)
    for bins in (3, 250):
        assert Quantiles(load(None, [f"trees.bins={bins}"]).trees.bins).bins == bins
