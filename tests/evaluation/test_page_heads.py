"""Page heads that are fitted on predictions."""

from dataclasses import replace

import numpy as np
import pytest
from made_predictions import made

from tests.rows import tables, written_out
from victor.config.schema import Decision
from victor.corpus.pages import from_letters
from victor.evaluation.page_heads import Examples, HeadScores
from victor.model.page_head import measure_names
from victor.training.dataset import page_type

ROWS = tables(__file__)

pytest.importorskip("sklearn")
DECISION = Decision("expected-f")


def examples(n=120, seed=3):
    """Pages that three measures tell: of articles, of forums, and without content."""
    rng = np.random.default_rng(seed)
    sort = np.arange(n) % 3
    measures = np.zeros((n, len(measure_names())))
    measures[:, :3] = measures[:, 3:6] = measures[:, 6:9] = np.eye(3)[sort] + rng.normal(
        0, 0.05, (n, 3)
    )
    types = tuple(("article", "forum", "")[number] for number in sort)
    return Examples(measures, types, sort == 2, [f"site{page // 4}" for page in range(n)])


def test_what_can_be_told_is_told_on_other_sites():
    scores = HeadScores.cross_validated(examples(), DECISION)
    assert scores.empty_found == (40, 40)
    assert scores.content_lost == (0, 80)
    assert scores.accuracy == 1
    (line,) = scores.lines()
    assert line.endswith("page types right: 1.0000")
    kept = HeadScores.cross_validated(examples(), DECISION.replace(no_content=1))
    assert (kept.empty_found, kept.content_lost) == ((0, 40), (0, 80))


def test_a_fold_without_examples_says_nothing():
    pages = examples()
    sites = ["one" if empty else site for empty, site in zip(pages.is_empty, pages.sites)]  # noqa: B905
    judged = HeadScores.cross_validated(replace(pages, sites=sites), DECISION)
    assert np.isnan(judged.p_no_content[pages.is_empty]).all()
    assert not np.isnan(judged.p_no_content).all()


@pytest.mark.parametrize(("n_empty", "enough"), [(9, False), (10, True)])
def test_ten_pages_of_every_sort_are_enough(n_empty, enough):
    pages = examples()
    empty, others = np.flatnonzero(pages.is_empty), np.flatnonzero(~pages.is_empty)
    chosen = np.append(others, empty[:n_empty])
    assert pages.select(chosen).are_enough is enough


def test_types_of_few_pages_are_not_learnt():
    pages = examples()
    types = ["media" if page < 27 and name == "article" else name
             for page, name in enumerate(pages.types)]  # fmt: skip
    assert types.count("media") == 9
    assert replace(pages, types=tuple(types)).learnt_types == ("article", "forum")


@pytest.mark.parametrize(("gold", "labels", "is_empty"), ROWS["content"])
def test_which_pages_have_content(gold, labels, is_empty):
    labels = from_letters(written_out(labels))
    found = made([(gold, [("a", label, 0.5) for label in labels])])
    assert Examples.of(found.pages, found, found.page_measures).is_empty.tolist() == [is_empty]


@pytest.mark.parametrize(("name", "metadata", "found"), ROWS["names_of_page_types"])
def test_names_of_page_types(name, metadata, found):
    assert page_type(name, metadata) == found
