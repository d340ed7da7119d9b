"""`victor ablate`: the table, the groups asked for, pages drawn, wrong calls."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAST = ("--set", "crf.max_iterations=5", "--folds", 2, "--pages", 16)


@pytest.fixture
def ablate(victor):
    def run(*arguments):
        return victor("ablate", ROOT / "annotations", *FAST, *arguments)

    return run


@pytest.mark.slow
def test_the_groups_asked_for_are_dropped(ablate):
    result = ablate("--config", "crf", "--groups", "links,words")
    assert result.status == 0
    head, whole, *rows = [line.split("  ") for line in result.out.splitlines()]
    assert head[0] == "without"
    assert whole[0].strip() == "(nothing)"
    assert {row[0].strip() for row in rows} == {"links", "words"}
    losses = [float(row[-1]) for row in rows]
    assert losses == sorted(losses, reverse=True), "our pages have no gold text: blocks decide"
    assert len({len(line) for line in result.out.splitlines()}) == 1
    assert ablate("--config", "crf", "-g", "links", "-g", "words").out == result.out


def test_every_group_in_turn(ablate):
    """A configuration of three modules, one of which no entry of the template reads."""
    result = ablate("--config", "crf", "--set", "features=[words, characters, document]",
                    "--set", "discretize=null", "--set",
                    "template=[{column: word.count}, {column: char.alpha-rel}]")  # fmt: skip
    assert result.status == 0
    rows = {line.split()[0]: line.split() for line in result.out.splitlines()[2:]}
    assert {*rows} == {"words", "characters", "document"}
    assert rows["document"][2] == "0"
    assert rows["document"][-1] == "+0.0000"
