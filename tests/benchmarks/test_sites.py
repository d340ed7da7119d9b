"""Benchmarks of two passes: trees that learn, and counts of many hosts."""

import numpy as np
import pytest

from benchmarks import site_crawl, site_trees
from victor.evaluation.predictions import collect
from victor.labelers.load import load_model
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.sites.second import SecondVerdict
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
    return site_trees.Crawl(predictions, pages)


def test_gains_are_of_pages_with_others(crawl, monkeypatch):
    monkeypatch.setattr(site_trees, "OPTIONS", site_trees.OPTIONS.replace(count=5))
    lines = site_trees.report(crawl).splitlines()
    assert lines[0].split()[:3] == ["corpus", "pages", "one"]
    assert lines[-1].split()[:2] == ["all", str(int((crawl.n_others > 0).sum()))]


def test_trees_are_written_and_read(crawl, monkeypatch, tmp_path):
    monkeypatch.setattr(site_trees, "OPTIONS", site_trees.OPTIONS.replace(count=5))
    for name in ("a", "b"):
        crawl.trees(crawl.n_others > 0).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    second = SecondVerdict.load(tmp_path / "a")
    assert any(not np.array_equal(second(part), part.marginals) for part in crawl.parts)


def test_pages_that_nobody_has_are_counted(capsys, monkeypatch):
    monkeypatch.setattr(site_crawl.resource, "setrlimit", lambda *_: None)
    site_crawl.simulate(300, 20, 10)
    assert "pages=300" in capsys.readouterr().out
