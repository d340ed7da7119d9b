"""Learn the weights of a second verdict from pages of known sites, and cross-validate them.

    victor evaluate CORPUS... -c default --folds 5 --save out
    python benchmarks/site_weights.py out/default.npz CORPUS...

The marginals are those of models that saw none of the pages. Only pages with another page of their
site count, for no other page changes. Scores are page means of word F by the labels of blocks, of
five folds by site with three seeds; the weights that are printed are those of all pages together,
and `victor.sites.second.WEIGHTS` has them with two digits.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np

from victor.base.arrays import Bools, Floats, Ints
from victor.base.labels import UNLABELLED, Label
from victor.corpus.read import read
from victor.corpus.splits import folds
from victor.evaluation.predictions import Predictions
from victor.labelers.load import load_model
from victor.measures.summaries import aligned
from victor.model.decide import decide
from victor.model.extractor import FeatureExtractor
from victor.sites.columns import COLUMNS, SitePages
from victor.sites.counts import SIGHTS, SiteCounts, count_sites, log_odds
from victor.sites.second import WEIGHTS, second_marginals
from victor.sites.sightings import Pages, name_hash, sight
from victor.training.dataset import LabelledPages, label_blocks
from victor.training.training import block_weights

STRENGTH = 100.0
"""Of L2 regularisation; blocks weigh 1 on average."""
STEPS = 8
"""Of Newton's method, which needs four."""
SEEDS = (0, 1, 2)
LARGE = 5
"""Pages of a site that has a row of its own with others of its corpus."""


class Crawl:
    """Annotated pages with their marginals and what their sites say; n blocks, P pages."""

    def __init__(self, predictions: Predictions, labelled: LabelledPages) -> None:
        self.predictions = predictions
        self.sites = [f"{page.corpus}/{page.site}" for page in predictions.pages]
        self.parts = [*_parts(predictions, labelled, self.sites)]
        self.n_others = np.concatenate([part.n_others for part in self.parts])
        starts = predictions.page_starts
        self.page = np.repeat(np.arange(len(self.sites)), np.diff(starts))
        self.values = self._values()
        self.weights = block_weights(
            SimpleNamespace(  # type: ignore[arg-type]
                sites=self.sites,
                page_starts=starts,
                labels=predictions.labels,
                words=predictions.words,
            )
        )

    def _values(self) -> Floats:
        """(n, C) the columns of blocks that can change, 0 of others."""
        values = np.zeros((len(self.page), len(COLUMNS)))
        first = 0
        for part in self.parts:
            columns = part.columns()
            values[first + part.changing] = np.stack([columns[name] for name in COLUMNS], axis=1)
            first += len(part.rows)
        return values

    def weights_of(self, pages: Bools) -> dict[str, float]:
        """What some of the pages say that a unit of each column adds to the log-odds.

        A logistic regression without an intercept: the first verdict is where it begins.
        """
        rows = np.flatnonzero(pages[self.page] & self.values.any(axis=1) & (self.weights > 0))
        values, weights = self.values[rows], self.weights[rows]
        kept = self.predictions.labels[rows] != Label.OTHER
        odds = log_odds(self.predictions.marginals[rows])
        found = np.zeros(len(COLUMNS))
        for _ in range(STEPS):
            keep = 0.5 + 0.5 * np.tanh((odds + values @ found) / 2)
            slope = values.T @ (weights * (kept - keep)) - STRENGTH * found
            curvature = (values.T * (weights * keep * (1 - keep))) @ values
            found += np.linalg.solve(curvature + STRENGTH * np.eye(len(found)), slope)
        return dict(zip(COLUMNS, found.tolist(), strict=True))

    def cross_validated(self, seed: int) -> Floats:
        """(n, 3) marginals, those of every page by weights of other sites."""
        marginals = self.predictions.marginals.copy()
        several = np.flatnonzero(self.n_others > 0)
        fold = np.full(len(self.sites), -1)
        fold[several] = folds([self.sites[page] for page in several], 5, seed=seed)
        for number in range(5):
            weights = self.weights_of((fold >= 0) & (fold != number))
            changed = np.concatenate([second_marginals(part, weights) for part in self.parts])
            is_held_out = (fold == number)[self.page]
            marginals[is_held_out] = changed[is_held_out]
        return marginals

    def scores(self, marginals: Floats) -> Floats:
        """(P,) word F by labels."""
        predictions = self.predictions
        labels = decide(
            marginals, predictions, predictions.decision, p_no_content=predictions.p_no_content
        )
        is_labelled = predictions.labels != UNLABELLED
        kept = (labels != Label.OTHER) & is_labelled
        gold = (predictions.labels != Label.OTHER) & is_labelled
        both, of_kept, of_gold = (self._words(which) for which in (kept & gold, kept, gold))
        total = of_kept + of_gold
        return np.where(total > 0, 2 * both / np.maximum(total, 1), 1.0)

    def _words(self, blocks: Bools) -> Ints:
        return np.bincount(self.page, self.predictions.words * blocks, len(self.sites))


