"""From annotated pages to columns and labels: what is carried over, and what is reported."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from tests.rows import tables
from victor.base.labels import UNLABELLED
from victor.config.layers import load
from victor.corpus.pages import read_marked, to_letters
from victor.model.extractor import FeatureExtractor
from victor.page.table.texts import block_texts
from victor.training.dataset import analyze

ROWS = tables(__file__)
PAGE = ROWS["page"]


def page_of(markup, **fields):
    return read_marked("page", markup.encode(), **fields)


def test_learning_needs_no_tables_and_other_processes_get_the_rows_of_their_pages():
    pages, extractor = (
        [replace(page_of(PAGE), id=name) for name in "abc"],
        FeatureExtractor(load("default")),
    )
    whole, lean = (analyze(pages, extractor, lean=lean) for lean in (False, True))
    assert (len(whole.tables), len(lean.tables)) == (1, 0)
    assert whole.pages == tuple(pages)
    assert not any(page.html or page.hashes for page in lean.pages)
    rows = lean.select([2, 0]).columns
    sent = pickle.loads(pickle.dumps(rows))
    n_blocks = np.diff(lean.page_starts)[[2, 0]].sum()
    for name, values in whole.select([2, 0]).columns.items():
        assert np.array_equal(rows[name], values)
        assert np.array_equal(sent[name], values)
        assert len(sent[name]) == n_blocks < len(lean.columns[name])


@pytest.mark.parametrize(("overrides", "expected"), ROWS["labels"].values(), ids=ROWS["labels"])
def test_labels_of_blocks(overrides, expected):
    dataset = analyze([page_of(PAGE)], FeatureExtractor(load("crf", overrides)))
    labels = zip(to_letters(dataset.labels), block_texts(dataset.tables[0]), strict=True)
    assert [f"{letter} {text}" for letter, text in labels] == expected


def test_a_page_that_changed_is_reported_and_its_labels_follow_the_text(annotated):
    extractor = FeatureExtractor(load("crf"))
    changed = replace(annotated[0], html=b"<p>A new paragraph.</p>" + annotated[0].html)
    gone = replace(annotated[1], html=b"<p>Something else.</p>")
    before = analyze(annotated[:3], extractor)
    after = analyze([changed, gone, annotated[2]], extractor)
    assert not before.drifts
    first, second = after.drifts
    assert (first.page, first.lost) == (annotated[0].id, 1)
    assert (second.page, second.found, second.lost) == (annotated[1].id, 1, 1)
    n = before.page_starts[1]
    assert after.labels[0] == UNLABELLED
    assert np.array_equal(after.labels[1 : n + 1], before.labels[:n])
    assert after.labels[n + 1] == UNLABELLED
    assert np.array_equal(after.labels[n + 2 :], before.labels[before.page_starts[2] :])


@pytest.mark.parametrize("config", ["crf", "victor2007"])
def test_text_that_is_gone_is_reported(annotated, config):
    """Nothing moved and nothing lost its label, yet the page is not the one that was labelled."""
    empty = replace(annotated[0], html=b"")
    (drift,) = analyze([empty, annotated[1]], FeatureExtractor(load(config))).drifts
    assert (drift.stored, drift.found, drift.moved, drift.lost) == (len(empty.labels), 0, 0, 0)


def test_a_dataset_is_its_pages_one_after_the_other(annotated):
    extractor = FeatureExtractor(load("victor2007"))
    whole = analyze(annotated[:5], extractor)
    parts = [analyze([page], extractor) for page in annotated[:5]]
    assert np.array_equal(whole.labels, np.concatenate([part.labels for part in parts]))
    assert np.array_equal(whole.words, np.concatenate([part.words for part in parts]))
    lengths = [len(part.labels) for part in parts]
    assert np.array_equal(whole.page_starts, np.cumsum([0, *lengths]))
    for name, values in whole.columns.items():
        assert np.array_equal(values, np.concatenate([part.columns[name] for part in parts])), name
