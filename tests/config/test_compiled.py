"""Word lists of the package load as JSON, and what is edited counts at once."""

import zlib
from pathlib import Path

import pytest

from victor.config import plain_yaml
from victor.model.page_head import NAMES, WORDS, said_words, wall_phrases
from victor.page.names.name_groups import patterns

PACKAGE = Path(plain_yaml.__file__).parents[1]
COMPILED = [
    file.with_suffix(".yaml")
    for file in sorted([*PACKAGE.glob("*/*.json"), *PACKAGE.glob("*/*/*.json")])
    if file.with_suffix(".yaml").is_file()
]


def test_what_runs_read_is_compiled():
    names = {file.name for file in COMPILED}
    lists = ("class_groups", "letters", "page_names", "words")
    assert names == {f"{name}.yaml" for name in lists}


@pytest.mark.parametrize("file", COMPILED, ids=lambda file: file.name)
def test_the_json_is_current(file, monkeypatch):
    content = plain_yaml.read(file)
    monkeypatch.setattr(plain_yaml, "read", lambda _: "run victor.config.plain_yaml on it")
    assert plain_yaml.read_compiled(file) == content


@pytest.mark.parametrize(
    ("file", "make"),
    [(PACKAGE / "features/class_groups.yaml", patterns), (NAMES, said_words),
     (WORDS, wall_phrases)],
)  # fmt: skip
def test_what_a_function_makes_of_it_is_current(file, make, monkeypatch):
    made = make(plain_yaml.read(file))
    monkeypatch.setattr(plain_yaml, "read", lambda _: pytest.fail("run victor.config.plain_yaml"))
    assert plain_yaml.read_compiled(file, make) == [[*row] for row in made]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "words.yaml"
    path.write_text("a: [é]\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("stored", ["{", "[]", "{}", '{"checksum": 1, "content": 2}'])
def test_what_does_not_fit_is_not_read(file, stored):
    assert plain_yaml.read_compiled(file) == {"a": ["é"]}
    file.with_suffix(".json").write_text(stored, encoding="utf-8")
    assert plain_yaml.read_compiled(file) == {"a": ["é"]}


def test_what_is_written_is_read_until_the_yaml_changes(file):
    plain_yaml.write_compiled(file)
    json = file.with_suffix(".json")
    assert str(zlib.crc32(file.read_bytes())) in json.read_text(encoding="utf-8")
    json.write_text(json.read_text(encoding="utf-8").replace("é", "c"), encoding="utf-8")
    assert plain_yaml.read_compiled(file) == {"a": ["c"]}
    file.write_text("a: [d]\n", encoding="utf-8")
    assert plain_yaml.read_compiled(file) == {"a": ["d"]}
