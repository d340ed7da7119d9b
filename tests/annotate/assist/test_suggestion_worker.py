"""What labelers suggest, in which order pages come, and what becomes of a new model."""

import threading
from dataclasses import replace

import pytest

from victor.annotate.assist.auto_retrain import RETRAINED, Learning, helper
from victor.annotate.assist.retrain_process import DONE, FAILED, IDLE, RUNNING, Status
from victor.annotate.assist.suggestion_worker import Helper, Prelabels
from victor.errors import ConfigError, ModelError, PageError
from victor.labelers import build_labeler


class Gate:
    """A labeler that works once it is let; it may refuse pages."""

    def __init__(self, *, refuses=b"never", breaks=b"never"):
        self._own = build_labeler("link-quota")
        self._refuses, self._breaks = refuses, breaks
        self.open = threading.Event()
        self.asked = []

    def __getattr__(self, name):
        return getattr(self._own, name)

    def table(self, pages):
        assert self.open.wait(30)
        self.asked.append(pages[0])
        if self._refuses in pages[0]:
            raise PageError("too-slow", "the page took too long")
        if self._breaks in pages[0]:
            raise ZeroDivisionError
        return self._own.table(pages)


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


@pytest.fixture
def asked(store):
    """Makes the suggestions of some helpers, and ends their threads."""
    opened = []

    def make(*helpers):
        opened.append(Prelabels(store, helpers))
        return opened[-1]

    yield make
    for made in opened:
        made.close()


def settled(prelabels, store):
    """Wait until every page was worked on."""
    prelabels.prepare_all()
    for page in store.pages.all():
        prelabels.suggestion(page.id, 30)
    with prelabels._changed:
        assert prelabels._changed.wait_for(lambda: not (prelabels._waiting or prelabels._now), 30)


def test_nobody_suggests(asked):
    prelabels = asked()
    assert prelabels.suggestion("bees", 30) is None
    assert prelabels.orders == ["given"]
    assert prelabels.scores("uncertainty") == {}
    assert not prelabels.is_coming("bees")
    prelabels.prepare("bees")
    prelabels.prepare_all()


def test_a_suggestion_is_made_once_and_kept(asked, store, gate):
    gate.open.set()
    prelabels = asked(Helper("gate", "gate 1", gate))
    name, found = prelabels.suggestion("bees", 30)
    assert (name, len(found.labels), found.confidence.shape) == ("gate", 4, (4,))
    assert prelabels.suggestion("bees", 30)[1].labels == found.labels
    assert asked(Helper("gate", "gate 1", gate)).suggestion("bees", 0)[1].labels == found.labels
    assert len(gate.asked) == 1
    asked(Helper("gate", "gate 2", gate)).suggestion("bees", 30)
    assert len(gate.asked) == 2
    assert set(store.suggestions.scores("uncertainty gate 1")) == {"bees"}


def test_the_page_somebody_waits_for_comes_first(asked, store, gate):
    prelabels = asked(Helper("gate", "gate 1", gate))
    prelabels.prepare_all()
    assert prelabels.suggestion("knots", 0) is None
    gate.open.set()
    settled(prelabels, store)
    assert [b"knots" in page for page in gate.asked][:2] != [False, False]
    assert len(gate.asked) == 3


@pytest.mark.parametrize("how", ["refuses", "breaks"])
def test_a_page_that_fails_costs_itself_only(asked, store, how):
    gate = Gate(**{how: b"bees"})
    gate.open.set()
    prelabels = asked(Helper("gate", "gate 1", gate))
    assert prelabels.is_coming("bees")
    assert prelabels.suggestion("bees", 30) is None
    assert prelabels.suggestion("bees", 30) is None
    assert not prelabels.is_coming("bees")
    assert prelabels.suggestion("knots", 30) is not None
    assert len(gate.asked) == 2


def test_pages_come_by_what_helpers_say(asked, store, page, client_of):
    links = b"".join(b"<p><a href=/>link %d</a></p>" % i for i in range(9))
    store.add([page("links", links)])
    both = [Helper(name, name, build_labeler(name)) for name in ("link-quota", "none")]
    prelabels = asked(*both)
    assert prelabels.orders == ["given", "uncertainty", "disagreement"]
    settled(prelabels, store)
    scores = prelabels.scores("disagreement")
    assert len(scores) == 4
    assert max(scores, key=scores.get) == "links"
    browser = client_of(prelabels)
    found = browser.get("/api/queue?annotator=ann&order=disagreement").json()["pages"]
    assert found[0]["id"] == "links"
    uncertain = browser.get("/api/queue?annotator=ann&order=uncertainty").json()["pages"]
    numbers = [row["uncertainty"] for row in uncertain]
    assert numbers == sorted(numbers, reverse=True)
    neighbour = browser.get("/api/page/links?annotator=ann&order=disagreement").json()
    assert (neighbour["previous"], neighbour["next"]) == (None, found[1]["id"])


