"""What the section `trees` may say, and that the template says what trees read."""

import json

import pytest

from victor.config import Config, load
from victor.errors import ConfigError
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="my.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def test_without_the_section_there_are_no_trees():
    assert load(None).trees.count == 0
    assert load("crf").trees.count == 0


def test_crf_and_default_differ_in_the_potentials():
    """Each has one template for them; only trees have edges by a column."""
    crf, default = load("crf"), load("default")
    assert default.trees.count > 0
    assert default.template == load(None, ["template=trees"]).template != crf.template
    assert {"edge": "relation.before"} in default.template
    assert not any("edge" in entry for entry in crf.template)
    assert crf.crf.transitions
    assert default.crf.transitions
    assert crf.split == default.split


def test_crf_reads_no_module_and_no_column_of_its_own():
    crf, default = (FeatureExtractor(load(name)) for name in ("crf", "default"))
    assert {*crf.config.features} <= {*default.config.features}
    templates = [Template.of(each.config, each.kinds) for each in (crf, default)]
    read, known = ({*template.names, *template.edge_names} for template in templates)
    assert read <= known


def test_keys_are_replaced_one_by_one_and_the_section_as_a_whole(write):
    write("trees: {count: 5, depth: 3}", "base.yaml")
    config = load(write("base: base.yaml\ntrees: {bins: 9, depth: null}"))
    assert (config.trees.count, config.trees.bins) == (5, 9)
    assert config.trees.depth == Config().trees.depth
    assert load(write("base: base.yaml\ntrees: null", "none.yaml")).trees == Config().trees


def test_what_is_dumped_is_read_again(write):
    config = load("default", ["trees.count=2", "crf.edges=null", "decide.no_content=0.25"])
    assert load(write(config.dump())) == config
    assert Config.from_json(json.loads(json.dumps(config.to_json()))) == config


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("trees: {cout: 3}", "trees.cout: unknown key, did you mean count?"),
        ("trees: {min_sites: 3}", "trees.min_sites: unknown key"),
        ("trees: {temperature: 1.5}", "trees.temperature: unknown key, did you mean decide.temp"),
        ("no_content: 0.5", "no_content: unknown key, did you mean decide.no_content?"),
        ("trees: 400", "trees: should be a table of keys, got 400"),
        ("trees: {count: -1}", "trees.count: should be a whole number >= 0"),
        ("trees: {depth: 9}", "trees.depth: should be from 1 to 8"),
        ("trees: {depth: 0}", "trees.depth: should be from 1 to 8"),
        ("trees: {share: 0}", "trees.share: should be a number > 0"),
        ("trees: {bins: 2}", "trees.bins: should be from 3 to 250"),
        ("trees: {learning_rate: 0}", "trees.learning_rate: should be a number > 0"),
        ("trees: {max_blocks: 0}", "trees.max_blocks: should be a whole number >= 1"),
        ("trees: {inputs: crf}", "trees.inputs: unknown key"),
        ("crf: {edges: 5}", "crf.edges: should be"),
        ("decide: {no_content: 1.1}", "decide.no_content: should be from 0 to 1"),
        ("decide: {no_content: -0.1}", "decide.no_content: should be from 0 to 1"),
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
