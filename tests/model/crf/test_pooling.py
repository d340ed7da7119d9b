"""Blocks of one template path: which are pooled, and how far they move."""

import numpy as np
import pytest
from msgspec.structs import replace

from victor.base.labels import Label
from victor.labelers.crf import CrfLabeler, model_file
from victor.model.chain import Pooling
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model


def columns_of(first, words):
    """Columns as the compiled core gives them."""
    return {
        "path-class.first": np.array(first, dtype=np.float32),
        "word.count": np.array(words, dtype=np.float32),
    }


def pooled(odds, first, words, *, strength=0.5, page_starts=None):
    """Log-odds of text over other after pooling; headers are far behind."""
    scores = np.zeros((len(odds), len(Label)))
    scores[:, Label.TEXT] = odds
    scores[:, Label.HEADER] = scores[:, Label.TEXT] - 9
    starts = np.array([0, len(odds)] if page_starts is None else page_starts)
    result = Pooling(strength)(scores, columns_of(first, words), starts)
    np.testing.assert_allclose(result[:, Label.TEXT] - result[:, Label.HEADER], 9)
    assert (result[:, Label.OTHER] == 0).all()
    return result[:, Label.TEXT].tolist()


def test_blocks_go_towards_the_mean_of_their_path_by_words():
    assert pooled([1, 9, -2, 2], [0, 1, 0, 0], [10, 10, 20, 10]) == [0.375, 9, -1.125, 0.875]


@pytest.mark.parametrize(
    ("words", "moves"), [([8, 8], False), ([8, 8, 8], True), ([8, 8, 7], False), ([24, 0, 0], True)]
)
def test_paths_of_three_blocks_and_eight_words_a_block_are_pooled(words, moves):
    odds = [4.0, -4.0, -4.0][: len(words)]
    assert (pooled(odds, [0] * len(words), words) != odds) == moves


@pytest.mark.parametrize(("odds", "mean"), [(3.5, 3.5 / 3), (4, 4 / 3), (50, 4 / 3), (-50, -4 / 3)])
def test_sure_blocks_speak_for_four_units_at_most(odds, mean):
    _, *others = pooled([odds, 0, 0], [0, 0, 0], [8, 8, 8], strength=1.0)
    assert others == pytest.approx([mean, mean])


def test_pages_do_not_mix_and_may_be_empty():
    odds = [3, 0, 0, 1, 1, 1]
    result = pooled(odds, [0] * 6, [8] * 6, page_starts=[0, 0, 3, 6], strength=1.0)
    assert result == pytest.approx([1] * 6)


def test_without_strength_nothing_is_read():
    scores = np.ones((2, len(Label)))
    assert Pooling(0.0)(scores, {}, np.array([0, 2])) is scores
    assert Pooling(0.0).columns == ()


POST = "<div class=post><p>{}</p></div>"
SENTENCE = "The bees of Brno dance to tell the others where flowers grow this week. "


@pytest.fixture(scope="module")
def pooling_model():
    model = Model.load(model_file("default"))
    chain = model.config.crf.replace(pooling=0.5)
    return replace(model, config=model.config.replace(crf=chain))


def test_codes_and_columns_give_the_same_marginals(pooling_model):
    pages = [(POST.format(SENTENCE) * n).encode() for n in (2, 5, 0, 3)]
    labeler = CrfLabeler(pooling_model)
    table = labeler.table(pages)
    columns = FeatureExtractor(pooling_model.config).columns(table)
    expected = pooling_model.marginals(columns, table.page_starts)
    np.testing.assert_array_equal(labeler.label(table).marginals, expected)
    assert {*pooling_model.pooling.columns} <= pooling_model.columns
