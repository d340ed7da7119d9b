"""Adapting in the background: what it gains, what becomes of the model, and how it ends."""

import threading

import pytest

from victor.annotate import adapting as module
from victor.annotate.adapting import (
    ADAPTED,
    DONE,
    FAILED,
    RUNNING,
    Adapting,
    Outcome,
    Plan,
    Status,
    adapt,
)
from victor.annotate.exchange import Imported, import_pages
from victor.annotate.revisions import Save
from victor.annotate.store import Store
from victor.annotate.suggestions import SuggestionWorker, load_suggester
from victor.errors import ModelError, PageError, VictorError
from victor.model.model import Model


@pytest.fixture
def adapted(tmp_path):
    """Does in this process what the job of the other one does."""

    def run(pages, **plan):
        with Store(tmp_path / "a.sqlite") as store:
            assert all(not made.error for made in import_pages(store, map(Imported, pages)))
        made = Plan(tmp_path / "pages.victor", **plan)
        return adapt(tmp_path / "a.sqlite", made), made.model

    return run


def test_before_and_after(annotated, adapted):
    empty = next(page for page in annotated if not (page.labels < 2).any())  # it takes part
    outcome, model = adapted([annotated[0], empty])
    assert outcome.pages == 2
    assert 0 <= outcome.before <= outcome.after <= 1
    card = Model.load(model).card["adapted"]
    assert (card["pages"], card["expected word F after"]) == (2, outcome.after)
    assert card["protocol"] == "2 folds by site"


@pytest.mark.parametrize(("count", "base"), [(2, "no-such"), (2, "crf"), (1, "default")])
def test_what_cannot_be_adapted(annotated, adapted, count, base):
    with pytest.raises(VictorError):
        adapted(annotated[:count], base=base)


class Process:
    """In place of `Calls`: a job that ends as and when the test says."""

    def __init__(self, outcome):
        self.outcome, self._is_ended, self._is_closed = outcome, threading.Event(), False
        self.n_calls = 0

    def __call__(self, _count, **_options):
        return self

    def end(self):
        self._is_ended.set()

    def call(self, job, *_arguments):
        assert job is adapt
        self.n_calls += 1
        assert self._is_ended.wait(60)
        if self._is_closed:
            raise PageError("crashed", "the process has ended")
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def close(self):
        self._is_closed = not self._is_ended.is_set()
        self.end()


@pytest.fixture
def process(monkeypatch):
    made = Process(Outcome(7, 0.71, 0.83))
    monkeypatch.setattr(module, "Calls", made)
    return made


@pytest.fixture
def worker(store, processes):
    made = SuggestionWorker(store, load_suggester("none", processes))
    yield made
    made.close()


@pytest.fixture
def make(store, worker, processes, small_model_file):
    """Makes `Adapting`; the model that it adopts is a small one that is there already."""
    opened = []

    def start(every=0):
        plan = Plan(small_model_file, base="default")
        opened.append(Adapting(store, worker, plan, every, processes=processes))
        return opened[-1]

    yield start
    for made in opened:
        made.close()


def at_the_end(adapting):
    """What it comes to."""
    for _ in range(6000):
        if adapting.status.state != RUNNING:
            return adapting.status
        threading.Event().wait(0.01)
    pytest.fail("it does not end")


@pytest.fixture
def finished(store):
    store.revisions.save("bees", Save("ann", base=0, state="done"))


def ended(adapting, process, outcome):
    """What it comes to if its process comes to that."""
    process.outcome = outcome
    process.end()
    adapting.start()
    return at_the_end(adapting)


def test_a_model_that_gains_suggests(make, worker, process, finished):
    adapting = make()
    adapting.start()
    adapting.start()  # a second one does not begin before the first has ended
    assert adapting.status == (RUNNING, "")
    process.end()
    state, message = at_the_end(adapting)
    assert (state, process.n_calls, worker.suggester.name) == (DONE, 1, ADAPTED)
    assert all(part in message for part in ("7 pages", "0.830", "0.710", "small.victor"))


def test_a_model_that_gains_nothing_does_not(make, worker, process, finished):
    assert ended(make(), process, Outcome(7, 0.7, 0.7)).state == DONE
    assert worker.suggester.name == "none"


@pytest.mark.parametrize(
    ("error", "said"),
    [(ModelError("no model"), "no model"), (OSError("full"), "full"),
     (PageError("memory", "much"), "memory")],
)  # fmt: skip
def test_a_failure_says_why(make, process, finished, error, said):
    state, message = ended(make(), process, error)
    assert (state, said in message) == (FAILED, True)


def test_the_end_of_the_server_ends_it_and_keeps_the_model(
    make, process, finished, small_model_file
):
    before = small_model_file.read_bytes()
    unfinished = small_model_file.with_name(f".unfinished-{'0a' * 8}")
    unfinished.mkdir()
    (unfinished / small_model_file.name).write_bytes(b"half")
    adapting = make()
    adapting.start()
    adapting.close()
    assert (small_model_file.read_bytes(), unfinished.exists()) == (before, False)
    adapting.start()
    assert process.n_calls == 1


def test_it_begins_by_itself_after_so_many_pages(make, store, process, finished):
    adapting = make(every=2)
    process.end()
    saves = [("bees", "skip"), ("bees", "done"), ("kettles", "no-content"), ("knots", "done")]
    for page, state in saves:
        assert process.n_calls == 0
        store.revisions.save(page, Save("ann", state=state))
        adapting.page_finished()
    assert (at_the_end(adapting).state, process.n_calls) == (DONE, 1)


def test_by_request(browser_in, post, store, process):
    assert browser_in.get("/api/adapt").json() == Status()._asdict()
    assert post("/api/adapt").status_code == 400  # no page is done
    store.revisions.save("bees", Save("ann", base=0, state="done"))
    answer = post("/api/adapt")
    assert (answer.status_code, answer.json()["state"]) == (202, RUNNING)
    process.end()
