"""Configurations: layers, errors that say where and what, round trips."""

import json
from pathlib import Path
from typing import Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.config import (
    Config,
    Section,
    expand_discretizers,
    load,
    load_as,
    names,
    plain_yaml,
    resolve_template,
)
from victor.config.section import fields_of
from victor.errors import ConfigError
from victor.model import discretize, template
from victor.page.table import blocks

ENTRIES = [{"column": "word.count", "offset": "{-2..2}"}, {"columns": ["a", "b"]}]


@pytest.fixture
def write(tmp_path):
    """Write a file into a folder of its own and give its path."""

    def write_file(text, name="my.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def message(source, overrides=()):
    with pytest.raises(ConfigError) as caught:
        load(source, overrides)
    return str(caught.value)


# Shipped files


@pytest.mark.parametrize("name", names())
def test_shipped_configuration_loads_and_brings_its_template(name):
    config = load(name)
    assert config.features
    assert config.template
    assert not isinstance(config.template, str)


def test_names_are_the_files_of_the_folder_that_configure_models(request):
    files = (request.config.rootpath / "configs").glob("*.yaml")
    shipped = [path.stem for path in files if "labeler" not in plain_yaml.read(path)]
    assert names() == tuple(sorted(shipped))


# Layers


def test_without_a_source_there_are_the_defaults_of_the_schema():
    assert load(None) == Config()


def test_file_names_only_what_it_changes(write):
    config = load(write("crf: {c2: 3}"))
    assert config.crf.c2 == 3
    assert config.crf.max_iterations == Config().crf.max_iterations


@pytest.mark.parametrize("text", ["", "# only comments\n", "crf:\n", "\ufefflanguage: null"])
def test_file_that_changes_nothing(write, text):
    assert load(write(text)) == Config()


def test_base_sections_merge_and_lists_replace(write):
    write("features: [words, links]\ncrf: {c2: 3, scale: {a: 2, b: 3}}\nsplit: block", "base.yaml")
    config = load(write("base: base.yaml\nfeatures: [splits]\ncrf: {c1: 1, scale: {b: 4}}"))
    assert config.features == ("splits",)
    assert (config.crf.c1, config.crf.c2, config.crf.scale) == (1, 3, {"a": 2, "b": 4})
    assert config.split == "block"


def test_discretizer_of_a_column_is_replaced_as_a_whole(write):
    write("discretize: {a: {edges: [1]}, b: bool}", "base.yaml")
    config = load(write("base: base.yaml\ndiscretize: {a: {scale: 4}}"))
    assert config.discretize == {"a": {"scale": 4}, "b": "bool"}


def test_null_takes_a_key_back_to_the_default(write):
    write("language: cs\ncrf: {c2: 3}\ndiscretize: {a: bool, b: bool}", "base.yaml")
    config = load(write("base: base.yaml\nlanguage: null\ncrf: {c2: null}\ndiscretize: {a: null}"))
    assert (config.language, config.crf.c2) == (None, Config().crf.c2)
    assert config.discretize == {"b": "bool"}


def test_base_may_be_a_shipped_name(write):
    assert load(write("base: default\nlanguage: cs")) == load("default", ["language=cs"])


def test_base_path_starts_at_the_file(write):
    write("language: cs", "folder/base.yaml")
    write("base: base.yaml", "folder/middle.yaml")
    assert load(write("base: folder/middle.yaml")).language == "cs"


def test_base_in_a_circle(write):
    write("base: my.yaml", "other.yaml")
    assert "leads back to itself" in message(write("base: other.yaml"))


# Overrides


@pytest.mark.parametrize(
    ("override", "changed"),
    [
        ("crf.c2=1e-5", {"crf": {"c2": 1e-5}}),
        ("language='no'", {"language": "no"}),
        ("decide.method=viterbi", {"decide": {"method": "viterbi"}}),
        ("limits={blocks: 5}", {"limits": {"blocks": 5}}),
        ("features=[words, {regexps: {date: ['a=b']}}]",
         {"features": ["words", {"regexps": {"date": ["a=b"]}}]}),
        ("discretize.char.num-rel={scale: 9}", {"discretize": {"char.num-rel": {"scale": 9}}}),
        ("crf.scale.tag.names=0.4", {"crf": {"scale": {"tag.names": 0.4}}}),
    ],
)  # fmt: skip
def test_override(override, changed):
    assert load(None, [override]) == Config.from_json(changed)


def test_overrides_win_over_the_file_and_later_ones_over_earlier(write):
    config = load(write("crf: {c1: 1, c2: 2}"), ["crf.c2=3", "crf.c2=4", "language=cs"])
    assert (config.crf.c1, config.crf.c2, config.language) == (1, 4, "cs")


@pytest.mark.parametrize("override", ["crf.c2", "=3", ""])
def test_override_without_key_or_value(override):
    assert "want KEY=VALUE" in message(None, [override])


def test_override_that_is_not_yaml():
    assert message(None, ["crf.c2=[1"]).startswith("--set crf.c2=[1: line 1")


def test_all_wrong_overrides_are_listed():
    said = message(None, ["crf.c2=-1", "segment.alt_txt=true"])
    assert said.startswith("--set\n")
    assert "crf.c2: should be a number >= 0.0, got -1" in said
    assert "segment.alt_txt: unknown key, did you mean alt_text?" in said


# Errors


def test_all_errors_of_a_file_are_listed_with_their_paths(write):
    path = write("""
        crf: {c3: 1, c1: .inf, max_iterations: true}
        decide: {threshold: 1.5}
        limits: 5
        page_edge: both
    """)
    said = message(path).splitlines()
    assert said[0] == str(path)
    assert {line.split(":")[0].strip() for line in said[1:]} == {
        "crf.c3", "crf.c1", "crf.max_iterations", "decide.threshold", "limits", "page_edge",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("languge: cs", "languge: unknown key, did you mean language?"),
        ("bas: default", "bas: unknown key, did you mean base?"),
        ("crf: {max_block: 3}", "crf.max_block: unknown key, did you mean max_blocks?"),
        ("crf: {c3: null}", "crf.c3: unknown key, did you mean c"),
        ("threshold: 0.3", "threshold: unknown key, did you mean decide.threshold?"),
        ("decide: {split: tag}", "decide.split: unknown key, did you mean split?"),
        ("xyzzy: 1", "xyzzy: unknown key; known are: added, base, crf, decide"),
        ("5: 1", "5: "),
        ("language: Czech", "language: should be text matching"),
        ("crf: {c2: '1'}", "crf.c2: should be a number, got '1'"),
        ("crf: {transitions: some}", "crf.transitions: should be true or false, got 'some'"),
        ("crf: {scale: {tag.names: 0}}", "crf.scale.tag.names: should be a number > 0.0"),
        ("decide: [threshold]", "decide: should be a table of keys, got ['threshold']"),
        ("features: words", "features: should be a list"),
        ("features: [[words]]", "features: wants NAME or NAME: {parameter: value}"),
        ("features: [{a: {}, b: {}}]", "features: wants NAME or NAME: {parameter: value}"),
        ("features: [{regexps: date}]", "features: wants parameters as {parameter: value}"),
        ("discretize: {a.b: edges}", "discretize.a.b: should be one of bool, category, edges"),
        ("discretize: {a.b: {width: 3}}", "discretize.a.b: should be one of bool, category, edges"),
        ("discretize: {a: {scale: 1, edges: [1]}}", "discretize.a: should be one of bool"),
        ("template: 5", "template: should be the name of a template, a path or a list"),
        ("template: [a]", "template: wants entries"),
        ("template: defalt", "template: there is no file"),
        ("base: defalt", "base: there is no file"),
        ("base: [default]", "base: should be a shipped name or a path"),
        ("[1, 2]", "a configuration is a table of keys"),
    ],
)
def test_error_names_file_and_key(write, text, said):
    path = write(text)
    assert message(path).startswith(f"{path}: {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("language: cs\ncrf: [1\nsplit: tag", "line 3, "),
        ("language: cs\n\nlanguage: en", "line 3, key 'language' occurs twice"),
        ("crf: {c1: 1,\n c1: 2}", "line 2, key 'c1' occurs twice"),
        ("language: cs\nsplit: !!python/name:os.system x", "line 2, could not determine"),
        ("split: \x00", "not plain YAML"),
        ("crf: {c1: !!int x}", "not plain YAML"),
    ],
)
def test_yaml_error_names_file_and_line(write, text, said):
    path = write(text)
    assert message(path).startswith(f"{path}: {said}")


