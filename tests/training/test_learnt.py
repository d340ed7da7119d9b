"""What is learnt of our own pages is what it was when somebody last looked.

``pytest tests/training/test_learnt.py --update`` writes it anew.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from victor.config.layers import load
from victor.labelers.density.labeler import Settings, labeler
from victor.model.extractor import FeatureExtractor
from victor.training import density, training
from victor.training.dataset import analyze

GOLDEN = Path(__file__).parents[1] / "golden" / "learnt.yaml"
DENSITY = {"both": {}, "ngram": {"mode": "ngram"}, "uncalibrated": {"ngram_calibrated": False}}
CONFIGS = yaml.safe_load(Path(__file__).with_name("learnt.yaml").read_text("utf-8"))


def by_config(annotated, name):
    base, *overrides = CONFIGS[name]
    extractor = FeatureExtractor(load(base, overrides))
    dataset = analyze(annotated, extractor)
    if name == "experts":
        kinds = ("article", "forum")
        pages = [replace(page, kind=kinds[n % 2]) for n, page in enumerate(dataset.pages)]
        dataset = replace(dataset, pages=tuple(pages))
    model = training.train(dataset, extractor)
    starts = dataset.page_starts
    return np.split(model.marginals(dataset.columns, starts), starts[1:-1])


def by_density(annotated, name):
    settings = Settings(**DENSITY[name])
    system = labeler(settings, density.train(annotated, settings))
    return [system.label(system.table([page.html])).marginals for page in annotated]


@pytest.mark.parametrize("name", [*CONFIGS, *DENSITY])
def test_what_is_learnt(annotated, name, held):
    marginals = (by_config if name in CONFIGS else by_density)(annotated, name)
    found = np.array([of_page.sum(axis=0) for of_page in marginals])
    expected = held(GOLDEN, name, np.round(found, 5).tolist())
    assert found == pytest.approx(np.array(expected), abs=2e-5)
