"""What pages of a site share: which pages count, and columns against a count by hand."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from victor.sites import counts as counting
from victor.sites.columns import COLUMNS
from victor.sites.counts import FARTHEST, STEP

MILL = "http://mill.example/"
NOTICE = "<div class=notice>We use small files</div>"
PATHS = ("p", "div class=a", "li class=b", "h2")
TEXTS = ("Home", "Home 2", "Read more", "A story of a mill", "Another story", "", "12")


def story(number, *more):
    return "".join((NOTICE, *more, f"<p>Story number {'abcdefgh'[number] * 9}</p>"))


def addresses(n):
    return [f"{MILL}{number}" for number in range(n)]


PAGES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from(TEXTS)), max_size=5),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=9,
)


def by_hand(counted):
    """Of every page of a site with others: its columns by block, counted by loops."""
    counts_of = {}
    for page, (seen, site) in enumerate(zip(counted.rows, counted.pages.site, strict=True)):
        counts_of.setdefault(int(site), []).append((page, seen))
    for of_site in counts_of.values():
        names, chosen = set(), {}
        for page, seen in of_site:
            own = {int(seen.head["digest"]), int(counted.pages.address[page])} - {0}
            if seen.head["digest"] and not own & names:
                if not any(are_twins(seen, other) for other in chosen.values()):
                    chosen[page] = seen
                names |= own
        if len(chosen) < 2:
            continue
        for page, seen in of_site:
            others = {key: value for key, value in chosen.items() if key != page}
            if page not in chosen:
                own = {int(seen.head["digest"]), int(counted.pages.address[page])} - {0}
                if own & names:  # stands for the page that was counted in its place
                    continue
            yield page, [*page_columns(seen, others)]


def are_twins(*pages):
    one, other = ({row["text"]: int(row["words"]) for row in page.rows} for page in pages)
    common = sum(words for text, words in one.items() if text in other)
    return common >= 0.9 * max(sum(one.values()), sum(other.values()))


def page_columns(seen, others):
    def blocks(sighting):
        return [
            (int(row["text"]), int(row["path"]), int(row["words"]), steps(m))
            for row, m in zip(sighting.rows, sighting.marginals, strict=True)
            if row["words"]
        ]

    elsewhere = [blocks(each) for each in others.values()]
    here = blocks(seen)

    def mean(rows):
        words = sum(w for *_, w, _ in rows)
        return sum(w * steps for *_, w, steps in rows) / STEP / words if words else 0

    def having(pages, number, value):
        rows = [[row for row in page if row[number] == value] for page in pages]
        return [page for page in rows if page]

    def joined(pages):
        return [row for page in pages for row in page]

    def is_known(row):
        return bool(having(elsewhere, 1, row[1]))

    kept = [
        row[2] * (1 - m[2])
        for row, m in zip(here, seen.marginals[seen.rows["words"] > 0], strict=True)
    ]
    known = sum(k for k, row in zip(kept, here, strict=True) if is_known(row))
    known /= max(sum(kept), 1e-300)
    for row in here:
        text, path, words, own_steps = row
        texts, paths = having(elsewhere, 0, text), having(elsewhere, 1, path)
        share = len(texts) / len(others)
        change = min(max(mean(joined(texts)) - own_steps / STEP, -2), 2)
        of_path = mean(joined(paths)) - mean(joined(having([here], 1, path)))
        path_words = sum(words for *_, words, _ in joined(paths))
        yield {
            "text.words": share * np.log1p(words),
            "text.change": share * change,
            "path.change": min(max(of_path, -4), 4) * path_words / (path_words + 10),
            "path.absent": 0 if texts or paths else known,
        }


def steps(marginals):
    p_other = min(max(marginals[2], 1e-9), 1 - 1e-9)
    return round(STEP * min(max(np.log1p(-p_other) - np.log(p_other), -FARTHEST), FARTHEST))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(PAGES, st.integers(1, 3))
def test_columns_are_those_counted_by_hand(count, pages, parts):
    markup = ["".join(f"<{t}>{x}</{t.split()[0]}>" for t, x in blocks) for _, blocks, _ in pages]
    urls = [f"http://{site}.example/{number}" for site, _, number in pages]
    counted = count(markup, urls, parts=parts)
    columns, known = counted.known.columns(), counted.known
    assert {*columns} == {*COLUMNS}
    block_of = counted.table.page[known.changing]
    for page, expected in by_hand(counted):
        rows = np.flatnonzero(block_of == page)
        assert len(rows) == len(expected)
        for row, values in zip(rows, expected, strict=True):
            for name, value in values.items():
                assert columns[name][row] == pytest.approx(value, abs=2 / STEP), name


def test_marginals_of_the_first_pass_are_kept_to_the_bit(count):
    counted = count([story(0), story(1), "<p>Alone"], [*addresses(2), "http://b.example"])
    assert np.array_equal(counted.known.marginals, counted.marginals)
    assert counted.known.was_sighted.all()
    assert counted.known.n_others.tolist() == [1, 1, 0]
    assert (counted.totals.sites, counted.totals.pages, counted.totals.counted) == (1, 3, 2)


def test_equal_pages_count_once(count):
    counted = count([story(0)] * 5, addresses(5))
    assert counted.totals.counted == 0
    assert counted.known.n_others.tolist() == [0] * 5
    counted = count([story(0), story(0), story(1)], addresses(3))
    assert counted.known.n_others.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("n_common", "n_others"), [(9, 0), (8, 1)])
def test_pages_that_are_almost_the_same_count_once(count, n_common, n_others):
    words = "one two three four five six seven eight nine ten".split()
    others = [*words[:n_common], *(word * 2 for word in words[n_common:])]
    pages = ["".join(f"<p>{word}" for word in page) for page in (words, others)]
    assert count(pages, addresses(2)).known.n_others.tolist() == [n_others] * 2
    # The other two are told what the third one has, and nothing of each other.
    counted = count([*pages, story(0)], addresses(3))
    assert counted.known.n_others.tolist() == [1 + n_others] * 3
    assert counted.known.on_pages.max() == 2 * n_others


def test_pages_of_one_address_count_once(count):
    counted = count([story(0), story(1), story(2)], [MILL, MILL, f"{MILL}b"])
    assert counted.totals.counted == 2
    assert counted.known.n_others.tolist() == [1, 1, 1]


def test_pages_without_an_address_are_told_apart_by_texts(count):
    counted = count([story(0), story(1), story(1)], [None] * 3)
    assert counted.known.n_others.tolist() == [1, 1, 1]


def test_the_first_pages_of_a_site_count(count, monkeypatch):
    monkeypatch.setattr(counting, "MOST_PAGES", 2)
    counted = count([story(number) for number in range(4)], addresses(4))
    assert counted.totals.counted == 2
    assert counted.known.n_others.tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize(("most", "n_counted"), [(4, 2), (3, 0)])
def test_pages_beyond_the_most_blocks_do_not_count(count, monkeypatch, most, n_counted):
    monkeypatch.setattr(counting, "MOST_BLOCKS", most)
    assert count([story(0), story(1)], addresses(2)).totals.counted == n_counted


def test_a_page_that_was_not_sighted_is_unknown(count):
    counted = count([story(0), story(1)], addresses(2))
    again = counted.known.of(counted.counts, counted.table, counted.pages)
    assert again.was_sighted.all()
    elsewhere = type(counted.pages)(counted.pages.site, counted.pages.address + np.uint64(1))
    other = counted.known.of(counted.counts, counted.table, elsewhere)
    assert not other.was_sighted.any()
    assert not other.marginals.any()
    assert not len(other.changing)


def test_pages_without_words_do_not_count(count):
    counted = count(["", ""], addresses(2))
    assert counted.totals.counted == 0
    assert not len(counted.known.changing)


def test_the_same_sightings_give_the_same_files(count, tmp_path):
    pages = [story(number) for number in range(4)]
    one, other = count(pages, addresses(4)), count(pages, addresses(4), parts=2)
    for name in ("texts", "text_sums", "paths", "path_sums"):
        assert np.array_equal(getattr(one.counts, name), getattr(other.counts, name))
