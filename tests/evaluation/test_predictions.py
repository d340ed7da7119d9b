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
    b"<nav class=' menu  top '><a>Home</a></nav><main><h1>Title</h1><p>Some text here.</p></main>",
    b"",
    b"<div><p class='x'>One</p><ul><li>Two</li></ul></div>",
)
LABELS = (
    [Label.OTHER, Label.HEADER, Label.TEXT],
    [],
    [Label.TEXT, UNLABELLED],
)


@pytest.fixture(scope="module")
def predictions():
    pages = [
        annotate(str(number), html, np.array(labels, dtype=np.uint8), gold="Title\nSome text here.")
        for number, (html, labels) in enumerate(zip(PAGES, LABELS, strict=True))
    ]
    dataset = analyze(pages, FeatureExtractor(load("crf"), attributes=["class"]))
    marginals = np.random.default_rng(0).dirichlet([1, 1, 1], size=5)
    return collect(
        dataset, marginals, system="a", protocol="b", decision=Decision("threshold", 0.25)
    )


def test_blocks_are_named_by_their_place(predictions):
    assert predictions.texts == ("Home", "Title", "Some text here.", "One", "Two")
    paths = [predictions.paths[path] for path in predictions.path]
    assert paths[:3] == ["html/body/nav/a", "html/body/main/h1", "html/body/main/p"]
    classes = [predictions.css_classes[name] for name in predictions.css_class]
    assert classes == ["menu top", "", "", "x", ""]


def test_pages_without_kind_language_or_site_have_one_all_the_same(predictions):
    assert [page.site for page in predictions.pages] == ["0", "1", "2"]
    assert {(page.kind, page.language) for page in predictions.pages} == {("page", "unknown")}
    assert predictions.page_starts.tolist() == [0, 3, 3, 5]
    assert predictions.labels.tolist() == [2, 0, 1, 1, UNLABELLED]


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


def test_keeping_is_header_or_text(predictions):
    np.testing.assert_allclose(predictions.keep, 1 - predictions.marginals[:, Label.OTHER])


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


def test_deep_nesting_names_the_innermost_elements(predictions):
    html = b"<div>" * 3000 + b"deep"
    page = annotate("deep", html, np.array([Label.TEXT], dtype=np.uint8))
    found = collect(
        analyze([page], FeatureExtractor(load("crf"))),
        np.full((1, 3), 1 / 3),
        system="a",
        protocol="b",
        decision=Decision(),
    )
    assert found.paths == ("/".join(["div"] * 8),)
    assert found.css_classes == ("",)
