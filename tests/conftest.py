"""Fixtures for all tests."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def strategies():
    """The module `tests/strategies.py`: under importlib mode tests cannot import one another."""
    spec = spec_from_file_location("strategies", Path(__file__).with_name("strategies.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def annotated():
    """Our own annotated pages."""
    from victor.corpus.marked import read_marked_corpus

    return tuple(read_marked_corpus(ROOT / "annotations"))


@pytest.fixture(scope="session")
def small_model(annotated):
    """The default configuration trained on our own pages: seconds, and good enough to test with."""
    from victor.analysis import Analyzer
    from victor.config import load
    from victor.dataset import analyze
    from victor.training import train

    analyzer = Analyzer(load("default"))
    return train(analyze(annotated, analyzer), analyzer)


@pytest.fixture(scope="session")
def small_model_file(small_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "small.victor"
    small_model.save(path)
    return path
