"""Page heads: what they say, in results, and in model files."""

import numpy as np
import pytest
from msgspec.structs import replace

from victor.api import Cleaner
from victor.labelers.crf import CrfLabeler, load_model
from victor.model.model import Model
from victor.model.page_head import PageHead, Regression, measure_names

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


@pytest.mark.parametrize("name", ["default", "crf"])
def test_headings_with_short_lists_are_content(name):
    item = "<h2>Be {}</h2><ul><li>Say hello</li><li>Give examples</li><li>Help others</li></ul>"
    sections = "".join(map(item.format, ("kind", "clear", "safe", "open", "quick")))
    main = f"<h1>Guidelines</h1>{sections}<p>These rules hold for all who write here."
    page = f"<nav><a href=/>Home</a></nav><main>{main}</main>"
    result = Cleaner(CrfLabeler(load_model(name))).clean(page)
    assert result.text.count("Give examples") == 5


@pytest.mark.parametrize(("headings", "items"), [(3, 3), (3, 2), (2, 9)])
def test_an_outline_is_content_whatever_the_head_says(model, headings, items):
    main = "<h2>Rules</h2>" * headings + f"<ul>{'<li>Be kind' * items}</ul>"
    sure = regression(measure_names(quick=True), [{}], 9.0)
    labeler = CrfLabeler(replace(model, page_head=replace(head(), of_nothing=sure)))
    verdict = labeler.label(labeler.table([f"<main>{main}</main>".encode()]))
    assert (verdict.pages.p_no_content[0] == 0) == (headings == 3 and items == 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"types": ("article",)},
        {"types": ()},
        {"of_nothing": head().of_type},
        {"of_error": head().of_type},
    ],
    ids=["a type less", "no type", "what is read too late", "errors of two kinds"],
)
def test_weights_that_do_not_fit(changes):
    with pytest.raises(ValueError, match="page head"):
        replace(head(), **changes)