def test_error_of_a_base_names_the_base(write):
    base = write("crf: {c3: 1}", "base.yaml")
    assert message(write("base: base.yaml\nsplit: nothing")).startswith(f"{base}: crf.c3")


def test_file_that_is_not_text(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_bytes(b"language: \xff\xfe")
    assert message(path).startswith(f"{path} cannot be read")


def test_no_such_configuration():
    assert "did you mean default?" in message("defualt")
    assert "known are: " in message(Path("there/is/none.yaml"))


def test_a_configuration_cannot_be_changed():
    with pytest.raises(AttributeError, match="immutable"):
        Config().language = "cs"


# Other schemas


class Weights(Section, frozen=True):
    length: float = 0.5


class Rules(Section, frozen=True):
    labeler: Literal["rules"] = "rules"
    weights: Weights = Weights()
    limit: float = 0.3


def test_another_schema_is_loaded_by_the_same_rules(write):
    write("labeler: rules\nweights: {length: 0.25}", "base.yaml")
    path = write("base: base.yaml\nlimit: 0.1")
    loaded = load_as(Rules, path, ["weights.length=2.0"])
    assert loaded == Rules(weights=Weights(length=2.0), limit=0.1)
    assert load_as(Rules, path) == Rules(weights=Weights(length=0.25), limit=0.1)
    assert load_as(Rules, None) == Rules()
    assert load_as(Rules, write(loaded.dump(), "again.yaml")) == loaded


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limt: 1", "limt: unknown key, did you mean limit?"),
        ("length: 1", "length: unknown key, did you mean weights.length?"),
        ("weights: {limit: 1}", "weights.limit: unknown key, did you mean limit?"),
        ("labeler: crf", "labeler: should be 'rules', got 'crf'"),
        ("crf: {c2: 1}", "crf: unknown key; known are: base, labeler, limit, weights"),
    ],
)
def test_errors_of_another_schema_name_its_own_keys(write, text, said):
    path = write(text)
    with pytest.raises(ConfigError) as caught:
        load_as(Rules, path)
    assert str(caught.value) == f"{path}: {said}"


