"""The second verdict: bounded, learnt, and none for a page alone on its site."""

from itertools import pairwise

import numpy as np
import pytest

from victor.config import Decision
from victor.errors import ConfigError, ModelError
from victor.labelers import build_labeler, check_sites
from victor.labelers.load import model_labeler
from victor.model import archive
from victor.model.trees import Trees
from victor.sites.columns import SitePages
from victor.sites.counts import log_odds
from victor.sites.second import BOUND, SecondVerdict, shipped

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
    marginals = shipped()(counted.known)
    alone = slice(*counted.table.page_starts[-2:])
    assert np.array_equal(marginals[alone], counted.marginals[alone])
    assert not np.array_equal(marginals, counted.marginals)


def test_log_odds_change_by_the_bound_at_most(count):
    counted = of_sites(count)
    before, after = log_odds(counted.marginals), log_odds(shipped()(counted.known))
    change = np.abs(after - before)
    assert 0 < change.max() <= BOUND + 1e-9


def test_marginals_stay_distributions_with_the_same_share_of_headers(count):
    counted = of_sites(count)
    marginals = shipped()(counted.known)
    assert np.allclose(marginals.sum(axis=1), 1)
    before, after = (m[:, 0] / (m[:, 0] + m[:, 1]) for m in (counted.marginals, marginals))
    assert np.allclose(before, after)


def test_what_repeats_beside_dropped_paths_loses(count):
    """A notice that all other pages have, on a path that the first verdict mostly drops."""
    n_blocks = 2
    p_other = np.tile([0.6, 0.1], 6)
    p_other[::n_blocks][0] = 0.45
    marginals = np.stack([np.zeros(12), 1 - p_other, p_other], axis=1)
    counted = count([*map(page, range(6))], URLS, marginals)
    after = shipped()(counted.known)
    assert after[0, 2] > marginals[0, 2]


def test_pages_in_any_batches_get_the_same_marginals(count):
    counted = of_sites(count, 4)
    together = shipped()(counted.known)
    starts = counted.table.page_starts.tolist()
    for number, (first, last) in enumerate(pairwise(starts)):
        urls = [*URLS[:4], "http://other.example"][number]
        alone = count([*map(page, range(4)), page(0)][number : number + 1], [urls])
        known = SitePages.of(counted.counts, alone.table, alone.pages)
        assert np.array_equal(shipped()(known), together[first:last])


def test_trees_are_stored(tmp_path, count):
    second = shipped()
    second.save(tmp_path / "trees")
    counted = of_sites(count)
    again = SecondVerdict.load(tmp_path / "trees")
    assert np.array_equal(again(counted.known), second(counted.known))
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "trees").read_bytes()


def test_other_files_are_no_trees(tmp_path):
    document, arrays = shipped().trees.to_arrays()
    path = tmp_path / "trees"
    for wrong, parts in (
        ({"format": 2, "trees": document}, arrays),
        ({"format": 1}, arrays),
        ({"format": 1, "trees": document}, {}),
        ({"format": 1, "trees": {**document, "inputs": [["word.count", 0]]}}, arrays),
    ):
        archive.write(path, wrong, parts)
        with pytest.raises(ModelError):
            SecondVerdict.load(path)
    path.write_bytes(b"<p>no archive")
    with pytest.raises(ModelError):
        SecondVerdict.load(path)


def test_trees_of_other_columns_are_refused(tmp_path):
    trees = shipped().trees
    document, arrays = trees.to_arrays()
    first = trees.columns[0]
    renamed = {**document, "inputs": [["x" if n == first else n, o] for n, o in document["inputs"]]}
    renamed["codebook"] = {
        ("x" if name == first else name): value for name, value in document["codebook"].items()
    }
    assert Trees.from_arrays(renamed, arrays).columns[0] == "x"
    archive.write(tmp_path / "trees", {"format": 1, "trees": renamed}, arrays)
    with pytest.raises(ModelError, match="reads columns that there are not"):
        SecondVerdict.load(tmp_path / "trees")


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
