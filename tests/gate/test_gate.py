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


# --- the gate itself -----------------------------------------------------------------------------


def test_a_worse_configuration_does_not_pass(pinned):
    """One that reads nothing but the length of a block."""
    worse = gate.measure(overrides=["template=[{column: word.count}]"])
    assert len(gate.fallen(pinned["floors"], worse)) == len(worse)


def test_every_set_has_floors_of_its_own(pinned):
    found = gate.sets(gate.ANNOTATIONS)
    assert (found.count("general"), found.count("hard")) == (44, 12)
    assert {name.split(":")[0] for name in pinned["floors"]} == {"general", "hard"}


@pytest.mark.parametrize("change", ["page", "mark", "row", "name"])
def test_the_digest_notices_every_change(tmp_path, change):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages.jsonl").write_text('{"id": "a"}\n')
    page = tmp_path / "pages" / "a.html"
    page.write_text('<p data-victor="text">Bees live in colonies.</p>')
    before = gate.digest(tmp_path)
    assert gate.digest(tmp_path) == before
    if change == "row":
        (tmp_path / "pages.jsonl").write_text('{"id": "b"}\n')
    elif change == "name":
        page.rename(page.with_name("b.html"))
    else:
        old, new = ("Bees", "Ants") if change == "page" else ("text", "other")
        page.write_text(page.read_text().replace(old, new))
    assert gate.digest(tmp_path) != before


def test_the_limit_lies_at_the_tolerance():
    assert gate.fallen({"f": 0.9}, {"f": 0.8951}) == []
    assert gate.fallen({"f": 0.9}, {"f": 0.8949}) == ["f: 0.8949, the floor is 0.9000"]
    assert gate.fallen({"f": 0.9}, {}) == ["f: 0.0000, the floor is 0.9000"]


@pytest.mark.parametrize(
    ("allow_lower", "measured", "refused", "floors"),
    [
        (False, {"f": 0.95, "g": 0.7}, 0, {"f": 0.95, "g": 0.7}),
        (False, {"f": 0.899, "g": 0.7}, 0, {"f": 0.9, "g": 0.7}),
        (False, {"f": 0.8, "g": 0.7}, 1, {"f": 0.9, "g": 0.5}),
        (False, {"f": 0.95}, 1, {"f": 0.9, "g": 0.5}),
        (True, {"f": 0.8, "g": 0.7}, 0, {"f": 0.8, "g": 0.7}),
        (True, {"h": 0.1}, 0, {"h": 0.1}),
    ],
)
def test_floors_never_fall_unless_told(tmp_path, allow_lower, measured, refused, floors):
    path = tmp_path / "floors.json"
    gate.update(path, "old", {"f": 0.9, "g": 0.5}, allow_lower=False)
    assert len(gate.update(path, "new", measured, allow_lower=allow_lower)) == refused
    pinned = json.loads(path.read_text())
    assert pinned == {"digest": "old" if refused else "new", "floors": floors}