def test_both_may_have_been_asked_one_by_one(asked, store):
    first, second = (Helper(name, name, build_labeler(name)) for name in ("link-quota", "none"))
    for one in (first, second):
        settled(asked(one), store)
    both = asked(first, second)
    assert both.scores("disagreement") == {}
    settled(both, store)
    assert len(both.scores("disagreement")) == 3
    assert asked(second, first).scores("disagreement") == both.scores("disagreement")


def test_a_page_comes_with_its_suggestion_or_says_that_it_will(asked, gate, client_of):
    browser = client_of(asked(Helper("gate", "gate 1", gate)))
    found = browser.get("/api/page/bees?annotator=ann").json()
    assert (found["suggestion"], found["suggesting"]) == (None, True)
    gate.open.set()
    found = browser.get("/api/page/bees/suggestion").json()
    assert found["suggestion"]["labeler"] == "gate"
    assert len(found["suggestion"]["labels"]) == len(found["suggestion"]["confidence"]) == 4
    assert not found["suggesting"]
    assert browser.get("/api/session").json()["labelers"] == ["gate"]


def test_a_large_page_is_shown_before_its_suggestion_is_made(asked, store, page, gate, client_of):
    gate.open.set()
    store.add([page("large", b"<p>x" * 10_001)])
    browser = client_of(asked(Helper("gate", "gate 1", gate)))
    for name in ("large", "knots"):  # neighbours
        browser.get(f"/api/page/{name}?annotator=ann")
    assert not [made for made in gate.asked if len(made) > 10_000]
    found = browser.get("/api/page/large?annotator=ann").json()
    assert (found["suggestion"], found["suggesting"]) == (None, True)
    made = browser.get("/api/page/large/suggestion").json()["suggestion"]
    assert browser.get("/api/page/large?annotator=ann").json()["suggestion"] == made
    assert len(made["labels"]) == 10_001


@pytest.fixture
def client_of(store, retrain, known):
    """A browser in a server whose helpers are chosen by the test."""
    from contextlib import ExitStack, closing

    from starlette.testclient import TestClient

    from victor.annotate.server.api import Api
    from victor.annotate.server.security import Address
    from victor.annotate.server.server import build

    with ExitStack() as stack:

        def make(prelabels, learning=None):
            own = learning or stack.enter_context(closing(Learning(store, prelabels, retrain)))
            app = build(Api(store, prelabels, own), Address("127.0.0.1", 8000), known)
            client = TestClient(app, base_url="http://127.0.0.1:8000")
            client = stack.enter_context(client)
            client.get("/?token=start")
            return client

        yield make


class Training:
    """A training that ends when it is told to; it has the methods of `Retrain`."""

    def __init__(self, result, fails=None):
        self._result, self._fails = result, fails
        self.ended = threading.Event()
        self.pages = []
        self.cancelled = False
        self._status = Status()

    def start(self, pages):
        if self._fails is not None:
            raise self._fails
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
def learn(store):
    """Makes the learning of some training, and ends its thread."""
    opened = []

    def make(prelabels, training, every=0):
        opened.append(Learning(store, prelabels, training, every))
        return opened[-1]

    yield make
    for made in opened:
        made.close()


def trained(before, after):
    """The end of a training, with scores before and after; any labeler will do for the model."""
    scores = [None if score is None else {"word F": score} for score in (before, after)]
    return Status(DONE, before=scores[0], after=scores[1], model="link-quota")


def at_the_end(learning):
    learning._thread.join(30)
    return learning.status()


@pytest.mark.parametrize(
    ("scores", "adopted"),
    [((0.5, 0.6), True), ((0.5, 0.5), True), ((0.6, 0.5), False), ((0.6, None), False)],
)
def test_a_new_model_suggests_if_it_is_not_worse(asked, store, gate, learn, scores, adopted):
    store.revisions.save("bees", "ann", base=0, state="done")
    prelabels, training = asked(Helper("gate", "gate", gate)), Training(trained(*scores))
    training.ended.set()
    learning = learn(prelabels, training)
    assert learning.status().state == IDLE
    learning.start()
    status = at_the_end(learning)
    assert status.state == DONE
    assert [one.name for one in prelabels.helpers] == [RETRAINED] * adopted + ["gate"]
    assert ("suggests from now on" in status.message) == adopted
    assert training.pages == [["bees"]]


