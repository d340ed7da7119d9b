"""What a few labelled pages are worth to a model that has never seen their collection.

    python benchmarks/adapting.py CORPUS --model MODEL [--pages 5 10 30] [--draws 5]
    python benchmarks/adapting.py CORPUS --model MODEL --within 3 [--draws 5]

CORPUS is an aligned folder, MODEL one that was trained without it. Each draw takes pages of sites
drawn at random, adapts the model to them (`victor.adapt`), and scores it on the pages of all other
sites. With --within, the pages of each site that has five or more are drawn, and the other pages of
the same site are scored; a line then is the mean of all sites.

The measure is word F, mean over pages, as the model decides: of the clean text against the gold
text as `victor evaluate` has it, and of the labelled blocks alone. `victor train` alone fits no
page head; --head borrows one, the same before and after. The last columns are the mean number of
steps that was chosen, the median CPU seconds of an adaptation, measuring the pages included, and
the peak memory of the process with the whole corpus.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Floats, Ints
from victor.base.labels import Label
from victor.corpus.pages import read
from victor.evaluation.adapting import adapted
from victor.evaluation.scores import page_word_f, score_labels
from victor.labelers.load import load_model
from victor.model.decide import decide
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training.dataset import Dataset, analyze

FEWEST_OF_A_SITE = 5


class Scored(NamedTuple):
    """(P,) word F of every page: against its gold text, and of its labelled blocks."""

    by_gold: Floats
    by_labels: Floats


def scored(model: Model, dataset: Dataset) -> Scored:
    """Word F of all pages."""
    marginals = model.marginals(dataset.columns, dataset.page_starts)
    p_no_content, start = [], 0
    for table in dataset.tables if model.page_head is not None else ():
        p_no_content.append(model.page_head(table, marginals[start:][: len(table)]).p_no_content)
        start += len(table)
    judged = np.concatenate(p_no_content) if p_no_content else None
    labels = decide(marginals, dataset, model.config.decide.on_marginals, p_no_content=judged)
    scores = score_labels(dataset, labels, marginals)
    by_gold = np.full(len(dataset.pages), np.nan)  # of pages without a gold text
    by_gold[scores.scored_pages("words")] = [score.f1 for score in scores.words]
    return Scored(by_gold, page_word_f(dataset, labels != Label.OTHER))


def draws_of_sites(sites: list[str], n_pages: int, n_draws: int) -> Iterator[tuple[Ints, Ints]]:
    """Pages to adapt to, of as few sites as give so many, and the pages of all other sites."""
    names = np.array(sites)
    for seed in range(n_draws):
        random, learnt, seen = np.random.default_rng(seed), [], []
        for site in random.permutation(np.unique(names)):
            if len(learnt) >= n_pages:
                break
            pages = random.permutation(np.flatnonzero(names == site))
            learnt += pages[: n_pages - len(learnt)].tolist()
            seen.append(site)
        others = np.flatnonzero(~np.isin(names, seen))
        if len(learnt) == n_pages and len(others):
            yield np.array(learnt), others


def draws_within(sites: list[str], n_pages: int, n_draws: int) -> Iterator[tuple[Ints, Ints]]:
    """Pages of one site to adapt to, and its other pages, for every site that has enough."""
    names, counts = np.unique(sites, return_counts=True)
    for site in names[counts >= FEWEST_OF_A_SITE]:
        for seed in range(n_draws):
            pages = np.random.default_rng(seed).permutation(np.flatnonzero(np.array(sites) == site))
            yield pages[:n_pages], pages[n_pages:]


def gain(before: Floats, after: Floats, pages: Ints) -> tuple[float, float]:
    """Mean score of some pages, and what is added to it."""
    return float(np.nanmean(before[pages])), float(np.nanmean((after - before)[pages]))


def row(name: str, draws: list[tuple[Ints, Ints]], model: Model, dataset: Dataset) -> str:
    """The means of some draws as a line of the table."""
    extractor = FeatureExtractor(model.config)
    before, gains, steps, seconds = scored(model, dataset), [], [], []
    for learnt, others in draws:
        start = time.process_time()
        outcome = adapted(model, analyze([dataset.pages[page] for page in learnt], extractor))
        seconds.append(time.process_time() - start)
        steps.append(outcome.steps)
        after = scored(outcome.model, dataset)
        gains.append([gain(*pair, others) for pair in zip(before, after, strict=True)])
    values = np.array(gains)
    means, worst = values.mean(axis=0), values[..., 1].min(axis=0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    cells = [
        f"{base:.3f} | {added:+.4f} ({low:+.3f})"
        for (base, added), low in zip(means, worst, strict=True)
    ]
    return (
        f"| {name} | {len(draws)} | {' | '.join(cells)} | {np.mean(steps):.0f} "
        f"| {np.median(seconds):.1f} | {peak:.0f} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--pages", type=int, nargs="+", default=[5, 10, 30])
    parser.add_argument("--within", type=int, metavar="PAGES")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--head", metavar="MODEL", help="a model whose page head is borrowed")
    options = parser.parse_args()
    model = load_model(options.model)
    if options.head:
        model = replace(model, page_head=load_model(options.head).page_head)
    dataset = analyze(read([options.corpus]), FeatureExtractor(model.config))
    print("| pages | draws | by gold | gain (worst) | by labels | gain (worst) | steps | s | MB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    if options.within:
        draws = [*draws_within(dataset.sites, options.within, options.draws)]
        print(row(f"{options.within} of a site", draws, model, dataset))
        return
    for n_pages in options.pages:
        draws = [*draws_of_sites(dataset.sites, n_pages, options.draws)]
        if draws:
            print(row(str(n_pages), draws, model, dataset), flush=True)


if __name__ == "__main__":
    main()
