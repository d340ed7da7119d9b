"""Cleaners and labelers for tests of the Python face."""

import pytest
from msgspec.structs import replace

from victor import Cleaner
from victor.labelers.crf import CrfLabeler


@pytest.fixture(scope="session")
def labeler(small_model):
    # Whatever a model of so few pages thinks of the pages of these tests, they give something.
    decision = small_model.config.decide.replace(no_content=1.0)
    config = small_model.config.replace(decide=decision)
    return CrfLabeler(replace(small_model, config=config))


@pytest.fixture(scope="session")
def cleaner(labeler):
    return Cleaner(labeler)