def _parts(
    predictions: Predictions, labelled: LabelledPages, sites: Sequence[str]
) -> Iterator[SitePages]:
    """What is known of the pages of every table, once all are counted."""
    names = np.array([name_hash(site) for site in sites], dtype=np.uint64)
    ids = [name_hash(f"{page.corpus}/{page.id}") for page in predictions.pages]
    addresses = np.array(ids, dtype=np.uint64)
    n_pages = np.append(0, np.cumsum([table.n_pages for table in labelled.tables]))
    spans = [slice(first, last) for first, last in pairwise(n_pages.tolist())]
    sources = [Pages(names[span], addresses[span]) for span in spans]
    with TemporaryDirectory() as folder:
        with (Path(folder) / f"all{SIGHTS}").open("wb") as file:
            for table, source, span in zip(labelled.tables, sources, spans, strict=True):
                first, last = predictions.page_starts[[span.start, span.stop]]
                file.writelines(sight(table, predictions.marginals[first:last], source))
        count_sites(Path(folder))
        counts = SiteCounts(Path(folder))
        for table, source in zip(labelled.tables, sources, strict=True):
            yield SitePages.of(counts, table, source)


def report(crawl: Crawl) -> str:
    """Gains of every corpus, of each seed and of all, with the standard error over pages."""
    before = crawl.scores(crawl.predictions.marginals)
    gains = np.stack([crawl.scores(crawl.cross_validated(seed)) for seed in SEEDS]) - before
    corpora = np.array([page.corpus for page in crawl.predictions.pages])
    several = crawl.n_others > 0
    assert not gains[:, ~several].any(), "a page alone on its site keeps its verdict"
    rows = [["corpus", "pages", "one pass", "gain", "s.e.", *(f"seed {seed}" for seed in SEEDS)]]
    groups = [(name, several & (corpora == name)) for name in dict.fromkeys(corpora.tolist())]
    groups += [
        (f"{name}, sites of {LARGE}", pages & (crawl.n_others >= LARGE - 1))
        for name, pages in groups
    ]
    for name, pages in [*groups, ("all", several)]:
        if pages.sum() > LARGE:
            of_pages = gains[:, pages].mean(axis=0)
            error = of_pages.std() / np.sqrt(len(of_pages))
            numbers = [before[pages].mean(), of_pages.mean(), error, *gains[:, pages].mean(axis=1)]
            shown = [f"{numbers[0]:.4f}", *(f"{number:+.4f}" for number in numbers[1:])]
            rows.append([name, str(pages.sum()), *shown])
    return aligned(rows)


def main() -> None:
    """Cross-validate, and print the weights of all pages beside those of the package."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("marginals", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--model", default="default", help="how its configuration cuts pages")
    options = parser.parse_args()
    predictions = Predictions.load(options.marginals)
    extractor = FeatureExtractor(load_model(options.model).config)
    labelled = label_blocks((page for path in options.corpora for page in read(path)), extractor)
    crawl = Crawl(predictions, labelled)
    print(report(crawl), end="\n\n")
    rows = [
        [name, f"{weight:+.3f}", f"{WEIGHTS[name]:+.2f}"]
        for name, weight in crawl.weights_of(crawl.n_others > 0).items()
    ]
    print(aligned([["column", "weight", "package"], *rows]))


if __name__ == "__main__":
    main()
