"""Predictions made by hand, and enough of them by chance to draw a curve."""

import numpy as np
import pytest

from victor.base.labels import Label
from victor.evaluation.predictions import Predictions
from victor.model.decide import Decision
from victor.training.dataset import PageInfo

HALF = Decision("threshold", 0.5)
WORDS = "bees fly to the hive when it is warm and stay there all winter long".split()


def predictions(pages, *, system="made", decision=HALF):
    """Predictions of (PageInfo, [(text, gold label, p(other), path, class)]) pages."""
    blocks = [block for _, own in pages for block in own]
    texts, labels, other, paths, classes = zip(*blocks, strict=True) if blocks else [()] * 5
    other = np.array(other, dtype=np.float64)
    path_names, class_names = list(dict.fromkeys(paths)), list(dict.fromkeys(classes))
    return Predictions(
        system=system,
        protocol="by hand",
        decision=decision,
        pages=tuple(info for info, _ in pages),
        page_starts=np.cumsum([0, *(len(own) for _, own in pages)]),
        labels=np.array(labels, dtype=np.uint8),
        marginals=np.stack([(1 - other) / 4, 3 * (1 - other) / 4, other], axis=1),
        words=np.array([len(text.split()) for text in texts], dtype=np.int64),
        page_measures=np.zeros((len(pages), 1)),
        p_no_content=np.full(len(pages), np.nan),
        texts=tuple(texts),
        path=np.array([path_names.index(path) for path in paths], dtype=np.int64),
        paths=tuple(path_names),
        css_class=np.array([class_names.index(name) for name in classes], dtype=np.int64),
        css_classes=tuple(class_names),
    )


@pytest.fixture(scope="session")
def make():
    return predictions


def chance_pages(seed, n_pages=16, n_blocks=40, noise=0.28):
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
            own.append((text, label, other, "html/body/main/p" if is_content else "body/ul/li", ""))
        kind, site = ("article", "forum")[page % 2], f"site{page // 2}"
        pages.append((PageInfo(f"p{page}", site, kind, "en", "\n".join(gold)), own))
    return pages


@pytest.fixture(scope="session")
def by_chance():
    """Two systems on the same 16 pages."""
    return [
        predictions(chance_pages(seed), system=name) for seed, name in ((1, "first"), (2, "second"))
    ]


@pytest.fixture(scope="session")
def by_chance_report(by_chance, tmp_path_factory):
    from victor.evaluation.report import write_report

    folder = tmp_path_factory.mktemp("report")
    return write_report(folder, by_chance, title="By chance", version="9.9")
