"""The default configuration is as good on our own pages as it has been: scores only rise.

After a change that makes it better, or new pages: ``python tests/gate/update.py``.
"""

import json

import pytest
from gate import update as gate


@pytest.fixture(scope="module")
def pinned():
    return json.loads(gate.FLOORS.read_text())


def test_pages_and_labels_are_those_that_the_floors_were_measured_on(pinned):
    assert gate.digest() == pinned["digest"], "pages changed: run python tests/gate/update.py"


@pytest.mark.slow
def test_no_score_has_fallen(pinned):
    measured = gate.measure()
    assert set(measured) == set(pinned["floors"])
    assert gate.fallen(pinned["floors"], measured) == []


def test_every_set_has_floors_of_its_own(pinned):
    found = gate.sets(gate.ANNOTATIONS)
    assert (found.count("general"), found.count("hard")) == (44, 12)
    assert {name.split(":")[0] for name in pinned["floors"]} == {"general", "hard"}
