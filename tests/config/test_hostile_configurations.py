"""Configurations that were made to harm: one typed error, soon and with little memory."""

import os
import resource
from pathlib import Path

import pytest
import yaml

from tests.rows import tables, written_out
from victor.config import plain_yaml
from victor.config.layers import load
from victor.errors import ConfigError, FeatureError, TemplateError
from victor.labelers.labeler import build_labeler
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template, expand

LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)
)
ROWS = tables(__file__)
CASES = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text("utf-8"))
HARMFUL = {name: written_out(text) for name, text in (CASES["harmful"] | ROWS["long"]).items()} | {
    "laughs": LAUGHS,
    "laughs in the template": f"{LAUGHS}template: *j\n",
    "laughs in features": f"{LAUGHS}features: *j\n",
    "laughs in a table": "a: &a {x: 1}\n"
    + "".join(
        f"a{i}: &a{i} {{p: *a{i - 1 if i else ''}, q: *a{i - 1 if i else ''}}}\n" for i in range(40)
    ),
    "deep tables": f"a: {'{a: ' * 5_000}",
    "UTF-16": "base: default".encode("utf-16"),
    "Latin-1": "language: \xe9".encode("latin-1"),
    "anchors": "".join(f"a{i}: &b{i} x\n" for i in range(3_000)),
}
BRACES = [
    *map(written_out, ROWS["braces"]),
    "{" * 100_000,
    "{1..200}" * 9,
    "{a,b}" * 40,
    "{a}" * 5_000 + "}",
]


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Function: text to the path of a configuration in the working directory."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")

    def write(content, name="c.yaml"):
        data = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(data)
        return f"./{name}"

    return write


@pytest.mark.parametrize("name", HARMFUL)
def test_one_error_that_can_be_printed_and_little_memory(written, name):
    path = written(HARMFUL[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ConfigError) as refusal:
        load(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB
    assert len(str(refusal.value).encode()) < 1_000_000
    assert not Path("ran").exists()


def test_aliases_that_repeat_little_are_as_good_as_what_they_stand_for():
    text = "a: &a {x: [1, 2]}\nb: [*a, *a]\nc: *a\n"
    wanted = {"x": [1, 2]}
    assert plain_yaml.parse(text, "here") == {"a": wanted, "b": [wanted, wanted], "c": wanted}


def test_what_is_no_file_is_not_waited_for(written):
    written("", "empty.yaml")
    with pytest.raises(ConfigError, match="no file"):
        load("./pipe")
    with pytest.raises(ConfigError, match="no file"):
        plain_yaml.read(Path("pipe"))


@pytest.mark.parametrize("text", BRACES, ids=[text[:12] for text in BRACES])
def test_braces_that_stand_for_too_much(text):
    with pytest.raises(ConfigError) as refusal:
        expand(text)
    assert len(str(refusal.value)) < 1_000
    assert len(expand("{1..100}.{a,b}.{-3..3}")) == 1_400, "much is fine"


@pytest.mark.parametrize(
    "item",
    [
        {"columns": ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"] * 20},
        [{"column": "{a,b}", "offset": "{-99..99}"}] * 9,
        {"column": "a", "offset": [["{1..99}"] * 99] * 99},
    ],
)
def test_templates_that_stand_for_too_much(item):
    with pytest.raises(TemplateError):
        Template.from_config([item], columns=["a", "b"])


@pytest.mark.parametrize("features", ROWS["features"])
def test_features_run_nothing(written, features):
    written("open('ran', 'w').close()\ndef build(): pass\n", "code.py")
    with pytest.raises((ConfigError, FeatureError)):
        FeatureExtractor(load(written(f"base: default\nlanguage: &a cs\nfeatures: {features}\n")))
    assert not Path("ran").exists()


def test_a_configuration_cannot_have_a_recogniser_loaded(written):
    written("open('ran', 'w').close()\ndef find(text): return []\n", "names_of_mine.py")
    path = written("base: dom\nentities.recogniser: names_of_mine:find\n")
    with pytest.raises(ConfigError, match=r"names_of_mine.*is code.*--trust-code"):
        build_labeler("dom", path)
    assert not Path("ran").exists()
