"""What commands say of a feature module that fails, and of a list without those of the base."""

from pathlib import Path

import pytest

SHOUTING = """\
import numpy as np

from victor.features.base import Column, Measure
from victor.page.table.texts import block_texts


def compute(table):
    texts = block_texts(table)
    if any("NEVER" in text for text in texts):
        raise ValueError("never, never")
    return {"shout.share": [text.count("!") / len(text) for text in texts]}


def build():
    return Measure((Column("shout.share", "number", "share of exclamation marks"),), compute)
"""
GOOD = (
    "<p>Bees live in colonies, each of which has one queen, and all winter long they hum.</p>" * 3
)
BAD = "<p>NEVER</p>"
SAID = "shouting.py, line 10: ValueError: never, never"


@pytest.fixture
def shouting(here):
    """A working directory with a module, a configuration with it, and pages."""
    Path("shouting.py").write_text(SHOUTING)
    Path("mine.yaml").write_text(
        "base: crf\nfeatures+: [./shouting.py]\ntemplate+: [{column: shout.share}]\n"
        "crf: {max_iterations: 5}\n"
    )
    Path("pages").mkdir()
    for number in range(6):
        Path(f"pages/{number}.html").write_text(BAD if number % 2 else GOOD)


@pytest.fixture
def trained(shouting, victor):
    run = victor("train", "corpus", "-c", "mine.yaml", "-o", "mine.victor", "--trust-code")
    assert run.status == 0, run.err
    Path("shouting.py").unlink()
    return "-m", "mine.victor", "--trust-code"


def test_pages_that_it_cannot_measure_are_counted_and_the_first_is_shown(trained, victor):
    run = victor("clean", *trained, "-o", "out", "pages")
    assert (run.status, run.err.count(SAID), "feature-failed 3" in run.err) == (1, 1, True)
    assert sorted(path.name for path in Path("out").iterdir()) == ["0.txt", "2.txt", "4.txt"]
    run = victor("crawl", "pages", *trained, "-o", "corpus2")
    assert (run.status, run.err.count(SAID), "feature-failed 3" in run.err) == (1, 1, True)
    run = victor("clean", *trained, "pages/1.html", "pages/3.html")
    assert (run.status, run.out) == (2, "")  # none could be measured: the call is wrong


def test_training_stops_with_one_line(shouting, victor):
    Path("shouting.py").write_text(SHOUTING.replace("NEVER", ""))
    run = victor("train", "corpus", "-c", "mine.yaml", "-o", "mine.victor", "--trust-code")
    assert run.status == 2
    assert run.err.splitlines()[-1] == f"victor: {SAID}"


def test_a_module_in_place_of_those_of_the_base(shouting, victor):
    """The list of the base is replaced; what it had is told in a few names, and the remedy."""
    words = ["train", "corpus", "-c", "crf", "-o", "mine.victor", "--trust-code"]
    first = victor(*words, "-s", "features=[./shouting.py]")
    assert first.status == 2
    assert "unknown column" in first.err
    assert "`features-: [MODULE]` leaves a module of the base out" in first.err
    second = victor(
        *words, "-s", "features=[./shouting.py]", "-s", "template=[{column: shout.share}]"
    )
    (line,) = [line for line in second.err.splitlines() if "discretize" in line]
    assert "no feature gives container.tag; heading.level; heading.last-level; and 1 more" in line
    assert "`features-: [MODULE]` leaves a module of the base out" in line
    assert len(line) < 350
