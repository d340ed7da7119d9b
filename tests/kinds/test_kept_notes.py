"""Notes of kept text are kept where the model is not sure that they go."""

import numpy as np
import pytest

from victor.base.labels import Label
from victor.kinds.whole_units import with_whole_units
from victor.page.parsing.events import ATTRIBUTES
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

STORY = f"<p>{'Bees hum. ' * 9}<sup><a href=#fn1>1</a></sup>"
LISTED = f"{STORY}<ol class=footnotes><li id=fn1>They rest.</ol><p>Ads"
LINKED = f"{STORY}<hr><p id=fn1><sup>1</sup> They rest.<p>Ads"
NUMBERED = f"<p>{'Bees hum. ' * 9}<sup>1</sup><p class=footnote><sup>1</sup> They rest.<p>Ads"
BRACKETED = LINKED.replace(">1</a>", "><span>[</span>1<span>]</span></a>")
PLAIN = f"<p>{'Bees hum. ' * 9}<sup>1</sup><hr><p><sup>1</sup> They rest.<p>Ads"


def judged(page, p_other, by_model=True, attributes=ATTRIBUTES):
    """A page of which the blocks with p(other) from one half on are dropped."""
    table = parse_pages([page], attributes=attributes)
    p_other = np.array(p_other)
    labels = np.where(p_other < 0.5, Label.TEXT, Label.OTHER).astype(np.uint8)
    marginals = np.zeros((len(table), 3))
    marginals[:, Label.TEXT], marginals[:, Label.OTHER] = 1 - p_other, p_other
    verdict = Verdict(table, labels, marginals, "threshold", by_model=by_model)
    return with_whole_units(verdict, [page.encode()])


def kept(verdict):
    texts = block_texts(verdict.table)
    return [text for text, keep in zip(texts, verdict.kept, strict=True) if keep]


@pytest.mark.parametrize("page", [LISTED, LINKED, NUMBERED, BRACKETED])
@pytest.mark.parametrize(("p", "is_kept"), [(0.79, True), (0.81, False)])
def test_notes_are_kept_unless_the_model_is_sure(page, p, is_kept):
    verdict = judged(page, [0.1, p, 0.95])
    assert len(kept(verdict)) == 1 + is_kept
    assert verdict.kept.tolist() == [True, is_kept, False]
    assert verdict.reasons()[1] == ("whole" if is_kept else "below-threshold")


def test_a_threshold_keeps_a_note_with_its_mark():
    assert judged(LINKED, [0.1, 0.7, 0.95]).p_other.tolist() == [0.1, 0.1, 0.95]


def test_a_note_whose_mark_is_dropped_goes():
    assert not judged(LINKED, [0.6, 0.7, 0.3]).kept[:2].any()


def test_raised_numbers_alone_are_not_looked_at():
    assert not judged(PLAIN, [0.1, 0.7, 0.95]).kept[1]


def test_published_systems_keep_what_they_keep():
    assert not judged(LINKED, [0.1, 0.7, 0.95], by_model=False).kept[1]


def test_attributes_that_were_not_recorded_are_not_missed():
    assert judged(LINKED, [0.1, 0.7, 0.95], attributes=()).kept[1]


@pytest.mark.parametrize(("n", "is_kept"), [(30, True), (60, False)])
def test_a_long_list_of_references_is_judged_by_itself(n, is_kept):
    """It has at most three tenths of the words that the page is expected to keep."""
    page = f"<p>{'bee ' * 100}<sup><a href=#fn1>1</a></sup><hr><p id=fn1>{'hum ' * n}"
    assert judged(page, [0.0, 0.7]).kept[1] == is_kept
