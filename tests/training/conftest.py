"""What is trained once for all tests of training."""

import pytest

from victor.config.layers import load
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze


@pytest.fixture(scope="session")
def fast():
    """A configuration of three iterations, and what it measures."""
    return FeatureExtractor(load("crf", ["crf.max_iterations=3"]))


@pytest.fixture(scope="session")
def dataset(annotated, fast):
    """Sixteen of our pages."""
    return analyze(annotated[:16], fast)
