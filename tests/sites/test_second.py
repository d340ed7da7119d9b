"""The second verdict: bounded, with evidence only, and none for a page alone on its site."""

from itertools import pairwise

import numpy as np
import pytest

from victor.config import Decision
from victor.errors import ConfigError
from victor.labelers import build_labeler, check_sites
from victor.labelers.load import model_labeler
from victor.sites.columns import COLUMNS, SitePages
from victor.sites.counts import log_odds
from victor.sites.second import BOUND, WEIGHTS, second_marginals

NOTICE = "<div class=notice>We use small files, as all do, to see who you are.</div>"
STORY = "The mill stood empty for years, and then two sisters came and bought it, part "


def page(number):
    return f"{NOTICE}<div class=post><p>{STORY}{'abcdef'[number] * 8}</p></div>"


URLS = [f"http://mill.example/{number}" for number in range(6)]


def of_sites(count, n=3):
    """Pages of a site, and one of another site."""
    return count([*map(page, range(n)), page(0)], [*URLS[:n], "http://other.example"])


def test_a_page_alone_on_its_site_keeps_its_marginals_to_the_bit(count):
    counted = of_sites(count)
    marginals = second_marginals(counted.known)
    alone = slice(*counted.table.page_starts[-2:])
    assert np.array_equal(marginals[alone], counted.marginals[alone])
    assert not np.array_equal(marginals, counted.marginals)


def test_every_column_has_a_weight():
    assert WEIGHTS.keys() == COLUMNS.keys()


@pytest.mark.parametrize(("weight", "change"), [(BOUND - 0.5, BOUND - 0.5), (BOUND + 0.5, BOUND)])
def test_log_odds_change_by_the_bound_at_most(count, weight, change):
    """A heading at a path of its own, beside a notice whose path the other page has, too."""
    pages = [page(0), f"{NOTICE}<h2>{STORY}</h2>"]
    p_other = np.array([0.5, 0.5, 0.5, 0.5])
    marginals = np.stack([p_other * 0, 1 - p_other, p_other], axis=1)
    counted = count(pages, URLS[:2], marginals)
    columns = counted.known.columns()
    weights = {"path.absent": -weight / columns["path.absent"].max()}
    after = log_odds(second_marginals(counted.known, weights))
    assert np.min(after) == pytest.approx(-change)


def test_blocks_that_the_others_say_nothing_of_keep_their_marginals_to_the_bit(count):
    """Another template: neither texts nor paths are shared, so nothing is known of either page."""
    pages = ["<div class=a><p>The mill</p></div>", "<ul class=b><li>A dog</ul>"]
    counted = count(pages, URLS[:2])
    assert counted.known.n_others.tolist() == [1, 1]
    assert np.array_equal(second_marginals(counted.known), counted.marginals)


def test_marginals_stay_distributions_with_the_same_share_of_headers(count):
    counted = of_sites(count)
    marginals = second_marginals(counted.known)
    assert np.allclose(marginals.sum(axis=1), 1)
    before, after = (m[:, 0] / (m[:, 0] + m[:, 1]) for m in (counted.marginals, marginals))
    assert np.allclose(before, after)


def odds_of_the_notice(count, first, others):
    """Log-odds of the notice on the first page, after others with some p(other) of theirs."""
    pages = [f"{NOTICE}<p>{STORY}{'abcdef'[number] * 8}</p>" for number in range(6)]
    p_other = np.tile([others, 0.1], 6)
    p_other[0] = first
    marginals = np.stack([np.zeros(12), 1 - p_other, p_other], axis=1)
    counted = count(pages, URLS, marginals)
    return log_odds(second_marginals(counted.known))[0]


def test_what_repeats_loses(count):
    assert odds_of_the_notice(count, 0.45, 0.45) < -1


def test_what_repeats_loses_less_where_the_others_keep_it(count):
    assert odds_of_the_notice(count, 0.45, 0.1) > odds_of_the_notice(count, 0.45, 0.9) + 0.5


def test_paths_that_the_others_keep_gain(count):
    """The last blocks of both pages, which share no text."""
    p_other = np.array([0.9, 0.5, 0.9, 0.1])
    marginals = np.stack([p_other * 0, 1 - p_other, p_other], axis=1)
    counted = count([page(0), page(1)], URLS[:2], marginals)
    after = second_marginals(counted.known)
    assert after[1, 2] < 0.5
    assert after[3, 2] > 0.1


def test_paths_that_no_other_page_has_lose_beside_those_that_they_have(count):
    pages = [f"{page(0)}<ul><li>The bridge is open</ul>", page(1)]
    counted = count(pages, URLS[:2], np.tile([0, 0.5, 0.5], (5, 1)))
    after = log_odds(second_marginals(counted.known))
    assert after[2] < after[1] == 0


def test_pages_in_any_batches_get_the_same_marginals(count):
    counted = of_sites(count, 4)
    together = second_marginals(counted.known)
    starts = counted.table.page_starts.tolist()
    for number, (first, last) in enumerate(pairwise(starts)):
        urls = [*URLS[:4], "http://other.example"][number]
        alone = count([*map(page, range(4)), page(0)][number : number + 1], [urls])
        known = SitePages.of(counted.counts, alone.table, alone.pages)
        assert np.array_equal(second_marginals(known), together[first:last])


@pytest.mark.parametrize("name", ["bte", "density", "none"])
def test_labelers_that_judge_pages_alone_know_no_sites(name):
    with pytest.raises(ConfigError, match=f"{name} judges every page alone"):
        check_sites(build_labeler(name))
    check_sites(build_labeler("kimatu"))


def test_the_most_probable_sequence_knows_no_sites():
    labeler = model_labeler("crf")
    check_sites(labeler)
    with pytest.raises(ConfigError, match="viterbi knows no sites"):
        check_sites(labeler, Decision(method="viterbi"))
