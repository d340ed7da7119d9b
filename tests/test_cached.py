"""Properties that are kept: one value an object, and no lock that one object holds for all."""

import os
import threading

import pytest

from victor.base.cached import cached_property


class Page:
    """Its text is ready when `may_finish` is set."""

    def __init__(self):
        self.started, self.may_finish = threading.Event(), threading.Event()
        self.calls = 0

    @cached_property
    def text(self):
        """A new object at every call."""
        self.calls += 1
        self.started.set()
        assert self.may_finish.wait(60)
        return object()


@pytest.fixture
def slow_page():
    """A page whose text another thread is computing."""
    page = Page()
    thread = threading.Thread(target=lambda: page.text)
    thread.start()
    assert page.started.wait(60)
    yield page
    page.may_finish.set()
    thread.join()


def ready_page():
    page = Page()
    page.may_finish.set()
    return page


def test_a_value_is_computed_once():
    page = ready_page()
    assert page.text is page.text
    assert page.calls == 1


def test_the_class_gives_the_property():
    assert isinstance(Page.text, cached_property)


@pytest.mark.usefixtures("slow_page")
def test_an_object_does_not_wait_for_another():
    page, texts = ready_page(), []
    thread = threading.Thread(target=lambda: texts.append(page.text), daemon=True)
    thread.start()
    thread.join(60)
    assert texts == [page.text]


def test_threads_that_compute_at_once_get_one_value(slow_page):
    texts = []
    thread = threading.Thread(target=lambda: texts.append(slow_page.text))
    thread.start()
    slow_page.may_finish.set()
    thread.join()
    assert texts == [slow_page.text]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.usefixtures("slow_page")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forks beside threads, the subject
def test_a_fork_does_not_wait_for_a_thread_it_has_not():
    child = os.fork()
    if not child:
        os.close(2)
        watchdog = threading.Timer(60, os._exit, [1])
        watchdog.daemon = True
        watchdog.start()
        os._exit(0 if ready_page().text else 1)
    assert os.waitpid(child, 0)[1] == 0
