"""Eight threads that start at once compute what one computes; a child of theirs cleans, too."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from victor.api import load_cleaner
from victor.config.schema import Scope

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("annotations/pages/*.html"))[::10]
N_THREADS = 8
LONG = "<h2>Hive</h2><p>Bees of this hive fly out at dawn, and come home at dusk.</p>" * 1500


@pytest.fixture(scope="module")
def pages():
    return [*(path.read_bytes() for path in FILES), LONG.encode()]


def answers(cleaner, pages):
    """All that depends on any stage."""
    results = [cleaner.clean(page) for page in pages]
    return [(result.text, result.markdown, result.marginals.tobytes()) for result in results]


def test_threads_that_start_at_once_give_the_same(pages):
    expected = answers(load_cleaner(), pages)
    cleaner, barrier = load_cleaner(), threading.Barrier(N_THREADS)

    def answers_of_thread(thread):
        barrier.wait(60)
        shift = thread % len(pages)
        shifted = answers(cleaner, pages[shift:] + pages[:shift])
        return shifted[len(pages) - shift :] + shifted[: len(pages) - shift]

    with ThreadPoolExecutor(N_THREADS) as pool:
        assert [*pool.map(answers_of_thread, range(N_THREADS))] == [expected] * N_THREADS


NESTED = LONG[:500] + "<div class=a>" * 900 + "<p class=ad>x</p>" + "</div>" * 900 + LONG[:500]
SELECTING = Scope(drop=("nav a", "div .ad b", "p ~ p ~ .x"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forks beside threads, the subject
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
            assert os.waitpid(child_that_cleans(cleaner, pages[0], expected), 0)[1] == 0
    finally:
        is_over.set()
        thread.join()


def child_that_cleans(cleaner, page, expected):
    """A child that ends with 0 if the page gives what is expected, with 1 if it hangs."""
    child = os.fork()
    if not child:
        watchdog = threading.Timer(60, os._exit, [1])
        watchdog.daemon = True
        watchdog.start()
        os._exit(0 if cleaner.clean(page).markdown == expected else 2)
    return child
