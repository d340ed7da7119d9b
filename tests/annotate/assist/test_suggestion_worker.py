"""What labelers suggest, in which order pages come, and what becomes of a new model."""

import pickle
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from victor.annotate.assist.adapt_process import DONE, FAILED, IDLE, RUNNING, Plan, Status
from victor.annotate.assist.auto_adapt import ADAPTED, AutoAdapt
from victor.annotate.assist.suggest import suggest
from victor.annotate.assist.suggestion_worker import Suggester, SuggestionWorker, load_suggester
from victor.annotate.store.revisions import Save
from victor.errors import ConfigError, ModelError, PageError
from victor.labelers import build_labeler


def scores_of(store, name):
    """The scores of pages, by their ids."""
    pages = {page.number: page.id for page in store.pages.all()}
    scores = store.queue.scores(name, store.pages.all())
    return {pages[number]: score for number, score in scores.items()}


class Gate:
    """A labeler that works once it is let; it may refuse pages."""

    def __init__(self, *, refuses=b"never", breaks=b"never"):
        self._labeler = build_labeler("link-quota")
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
    return Suggester(name, key, partial(suggest, labeler, name=name))


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
        assert worker._changed.wait_for(lambda: not (worker._waiting or worker._current), 30)


def test_nobody_suggests(make_worker):
    worker = make_worker()
    assert worker.suggestion("bees", 30) is None
    assert worker.orders == ["given"]
    assert worker.score_name("uncertainty") is None
    assert not worker.is_coming("bees")
    worker.prepare("bees")
    worker.prepare_all()


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
    both = [of(build_labeler(name), name) for name in ("link-quota", "none")]
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
    neighbour = browser.get("/api/page/links?annotator=ann&order=disagreement").json()
    assert (neighbour["previous"], neighbour["next"]) == (None, rows[1]["id"])


def test_both_may_have_been_asked_one_by_one(make_worker, store):
    first, second = (of(build_labeler(name), name) for name in ("link-quota", "none"))
    for one in (first, second):
        settled(make_worker(one), store)
    both = make_worker(first, second)
    name = both.score_name("disagreement")
    assert scores_of(store, name) == {}
    settled(both, store)
    assert len(scores_of(store, name)) == 3
    assert make_worker(second, first).score_name("disagreement") == name


def test_a_page_comes_with_its_suggestion_or_says_that_it_will(make_worker, gate, client_of):
    browser = client_of(make_worker(of(gate, "gate 1")))
    answer = browser.get("/api/page/bees?annotator=ann").json()
    assert (answer["suggestion"], answer["suggesting"]) == (None, True)
    gate.open.set()
    answer = browser.get("/api/page/bees/suggestion").json()
    assert answer["suggestion"]["labeler"] == "gate"
    assert len(answer["suggestion"]["labels"]) == len(answer["suggestion"]["confidence"]) == 4
    assert not answer["suggesting"]
    assert browser.get("/api/session").json()["labelers"] == ["gate"]


def test_a_large_page_is_shown_before_its_suggestion_is_made(
    make_worker, store, page, gate, client_of
):
    gate.open.set()
    store.add([page("large", b"<p>x" * 10_001)])
    browser = client_of(make_worker(of(gate, "gate 1")))
    for name in ("large", "knots"):  # neighbours
        browser.get(f"/api/page/{name}?annotator=ann")
    assert not [made for made in gate.pages if len(made) > 10_000]
    answer = browser.get("/api/page/large?annotator=ann").json()
    assert (answer["suggestion"], answer["suggesting"]) == (None, True)
    made = browser.get("/api/page/large/suggestion").json()["suggestion"]
    assert browser.get("/api/page/large?annotator=ann").json()["suggestion"] == made
    assert len(made["labels"]) == 10_001


