"""The zoo's benchmark: how children end is told apart, and what peers do is judged alike."""

import os
import signal

import pytest
from hostile.zoo import ALL, systems
from hostile.zoo.inputs import Input
from hostile.zoo.judge import Finding
from hostile.zoo.texts import KEY, TEXT, page
from zoo import children, peers, report

PAGE = page(TEXT)


@pytest.fixture
def run(monkeypatch):
    """Function: a system of two steps, the second of which does what is given, to its rows."""

    def run(act, seconds=1):
        def steps(system, subject, judge):
            yield "first", lambda: Finding("ok")
            yield "second", act
            yield "third", lambda: Finding("typed", "a-reason")

        monkeypatch.setitem(peers.PEERS, "made-up", ("made-up", None))
        monkeypatch.setattr(children, "SYSTEMS", ("made-up",))
        monkeypatch.setattr(children, "peer_steps", steps)
        entry = Input("made/up", lambda _: PAGE)
        bounds = children.Bounds(seconds, children._resident(os.getpid()) + 300_000_000)
        rows = children.rows_of("made-up", entry, PAGE, True, bounds)
        return {row.step: row.finding.outcome for row in rows}

    return run


def ended(signal_number):
    def act():
        os.kill(os.getpid(), signal_number)

    return act


def busy():
    while True:
        pass


def greedy():
    held = []
    while True:
        held.append(b"x" * 10_000_000)


def exiting():
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("act", "outcome"),
    [
        (lambda: Finding("ok"), "ok"),
        (ended(signal.SIGUSR1), "crash"),
        (ended(signal.SIGKILL), "crash"),
        (exiting, "crash"),
        (busy, "hang"),
        (greedy, "memory"),
    ],
)
def test_how_a_child_ends(run, act, outcome):
    """What is behind the step that a child did not survive is asked of another child."""
    assert run(act) == {"first": "ok", "second": outcome, "third": "typed"}


def fake(extract, monkeypatch, entry, data):
    monkeypatch.setattr(peers, "_loaded", lambda _: extract)
    subject = systems.Subject(entry, data)
    ((_, step),) = peers.peer_steps("made-up", subject, subject.judge)
    return step(), subject.kept


def raising(page, language):
    raise ValueError("no")


@pytest.mark.parametrize(
    ("extract", "outcome", "kept"),
    [
        (lambda page, _: f"a {KEY} b", "ok", True),
        (lambda page, _: "nothing of it", "ok", False),
        (lambda page, _: "ï¿½", "mojibake", False),
        (lambda page, _: "a\0", "damaged", None),
        (raising, "untyped", None),
    ],
)
def test_peers_are_judged_alike(monkeypatch, extract, outcome, kept):
    finding, is_kept = fake(extract, monkeypatch, Input("made/up", lambda _: PAGE), PAGE)
    assert (finding.outcome, is_kept) == (outcome, kept)


def test_garbage_of_a_binary_is_a_failure(monkeypatch):
    entry = ALL["binaries/jpeg"]
    finding, _ = fake(lambda page, _: "ÿØÿà", monkeypatch, entry, entry.make(0.001))
    assert finding.outcome == "accepted"


def test_table_and_rows():
    bad = Finding("hang")
    rows = [
        children.Row("made/up", 9, "default", "text", Finding("ok"), 0.5, 2_000_000, True),
        children.Row("made/up", 9, "default", "html", bad, 0, 0, None),
    ]
    (line,) = [line for line in report.table(rows, ["default"]).splitlines()
               if line.startswith("| default")]  # fmt: skip
    assert line.startswith("| default | 1 | 2 | 1 | 0 | 0 | 0 | 1 |")
    assert "0.5 s made/up text" in line
    assert report.failures(rows) == "made/up  default  html  hang  "
    lines = [*report.tsv(rows, head=True)]
    assert {line.count("\t") for line in lines} == {8}
    assert lines[1].startswith("made/up\t9\tdefault\ttext\tok\t")
