"""Models to explain."""

from dataclasses import replace

import pytest

from victor.model.calibration import Calibration


@pytest.fixture(scope="session")
def bag_model(annotated):
    """A model with tokens, a conjunction of two blocks, and edges that tell distances."""
    from victor.config import load
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    template = (
        '[{column: "{word.count,word.end,link.density}", offset: "{-2..2}"}, {column: lexicon.all},'
        "[{column: word.count, offset: -1}, {column: link.density, offset: 1}]]"
    )
    settings = [
        f"template={template}", "page_edge=distance",
        "features=[words, links, lexicon, ancestors, headings, regexps, page]",
        "crf.bag_min_sites=1", "crf.max_iterations=20", "split=tag",
    ]  # fmt: skip
    extractor = FeatureExtractor(load("crf", settings))
    return train(analyze(annotated[:12], extractor), extractor)


@pytest.fixture(scope="session")
def tree_model(annotated, bag_model):
    """Trees beside a chain with tokens."""
    from victor.config import Config
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    columns = {"column": "{word.count,heading.level,inside.nav,link.density}", "offset": "{-2..2}"}
    trees = {"count": 30, "depth": 4, "learning_rate": 0.3, "share": 0.8, "inputs": [columns]}
    extractor = FeatureExtractor(Config.from_json({**bag_model.config.to_json(), "trees": trees}))
    return train(analyze(annotated, extractor), extractor)


@pytest.fixture(scope="session")
def models(small_model, bag_model, tree_model):
    calibration = Calibration((-3.0, 0.0, 2.0), (-2.0, 0.5, 1.2))
    return {
        "default": small_model,
        "bags": bag_model,
        "calibrated": replace(small_model, calibration=calibration),
        "trees": tree_model,
        "calibrated trees": replace(tree_model, calibration=calibration),
    }
