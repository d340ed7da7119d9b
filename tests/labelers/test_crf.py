"""The labeler of trained models."""

import pytest
from msgspec.structs import replace

from victor.errors import ModelError
from victor.labelers.crf import CrfLabeler, load_model


def test_a_model_that_reads_what_its_features_do_not_give_is_refused():
    model = load_model("crf")
    features = tuple(module for module in model.config.features if module != "links")
    other = replace(model, config=model.config.replace(features=features))
    with pytest.raises(ModelError, match=r"the model reads link\.density.* train again"):
        CrfLabeler(other)