@pytest.fixture
def client_of(store, adapt, processes, tokens):
    """A browser in a server whose suggesters are chosen by the test."""
    from contextlib import ExitStack, closing

    from starlette.testclient import TestClient

    from victor.annotate.server.api import Api
    from victor.annotate.server.security import Address
    from victor.annotate.server.server import build

    with ExitStack() as stack:

        def make(worker, auto_adapt=None):
            training = auto_adapt or stack.enter_context(
                closing(AutoAdapt(store, worker, adapt, processes=processes))
            )
            api = Api(store, worker, training, processes)
            app = build(api, Address("127.0.0.1", 8000), tokens)
            client = TestClient(app, base_url="http://127.0.0.1:8000")
            client = stack.enter_context(client)
            client.get("/?token=start")
            return client

        yield make


class Training:
    """A training that ends when it is told to; it has the methods of `AdaptProcess`."""

    plan = Plan(Path("made.victor"))

    def __init__(self, result, fails=None):
        self._result, self._fails = result, fails
        self.ended = threading.Event()
        self.pages = []
        self.cancelled = False
        self._status = Status()

    def start(self, read, count):
        if self._fails is not None:
            raise self._fails
        pages = pickle.loads(pickle.dumps(read))()
        assert len(pages) == count
        self.pages.append([page.id for page in pages])
        self._status = Status(RUNNING)

    def wait(self, seconds):
        if self.ended.wait(seconds):
            self._status = self._result
        return self._status

    def status(self):
        return self._status

    def cancel(self):
        self.cancelled = True
        self._status = replace(self._status, state="cancelled")
        return self._status

    def close(self):
        self.ended.set()


@pytest.fixture
def learn(store, processes):
    """Makes the `AutoAdapt` of some training, and ends its thread."""
    opened = []

    def make(worker, training, every=0):
        opened.append(AutoAdapt(store, worker, training, every, processes=processes))
        return opened[-1]

    yield make
    for made in opened:
        made.close()


def trained(before, after):
    """The end of a training, with scores before and after; any labeler will do for the model."""
    return Status(DONE, pages=1, before=before, after=after, model="link-quota")


def at_the_end(auto_adapt):
    auto_adapt._thread.join(30)
    return auto_adapt.status()


@pytest.mark.parametrize(
    ("scores", "adopted"),
    [((0.5, 0.6), True), ((0.5, 0.5), False), ((0.6, None), False)],
)
def test_an_adapted_model_suggests_if_pages_left_out_gain(
    make_worker, store, gate, learn, scores, adopted
):
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    worker, training = make_worker(of(gate, "gate")), Training(trained(*scores))
    training.ended.set()
    auto_adapt = learn(worker, training)
    assert auto_adapt.status().state == IDLE
    auto_adapt.start()
    status = at_the_end(auto_adapt)
    assert status.state == DONE
    assert [one.name for one in worker.suggesters] == [ADAPTED] * adopted + ["gate"]
    assert ("suggests from now on" in status.message) == adopted
    assert training.pages == [["bees"]]


def test_a_training_is_not_over_before_its_model_suggests(
    make_worker, store, gate, learn, monkeypatch
):
    """Whoever hears of its end asks for the new suggestions at once."""
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    worker, training = make_worker(of(gate, "gate")), Training(trained(0.1, 0.9))
    training.ended.set()
    auto_adapt, states, adopt = learn(worker, training), [], worker.replace
    monkeypatch.setattr(
        worker,
        "replace",
        lambda suggesters: states.append(auto_adapt.status().state) or adopt(suggesters),
    )
    auto_adapt.start()
    assert at_the_end(auto_adapt).state == DONE
    assert states == [RUNNING]


def test_whoever_wants_no_suggestions_gets_none_from_a_new_model(make_worker, store, learn):
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    worker, training = make_worker(), Training(trained(0.1, 0.9))
    training.ended.set()
    auto_adapt = learn(worker, training)
    auto_adapt.start()
    assert at_the_end(auto_adapt).state == DONE
    assert worker.suggesters == ()


