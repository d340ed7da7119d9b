"""Annotated corpora for the commands that train, score and align."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from victor.cli.messages import complain, progress
from victor.config import Config
from victor.corpus.pages import AnnotatedPage
from victor.corpus.read import read
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import Dataset, LabelledPages, analyze

__all__ = ["analyzed", "read", "report_drift", "sample"]


def sample(pages: Sequence[AnnotatedPage], limit: int | None) -> Sequence[AnnotatedPage]:
    """All pages, or `limit` of them drawn at random, always the same and in their order."""
    if limit is None or limit >= len(pages):
        return pages
    drawn = np.random.default_rng(0).choice(len(pages), limit, replace=False)
    return [pages[index] for index in sorted(drawn.tolist())]


def analyzed(
    directories: Sequence[Path], config: Config, trust_code: bool, *, lean: bool = False
) -> tuple[Dataset, FeatureExtractor]:
    """The dataset of some corpora; labels that no longer fit their pages are reported."""
    extractor = FeatureExtractor(config, trust_code=trust_code)
    n_pages = sum(1 for _ in read(directories))  # read twice: all at once take much memory
    with progress("measuring pages", n_pages) as advance:
        dataset = analyze(read(directories), extractor, lean=lean, progress=advance)
    report_drift(dataset)
    return dataset, extractor


def report_drift(dataset: LabelledPages) -> None:
    """Say how many pages have stored labels that no longer fit, if any."""
    if dataset.drift:
        complain(dataset.drift)
