"""Training in the background: scores before and after, failures as messages, cancelling."""

import dataclasses
import time
from functools import partial

import numpy as np
import pytest

from victor.annotate.assist import retrain_process
from victor.annotate.assist.retrain_process import Plan, RetrainProcess, Status, train_and_compare
from victor.base.labels import UNLABELLED
from victor.corpus.pages import annotate, canonical_table
from victor.errors import ConfigError, VictorError
from victor.model.model import Model

LONG = 600.0
"""Seconds to wait on a machine that has much else to do."""
TINY = "base: crf\ncrf: {max_iterations: 3}\n"


@pytest.fixture
def plan(tmp_path):
    config = tmp_path / "tiny.yaml"
    config.write_text(TINY, encoding="utf-8")
    return Plan(tmp_path / "pages.victor", config=str(config), base="bte", folds=3)


@pytest.fixture
def training(plan):
    process = RetrainProcess(plan)
    yield process
    process.close()


def statuses(pages, plan):
    """The status after each message, in this process."""
    reported = [Status()]
    train_and_compare(
        pages, plan, lambda **fields: reported.append(dataclasses.replace(reported[-1], **fields))
    )
    return reported


class TestScores:
    def test_before_and_after(self, annotated, plan):
        *_, last = reported = statuses(annotated[:8], plan)
        assert (last.state, last.done, last.total) == ("done", 6, 6)
        assert set(last.before) == set(last.after) == {"word F", "block F", "accuracy"}
        assert all(0 <= value <= 1 for value in (*last.before.values(), *last.after.values()))
        assert last.message == "8 pages, 3 folds; with so few pages the scores are rough"
        steps = [status.done for status in reported]
        assert steps == sorted(steps)
        model = Model.load(plan.model)
        assert model.card["before"] == last.before
        assert model.card["after"] == last.after
        assert model.card["training"]["pages"] == 8

    def test_pages_of_one_site_are_folds_of_their_own(self, annotated, plan):
        pages = [dataclasses.replace(page, site="one.example") for page in annotated[:3]]
        assert statuses(pages, plan)[-1].after is not None

    def test_one_page(self, annotated, plan):
        last = statuses(annotated[:1], plan)[-1]
        assert (last.state, last.after, last.total) == ("done", None, 3)
        assert "label another one" in last.message
        assert plan.model.is_file()

    def test_pages_without_content_take_part(self, annotated, plan):
        page = next(page for page in annotated if not (page.labels < 2).any())
        # An empty gold text would keep a page out of training elsewhere.
        empty = [dataclasses.replace(page, id=f"{n}", site="", gold="") for n in range(2)]
        last = statuses([*annotated[:2], *empty], plan)[-1]
        assert Model.load(plan.model).card["training"]["pages"] == 4
        assert last.after is not None

    def test_labels_of_a_perfect_system(self, annotated):
        from victor.labelers import build_labeler
        from victor.training.dataset import label_blocks

        pages = label_blocks(annotated[:5], build_labeler("none"))
        gold = np.where(pages.labels == UNLABELLED, 2, pages.labels)
        assert set(retrain_process.scores(pages, gold).values()) == {1.0}
        nothing = retrain_process.scores(pages, np.full(len(gold), 2))
        assert nothing["word F"] == 0.2  # one of the five is a page without content

    def test_word_f_is_the_mean_over_pages(self):
        from victor.labelers import build_labeler
        from victor.training.dataset import label_blocks

        html = b"<p>one two<p>three four five six"
        assert len(canonical_table(html)) == 2
        page = annotate("a", html, np.array([1, 2]))
        empty = annotate("b", html, np.array([2, 2]))
        pages = label_blocks([page, empty], build_labeler("none"))
        found = retrain_process.scores(pages, np.array([1, 1, 2, 2]))
        assert found["word F"] == pytest.approx((2 * 2 / (2 + 6) + 1) / 2)
        assert found["accuracy"] == 0.75


class TestBackground:
    def test_it_trains_and_reports(self, training, annotated):
        assert training.status().state == "idle"
        training.start(partial(list, annotated[:2]), 9)
        assert training.status().state in ("running", "done")
        last = training.wait(LONG)
        assert (last.state, last.message[:7]) == ("done", "2 pages")
        assert last.pages == 2
        assert last.done == last.total
        assert Model.load(training.plan.model).card["after"] == last.after
        assert last.to_json()["model"] == str(training.plan.model)

    def test_a_failure_is_a_message(self, training):
        training.start(partial(list, []), 9)
        last = training.wait(LONG)
        assert last.state == "failed"
        assert last.message.startswith("the corpus has no page")
        assert not training.plan.model.exists()

    def test_a_second_one_has_to_wait_and_cancelling_keeps_the_file(self, training, annotated):
        training.plan.model.write_bytes(b"the one before")
        training.start(partial(list, annotated), 9)
        with pytest.raises(ConfigError, match="a training is running"):
            training.start(partial(list, annotated), 9)
        assert training.cancel().state == "cancelled"
        assert training.status().state == "cancelled"
        assert training.plan.model.read_bytes() == b"the one before"
        assert sorted(p.name for p in training.plan.model.parent.iterdir()) == [
            "pages.victor",
            "tiny.yaml",
        ]

    def test_a_process_that_dies(self, training, annotated):
        training.start(partial(list, annotated), 9)
        training._process.kill()
        last = training.wait(LONG)
        deadline = time.monotonic() + LONG
        while last.state == "running" and time.monotonic() < deadline:
            last = training.status()
        assert last.state == "failed"
        assert "ended early (exit status -9)" in last.message
        training.start(partial(list, annotated[:1]), 9)
        assert training.cancel().state == "cancelled"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"config": "no-such"}, "no-such"),
        ({"base": "no-such"}, "no model 'no-such'"),
    ],
)
def test_what_does_not_exist(annotated, plan, change, message):
    with pytest.raises(VictorError, match=message):
        statuses(annotated[:1], dataclasses.replace(plan, **change))
