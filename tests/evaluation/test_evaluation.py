"""Honest marginals: no page is scored by a model that saw its site."""

from contextlib import contextmanager

import numpy as np
import pytest

from victor.config.layers import load
from victor.evaluation.evaluation import by_folds, by_labeler, by_training
from victor.labelers.crf import CrfLabeler
from victor.labelers.labeler import build_labeler
from victor.training.training import training_steps

FAST = load("crf", ["crf.max_iterations=3"])


@pytest.fixture(scope="module")
def some(annotated):
    return annotated[:14]


def test_a_labeler_decides_as_it_is_configured(some, small_model):
    labeler = CrfLabeler(small_model)
    outcome = by_labeler(some, labeler, system="small")
    assert outcome.labels.tolist() == [
        label for table in outcome.pages.tables for label in labeler.label(table).labels.tolist()
    ]
    counts = outcome.assess().all_blocks
    assert counts.kept.f1 > 0.8  # it was trained on these pages


def test_the_short_way_from_pages_to_scores_and_a_curve(some, small_model):
    import victor

    scored = victor.evaluate(some, config=FAST, k=2)
    assert scored.protocol == "2 folds by site"
    curve = victor.sweep(scored.predictions())
    assert curve.thresholds[[0, -1]].tolist() == [0.0, 1.0]
    assert victor.evaluate(some, model=small_model).protocol == "as it is"


def test_a_labeler_is_trained_on_other_sites_than_it_labels(some):
    seen = []

    def train_labeler(pages):
        seen.append({page.site or page.id for page in pages})
        return build_labeler("kimatu")

    outcome = by_training(some, train_labeler, system="kimatu", k=3)
    alone = by_labeler(some, build_labeler("kimatu"), system="kimatu")
    assert outcome.protocol == "3 folds by site"
    np.testing.assert_array_equal(outcome.marginals, alone.marginals)
    np.testing.assert_array_equal(outcome.labels, alone.labels)
    every = {page.site or page.id for page in some}
    left_out = [every - sites for sites in seen]
    assert len(seen) == 3
    assert set.union(*left_out) == every
    assert sum(map(len, left_out)) == len(every)


def test_bars_show_pages_and_steps(some):
    """Every task with all of its steps, and not in one piece."""
    shown = {}

    @contextmanager
    def bars(title, total):
        counts = shown[title] = [total]
        yield counts.append

    by_folds(some, FAST, system="default", k=3, bars=bars)
    assert list(shown) == ["measuring pages", "cross-validating"]
    for total, *counts in shown.values():
        assert sum(counts) == total
    assert shown["cross-validating"][0] == 3 * training_steps(FAST)
    assert len(shown["cross-validating"]) > 3 * 3