# Templates


def test_template_path_starts_at_the_file_that_names_it(write):
    write("- {column: word.count}", "folder/t.yaml")
    write("template: t.yaml", "folder/base.yaml")
    assert load(write("base: folder/base.yaml")).template == ({"column": "word.count"},)


def test_template_path_of_an_override_starts_at_the_working_directory(write, monkeypatch):
    path = write("- {column: word.count}", "folder/t.yaml")
    monkeypatch.chdir(path.parent)
    assert load(write(""), ["template=t.yaml"]).template == ({"column": "word.count"},)


def test_template_in_the_file_itself():
    assert load(None, [f"template={json.dumps(ENTRIES)}"]).template == tuple(ENTRIES)


def test_template_file_without_a_list(write):
    write("column: word.count", "t.yaml")
    assert "t.yaml: a template is a list of entries" in message(write("template: t.yaml"))


def test_resolve_template(write):
    path = write("- {column: word.count}", "t.yaml")
    assert resolve_template(Config(template="t.yaml"), path.parent) == [{"column": "word.count"}]
    assert resolve_template(Config(template=tuple(ENTRIES)), path.parent) == ENTRIES


# Round trips


@pytest.mark.parametrize("name", names())
def test_model_file_and_dump_give_the_same_configuration_back(name, write):
    config = load(name)
    assert Config.from_json(json.loads(json.dumps(config.to_json()))) == config
    assert load(write(config.dump())) == config


def test_model_file_holds_the_entries_of_a_template_that_was_only_named():
    stored = Config(template="crf").to_json()["template"]
    assert tuple(stored) == load("crf").template


def test_stored_configuration_of_another_version():
    with pytest.raises(ConfigError, match=r"the stored configuration: crf\.c3: unknown key"):
        Config.from_json({"crf": {"c3": 1}})


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("ab~.:=-", max_size=3), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@settings(deadline=None, derandomize=True)
@given(plain)
def test_what_is_dumped_is_read_again(value):
    again = plain_yaml.parse(plain_yaml.dump(value), "here")
    assert again == value
    assert json.dumps(again) == json.dumps(value)  # 1, 1.0 and True are equal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", False), ("'no'", "no"), ("true", True), ("1e-5", 1e-5), ("1.5", 1.5),
        ("1_000", 1000), ("~", None), ("", None), ("'1'", "1"), ("cs", "cs"),
    ],
)  # fmt: skip
def test_plain_scalars_are_those_of_pyyaml_and_numbers_may_have_an_exponent(text, value):
    assert plain_yaml.parse(f"key: {text}", "here") == {"key": value}


# Columns


def test_expand_discretizers():
    columns = ["char.alpha-rel", "char.num-rel", "twins", "position"]
    given_ = {"default": "bool", "char.{alpha,num}-rel": {"scale": 9}, "char.num-rel": "bool"}
    assert expand_discretizers(given_, columns) == {
        "char.alpha-rel": {"scale": 9},
        "char.num-rel": "bool",
    }


def test_expand_discretizers_refuses_columns_that_no_feature_gives():
    with pytest.raises(ConfigError, match=r"char\.nmu-rel, did you mean char\.num-rel") as caught:
        expand_discretizers({"char.{alpha,nmu}-rel": "bool", "twin": "bool"}, ["char.num-rel"])
    assert "twin" in str(caught.value)


# The schema names what other floors define; these are the places where they could part.


def test_choices_are_those_of_the_modules_that_make_them():
    kinds = fields_of(Config)
    assert get_args(kinds["split"]) == get_args(blocks.Split)
    assert get_args(kinds["page_edge"]) == get_args(template.PageEdge)


@pytest.mark.parametrize(
    "entry",
    ["bool", "category", "edges", "scale", {"bool": True}, {"category": True}, {"category": 4},
     {"edges": [1, 2]}, {"scale": 4}, {"quantiles": 10}, {"bins": 4}, {}, [], 3],
    ids=str,
)  # fmt: skip
def test_discretizers_are_those_of_the_module_that_builds_them(entry):
    def accepts(read):
        try:
            read()
        except ConfigError:
            return False
        return True

    assert accepts(lambda: Config.from_json({"discretize": {"a": entry}})) == accepts(
        lambda: discretize.from_config(entry)
    )
