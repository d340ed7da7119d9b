"""The grid over Kimatu's weights decides as Kimatu does."""

import kimatu_weights
import numpy as np
import pytest

from victor.labelers.kimatu import labeler
from victor.labelers.kimatu.settings import Settings, Weights

TEXT = "<p>" + "The bees of the hive live on nectar, and so do the wasps of the wood. " * 6
PAGE = f"<p><a>Home</a><p><a>News of the day</a>{TEXT}{TEXT}<ul><li><a>More</a></ul>"


@pytest.mark.parametrize("functions", [0.0, 0.5])
def test_what_kimatu_keeps_is_perfect_where_it_is_the_gold(functions):
    tried = Weights(functions=functions)
    system = labeler(Settings(weights=tried))
    table = system.table([PAGE.encode(), b"<p>x"])
    labels = system.label(table).labels
    assert (labels != 2).any()
    assert (labels == 2).any()
    assert kimatu_weights.table_scores(table, labels, [tried]).tolist() == [[1.0, 1.0]]
    wrong = np.where(labels == 2, 1, 2).astype(np.uint8)
    assert kimatu_weights.table_scores(table, wrong, [tried])[0, 0] == 0


def test_the_weights_of_a_fold_are_the_best_of_the_others(monkeypatch):
    monkeypatch.setattr(kimatu_weights, "FOLDS", 2)
    scores = np.array([[1.0, 0.5, 0.5], [0.0, 0.8, 0.8]])
    assert [*kimatu_weights.held_out(scores, np.array([0, 1, 1]))] == [(1, 0.0), (0, 1.0)]
    assert len(kimatu_weights.combinations()) == 3**5
    assert Weights() in kimatu_weights.combinations()
