"""Pages of tags and texts in no order, and what is compared of them."""

import random
from pathlib import Path

import pytest

from tests.rows import tables

ROWS = tables(__file__)

ROOT = Path(__file__).parents[1]
ELEMENTS = ROWS["elements"]
ATTRIBUTES = ROWS["attributes"]
TEXTS = ROWS["texts"]


def make_soup(seed):
    """A page of tags and texts in no order."""
    pick = random.Random(seed)
    parts = []
    for _ in range(pick.randint(1, 30)):
        kind = pick.random()
        if kind < 0.45:
            end = pick.choice((">", ">", ">", "/>"))
            parts.append(f"<{pick.choice(ELEMENTS)}{pick.choice(ATTRIBUTES)}{end}")
        else:
            parts.append(f"</{pick.choice(ELEMENTS)}>" if kind < 0.65 else pick.choice(TEXTS))
    return "".join(parts).encode()


@pytest.fixture(scope="session")
def soup():
    return make_soup


@pytest.fixture(scope="session")
def own_pages():
    """Our own annotated pages, by file."""
    return sorted(ROOT.glob("annotations/pages/*.html"))


@pytest.fixture(scope="session")
def plain():
    """Text without white space and joiners."""
    from victor.page.parsing.characters import JOINER, SPACE, class_table

    classes = class_table()
    return lambda text: "".join(c for c in text if classes[ord(c)] not in (SPACE, JOINER))
