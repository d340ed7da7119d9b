"""Predictions: what is collected of a dataset, and that a file gives it back."""

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.corpus.pages import annotate
from victor.errors import CorpusError
from victor.evaluation.predictions import Predictions, collect
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze

PAGES = (
    (b"<nav><a>Home</a></nav><main><h1>Title</h1><p>Some text here.</p></main>", [2, 0, 1]),
    (b"", []),
    (b"<div><p class='x'>One</p><ul><li>Two</li></ul></div>", [1, UNLABELLED]),
)


@pytest.fixture(scope="module")
def predictions():
    pages = [
        annotate(str(number), html, np.array(labels, dtype=np.uint8), gold="Title\nSome text here.")
        for number, (html, labels) in enumerate(PAGES)
    ]
    dataset = analyze(pages, FeatureExtractor(load("crf")))
    marginals = np.random.default_rng(0).dirichlet([1, 1, 1], size=5)
    decision = Decision("threshold", 0.25)
    return collect(dataset, marginals, system="a", protocol="b", decision=decision)


def test_what_is_known_of_pages_and_blocks(predictions):
    assert predictions.texts == ("Home", "Title", "Some text here.", "One", "Two")
    assert [page.site for page in predictions.pages] == ["0", "1", "2"]
    assert {(page.kind, page.language) for page in predictions.pages} == {("page", "unknown")}
    assert predictions.page_starts.tolist() == [0, 3, 3, 5]
    assert predictions.labels.tolist() == [2, 0, 1, 1, UNLABELLED]
    np.testing.assert_allclose(predictions.keep, 1 - predictions.marginals[:, Label.OTHER])
    some = predictions.select(np.array([2, 0]))
    assert (some.texts[:2], some.page_starts.tolist()) == (("One", "Two"), [0, 2, 5])


def test_a_file_gives_back_what_was_saved(predictions, tmp_path):
    predictions.save(tmp_path / "p.npz")
    found = Predictions.load(tmp_path / "p.npz")
    for name, value in vars(predictions).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, getattr(found, name))
            assert value.dtype == getattr(found, name).dtype
        else:
            assert value == getattr(found, name)
    assert [file.name for file in tmp_path.iterdir()] == ["p.npz"]


def test_damage_is_one_clear_error(predictions, tmp_path):
    path = tmp_path / "p.npz"
    predictions.save(path)
    content = path.read_bytes()
    for damaged in (b"", content[: len(content) // 2], b"PK" + content[2:-30], b"{}"):
        path.write_bytes(damaged)
        with pytest.raises(CorpusError, match="make it again"):
            Predictions.load(path)
    with pytest.raises(CorpusError, match="no predictions"):
        Predictions.load(tmp_path / "none.npz")
