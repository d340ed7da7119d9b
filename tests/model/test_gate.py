"""The gate of experts: which of them speak of a page, and that a batch changes nothing."""

import numpy as np
import pytest
from gates import weigh

from victor.errors import ConfigError
from victor.model.trees import EXPERTS, Gate, expert_of

NAMES = ("article", "forum", "other")


@pytest.mark.parametrize(("share", "is_asked"), [(0.051, True), (0.049, False)])
def test_an_expert_that_would_say_little_is_not_asked(share, is_asked):
    intercepts = np.log([1 - share, share])
    gate = Gate(NAMES[:2], np.array([[0, 0], [0, 0], intercepts]))
    weights = weigh(gate, np.zeros((1, 4), dtype=np.uint8), np.array([0, 4]))
    expected = [1 - share, share] if is_asked else [1, 0]
    np.testing.assert_allclose(weights, [expected], rtol=1e-6)


def test_types_of_pages_have_an_expert():
    found = {name: expert_of(name) for name in ("article", "recipe", "forum", "listing", "other")}
    assert found == {
        "article": "article", "recipe": "article", "forum": "forum", "listing": "other",
        "other": "other",
    }  # fmt: skip
    every = [name for types in EXPERTS.values() for name in types]
    assert len(every) == len({*every})


def test_a_type_that_there_is_not():
    with pytest.raises(ConfigError, match=r"no page type forums, did you mean forum.*: article,"):
        expert_of("forums")