def test_a_training_is_not_over_before_its_model_suggests(asked, store, gate, learn, monkeypatch):
    """Whoever hears of its end asks for the new suggestions at once."""
    store.revisions.save("bees", "ann", base=0, state="done")
    prelabels, training = asked(Helper("gate", "gate", gate)), Training(trained(0.1, 0.9))
    training.ended.set()
    learning, states, adopt = learn(prelabels, training), [], prelabels.replace
    monkeypatch.setattr(
        prelabels,
        "replace",
        lambda helpers: states.append(learning.status().state) or adopt(helpers),
    )
    learning.start()
    assert at_the_end(learning).state == DONE
    assert states == [RUNNING]


def test_whoever_wants_no_suggestions_gets_none_from_a_new_model(asked, store, learn):
    store.revisions.save("bees", "ann", base=0, state="done")
    prelabels, training = asked(), Training(trained(0.1, 0.9))
    training.ended.set()
    learning = learn(prelabels, training)
    learning.start()
    assert at_the_end(learning).state == DONE
    assert prelabels.helpers == ()


def test_a_training_needs_a_page_and_runs_alone(asked, store, learn):
    training = Training(trained(0.1, 0.9))
    learning = learn(asked(), training)
    with pytest.raises(ConfigError, match="no page is done"):
        learning.start()
    store.revisions.save("bees", "ann", base=0, state="done")
    learning.start()
    assert learning.status().state == RUNNING
    with pytest.raises(ConfigError, match="running"):
        learning.start()
    training.ended.set()
    assert at_the_end(learning).state == DONE
    learning.start()


def test_a_training_that_fails_says_why(asked, store, learn):
    store.revisions.save("bees", "ann", base=0, state="done")
    learning = learn(asked(), Training(None, fails=ModelError("no model there")))
    learning.start()
    status = at_the_end(learning)
    assert (status.state, status.message) == (FAILED, "no model there")


def test_the_end_of_the_server_ends_a_training(asked, store):
    store.revisions.save("bees", "ann", base=0, state="done")
    training = Training(trained(0.1, 0.9))
    learning = Learning(store, asked(), training)
    learning.start()
    learning.close()
    assert not learning._thread.is_alive()


def test_a_training_begins_by_itself_after_so_many_pages(asked, store, learn, client_of):
    store.revisions.save("knots", "bob", base=0, state="done")
    training = Training(trained(0.1, 0.9))
    training.ended.set()
    prelabels = asked()
    learning = learn(prelabels, training, every=2)
    browser = client_of(prelabels, learning)
    headers = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}
    states = [("bees", "skip"), ("bees", "done"), ("bees", "done"), ("kettles", "no-content")]
    bases = {}
    for page, state in states:
        assert training.pages == []
        body = {"annotator": "ann", "base": bases.get(page, 0), "state": state}
        answer = browser.post(f"/api/page/{page}/save", json=body, headers=headers)
        bases[page] = answer.json()["revision"]
    at_the_end(learning)
    assert training.pages == [["bees", "kettles", "knots"]]


def test_training_by_request(asked, store, learn, client_of):
    training, prelabels = Training(trained(0.25, 0.75)), asked()
    browser = client_of(prelabels, learn(prelabels, training))
    headers = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}

    def ask(body):
        return browser.post("/api/retrain", json=body, headers=headers)

    assert browser.get("/api/retrain").json()["state"] == IDLE
    assert ask({}).status_code == 400
    assert ask({"after": 0}).status_code == 400
    assert ask({"after": 50}).json()["every"] == 50
    store.revisions.save("bees", "ann", base=0, state="done")
    answer = ask({})
    assert (answer.status_code, answer.json()["state"]) == (202, RUNNING)
    training.ended.set()
    for _ in range(600):
        found = browser.get("/api/retrain").json()
        if found["state"] == DONE:
            break
        threading.Event().wait(0.05)
    assert (found["before"], found["after"]) == ({"word F": 0.25}, {"word F": 0.75})


def test_helpers_by_name_and_by_file(small_model_file, tmp_path):
    shipped, file = helper("link-quota"), helper(str(small_model_file))
    assert (shipped.name, shipped.labeler.name) == ("link-quota", "link-quota")
    assert (file.name, file.key.split()[0]) == ("small", "small")
    other = tmp_path / "small.victor"
    other.write_bytes(small_model_file.read_bytes())
    assert helper(str(other)).key == file.key
    with pytest.raises(ModelError):
        helper("nobody")
