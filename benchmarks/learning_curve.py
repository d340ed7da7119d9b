"""What more training pages give: word F of one corpus after training on part of all pages.

    python benchmarks/learning_curve.py wcxb-dev canola-nc ... [--scored wcxb-dev ...] [--seeds 3]

Folds by site over all corpora, always the same ones. Of the training pages of a fold only those of
a share of the sites are learnt from, drawn by the seed; a smaller share is part of a larger one.
Prints a Markdown table for every scored corpus: a column per share, with the mean number of pages
learnt from in its head, and a row per seed. Page-mean word F; pages without content count.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from victor.config import Config, load
from victor.corpus.pages import AnnotatedPage, read_corpus
from victor.corpus.splits import folds
from victor.evaluation.evaluation import Outcome
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import Dataset, analyze
from victor.training.training import cross_validate, trainable


def main() -> None:
    """Train on ever more pages and print the tables."""
    arguments = _arguments()
    config = load(arguments.config)
    extractor = FeatureExtractor(config)
    dataset = analyze(_read(arguments.corpora), extractor)
    scored = arguments.scored or [arguments.corpora[0].name]
    heads = [_n_learnt(dataset, share, arguments.folds) for share in arguments.shares]
    rows: dict[str, list[list[float]]] = {name: [] for name in scored}
    for seed in range(arguments.seeds):
        word_f = [
            _word_f(dataset, extractor, config, _drawn(dataset, share, seed), arguments)
            for share in arguments.shares
        ]
        for name in scored:
            rows[name].append([by_corpus[name] for by_corpus in word_f])
    for name in scored:
        _print(name, heads, rows[name])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--scored", action="append", help="name of a corpus; the first by default")
    parser.add_argument("--shares", nargs="+", type=float, default=[0.125, 0.25, 0.5, 1.0])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--config", default="default")
    return parser.parse_args()


def _read(corpora: Sequence[Path]) -> list[AnnotatedPage]:
    return [
        replace(page, metadata={**page.metadata, "corpus": corpus.name})
        for corpus in corpora
        for page in read_corpus(corpus)
    ]


def _drawn(dataset: Dataset, share: float, seed: int) -> np.ndarray:
    """(P,) bool, pages of the sites drawn; those of a smaller share are among those of a larger."""
    ranks = [zlib.crc32(f"{seed} {site}".encode()) / 2**32 for site in dataset.sites]
    return np.asarray(np.array(ranks) < share) & trainable(dataset)


def _n_learnt(dataset: Dataset, share: float, k: int) -> int:
    """Mean number of pages that a fold learns from, of the first seed."""
    fold_of_page, drawn = folds(dataset.sites, k), _drawn(dataset, share, 0)
    return round(np.mean([(drawn & (fold_of_page != fold)).sum() for fold in range(k)]))


def _word_f(
    dataset: Dataset,
    extractor: FeatureExtractor,
    config: Config,
    pages: np.ndarray,
    arguments: argparse.Namespace,
) -> dict[str, float]:
    """Word F by corpus."""
    marginals = cross_validate(
        dataset,
        config,
        kinds=extractor.kinds,
        k=arguments.folds,
        jobs=arguments.jobs,
        pages=pages,
    )
    decision = config.decide.on_marginals
    outcome = Outcome("curve", "folds by site", dataset, marginals, None, decision)
    summaries = outcome.assess().summaries(by="corpus")
    return {summary.group: summary.means["f1"] for summary in summaries}


def _print(name: str, heads: Sequence[int], rows: Sequence[Sequence[float]]) -> None:
    print(f"\n{name}\n\n| training pages |", " | ".join(f"{n:,}" for n in heads), "|")
    print("|---|" + "--:|" * len(heads))
    for seed, row in enumerate(rows):
        print(f"| seed {seed} |", " | ".join(f"{value:.4f}" for value in row), "|")
    if len(rows) > 1:
        print("| mean |", " | ".join(f"{value:.4f}" for value in np.mean(rows, axis=0)), "|")


if __name__ == "__main__":
    main()
