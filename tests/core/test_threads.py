"""Eight threads that start at once compute what one computes; a child of theirs cleans, too."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.forks import needs_fork, status_of_child
from victor.api import load_cleaner
from victor.config.schema import Scope

ROOT = Path(__file__).parents[2]
N_THREADS = 8
LONG = "<h2>Hive</h2><p>Bees of this hive fly out at dawn, and come home at dusk.</p>" * 1500
NESTED = LONG[:500] + "<div class=a>" * 900 + "<p class=ad>x</p>" + "</div>" * 900 + LONG[:500]
SELECTING = Scope(drop=("nav a", "div .ad b", "p ~ p ~ .x"))


@pytest.fixture(scope="module")
def pages():
    files = sorted(ROOT.glob("annotations/pages/*.html"))[::10]
    return [*(path.read_bytes() for path in files), LONG.encode()]


def answers(cleaner, pages):
    """All that depends on any stage."""
    results = [cleaner.clean(page) for page in pages]
    return [(result.text, result.markdown, result.marginals.tobytes()) for result in results]


def test_threads_that_start_at_once_give_the_same(pages):
    expected = answers(load_cleaner(), pages)
    cleaner, barrier = load_cleaner(), threading.Barrier(N_THREADS)

    def are_right(thread):
        barrier.wait(60)
        shift = thread % len(pages)
        found = answers(cleaner, pages[shift:] + pages[:shift])
        return found == expected[shift:] + expected[:shift]

    with ThreadPoolExecutor(N_THREADS) as pool:
        assert all(pool.map(are_right, range(N_THREADS)))


@needs_fork
@pytest.mark.parametrize(
    ("scope", "n_forks"),
    [(Scope(), 5), (SELECTING, 5), pytest.param(SELECTING, 200, marks=pytest.mark.slow)],
)
def test_children_of_threads_that_clean_do_not_hang(pages, scope, n_forks):
    cleaner = load_cleaner(scope=scope)
    is_over, has_begun = threading.Event(), threading.Event()

    def clean_on():
        while not is_over.is_set():
            answers(cleaner, [NESTED, pages[1]])
            has_begun.set()

    expected = cleaner.clean(pages[0]).markdown
    thread = threading.Thread(target=clean_on)
    thread.start()
    try:
        assert has_begun.wait(60)
        for _ in range(n_forks):
            assert status_of_child(lambda: cleaner.clean(pages[0]).markdown == expected) == 0
    finally:
        is_over.set()
        thread.join()
