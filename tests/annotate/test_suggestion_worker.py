"""What labelers suggest, and in which order pages come."""

import threading
from functools import partial

import pytest

from victor.annotate.suggestion_worker import Suggester, SuggestionWorker, load_suggester
from victor.annotate.suggestions import suggest
from victor.errors import ModelError, PageError
from victor.labelers.labeler import build_labeler


def scores_of(store, name):
    """The scores of pages, by their ids."""
    pages = {page.number: page.id for page in store.pages.all()}
    scores = store.queue.scores(name, store.pages.all())
    return {pages[number]: score for number, score in scores.items()}


class Gate:
    """A labeler that works once it is let; it may refuse pages."""

    def __init__(self, *, refuses=b"never", breaks=b"never"):
        self._labeler = build_labeler("kimatu")
        self._refuses, self._breaks = refuses, breaks
        self.open = threading.Event()
        self.pages = []

    def __getattr__(self, name):
        return getattr(self._labeler, name)

    def table(self, pages):
        assert self.open.wait(30)
        self.pages.append(pages[0])
        if self._refuses in pages[0]:
            raise PageError("too-slow", "the page took too long")
        if self._breaks in pages[0]:
            raise ZeroDivisionError
        return self._labeler.table(pages)


def of(labeler, key):
    """A suggester that works in this process."""
    name = key.split()[0]
    return Suggester(name, key, partial(suggest, labeler))


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


@pytest.fixture
def make_worker(store):
    """Makes workers with some suggesters, and ends their threads."""
    opened = []

    def make(*suggesters):
        opened.append(SuggestionWorker(store, suggesters))
        return opened[-1]

    yield make
    for made in opened:
        made.close()


def settled(worker, store):
    """Wait until every page was worked on."""
    worker.prepare_all()
    for page in store.pages.all():
        worker.suggestion(page.id, 30)
    with worker._changed:
        assert worker._changed.wait_for(
            lambda: not (worker._waited_for or worker._others or worker._current), 30
        )


def test_a_suggestion_is_made_once_and_kept(make_worker, store, gate):
    gate.open.set()
    worker = make_worker(of(gate, "gate 1"))
    name, suggestion = worker.suggestion("bees", 30)
    assert (name, len(suggestion.labels), suggestion.confidence.shape) == ("gate", 4, (4,))
    assert worker.suggestion("bees", 30)[1].labels == suggestion.labels
    assert make_worker(of(gate, "gate 1")).suggestion("bees", 0)[1].labels == suggestion.labels
    assert len(gate.pages) == 1
    make_worker(of(gate, "gate 2")).suggestion("bees", 30)
    assert len(gate.pages) == 2
    assert set(scores_of(store, "uncertainty gate 1")) == {"bees"}


def test_the_page_somebody_waits_for_comes_first(make_worker, store, gate):
    worker = make_worker(of(gate, "gate 1"))
    worker.prepare_all()
    assert worker.suggestion("knots", 0) is None
    gate.open.set()
    settled(worker, store)
    assert [b"knots" in page for page in gate.pages][:2] != [False, False]
    assert len(gate.pages) == 3


@pytest.mark.parametrize("how", ["refuses", "breaks"])
def test_a_page_that_fails_costs_itself_only(make_worker, store, how):
    gate = Gate(**{how: b"bees"})
    gate.open.set()
    worker = make_worker(of(gate, "gate 1"))
    assert worker.is_coming("bees")
    assert worker.suggestion("bees", 30) is None
    assert worker.suggestion("bees", 30) is None
    assert not worker.is_coming("bees")
    assert worker.suggestion("knots", 30) is not None
    assert len(gate.pages) == 2


def test_pages_come_by_what_suggesters_say(make_worker, store, page, client_of):
    links = b"".join(b"<p><a href=/>link %d</a></p>" % i for i in range(9))
    store.add([page("links", links)])
    both = [of(build_labeler(name), name) for name in ("kimatu", "none")]
    worker = make_worker(*both)
    assert worker.orders == ["given", "uncertainty", "disagreement"]
    settled(worker, store)
    scores = scores_of(store, worker.score_name("disagreement"))
    assert len(scores) == 4
    assert max(scores, key=scores.get) == "links"
    browser = client_of(worker)
    rows = browser.get("/api/queue?annotator=ann&order=disagreement").json()["pages"]
    assert rows[0]["id"] == "links"
    uncertain = browser.get("/api/queue?annotator=ann&order=uncertainty").json()["pages"]
    numbers = [row["uncertainty"] for row in uncertain]
    assert numbers == sorted(numbers, reverse=True)


def test_a_page_comes_with_its_suggestion_or_says_that_it_will(make_worker, gate, client_of):
    browser = client_of(make_worker(of(gate, "gate 1")))
    answer = browser.get("/api/page/bees?annotator=ann").json()
    assert (answer["suggestion"], answer["suggesting"]) == (None, True)
    gate.open.set()
    answer = browser.get("/api/page/bees/suggestion").json()
    assert answer["suggestion"]["labeler"] == "gate"
    assert len(answer["suggestion"]["labels"]) == len(answer["suggestion"]["confidence"]) == 4
    assert not answer["suggesting"]


@pytest.fixture
def client_of(store, adapting, processes, tokens):
    """A browser in a server whose suggesters are chosen by the test."""
    from contextlib import ExitStack

    from starlette.testclient import TestClient

    from victor.annotate.access import Address
    from victor.annotate.api import Api
    from victor.annotate.server import build

    with ExitStack() as stack:

        def make(worker):
            api = Api(store, worker, adapting, processes)
            app = build(api, Address("127.0.0.1", 8000), tokens)
            client = TestClient(app, base_url="http://127.0.0.1:8000")
            client = stack.enter_context(client)
            client.get("/?token=start")
            return client

        yield make


def test_suggesters_by_name_and_by_file(small_model_file, tmp_path, processes, page):
    shipped = load_suggester("kimatu", processes)
    file = load_suggester(str(small_model_file), processes)
    assert (shipped.name, len(shipped.suggest(page("bees").html).labels)) == ("kimatu", 4)
    assert (file.name, file.key.split()[0]) == ("small", "small")
    other = tmp_path / "small.victor"
    other.write_bytes(small_model_file.read_bytes())
    assert load_suggester(str(other), processes).key == file.key
    with pytest.raises(ModelError):
        load_suggester("nobody", processes)
