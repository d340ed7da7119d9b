"""What all rule systems share: certainty, marginals, the protocol; and how they are named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
from victor.base.labels import Label
from victor.config.layers import load_as, names
from victor.errors import ConfigError
from victor.labelers.labeler import LABELERS, Labeler, build_labeler, system
from victor.labelers.rules import RuleLabeler, certainty
from victor.model.decide import Decision

PAGE = b"<ul><li><a href=a>Home</a></ul><h1>Bees</h1><p>They live in hives, and they fly a lot.</p>"


def of(keep, pages=(PAGE,)):
    labeler = RuleLabeler("rules", lambda table: np.array(keep))
    return labeler, labeler.table(pages)


def test_kept_headings_are_headers_and_kept_blocks_text():
    labeler, table = of([0.2, 0.7, 0.9])
    verdict = labeler.label(table)
    assert verdict.labels.tolist() == [Label.OTHER, Label.HEADER, Label.TEXT]
    assert verdict.marginals == pytest.approx(
        np.array([[0, 0.2, 0.8], [0.7, 0, 0.3], [0, 0.9, 0.1]])
    )
    assert verdict.method == "rules"


def test_a_decision_that_is_given_decides():
    labeler, table = of([0.2, 0.7, 0.9])
    verdict = labeler.label(table, Decision("threshold", 0.2))
    assert verdict.kept.tolist() == [False, False, True]
    assert verdict.method == "threshold"
    with pytest.raises(ConfigError, match="sequence model"):
        labeler.label(table, Decision("viterbi"))


@given(st.lists(st.tuples(st.booleans(), st.floats(-1, 2)), max_size=9))
def test_one_half_parts_what_is_kept_from_what_is_not(drawn):
    kept = np.array([is_kept for is_kept, _ in drawn], dtype=bool)
    score = np.array([value for _, value in drawn], dtype=float)
    keep = certainty(kept, score)
    assert ((1.0 - keep < 0.5) == kept).all()
    assert ((keep >= 0) & (keep <= 1)).all()
    for same in (kept, ~kept):
        order = np.argsort(score[same])
        assert (np.diff(keep[same][order]) >= 0).all()


@pytest.mark.parametrize("name", LABELERS)
def test_the_shipped_file_writes_down_what_the_schema_has_by_default(name):
    schema = system(name).settings
    assert load_as(schema, name) == schema()


@pytest.mark.parametrize("name", LABELERS)
def test_every_labeler_keeps_to_the_protocol(name, forum):
    labeler = build_labeler(name)
    assert isinstance(labeler, Labeler)
    assert labeler.name == name
    assert not len(labeler.label(labeler.table([b"<div></div>", b""])).labels)
    table = labeler.table([forum, b"", b"<p>", PAGE])
    verdict = labeler.label(table)
    assert verdict.kept.any()
    assert verdict.marginals.sum(axis=1) == pytest.approx(1.0)
    assert (verdict.kept == (verdict.marginals[:, Label.OTHER] < 0.5)).all()
    assert verdict.method == name


def test_labelers_are_named_and_their_constants_overridden():
    with pytest.raises(ConfigError, match=r"no labeler 'kimato', did you mean kimatu"):
        build_labeler("kimato")
    with pytest.raises(ConfigError, match="--set: sure: Expected `float`"):
        build_labeler("kimatu", None, ["sure=high"])
    strict = build_labeler("density", None, ["density.characters=20"])
    assert strict.label(strict.table([PAGE])).kept.tolist() == [False, False, True]


@pytest.mark.parametrize("name", LABELERS)
def test_shipped_constants_are_those_of_the_schema(name):
    made = system(name)
    assert load_as(made.settings, name) == made.settings()
    assert name not in names()


# --- Clues: every labeler of rules says what decided ----------------------------------------------

CLUES = tables(__file__)["clues"].encode()


def clues_of(name, *overrides):
    labeler = build_labeler(name, None, overrides)
    table = labeler.table([CLUES, b"", b"<p>x"])
    return labeler.label(table).kept, {clue.name: clue for clue in labeler.clues(table)}


@pytest.mark.parametrize("name", LABELERS)
def test_every_labeler_has_clues_for_every_block(name):
    kept, clues = clues_of(name)
    assert clues
    for clue in clues.values():
        assert len(clue.values) == len(kept)
        assert (clue.limit is None) == (clue.keeps == "")
    labeler = build_labeler(name)
    assert all(len(clue.values) == 0 for clue in labeler.clues(labeler.table([])))


def test_what_the_clues_say_decides():
    kept, clues = clues_of("density", "density.characters=25")
    assert set(clues["characters"].limit.tolist()) == {25}
    deciding = [clues["text density"].values > clues["text density"].limit,
                clues["characters"].values >= clues["characters"].limit]  # fmt: skip
    assert np.all(deciding, axis=0).tolist() == kept.tolist()
    kept, clues = clues_of("kimatu")
    assert [step.startswith("kept") for step in clues["step"].values] == kept.tolist()
    assert len(set(clues["step"].values)) > 2
    kept, clues = clues_of("dom", "filters.forms=true", "filters.text_links=true")
    assert [step == "kept" for step in clues["step"].values] == kept.tolist()
    assert "dropped, in a form" in clues["step"].values
    assert "text-links 2" in clues["lost parts"].values
