"""``KEY+`` adds to the list of the base."""

import pytest

from victor.config import load, load_as
from victor.errors import ConfigError
from victor.labelers.dom.settings import Settings as DomSettings


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="top.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def test_lists_of_the_base_are_added_to(write):
    crf = load("crf")
    top = load(write(
        "base: crf\nfeatures+: [{langid: {language: cs}}]\n"
        "template+: [{column: langid1}, {template: victor2007}]\nfilter: {identifier: cavnar,"
        " languages+: [cs]}"
    ))  # fmt: skip
    assert top.features == (*crf.features, {"langid": {"language": "cs"}})
    entries = len(crf.template)
    assert top.template[:entries] == crf.template
    assert top.template[entries] == {"column": "langid1"}
    assert top.template[entries + 1 :] == load("victor2007").template
    assert top.filter.languages == ("cs",)


def test_layer_by_layer_and_on_the_command_line(write):
    write("base: crf\nfeatures+: [langid]", "low.yaml")
    path = write("base: low.yaml\nfeatures+: [tokens]")
    crf = load("crf").features
    assert load(path).features == (*crf, "langid", "tokens")
    more = ["features+={tokens: {cut: space}}", "template+={column: word.end}",
            "template+=[{template: victor2007}]"]  # fmt: skip
    config = load(path, more)
    assert config.features == (*crf, "langid", "tokens", {"tokens": {"cut": "space"}})
    assert config.template == (
        *load("crf").template, {"column": "word.end"}, *load("victor2007").template,
    )  # fmt: skip


def test_without_a_base_there_is_nothing_to_add_to(write):
    assert load(write("features+: words")).features == ("words",)
    assert load(None, ["features+=words", "features+=links"]).features == ("words", "links")


def test_what_replaces_and_what_adds(write):
    write("features+: [words]", "low.yaml")
    assert load(write("base: low.yaml\nfeatures: [links]")).features == ("links",)
    assert load(write("base: low.yaml\nfeatures: null")).features == ()


def test_other_schemas_have_it_too(write, tmp_path):
    write("base: dom\nads: {lists: [a.txt]}", "low.yaml")
    settings = load_as(DomSettings, write("base: low.yaml\nads: {lists+: b.txt}"))
    assert settings.ads_lists == (str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("feature+: [words]", "feature+: unknown key, did you mean features+?"),
        ("language+: [cs]", "language+: unknown key: language is no list; language alone changes"),
        ("discretize+: {a: bool}", "discretize+: unknown key: discretize is no list; discretize"),
        ("crf+: {c2: 1}", "crf+: unknown key: crf is no list; crf alone changes it"),
        ("languages+: [cs]", "languages+: unknown key, did you mean filter.languages+?"),
        ("features: [words]\nfeatures+: [links]",
         "features and features+ stand in one layer: write one list"),
        ("features+: [3]", "features: wants NAME or NAME: {parameter: value}, got 3"),
        ("features+: 3", "features: wants NAME or NAME: {parameter: value}, got 3"),
        ("features+: null", "features: wants NAME or NAME: {parameter: value}, got None"),
        ("template+: [3]", "template: wants entries such as {column: NAME}, got 3"),
        ("template+: crf", "template: wants entries such as {column: NAME}, got 'crf'"),
        ("template+: {template: no-such}", "template+: there is no file"),
        ("filter: {languages+: [Czech]}", "filter.languages"),
    ],
)  # fmt: skip
def test_mistakes(write, text, message):
    path = write(text)
    with pytest.raises(ConfigError) as refusal:
        load(path)
    assert str(refusal.value).startswith(str(path))
    assert message in str(refusal.value)


def test_the_czech_configuration_adds_a_module_and_reads_it():
    czech, crf = (load(name).to_json() for name in ("czech", "crf"))
    assert czech["features"] == [*crf["features"], {"langid": {"language": "cs"}}]
    assert czech["template"] == [*crf["template"], {"column": "langid{1,2}", "offset": "{-1..1}"}]
