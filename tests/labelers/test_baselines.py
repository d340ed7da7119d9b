"""BTE, tag ratios and the link quota filter on small pages."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.labelers import build_labeler, small_rules
from victor.page.table.texts import block_texts


def kept(system, *pages):
    verdict = system.label(system.table([page.encode() for page in pages]))
    return [t for t, k in zip(block_texts(verdict.table), verdict.kept.tolist(), strict=True) if k]


PAGE = "<ul><li>a<li>b</ul><p>one two three four<p>five six<ul><li>seven</ul><p>c<ul><li>d</ul>"


def test_bte_keeps_the_region_with_most_words_and_fewest_tags():
    assert kept(build_labeler("bte"), PAGE) == ["one two three four", "five six"]
    assert kept(build_labeler("bte"), "<p>x", PAGE, "") == ["x", "one two three four", "five six"]


@pytest.mark.parametrize(("weight", "n"), [(0.3, 7), (0.34, 4), (0.6, 2), (5.0, 1)])
def test_tags_cost(weight, n):
    assert len(kept(build_labeler("bte", overrides=[f"tag_weight={weight}"]), PAGE)) == n


def test_tags_inside_a_block_cost():
    page = "<p>one<p>two <b><i></i></b>three"
    assert kept(build_labeler("bte"), page) == ["one"]
    assert (
        kept(build_labeler("bte"), page.replace("<b><i></i></b>", "")) == ["one", "two three"][1:]
    )


@settings(derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 6), st.integers(0, 6)), min_size=1, max_size=8))
def test_no_region_is_better(drawn):
    gain, before = (np.array(values, dtype=float) for values in zip(*drawn, strict=True))
    region = np.flatnonzero(small_rules.best_region(gain, before) > 0.5)
    values = {
        (i, j): gain[i : j + 1].sum() - before[i + 1 : j + 1].sum()
        for i in range(len(gain))
        for j in range(i, len(gain))
    }
    assert np.diff(region).tolist() == [1] * (len(region) - 1)
    assert values[region[0], region[-1]] == max(values.values())


def test_tag_ratios_are_characters_over_tags():
    table = build_labeler("cetr").table(
        [b"<body><div><p>abcdef</p></div><p>ab <b>cd</b></p></body>", b"<p>abc"]
    )
    # Tags are html, body, div, p; /p, /div, p, b; and html, body, p of the second page.
    assert small_rules.tag_ratios(table).tolist() == [6 / 4, 5 / 4, 3 / 3]


def test_smoothing_stays_on_its_page():
    ratio = np.array([0.0, 4.0, 0.0, 9.0])
    side = np.exp(-0.5)
    smoothed = small_rules.smooth(ratio, np.array([0, 3, 3, 4]), 1)
    ends, middle = 4 * side / (1 + side), 4 / (1 + 2 * side)
    assert smoothed == pytest.approx([ends, middle, ends, 9.0])
    assert small_rules.smooth(ratio, np.array([0, 4]), 0).tolist() == ratio.tolist()


@pytest.mark.parametrize(("deviations", "n"), [(0.0, 3), (1.0, 1), (9.0, 0)])
def test_ratios_above_some_deviations_are_content(deviations, n):
    page = "<p>a<p>" + "words " * 20 + "<p>b"
    system = build_labeler("cetr", overrides=["radius=0", f"deviations={deviations}"])
    assert len(kept(system, page)) == n


@pytest.mark.parametrize(("deviations", "n"), [(1.0, 2), (1.01, 1)])
def test_a_ratio_at_the_threshold_is_content(deviations, n):
    # 9 characters after 3 tags, then 2 characters after 2: ratios of 3 and 1, which deviate by 1.
    system = build_labeler("cetr", overrides=["radius=0", f"deviations={deviations}"])
    assert len(kept(system, "<p>nine char<p>ab")) == n


@pytest.mark.parametrize(("quota", "n"), [(0.39, 1), (0.4, 2), (1.0, 3)])
def test_link_quota_from_both_sides(quota, n):
    page = "<p>plain text<p>abcdef<a href=x>ghij</a><p><a href=x>all</a>"
    assert len(kept(build_labeler("link-quota", overrides=[f"quota={quota}"]), page)) == n
