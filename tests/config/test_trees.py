"""What the section `trees` may say, and how what the trees read is named."""

import json

import pytest

from victor.config import Config, load
from victor.errors import ConfigError

ENTRIES = [{"column": "word.count", "offset": "{-1..1}"}, {"columns": ["a", "b"]}]


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="my.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def test_without_the_section_there_are_no_trees():
    assert load(None).trees.count == 0
    assert load(None).trees.inputs == ()


def test_inputs_as_entries(write):
    path = write(f"trees: {{count: 5, inputs: {json.dumps(ENTRIES)}}}")
    assert load(path).trees.inputs == tuple(ENTRIES)
    assert load(path).trees.count == 5


def test_inputs_by_the_name_of_a_shipped_template():
    assert load(None, ["trees.inputs=crf"]).trees.inputs == load("crf").template


def test_inputs_by_a_path_that_starts_at_the_file_that_names_it(write):
    write(json.dumps(ENTRIES), "folder/reads.yaml")
    write("trees: {inputs: reads.yaml}", "folder/base.yaml")
    config = load(write("base: folder/base.yaml\ntrees: {count: 3}"))
    assert config.trees.inputs == tuple(ENTRIES)
    assert config.trees.count == 3


def test_inputs_of_an_override_start_at_the_working_directory(write, monkeypatch):
    path = write(json.dumps(ENTRIES), "folder/reads.yaml")
    monkeypatch.chdir(path.parent)
    assert load(None, ["trees.inputs=reads.yaml"]).trees.inputs == tuple(ENTRIES)


def test_inputs_are_replaced_as_a_whole_and_the_rest_is_kept(write):
    write(f"trees: {{count: 5, depth: 3, inputs: {json.dumps(ENTRIES)}}}", "base.yaml")
    config = load(write("base: base.yaml\ntrees: {inputs: [{column: a}], depth: null}"))
    assert config.trees.inputs == ({"column": "a"},)
    assert (config.trees.count, config.trees.depth) == (5, Config().trees.depth)
    assert load(write("base: base.yaml\ntrees: null", "none.yaml")).trees == Config().trees


def test_a_model_file_holds_the_entries_of_inputs_that_were_only_named():
    named = Config.from_json({"trees": {"inputs": "crf"}})
    assert named.trees.inputs == "crf"
    assert tuple(named.to_json()["trees"]["inputs"]) == load("crf").template
    config = load(None, ["trees.inputs=crf", "trees.count=2"])
    assert Config.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_what_is_dumped_is_read_again(write):
    config = load(None, ["trees.inputs=crf", "decide.nothing_below=0.25"])
    assert load(write(config.dump())) == config


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("trees: {cout: 3}", "trees.cout: unknown key, did you mean count?"),
        ("trees: {min_sites: 3}", "trees.min_sites: unknown key"),
        ("trees: {temperature: 1.5}", "trees.temperature: unknown key, did you mean decide.temp"),
        ("nothing_below: 0.5", "nothing_below: unknown key, did you mean decide.nothing_below?"),
        ("trees: 400", "trees: should be a table of keys, got 400"),
        ("trees: {count: -1}", "trees.count: should be a whole number >= 0"),
        ("trees: {depth: 9}", "trees.depth: should be from 1 to 8"),
        ("trees: {depth: 0}", "trees.depth: should be from 1 to 8"),
        ("trees: {share: 0}", "trees.share: should be a number > 0"),
        ("trees: {bins: 2}", "trees.bins: should be from 3 to 250"),
        ("trees: {learning_rate: 0}", "trees.learning_rate: should be a number > 0"),
        ("trees: {max_blocks: 0}", "trees.max_blocks: should be a whole number >= 1"),
        ("trees: {inputs: 5}", "trees.inputs: should be the name of a template"),
        ("trees: {inputs: [word.count]}", "trees.inputs: wants entries"),
        ("trees: {inputs: crff}", "trees.inputs: there is no file"),
        ("decide: {nothing_below: 1.1}", "decide.nothing_below: should be from 0 to 1"),
        ("decide: {nothing_below: -0.1}", "decide.nothing_below: should be from 0 to 1"),
    ],
)
def test_error_names_file_and_key(write, text, said):
    path = write(text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: {said}")


@pytest.mark.parametrize("bins", [3, 250])
def test_every_number_of_bins_that_is_allowed_makes_quantiles(bins):
    from victor.model.discretize import Quantiles

    assert Quantiles(load(None, [f"trees.bins={bins}"]).trees.bins).bins == bins
