"""Predictions by chance, enough of them to draw a curve."""

import numpy as np
import pytest
from made_predictions import made

from victor.base.labels import Label
from victor.training.dataset import PageInfo

WORDS = "bees fly to the hive when it is warm and stay there all winter long".split()


def chance_pages(seed, n_pages=12, n_blocks=30, noise=0.28):
    """Pages whose first half of blocks is content, with marginals that mostly say so."""
    blocks, random = np.random.default_rng(2008), np.random.default_rng(seed)
    pages = []
    for page in range(n_pages):
        own, gold = [], []
        for block in range(n_blocks):
            text = " ".join(blocks.choice(WORDS, size=blocks.integers(1, 30)))
            is_content = block < n_blocks // 2
            label = Label.TEXT if is_content else Label.OTHER
            other = np.clip(0.75 - 0.5 * is_content + random.normal(0, noise), 0.001, 0.999)
            gold += [text] * is_content
            own.append((text, label, other))
        kind, site = ("article", "forum")[page % 2], f"site{page // 2}"
        pages.append((PageInfo(f"p{page}", site, kind, "en", "\n".join(gold)), own))
    return pages


@pytest.fixture(scope="session")
def by_chance():
    """Two systems on the same 12 pages."""
    return [made(chance_pages(seed), system=name) for seed, name in ((1, "first"), (2, "second"))]


@pytest.fixture(scope="session")
def by_chance_report(by_chance, tmp_path_factory):
    from victor.evaluation.report import write_report

    folder = tmp_path_factory.mktemp("report")
    return write_report(folder, by_chance, title="By chance", version="9.9")
