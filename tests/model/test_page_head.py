"""Page heads: what they measure and say, in results, and in model files."""

import numpy as np
import pytest
from msgspec.structs import replace

from tests.rows import tables, written_out
from victor.api import Cleaner
from victor.labelers.crf import CrfLabeler, load_model
from victor.model.model import Model
from victor.model.page_head import (
    MEASURES,
    PageHead,
    Regression,
    measure_names,
    page_measures,
    page_rows,
)

ROWS = tables(__file__)
PAGES = ROWS["pages"]
PAGE = "<article><h1>Bees</h1>" + "<p>Bees live in colonies and feed their young. " * 20
FORM = "<form><label>Name</label><input><label>Password</label><input><button>Go</button></form>"


def regression(names, weights, intercepts):
    """Scores of classes, given the weights of some measures for each."""
    rows = np.zeros((len(names) + 1, len(weights)))
    for column, of_class in enumerate(weights):
        for name, weight in of_class.items():
            rows[names.index(name), column] = weight
    rows[-1] = intercepts
    return Regression(names, rows)


def head():
    """A head that wants words for content, and paragraphs for an article."""
    return PageHead(
        ("article", "service"),
        regression(measure_names(), [{"count.p": 1.0}, {"count.form": 1.0}], 0.0),
        regression(measure_names(quick=True), [{"words": -1.0}], 2.0),
    )


@pytest.fixture(scope="module")
def model():
    return replace(load_model("default"), page_head=head())


def test_results_say_what_the_head_says(model):
    page, form = Cleaner(CrfLabeler(model)).clean_many([PAGE, FORM])
    assert (page.page_type, page.reason) == ("article", "ok")
    assert page.p_no_content < 0.1
    assert (form.page_type, form.reason, form.text) == ("service", "no-content", "")
    assert form.p_no_content > 0.4


def test_a_model_without_a_head_says_nothing():
    result = Cleaner(CrfLabeler(replace(load_model("default"), page_head=None))).clean(PAGE)
    assert (result.page_type, result.p_no_content) == (None, None)


def test_a_file_keeps_the_head(model, tmp_path):
    model.save(tmp_path / "m.victor")
    read = Model.load(tmp_path / "m.victor").page_head
    written = model.page_head
    assert read.types == written.types
    for name in ("of_type", "of_nothing"):
        ours, theirs = getattr(written, name), getattr(read, name)
        assert (ours.measures, ours.weights.tolist()) == (theirs.measures, theirs.weights.tolist())


@pytest.mark.parametrize(("headings", "items"), [(3, 3), (3, 2), (2, 9)])
def test_an_outline_is_content_whatever_the_head_says(model, headings, items):
    main = "<h2>Rules</h2>" * headings + f"<ul>{'<li>Be kind' * items}</ul>"
    sure = regression(measure_names(quick=True), [{}], 9.0)
    labeler = CrfLabeler(replace(model, page_head=replace(head(), of_nothing=sure)))
    verdict = labeler.label(labeler.table([f"<main>{main}</main>".encode()]))
    assert (verdict.pages.p_no_content[0] == 0) == (headings == 3 and items == 3)


@pytest.mark.parametrize("score", [-3.0, 0.0, 2.0])
def test_a_score_is_the_log_odds_of_no_content(score):
    of_nothing = regression(measure_names(quick=True), [{"words": 1.0}], score - 1)
    measures = np.eye(1, len(measure_names()), [*measure_names()].index("words"))
    found = replace(head(), of_nothing=of_nothing).p_no_content(measures)
    assert found == pytest.approx(1 / (1 + np.exp(-score)), rel=1e-12)


def test_weights_that_do_not_fit():
    """A type less, no type, what is read too late, and errors of two kinds."""
    for changes in (
        {"types": ("article",)},
        {"types": ()},
        {"of_nothing": head().of_type},
        {"of_error": head().of_type},
    ):
        with pytest.raises(ValueError, match="page head"):
            replace(head(), **changes)


# --- what a page has -----------------------------------------------------------------------------


def marginals_of(table, keep):
    return np.tile([0.0, keep, 1 - keep], (len(table), 1))


@pytest.mark.parametrize(("page", "expected"), PAGES.values(), ids=PAGES)
def test_what_is_measured(model, page, expected):
    table = CrfLabeler(model).table([b"", page.encode()])
    nothing, row = page_measures(table, marginals_of(table, 0.75))
    measured = dict(zip(measure_names(), row, strict=True))
    assert {name: measured[name] for name in expected} == pytest.approx(expected)
    assert measured["kept"] == pytest.approx(np.log1p(0.75 * np.expm1(measured["words"])))
    assert (measured["kept-over-0.7"], measured["kept-over-0.9"]) == (measured["words"], 0)
    assert nothing[measure_names().index("words")] == nothing[measure_names().index("kept")] == 0


def said(model, page, keep=0.9):
    table = CrfLabeler(model).table([page.encode()])
    (row,) = page_rows(table, marginals_of(table, keep))
    return dict(zip(MEASURES, row[len(measure_names(quick=True)) :], strict=False))


def test_phrases_are_measured_where_they_stand(model):
    named = said(model, "<h1>Access denied</h1><p>Ask the keeper of the server.</p>")
    assert (named["wall.named"], named["wall.groups"]) == (1, 1)
    assert named["said-words"] == pytest.approx(np.log1p(2))
    assert named["other-words"] == pytest.approx(np.log1p(6))
    assert 0 < named["wall.density"] < 1
    unnamed = said(model, "<h1>Sorry</h1><p>Access denied, can’t find the page")
    assert (unnamed["wall.named"], unnamed["wall.groups"]) == (0, 2)
    assert (unnamed["nothing.groups"], said(model, "<p>No results")["nothing.groups"]) == (0, 1)


@pytest.mark.parametrize(("page", "groups"), ROWS["phrases"])
def test_phrases_of_walls(model, page, groups):
    found = said(model, written_out(page))
    assert found["wall.groups"] == groups
    assert any(found.values()) == bool(groups)


@pytest.mark.parametrize("words", [97, 98])
def test_what_is_expected_to_keep_many_words_is_not_read(model, words):
    page = "<h1>Access denied</h1><p>" + "word " * words
    assert any(said(model, page, keep=1.0).values()) is (words + 2 < 100)
