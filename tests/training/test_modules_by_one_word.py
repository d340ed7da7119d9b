"""One line switches any module of any shipped configuration off, and any other one on."""

import pytest

from tests.rows import tables
from victor.config.layers import load
from victor.features import NAMES
from victor.model.discretize import expand_discretizers
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template
from victor.training.dataset import analyze
from victor.training.training import train

ROWS = tables(__file__)

CONFIGURATIONS = ("crf", "czech", "default", "victor-paper", "victor2007")
FAST = ("crf.max_iterations=3",)


@pytest.fixture(scope="module")
def pages(annotated):
    return annotated[:4]


def read(extractor):
    """Columns that the potentials and the edges read, after the checks of training."""
    config, kinds = extractor.config, extractor.kinds
    template = Template.of(config, kinds)
    if not config.trees.count:
        expand_discretizers(config.discretize, [*kinds])
    return {*template.names, *template.edge_names}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_module_off_by_one_line(name):
    whole = FeatureExtractor(load(name))
    assert whole.config == load(name, ["added=null"]), (
        "a shipped configuration is trained as it is written"
    )
    for module, columns in whole.modules.items():
        extractor = FeatureExtractor(load(name, [f"features-={module}"]))
        gone = {column.name for column in columns}
        assert read(extractor) == read(whole) - gone, module
    names = ", ".join(whole.modules)
    assert load(name, [f"features-=[{names}]", f"features+=[{names}]"]) == load(name)


@pytest.mark.parametrize("name", ["crf", "victor-paper"])
def test_every_other_module_on_by_one_line(name):
    whole = FeatureExtractor(load(name))
    for module in sorted({*NAMES} - {*whole.modules}):
        extractor = FeatureExtractor(load(name, [f"features+={module}"]))
        added = {column.name for column in extractor.modules[module]}
        assert read(extractor) == read(whole) | added, module


@pytest.mark.parametrize(("name", "lines"), ROWS["they_are_trained_without_and_with_it"])
def test_they_are_trained_without_and_with_it(name, lines, pages, tmp_path):
    extractor = FeatureExtractor(load(name, [*FAST, *lines]))
    model = train(analyze(pages, extractor), extractor)
    model.save(tmp_path / "model.victor")
    assert model.config == extractor.config
    assert model.columns - {*model.pooling.columns} <= read(extractor)
