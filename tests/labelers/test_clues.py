"""Every labeler of rules says what decided, and that is what it decided by."""

from pathlib import Path

import numpy as np
import pytest

from victor.labelers.labeler import LABELERS, build_labeler
from victor.labelers.rules import RuleLabeler

PAGE = (
    b"<ul class=menu><li><a href=/>Home</a><li><a href=/a>About</a></ul><h1>On bees</h1>"
    b"<div class=p><p>Bees live in colonies, and so do ants; both of them work all day, every day. "
    b"Some of them <a href=/wasps>even <i>hunt</i></a>, which most people do not know about.</p>"
    b"<p>They fly.</p></div><form>Search here</form><p><a href=/x>More about bees</a></p>"
    b"<ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>"
)
PAGES = [PAGE, b"", b"<p>x", PAGE[::-1].replace(b"<", b" ").replace(b">", b" ")]


def clues_of(name, pages=PAGES, **options):
    labeler = build_labeler(name, **options)
    table = labeler.table(pages)
    clues = {clue.name: clue for clue in labeler.clues(table)}
    return labeler.label(table).kept, clues


def passes(clue):
    """(n,) is a value on the side of its limit that speaks for keeping."""
    compare = {"up to": np.less_equal, "from": np.greater_equal, "above": np.greater}[clue.keeps]
    return compare(clue.values, clue.limit)


@pytest.mark.parametrize("name", LABELERS)
def test_every_labeler_has_clues_for_every_block(name):
    kept, clues = clues_of(name)
    assert clues
    for clue in clues.values():
        assert len(clue.values) == len(kept)
        assert clue.meaning
        assert (clue.limit is None) == (clue.keeps == "")
        assert clue.limit is None or clue.limit.shape == (len(kept),)
    assert all(len(clue.values) == 0 for clue in clues_of(name, [])[1].values())


def test_limits_decide():
    kept, clues = clues_of("density")
    deciding = [passes(clues[name]) for name in ("text density", "characters")]
    np.testing.assert_array_equal(np.all(deciding, axis=0), kept)
    assert 0 < kept.sum() < len(kept)


def test_the_step_of_kimatu_decides():
    kept, clues = clues_of("kimatu")
    steps = clues["step"].values
    assert [step.startswith("kept") for step in steps] == kept.tolist()
    assert len(set(steps)) > 2


def test_kimatu_is_sure_above_its_limit():
    kept, clues = clues_of("kimatu", [PAGE])
    is_sure = ["relevant enough" in step for step in clues["step"].values]
    np.testing.assert_array_equal(passes(clues["relevance"]) & kept, is_sure)


def test_the_step_of_dom_decides():
    kept, clues = clues_of("dom", [PAGE], overrides=["filters.forms=true"])
    steps = clues["step"].values
    assert [step == "kept" for step in steps] == kept.tolist()
    assert "dropped, in a form" in steps
    assert any(step == "dropped, in a list of links" for step in steps)


def test_dom_says_what_a_kept_block_lost():
    _, clues = clues_of("dom", [PAGE], overrides=["filters.text_links=true"])
    assert "text-links 2" in clues["lost parts"].values


def test_a_labeler_of_a_function_alone_has_no_clues():
    labeler = RuleLabeler("mine", lambda table: np.ones(len(table)))
    assert labeler.clues(labeler.table([PAGE])) == []


def test_constants_are_those_of_the_configuration(tmp_path):
    file = tmp_path / "density.yaml"
    file.write_text("base: density\ndensity: {characters: 25}\n")
    _, clues = clues_of("density", source=Path(file))
    assert set(clues["characters"].limit.tolist()) == {25}
