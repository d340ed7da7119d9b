"""Models to explain."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from msgspec.structs import replace

from victor.model.chain import Edges
from victor.model.trees import Gate

SETTINGS = yaml.safe_load(Path(__file__).with_name("settings.yaml").read_text("utf-8"))


def trained(annotated, settings):
    """A model of the configuration `crf` with some settings."""
    from victor.config.layers import load
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    extractor = FeatureExtractor(load("crf", settings))
    return train(analyze(annotated, extractor), extractor)


@pytest.fixture(scope="session")
def joined_model(annotated):
    """A model with a conjunction of two blocks, and places outside that tell distances."""
    return trained(annotated[:12], SETTINGS["joined"])


@pytest.fixture(scope="session")
def tree_model(annotated):
    """Potentials of trees, and edges of eight kinds that say much."""
    model = trained(annotated[:20], SETTINGS["trees"])
    values = np.random.default_rng(3).normal(size=(8, 3, 3))
    return replace(model, edges=Edges.by_category(values, "relation.before"))


def mixed(trees):
    """Two experts of whom each has something to say of every page."""
    gate = np.random.default_rng(4).normal(size=(2 * len(trees.columns) + 1, 2)) / 100
    return replace(
        trees,
        leaves=np.concatenate([trees.leaves, trees.leaves[:, :, ::-1]]),
        cover=np.concatenate([trees.cover, trees.cover[:, :, ::-1]]),
        gate=Gate(("article", "forum"), gate),
    )


@pytest.fixture(scope="session")
def models(small_model, joined_model, tree_model):
    chain = tree_model.config.crf.replace(pooling=0.5)
    pooled = replace(tree_model, config=tree_model.config.replace(crf=chain))
    return {
        "linear": small_model,
        "joined": joined_model,
        "trees": tree_model,
        "pooled trees": pooled,
        "mixed trees": replace(tree_model, potentials=mixed(tree_model.potentials)),
    }
