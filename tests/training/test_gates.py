"""Which experts pages can teach, and a gate that tells them apart."""

import numpy as np
import pytest
from gates import weigh

from victor.training.training import experts_of, gate_of

COUNTS = (30, 20, 25, 5)
"""Pages of articles, forums, listings, and of unknown types."""
TYPES = [
    name for name, count in zip(("article", "forum", "listing", ""), COUNTS, strict=True)
    for _ in range(count)
]  # fmt: skip
STARTS = np.arange(len(TYPES) + 1) * 6


@pytest.fixture(scope="module")
def codes():
    """Code 0 is high on articles, code 1 on forums and on pages of unknown types."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5, (4, STARTS[-1])).astype(np.uint8)
    for row, names in enumerate((("article",), ("forum", ""))):
        codes[row] += 9 * np.isin(TYPES, names).repeat(6).astype(np.uint8)
    return codes


def test_pages_of_unknown_types_go_where_they_look_like(codes):
    names, experts = experts_of(codes, STARTS, TYPES)
    assert names == ("article", "forum", "other")
    assert experts.tolist() == [0] * 30 + [1] * 20 + [2] * 25 + [1] * 5


def test_an_expert_of_too_few_pages_is_none(codes):
    """Its pages go to the expert of those that look most like them."""
    types = [*TYPES]
    types[30] = ""
    names, experts = experts_of(codes, STARTS, types)
    assert names == ("article", "other")
    assert set(experts[:30]) == {0}
    assert set(experts[50:75]) == {1}


@pytest.mark.parametrize("types", [[""] * 80, ["article"] * 80, ["article"] * 61 + ["forum"] * 19])
def test_one_expert_for_all(codes, types):
    names, experts = experts_of(codes, STARTS, types)
    assert names == ("all",)
    assert not experts.any()


@pytest.mark.parametrize("n_experts", [2, 3])
def test_a_gate_is_for_the_expert_of_a_page(codes, n_experts):
    names, experts = experts_of(codes, STARTS, TYPES)
    known = np.arange(STARTS[sum(COUNTS[:n_experts])])
    starts = STARTS[: sum(COUNTS[:n_experts]) + 1]
    of_pages = experts[: len(starts) - 1]
    gate = gate_of(names[:n_experts], codes[:, known], starts, of_pages)
    weights = weigh(gate, codes[:, known], starts)
    assert (weights.argmax(axis=1) == of_pages).mean() > 0.95
    assert weights[np.arange(len(of_pages)), of_pages].mean() > 0.7
