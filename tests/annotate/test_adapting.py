"""Adapting in the background: what it gains, what becomes of the model, and how it ends."""

import threading

import pytest

from victor.annotate import adapting as module
from victor.annotate.adapting import (
    ADAPTED,
    DONE,
    FAILED,
    IDLE,
    RUNNING,
    Adapting,
    Outcome,
    Plan,
    adapt,
)
from victor.annotate.exchange import Imported, import_pages
from victor.annotate.revisions import Save
from victor.annotate.suggestion_worker import SuggestionWorker, load_suggester
from victor.errors import ModelError, PageError, VictorError
from victor.model.model import Model


class TestScores:
    """What the job of the other process does, done in this one."""

    @pytest.fixture
    def adapted(self, tmp_path):
        from victor.annotate.store import Store

        def run(pages, **plan):
            with Store(tmp_path / "a.sqlite") as store:
                assert all(not made.error for made in import_pages(store, map(Imported, pages)))
            made = Plan(tmp_path / "pages.victor", **plan)
            return adapt(tmp_path / "a.sqlite", made), made.model

        return run

    def test_before_and_after(self, annotated, adapted):
        outcome, model = adapted(annotated[:3])
        assert outcome.pages == 3
        assert 0 <= outcome.before <= outcome.after <= 1
        card = Model.load(model).card["adapted"]
        assert (card["pages"], card["expected word F after"]) == (3, outcome.after)
        assert card["protocol"] == "3 folds by site"

    def test_pages_without_content_take_part(self, annotated, adapted):
        empty = next(page for page in annotated if not (page.labels < 2).any())
        assert adapted([annotated[0], empty])[0].pages == 2

    @pytest.mark.parametrize(
        ("count", "base", "message"),
        [(2, "no-such", "no model 'no-such'"), (2, "crf", "only a model of trees"),
         (1, "default", "needs 2 labelled pages")],
    )  # fmt: skip
    def test_what_cannot_be_adapted(self, annotated, adapted, count, base, message):
        with pytest.raises(VictorError, match=message):
            adapted(annotated[:count], base=base)


class Process:
    """In place of `Calls`: a job that ends as and when the test says."""

    def __init__(self, outcome):
        self._outcome, self._is_ended, self._is_closed = outcome, threading.Event(), False
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
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

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
    made = SuggestionWorker(store, [load_suggester("none", processes)])
    yield made
    made.close()


@pytest.fixture
def make(store, worker, processes, small_model_file):
    """Makes `Adapting`; the model that it adopts is a small one that is there already."""
    opened = []

    def start(every=0, worker=worker):
        plan = Plan(small_model_file, base="default")
        opened.append(Adapting(store, worker, plan, every, processes=processes))
        return opened[-1]

    yield start
    for made in opened:
        made.close()


@pytest.fixture
def finished(store):
    store.revisions.save("bees", Save("ann", base=0, state="done"))


def at_the_end(adapting):
    adapting._running[0].join(60)
    return adapting.status


@pytest.mark.usefixtures("finished")
class TestBackground:
    def test_a_model_that_gains_suggests(self, make, worker, process):
        adapting = make()
        assert adapting.status.state == IDLE
        adapting.start()
        assert adapting.status == (RUNNING, "")
        process.end()
        message = (
            "Adapted to 7 pages, the model has an expected word F of 0.830 in place of 0.710 on "
            "pages left out (few pages, so this is rough) and suggests from now on; it is saved as "
            "small.victor"
        )
        assert at_the_end(adapting) == (DONE, message)
        assert [one.name for one in worker.suggesters] == [ADAPTED, "none"]

    def test_a_second_one_waits_for_the_first(self, make, process):
        adapting = make()
        adapting.start()
        adapting.start()
        process.end()
        assert at_the_end(adapting).state == DONE
        assert process.n_calls == 1
        adapting.start()
        at_the_end(adapting)
        assert process.n_calls == 2

    @pytest.mark.parametrize(
        ("error", "message"),
        [(ModelError("no model there"), "The model is not adapted: no model there"),
         (OSError("the disk is full"), "The model is not adapted: the disk is full"),
         (PageError("memory", ""), "Adapting came to an early end (memory); try again")],
    )  # fmt: skip
    def test_a_failure_says_why(self, make, process, error, message):
        process._outcome = error
        process.end()
        adapting = make()
        adapting.start()
        assert at_the_end(adapting) == (FAILED, message)

    def test_the_end_of_the_server_ends_it_and_keeps_the_model(self, make, process):
        adapting = make()
        model = adapting._plan.model
        before, unfinished = model.read_bytes(), model.with_name(f".unfinished-{'0a' * 8}")
        adapting.start()
        unfinished.mkdir()
        (unfinished / model.name).write_bytes(b"half")
        adapting.close()
        assert not adapting._running[0].is_alive()
        assert (model.read_bytes(), unfinished.exists()) == (before, False)
        adapting.start()
        assert process.n_calls == 1

    def test_it_begins_by_itself_after_so_many_pages(self, make, store, process):
        adapting = make(every=2)
        process.end()
        saves = [("bees", "skip"), ("bees", "done"), ("kettles", "no-content"), ("knots", "done")]
        for page, state in saves:
            assert process.n_calls == 0
            store.revisions.save(page, Save("ann", state=state))
            adapting.page_finished()
        at_the_end(adapting)
        assert process.n_calls == 1


@pytest.mark.slow
def test_by_request_in_a_process_of_its_own(store, annotated, browser_in, post):
    assert browser_in.get("/api/adapt").json() == {"state": IDLE, "message": ""}
    assert post("/api/adapt").status_code == 400
    assert len([*import_pages(store, map(Imported, annotated[:2]))]) == 2
    answer = post("/api/adapt")
    assert (answer.status_code, answer.json()["state"]) == (202, RUNNING)
    for _ in range(6000):
        answer = browser_in.get("/api/adapt").json()
        if answer["state"] != RUNNING:
            break
        threading.Event().wait(0.1)
    assert answer["state"] == DONE
    assert "to 2 pages" in answer["message"]
    assert Model.load(store.path.with_suffix(".victor")).card["adapted"]["pages"] == 2
