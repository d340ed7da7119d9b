"""Predictions that tests make by hand."""

import numpy as np

from victor.evaluation.predictions import Predictions
from victor.model.decide import Decision
from victor.training.dataset import PageInfo

HALF = Decision("threshold", 0.5)


def made(pages, *, system="made", protocol="by hand", decision=HALF):
    """Predictions of pages: a `PageInfo` or a gold text, and (text, label, p(other)) blocks."""
    infos = [
        page if isinstance(page, PageInfo) else PageInfo(str(number), str(number), gold=page)
        for number, (page, _) in enumerate(pages)
    ]
    blocks = [block for _, own in pages for block in own]
    texts, labels, other = zip(*blocks, strict=True) if blocks else [()] * 3
    other = np.array(other, dtype=np.float64)
    return Predictions(
        system=system,
        protocol=protocol,
        decision=decision,
        pages=tuple(infos),
        texts=tuple(texts),
        page_starts=np.cumsum([0, *(len(own) for _, own in pages)]),
        labels=np.array(labels, dtype=np.uint8),
        marginals=np.stack([(1 - other) / 4, 3 * (1 - other) / 4, other], axis=1),
        words=np.array([len(text.split()) for text in texts], dtype=np.int64),
        page_measures=np.zeros((len(pages), 1)),
        p_no_content=np.full(len(pages), np.nan),
    )