def test_a_training_needs_a_page_and_runs_alone(make_worker, store, learn):
    training = Training(trained(0.1, 0.9))
    auto_adapt = learn(make_worker(), training)
    with pytest.raises(ConfigError, match="no page is done"):
        auto_adapt.start()
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    auto_adapt.start()
    assert auto_adapt.status().state == RUNNING
    with pytest.raises(ConfigError, match="being adapted"):
        auto_adapt.start()
    training.ended.set()
    assert at_the_end(auto_adapt).state == DONE
    auto_adapt.start()


def test_the_server_does_not_read_the_pages_of_a_training(make_worker, store, learn, monkeypatch):
    """Pages of megabytes would keep its other threads waiting; the training reads them."""
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    training = Training(trained(0.1, 0.9))
    training.ended.set()
    monkeypatch.setattr(store.pages, "html", lambda _: pytest.fail("the server reads a page"))
    auto_adapt = learn(make_worker(), training)
    auto_adapt.start()
    assert at_the_end(auto_adapt).state == DONE
    assert training.pages == [["bees"]]


def test_a_training_that_fails_says_why(make_worker, store, learn):
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    auto_adapt = learn(make_worker(), Training(None, fails=ModelError("no model there")))
    auto_adapt.start()
    status = at_the_end(auto_adapt)
    assert (status.state, status.message) == (FAILED, "no model there")


def test_the_end_of_the_server_ends_a_training(make_worker, store, processes):
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    training = Training(trained(0.1, 0.9))
    auto_adapt = AutoAdapt(store, make_worker(), training, processes=processes)
    auto_adapt.start()
    auto_adapt.close()
    assert not auto_adapt._thread.is_alive()


def test_a_training_begins_by_itself_after_so_many_pages(make_worker, store, learn, client_of):
    store.revisions.save("knots", Save("bob", base=0, state="done"))
    training = Training(trained(0.1, 0.9))
    training.ended.set()
    worker = make_worker()
    auto_adapt = learn(worker, training, every=2)
    browser = client_of(worker, auto_adapt)
    headers = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}
    states = [("bees", "skip"), ("bees", "done"), ("bees", "done"), ("kettles", "no-content")]
    bases = {}
    for page, state in states:
        assert training.pages == []
        body = {"annotator": "ann", "base": bases.get(page, 0), "state": state}
        answer = browser.post(f"/api/page/{page}/save", json=body, headers=headers)
        bases[page] = answer.json()["revision"]
    at_the_end(auto_adapt)
    assert training.pages == [["bees", "kettles", "knots"]]


def test_training_by_request(make_worker, store, learn, client_of):
    training, worker = Training(trained(0.25, 0.75)), make_worker()
    browser = client_of(worker, learn(worker, training))
    headers = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}

    def ask(body):
        return browser.post("/api/adapt", json=body, headers=headers)

    assert browser.get("/api/adapt").json()["state"] == IDLE
    assert ask({}).status_code == 400
    assert ask({"after": 0}).status_code == 400
    assert ask({"after": 50}).json()["every"] == 50
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    answer = ask({})
    assert (answer.status_code, answer.json()["state"]) == (202, RUNNING)
    training.ended.set()
    for _ in range(600):
        status = browser.get("/api/adapt").json()
        if status["state"] == DONE:
            break
        threading.Event().wait(0.05)
    assert (status["before"], status["after"]) == (0.25, 0.75)
    assert status["curve"] == [[1, 0.25, 0.75]]


def test_suggesters_by_name_and_by_file(small_model_file, tmp_path, processes, page):
    shipped = load_suggester("link-quota", processes)
    file = load_suggester(str(small_model_file), processes)
    assert (shipped.name, shipped.suggest(page("bees").html).labeler) == ("link-quota",) * 2
    assert (file.name, file.key.split()[0]) == ("small", "small")
    other = tmp_path / "small.victor"
    other.write_bytes(small_model_file.read_bytes())
    assert load_suggester(str(other), processes).key == file.key
    with pytest.raises(ModelError):
        load_suggester("nobody", processes)
