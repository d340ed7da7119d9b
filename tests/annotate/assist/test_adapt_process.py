"""Adapting in the background: scores before and after, failures as messages, cancelling."""

import dataclasses
import time
from functools import partial

import pytest

from victor.annotate.assist.adapt_process import AdaptProcess, Plan, Status, adapt_and_compare
from victor.errors import ConfigError, VictorError
from victor.model.model import Model

LONG = 600.0
"""Seconds to wait on a machine that has much else to do."""


@pytest.fixture
def plan(tmp_path):
    return Plan(tmp_path / "pages.victor")


@pytest.fixture
def training(plan):
    process = AdaptProcess(plan)
    yield process
    process.close()


def statuses(pages, plan):
    """The status after each message, in this process."""
    reported = [Status()]
    adapt_and_compare(
        pages, plan, lambda **fields: reported.append(dataclasses.replace(reported[-1], **fields))
    )
    return reported


class TestScores:
    def test_before_and_after(self, annotated, plan):
        *_, last = reported = statuses(annotated[:3], plan)
        assert last.state == "done"
        assert last.done == last.total > 0
        assert 0 <= last.before <= last.after <= 1
        assert last.message == "3 pages, 3 folds by site; with so few pages the scores are rough"
        steps = [status.done for status in reported]
        assert steps == sorted(steps)
        card = Model.load(plan.model).card["adapted"]
        assert (card["pages"], card["expected word F after"]) == (3, last.after)

    def test_pages_of_one_site_are_left_out_each(self, annotated, plan):
        pages = [dataclasses.replace(page, site="one.example") for page in annotated[:2]]
        assert statuses(pages, plan)[-1].message.startswith("2 pages, 2 folds by page")

    def test_pages_without_content_take_part(self, annotated, plan):
        page = next(page for page in annotated if not (page.labels < 2).any())
        # An empty gold text would keep a page out of training elsewhere.
        empty = dataclasses.replace(page, site="", gold="")
        statuses([annotated[0], empty], plan)
        assert Model.load(plan.model).card["adapted"]["pages"] == 2


class TestBackground:
    def test_it_trains_and_reports(self, training, annotated):
        assert training.status().state == "idle"
        training.start(partial(list, annotated[:2]), 9)
        assert training.status().state in ("running", "done")
        last = training.wait(LONG)
        assert (last.state, last.message[:7]) == ("done", "2 pages")
        assert last.pages == 2
        assert last.done == last.total
        card = Model.load(training.plan.model).card["adapted"]
        assert card["expected word F after"] == last.after
        assert last.to_json()["model"] == str(training.plan.model)

    def test_a_failure_is_a_message(self, training):
        training.start(partial(list, []), 9)
        last = training.wait(LONG)
        assert last.state == "failed"
        assert "no page" in last.message
        assert not training.plan.model.exists()

    def test_a_second_one_has_to_wait_and_cancelling_keeps_the_file(self, training, annotated):
        training.plan.model.write_bytes(b"the one before")
        training.start(partial(list, annotated), 9)
        with pytest.raises(ConfigError, match="is being adapted"):
            training.start(partial(list, annotated), 9)
        assert training.cancel().state == "cancelled"
        assert training.status().state == "cancelled"
        assert training.plan.model.read_bytes() == b"the one before"
        assert [p.name for p in training.plan.model.parent.iterdir()] == ["pages.victor"]

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
    ("base", "message"), [("no-such", "no model 'no-such'"), ("crf", "only a model of trees")]
)
def test_what_cannot_be_adapted(annotated, plan, base, message):
    with pytest.raises(VictorError, match=message):
        statuses(annotated[:2], dataclasses.replace(plan, base=base))


def test_one_page_is_too_few(annotated, plan):
    with pytest.raises(VictorError, match="needs 2 labelled pages"):
        statuses(annotated[:1], plan)
