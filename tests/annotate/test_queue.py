"""The queue: the order that Python would find, without reading every page."""

import random
import shutil
from collections import Counter

import pytest

from victor.annotate.revisions import FINISHED, STATES, Save
from victor.annotate.store import Store, View


@pytest.fixture(scope="module")
def crowd_file(page, tmp_path_factory):
    """60 pages with states of two annotators and scores, some of them equal."""
    path = tmp_path_factory.mktemp("crowd") / "annotations.sqlite"
    with Store(path) as store:
        store.add([page("bees"), page("kettles"), page("knots")])
        store.add([page(f"more-{index}", b"<p>x") for index in range(57)])
        _annotate(store)
    return path


def _annotate(store):
    rng = random.Random(7)
    for one in store.pages.all():
        for annotator in ("ann", "bob"):
            if rng.random() < 0.6:
                store.revisions.save(one.id, Save(annotator, state=rng.choice(STATES)))
        for name in ("doubt", "other"):
            if rng.random() < 0.7:
                store.suggestions.keep(one.id, {}, {name: rng.choice([0.0, 0.1, 0.5, 1.0])})


@pytest.fixture
def store(crowd_file, tmp_path):
    """A copy of the file of the crowd."""
    with Store(shutil.copyfile(crowd_file, tmp_path / crowd_file.name)) as opened:
        yield opened


def expected(store, view):
    """The pages of a view in its order."""
    heads = store.revisions.heads()
    states = {head.page: head.state for head in heads if head.annotator == view.annotator}
    scores = {} if view.score is None else store.queue.scores(view.score, store.pages.all())

    def key(page):
        score = scores.get(page.number)
        return score is None, -(score or 0.0), page.number

    pages = sorted(store.pages.all(), key=key)
    return [p for p in pages if view.state in (None, states.get(p.id, "todo"))]


@pytest.mark.parametrize("score", [None, "doubt"])
@pytest.mark.parametrize("state", [None, *STATES])
@pytest.mark.parametrize("annotator", ["ann", "nobody"])
def test_order_and_parts(store, annotator, state, score):
    view = View(annotator, state, score)
    pages = expected(store, view)
    assert store.queue.count(view) == len(pages)
    parts = [store.queue.rows(view, offset, 7) for offset in range(0, 70, 7)]
    assert [row.page for part in parts for row in part] == pages


def test_states_and_progress_are_those_of_the_heads(store):
    heads = store.revisions.heads()
    for page, states in store.queue.rows(View("ann"), 0, 100):
        assert states == {head.annotator: head.state for head in heads if head.page == page.id}
    ours = Counter(head.state for head in heads if head.annotator == "ann")
    del ours["todo"]
    assert store.queue.states("ann") == ours
    assert store.queue.states("nobody") == {}
    finished = {head.page for head in heads if head.state in FINISHED}
    assert store.queue.finished() == len(finished)
