"""The slider: at every position what is kept, and the text, are those of cleaning with it."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

import victor
from victor.api import Cleaner, CleanerSpec
from victor.base.labels import LABEL_NAMES
from victor.config.schema import Decision, Scope
from victor.explain.demo_steps import runs
from victor.labelers.labeler import LABELERS, build_labeler

few = settings(max_examples=5, deadline=None, derandomize=True)
SOME = (0.0, 0.05, 0.35, 0.57, 0.9, 1.0)


def nearest(data, value):
    """Position of the threshold that is nearest to a value."""
    return min(range(len(data["thresholds"])), key=lambda k: abs(data["thresholds"][k] - value))


def check(cleaner, page, read, thresholds=SOME):
    """Compare positions of a demo with cleaning at their thresholds."""
    data = read.data_of(cleaner.clean(page).demo())
    choice = len(data["thresholds"])
    places = {nearest(data, value): value for value in thresholds} if choice else {}
    places = {position: data["thresholds"][position] for position in places}
    for position, threshold in [*places.items(), (choice, None)]:
        decision = cleaner.decision if threshold is None else Decision(threshold=threshold)
        result = Cleaner(cleaner.labeler, decision=decision, scope=cleaner.scope).clean(page)
        assert read.text_at(data, position) == result.text
        labels = [read.value_at(row, 1, position) or [2] for row in data["labels"]]
        assert [LABEL_NAMES[label] for (label,) in labels] == [b.label for b in result.blocks]
        assert data["blocks"][position] == sum(block.kept for block in result.blocks)
    return data


def test_pages_at_some_thresholds(golden_pages, read):
    cleaner = CleanerSpec().cleaner()
    for page in [*golden_pages.values()][::3]:
        check(cleaner, page, read)


@few
@given(page=strategies.page())
def test_any_page(page, read):
    check(CleanerSpec().cleaner(), page, read)


@pytest.mark.slow
@pytest.mark.parametrize("name", LABELERS)
def test_other_systems(name, annotated, read):
    cleaner = Cleaner(build_labeler(name))
    data = check(cleaner, annotated[0].html, read)
    titles = {title for _, title, _ in data["why"].values()}
    assert titles == {f"What {name} found"}
    assert bool(data["thresholds"]) == (name != "none")


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["article", "full"])
def test_scopes(scope, annotated, read):
    cleaner = Cleaner(CleanerSpec().build(), scope=Scope(name=scope))
    for page in annotated[:4]:
        check(cleaner, page.html, read)


def test_own_threshold_is_a_position(annotated, read):
    data = read.data_of(victor.clean(annotated[0].html, threshold=0.1234).demo())
    assert 0.1234 in data["thresholds"]
    assert data["thresholds"][data["nearest"]] == 0.1234


@st.composite
def columns(draw):
    """One or two arrays of a few rows and positions."""
    shape = draw(st.tuples(st.integers(1, 2), st.integers(0, 4), st.integers(1, 6)))
    size = int(np.prod(shape))
    numbers = draw(st.lists(st.integers(-1, 2), min_size=size, max_size=size))
    return np.array(numbers, dtype=np.int64).reshape(shape)


@given(columns())
def test_runs_give_the_values_back(values):
    width = len(values)
    again = np.full_like(values, -1)
    for row, flat in enumerate(runs(*values)):
        for start in range(0, len(flat), 2 + width):
            first, last, *held = flat[start : start + 2 + width]
            again[:, row, first : last + 1] = np.array(held)[:, None]
    assert (again == np.where(values[-1] == -1, -1, values)).all()
