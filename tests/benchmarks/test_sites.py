"""Benchmarks of two passes: weights that are learnt, and counts of many hosts."""

import numpy as np
import pytest
import site_crawl
import site_weights

from victor.evaluation.predictions import collect
from victor.labelers.load import load_model
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.sites.columns import COLUMNS
from victor.training.dataset import label_blocks


@pytest.fixture(scope="module")
def crawl(annotated):
    """Pages of few sites, each twice with other texts, with marginals that say little."""
    extractor = FeatureExtractor(load_model("crf").config)
    pages = label_blocks(annotated, extractor)
    p_keep = np.where(pages.labels == 2, 0.4, 0.6)
    marginals = np.stack([p_keep / 4, p_keep * 3 / 4, 1 - p_keep], axis=1)
    predictions = collect(
        pages, marginals, system="x", protocol="x", decision=Decision("expected-f")
    )
    return site_weights.Crawl(predictions, pages)


def test_gains_are_of_pages_with_others(crawl):
    lines = site_weights.report(crawl).splitlines()
    assert lines[0].split()[:3] == ["corpus", "pages", "one"]
    assert lines[-1].split()[:2] == ["all", str(int((crawl.n_others > 0).sum()))]


def test_weights_are_those_of_the_steepest_likelihood(crawl, monkeypatch):
    """At the optimum another step changes nothing, and no weight does better."""
    pages = crawl.n_others > 0
    found = crawl.weights_of(pages)
    assert found.keys() == COLUMNS.keys()
    monkeypatch.setattr(site_weights, "STEPS", site_weights.STEPS + 5)
    assert crawl.weights_of(pages) == pytest.approx(found, abs=1e-9)
    assert any(abs(weight) > 0.01 for weight in found.values())


def test_pages_that_nobody_has_are_counted(capsys, monkeypatch):
    monkeypatch.setattr(site_crawl.resource, "setrlimit", lambda *_: None)
    site_crawl.simulate(300, 20, 10)
    assert "pages=300" in capsys.readouterr().out
