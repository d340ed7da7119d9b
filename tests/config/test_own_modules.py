"""Feature modules that are files: paths start where they are written, and the source is kept."""

from pathlib import Path

import pytest

from victor.config import Config, load
from victor.config.own_modules import OwnModule
from victor.errors import ConfigError, FeatureError


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes a file of a folder that is not the working directory."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    def write_file(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def own(name, source, **parameters):
    return OwnModule(name, source, parameters).entry()


def test_every_layer_has_paths_of_its_own(write):
    """And what is said on the command line starts at the working directory."""
    write("base/low.py", "low = 1")
    write("base/base.yaml", "features: [words, ./low.py]")
    write("top/up.py", "up = 1")
    top = write("top/top.yaml", "base: ../base/base.yaml\nfeatures+: [{../top/up.py: {sign: x}}]")
    write("elsewhere/set.py", "set = 1")
    expected = ("words", own("low.py", "low = 1"), own("up.py", "up = 1", sign="x"))
    assert load(top).features == expected
    assert load(top, ["features+=./set.py"]).features == (*expected, own("set.py", "set = 1"))
    assert load(top, ["features=[./set.py]"]).features == (own("set.py", "set = 1"),)


def test_the_source_is_that_of_the_moment_of_loading(write):
    path = write("a.py", "x = 1")
    config = load(write("a.yaml", "features: [./a.py]"))
    path.unlink()
    assert config.features == (own("a.py", "x = 1"),)
    assert load(write("b.yaml", config.dump())) == config
    assert Config.from_json(config.to_json()) == config


def test_sources_are_decoded_as_python_does(write):
    for content, text in (
        ("š = 1".encode(), "š = 1"),
        ("š = 1".encode("utf-8-sig"), "š = 1"),
        ("# coding: iso-8859-2\nš = 1\r\n".encode("iso-8859-2"), "# coding: iso-8859-2\nš = 1\r\n"),
    ):
        write("a.py", content)
        (entry,) = load(write("a.yaml", "features: [./a.py]")).features
        assert entry["source"] == text


@pytest.mark.parametrize(
    "source", ["x = 1\n", " x\n\n\n", "\tx \n", "x\r\ny", "# š\U0001f41d\n", "", "a: b"]
)
def test_what_is_written_as_yaml_is_read_again(write, source):
    config = load(None).replace(features=(own("a.py", source),))
    assert load(write("a.yaml", config.dump())) == config


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.py", None, r"no feature module at .*a\.py: a path starts at the folder of the conf"),
        ("a.py", "š".encode("iso-8859-2"), r"a\.py cannot be read as a feature module: .*encoding"),
        ("a.py", "# coding: klingon", r"a\.py cannot be read as a feature module: .*klingon"),
        ("a.py", "#" * 1_000_001, r"a\.py cannot be read .* 1,000,000 bytes"),
        (".py", "", r"'\.py' is no name for a feature module; call the file e\.g\. shouting\.py"),
        ("a?.py", "", r"'a\?\.py' is no name for a feature module"),
    ],
)  # fmt: skip
def test_files_that_are_no_modules(write, name, content, message):
    if content is not None:
        write(name, content)
    with pytest.raises(FeatureError, match=message):
        load(write("a.yaml", f"features: ['./{name}']"))


def test_a_pipe_is_not_waited_for(write, tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(FeatureError, match="no feature module at"):
        load(write("a.yaml", "features: [./pipe.py]"))


def test_two_files_of_one_name(write):
    write("x/a.py", "x = 1")
    write("y/a.py", "x = 2")
    with pytest.raises(ConfigError, match=r"two different files are named a\.py; rename one"):
        load(write("a.yaml", "features: [x/a.py, y/a.py]"))
    write("y/a.py", "x = 1")
    assert len(load(write("a.yaml", "features: [x/a.py, y/a.py]")).features) == 2


@pytest.mark.parametrize(
    "entry",
    ["{module: a.py, source: 3}", "{module: 3, source: x}", "{source: x}",
     "{module: a.py, source: x, sign: y}", "{module: a.py, source: x, parameters: [y]}",
     "{module: ../a.py, source: x}", "{module: a.txt, source: x}"],
)  # fmt: skip
def test_sources_that_are_none(write, entry):
    with pytest.raises(ConfigError, match=r"features: (wants \{module: |'.*' is no name)"):
        load(write("a.yaml", f"features: [{entry}]"))


def test_reading_a_configuration_runs_nothing(write):
    write("a.py", "open('ran', 'w')")
    load(write("a.yaml", "features: [./a.py]"))
    assert not Path("ran").exists()
