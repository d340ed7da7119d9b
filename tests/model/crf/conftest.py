"""A small made-up world: labels that follow from codes and the label before."""

from dataclasses import dataclass

import numpy as np
import pytest

from victor.model.template import Template


@dataclass(frozen=True)
class World:
    """Codes and labels of some pages."""

    sizes: dict
    codes: np.ndarray
    page_starts: np.ndarray
    labels: np.ndarray
    sites: list

    def page(self, number):
        """One page alone: (codes, page starts)."""
        a, b = self.page_starts[number : number + 2]
        return self.codes[a:b], np.array([0, b - a])


def make_world(seed=0, lengths=(7, 1, 12, 0, 9, 3, 15, 2, 20), sizes=None):
    rng = np.random.default_rng(seed)
    sizes = sizes or {"a": 4, "b": 3, "flag": 2, "wide": 9}
    page_starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
    n = int(page_starts[-1])
    codes = np.stack([rng.integers(0, size, n) for size in sizes.values()], axis=1)
    evidence = codes[:, 0] + 2 * codes[:, 1] + rng.integers(0, 4, n)
    labels = (np.roll(evidence, 1) // 3 + evidence) % 3
    return World(
        sizes=sizes,
        codes=codes.astype(np.uint8),
        page_starts=page_starts,
        labels=labels.astype(np.uint8),
        sites=[f"site-{page // 2}" for page in range(len(lengths))],
    )


def make_template(page_edge="distance"):
    structure = [
        {"column": "a", "offset": "{-2..2}"},
        {"column": "b", "offset": "{-1..1}"},
        {"column": "{flag,wide}"},
        {"columns": ["a", "b"], "offset": [-1, 0]},
        {"columns": ["flag", "wide"], "offset": 3},
        [{"column": "a", "offset": -1}, {"column": "flag", "offset": 2}],
    ]
    return Template.from_config(structure, columns=["a", "b", "flag", "wide"], page_edge=page_edge)


@pytest.fixture(scope="session")
def world():
    return make_world()


@pytest.fixture(scope="session")
def make():
    """The functions of this file: under importlib mode tests cannot import it."""
    return {"world": make_world, "template": make_template}
