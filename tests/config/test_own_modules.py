"""Feature modules that are files: paths start where they are written, and the source is kept."""

import pytest

from tests.rows import tables, written_out
from victor.config.layers import load
from victor.config.modules import OwnModule
from victor.config.schema import Config
from victor.errors import ConfigError, FeatureError

ROWS = tables(__file__)


def own(name, source, **parameters):
    return OwnModule(name, source, parameters).entry()


def test_every_layer_has_paths_of_its_own(write):
    """And what is said on the command line starts at the working directory."""
    write("low = 1", "base/low.py")
    write("features: [words, ./low.py]", "base/base.yaml")
    write("up = 1", "top/up.py")
    top = write("base: ../base/base.yaml\nfeatures+: [{../top/up.py: {sign: x}}]", "top/top.yaml")
    write("set = 1", "elsewhere/set.py")
    expected = ("words", own("low.py", "low = 1"), own("up.py", "up = 1", sign="x"))
    assert load(top).features == expected
    assert load(top, ["features+=./set.py"]).features == (*expected, own("set.py", "set = 1"))
    assert load(top, ["features=[./set.py]"]).features == (own("set.py", "set = 1"),)


def test_the_source_is_that_of_the_moment_of_loading(write):
    path = write("x = 1", "a.py")
    config = load(write("features: [./a.py]", "a.yaml"))
    path.unlink()
    assert config.features == (own("a.py", "x = 1"),)
    assert load(write(config.dump(), "b.yaml")) == config
    assert Config.from_json(config.to_json()) == config


def test_sources_are_decoded_as_python_does(write):
    for content, text in (
        ("š = 1".encode(), "š = 1"),
        ("š = 1".encode("utf-8-sig"), "š = 1"),
        ("# coding: iso-8859-2\nš = 1\r\n".encode("iso-8859-2"), "# coding: iso-8859-2\nš = 1\r\n"),
    ):
        write(content, "a.py")
        (entry,) = load(write("features: [./a.py]", "a.yaml")).features
        assert entry["source"] == text


@pytest.mark.parametrize(
    "source", ["x = 1\n", " x\n\n\n", "\tx \n", "x\r\ny", "# š\U0001f41d\n", "", "a: b"]
)
def test_what_is_written_as_yaml_is_read_again(write, source):
    config = load(None).replace(features=(own("a.py", source),))
    assert load(write(config.dump(), "a.yaml")) == config


@pytest.mark.parametrize(("name", "content", "message"), ROWS["no_modules"])
def test_files_that_are_no_modules(write, name, content, message):
    if content is not None:
        write(written_out(content) if isinstance(content, str) else content, name)
    with pytest.raises(FeatureError, match=message):
        load(write(f"features: ['./{name}']", "a.yaml"))


def test_two_files_of_one_name(write):
    write("x = 1", "x/a.py")
    write("x = 2", "y/a.py")
    with pytest.raises(ConfigError, match=r"two different files are named a\.py; rename one"):
        load(write("features: [x/a.py, y/a.py]", "a.yaml"))
    write("x = 1", "y/a.py")
    assert len(load(write("features: [x/a.py, y/a.py]", "a.yaml")).features) == 2


@pytest.mark.parametrize("entry", ROWS["no_sources"])
def test_sources_that_are_none(write, entry):
    with pytest.raises(ConfigError, match=r"features: (wants \{module: |'.*' is no name)"):
        load(write(f"features: [{entry}]", "a.yaml"))


def test_a_file_is_switched_by_its_name(write):
    write("x = 1", "mine.py")
    path = write("features+: [./mine.py: {sign: x}]")
    (entry,) = load(path).features
    assert load(path, ["features.mine.py=off"]).features == ({"off": entry},)
    low = write("base: top.yaml\nfeatures-: [mine.py]", "low.yaml")
    (_, other) = load(low, ["features.mine.py={sign: '?'}"]).features
    assert other == {**entry, "parameters": {"sign": "?"}}
    (listed,) = load(write('features: ["off": ./mine.py]')).features
    assert listed == {"off": {"module": "mine.py", "source": "x = 1"}}
