"""Thresholds by name and by precision, and what is said where there is none."""

import json

import pytest

from tests.rows import tables
from victor.config.schema import Decision
from victor.errors import ConfigError
from victor.model.decide import Presets, Reached

PRESETS = Presets(
    {"precision": Reached(0.4, 0.951, 0.9), "balanced": Reached(0.6, 0.92, 0.95)},
    {0.9: Reached(0.7, 0.901, 0.96), 0.95: Reached(0.4, 0.951, 0.9), 0.97: Reached(0.2, 0.97, 0.7)},
    "words",
    "5 folds by site",
    {"annotations": 47},
)


@pytest.mark.parametrize(("asked", "threshold"), tables(__file__)["asked"].items())
def test_a_precision_between_two_takes_the_stricter(asked, threshold):
    assert Decision.at(asked, PRESETS) == Decision(threshold=threshold)


def test_a_precision_that_was_not_reached_says_which_was():
    for asked in ("p0.971", "p0.98", "p1"):
        with pytest.raises(ConfigError, match=r"highest is 0\.97: ask for p0\.97"):
            Decision.at(asked, PRESETS)
    with pytest.raises(ConfigError, match="sweep --store"):
        Decision.at("p0.9", Presets({"precision": Reached(0.4)}))
    with pytest.raises(ConfigError, match="sweep --store"):
        Decision.at("p0.9", {})


@pytest.mark.parametrize("name", ["recall", "p", "p2", "p0.9x", "px"])
def test_a_name_that_is_unknown_is_answered_with_those_known(name):
    with pytest.raises(ConfigError, match="known are: balanced, precision"):
        Decision.at(name, PRESETS)


def test_they_can_be_written_and_read():
    again = Presets.from_json(json.loads(json.dumps(PRESETS.to_json())))
    for name in ("points", "curve", "measure", "protocol", "pages"):
        assert getattr(again, name) == getattr(PRESETS, name)


def test_names_and_numbers_alone_are_presets_too():
    """Models of formats up to 3 have no more, and neither have presets of your own."""
    old = {"precision": 0.25, "recall": 1}
    assert Presets.from_json(old) == old == Presets.of(old).to_json() == Presets.of(old).shown()
    assert Presets.of(PRESETS) is PRESETS
    assert Presets.of(old).points["precision"] == (0.25, None, None)
