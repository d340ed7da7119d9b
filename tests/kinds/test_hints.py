"""What the compiled core says that steps after the labels may find."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base import core
from victor.base.labels import HEADER, OTHER, TEXT
from victor.config import Scope
from victor.kinds import hints as hinted
from victor.kinds.finish import finish
from victor.page.table.segment import parse_pages
from victor.page.verdict.verdict import Verdict

pytestmark = pytest.mark.skipif(core.compiled is None, reason="the Python path skips nothing")

LONG = "bees " * 100
FRAGMENTS = [
    *("<h1>Bees of the world</h1>", "<h2>Bees <a href=#x>#</a></h2>", "<p>Bees live in hives.</p>"),
    *("<ul><li>one hive<li>two hives</ul>", "<blockquote>Bees fly.<p>They do.</blockquote>"),
    *(f"<p>{LONG}</p>", "<div class=comments><p>Nice bees</p></div>", "<h3>More</h3>"),
    *("<pre>a b\nc</pre>", "<pre>...</pre>", "<table><tr><td>a<td>1<tr><td>b<td>2</table>"),
    *("<pre>a<div>b</div>.</pre>", "<table><tr><td>bees fly<p>far</table>"),
]


def verdict_of(markup, labels, p_other):
    table = parse_pages([markup.encode()])
    labels = np.resize(np.array(labels, dtype=np.uint8), len(table))
    p_other = np.resize(np.array(p_other), len(table))
    marginals = np.stack([0 * p_other, 1 - p_other, p_other], axis=1)
    return Verdict(table, labels, marginals, "threshold", by_model=True)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join),
    st.lists(st.sampled_from([HEADER, TEXT, OTHER]), min_size=1, max_size=5),
    st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.84, 0.86, 1.0]), min_size=1, max_size=5),
)
def test_what_is_skipped_would_find_nothing(body, labels, p_other):
    page = f"<title>Bees of the world</title>{body}"
    verdicts = []
    for look in (hinted.hints, lambda _: hinted.ALL):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hinted, "hints", look)
            verdict = verdict_of(page, labels, p_other)
            verdicts.append(finish(verdict, [page.encode()], Scope()))
    skipped, looked = verdicts
    assert skipped.labels.tolist() == looked.labels.tolist()
    assert skipped.p_other.tolist() == looked.p_other.tolist()
    assert skipped.reasons() == looked.reasons()


@pytest.mark.parametrize(
    ("bit", "markup", "labels", "p_other"),
    [
        (hinted.HEADLINES, "<h1>bees", [TEXT], 0.0),
        (hinted.HEADLINES, "<p>" + "bees " * 50, [HEADER], 0.0),
        (hinted.DANGLING, "<h4>bees", [TEXT], 0.0),
        (hinted.UNITS, f"<p>{LONG}<ul><li>a<li>b", [TEXT, TEXT, OTHER], 0.5),
        (hinted.UNITS, f"<p>{LONG}<blockquote>a", [TEXT, OTHER], 0.84),
    ],
)
def test_what_may_be_found(bit, markup, labels, p_other):
    assert hinted.hints(verdict_of(markup, labels, [p_other])) & bit


@pytest.mark.parametrize(
    ("markup", "labels", "p_other"),
    [
        ("<p>a", [TEXT], 0.0),
        ("<p>ab</p><h2>abcd", [OTHER], 1.0),
        (f"<p>{LONG}", [TEXT], 0.0),
        ("<h1>" + "bees " * 51, [OTHER], 1.0),
        (f"<p>{LONG}<blockquote>a", [TEXT, OTHER], 0.86),
        (f"<p>{LONG}<ul><li>a<li>b", [TEXT, OTHER, OTHER], 0.9),
        (f"<p>{LONG * 5}<ul><li>{LONG}<li>b", [TEXT, TEXT, OTHER], 0.5),
    ],
)
def test_what_is_not_to_be_found(markup, labels, p_other):
    assert hinted.hints(verdict_of(markup, labels, [p_other])) == 0
