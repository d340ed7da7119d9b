"""Error of text density and n-grams on the chunks that passed the density filter, as published.

    python benchmarks/density_protocol.py CORPUS... [--by page block site] [--pages N]
        [--config density-paper] [--template N] [--teasers N] [--set KEY=VALUE]

The first nine tenths of the pages train, the last tenth tests; an error is a chunk that is kept or
discarded wrongly, and all chunks count that passed the filter: with any length, and with the least
length of the configuration. Random blocks or whole sites can be held out instead: blocks have
neighbours of the same page and template in the training data, sites have not. Columns:

    two models   the more probable of keep and discard, by n-grams and by how frequent both are
                 (the article's DynamicLMClassifier)
    calibrated   the decision of the labeler, whose probabilities were fitted on unseen pages
    one model    n-grams of kept text alone, and a limit of their mean log probability that was
                 best on the last tenth of the training pages (BinaryLMClassifier)
    all kept     the density filter alone

Source: S. Pal (2009), Extracting Useful Text from HTML.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from template_pages import template_pages

from victor.cli.corpora import read, report_drift
from victor.config import load_as
from victor.corpus.pages import AnnotatedPage
from victor.corpus.splits import holdout
from victor.errors import VictorError
from victor.labelers.density import candidates, labeler, probabilities
from victor.labelers.density.model import DensityModel
from victor.labelers.density.ngrams import CharacterModel
from victor.labelers.density.settings import Settings
from victor.labels import UNLABELLED, Label
from victor.page.blocks import BlockTable
from victor.training.dataset import LabelledPages, label_blocks
from victor.training.density import train_on

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

COLUMNS: Final = ("two models", "calibrated", "one model", "all kept", "chunks")


def main() -> None:
    """Train for each way of holding out and each least length, and print one table."""
    options = _arguments()
    settings = load_as(Settings, options.config, options.set).replace(mode="both", model=None)
    pages = _some([*read(options.corpora)], options.pages, options.seed)
    if options.template:
        texts = label_blocks(pages, labeler(Settings()))
        pages = template_pages(texts, options.template, teasers=options.teasers)
    corpus = label_blocks(pages, labeler(settings.replace(mode="density")))
    report_drift(corpus)
    print(f"{'error, %':24}" + "".join(f"{name:>12}" for name in COLUMNS))
    for way in options.by:
        held_out = WAYS[way](corpus, options)
        for least in (0, settings.density.characters):
            chosen = settings.replace(density=settings.density.replace(characters=least))
            row = _errors(corpus, chosen, held_out)
            print(f"by {way}, {least:2} characters".ljust(24) + _cells(row))


def _pages_held_out(corpus: LabelledPages, options: argparse.Namespace) -> Bools:
    """(n,) bool: the blocks of the last pages."""
    n_pages = len(corpus.pages)
    first = int(n_pages * (1 - options.share))
    return np.arange(len(corpus.labels)) >= corpus.page_starts[first]


def _blocks_held_out(corpus: LabelledPages, options: argparse.Namespace) -> Bools:
    """(n,) bool: a share of the blocks at random."""
    order = np.random.default_rng(options.seed).permutation(len(corpus.labels))
    return np.asarray(order < round(options.share * len(order)))


def _sites_held_out(corpus: LabelledPages, options: argparse.Namespace) -> Bools:
    """(n,) bool: the blocks of whole sites."""
    pages = holdout(corpus.sites, options.share, seed=options.seed)
    return np.repeat(pages, np.diff(corpus.page_starts))


WAYS: Final[dict[str, Callable[[LabelledPages, argparse.Namespace], Bools]]] = {
    "page": _pages_held_out,
    "block": _blocks_held_out,
    "site": _sites_held_out,
}


def _errors(corpus: LabelledPages, settings: Settings, held_out: Bools) -> dict[str, float]:
    """Share of the candidates held out that are kept or discarded wrongly, and their number."""
    passing = np.concatenate([candidates(table, settings.density) for table in corpus.tables])
    passing &= corpus.labels != UNLABELLED
    gold = np.isin(corpus.labels, (Label.HEADER, Label.TEXT))
    learnt, tested = passing & ~held_out, passing & held_out
    if not tested.any():
        sys.exit("no block that is held out passed the density filter; use more pages")
    model = train_on(corpus, settings, learnt)
    kept = {
        "two models": _more_probable(corpus, model.characters, gold[learnt].mean()),
        "calibrated": _calibrated(corpus, settings, model),
        "one model": _like_kept_text(corpus, settings, learnt),
        "all kept": passing,
    }
    errors = {name: float(np.mean((rows != gold)[tested])) for name, rows in kept.items()}
    return {**errors, "chunks": int(tested.sum())}


def _more_probable(corpus: LabelledPages, model: CharacterModel, share_kept: float) -> Bools:
    """(n,) bool: is keep more probable than discard, by Bayes' rule."""
    odds = _per_block(corpus, lambda table: model.log_odds(table.chars, table.start, table.end))
    return np.asarray(odds + np.log(share_kept / (1 - share_kept)) > 0)


def _calibrated(corpus: LabelledPages, settings: Settings, model: DensityModel) -> Bools:
    """(n,) bool: what the labeler keeps."""
    return _per_block(corpus, lambda table: probabilities(table, settings, model)) > 0.5


def _like_kept_text(corpus: LabelledPages, settings: Settings, learnt: Bools) -> Bools:
    """(n,) bool: is the mean log probability in a model of kept text above a limit."""
    rows = np.flatnonzero(learnt)
    limit_rows = rows[int(0.9 * len(rows)) :]
    others = learnt.copy()
    others[limit_rows] = False
    model = train_on(corpus, settings, others).characters
    score = _per_block(corpus, lambda table: _mean_log_probability(model, table))
    gold = np.isin(corpus.labels, (Label.HEADER, Label.TEXT))
    return score > _best_limit(score[limit_rows], gold[limit_rows])


def _mean_log_probability(model: CharacterModel, table: BlockTable) -> Floats:
    """(n,) mean over the characters of each block, in the model of kept text."""
    if not len(table):
        return np.zeros(0)
    symbols = model.alphabet.layout(table.chars, table.start, table.end)
    length = table.end - table.start + 1
    each = model.log_probabilities(symbols)[1:, 0]
    return np.asarray(np.add.reduceat(each, np.cumsum(length) - length) / length)


def _best_limit(score: Floats, gold: Bools) -> float:
    """The limit with the fewest errors, halfway between two scores."""
    order = np.argsort(score)
    ranked = score[order]
    # Below limit i lie i blocks; those of them that are to be kept are errors, and the reverse.
    missed = np.concatenate(([0], np.cumsum(gold[order])))
    spurious = np.concatenate((np.cumsum(~gold[order][::-1])[::-1], [0]))
    best = int(np.argmin(missed + spurious))
    bounds = np.concatenate(([-np.inf], ranked, [np.inf]))
    return float((bounds[best] + bounds[best + 1]) / 2)


def _per_block(corpus: LabelledPages, score: Callable[[BlockTable], Floats]) -> Floats:
    """(n,) scores of all blocks."""
    return np.concatenate([score(table) for table in corpus.tables if len(table)])


def _some(pages: list[AnnotatedPage], count: int | None, seed: int) -> list[AnnotatedPage]:
    """All pages, or some drawn at random."""
    order = np.random.default_rng(seed).permutation(len(pages))
    return pages if count is None else [pages[number] for number in sorted(order[:count].tolist())]


def _cells(row: dict[str, float]) -> str:
    *errors, chunks = row.values()
    cells = [*(f"{100 * error:.1f}" for error in errors), str(chunks)]
    return "".join(f"{cell:>12}" for cell in cells)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS",
                        help="folder that `victor align` wrote, or of marked pages")  # fmt: skip
    parser.add_argument("--by", nargs="+", choices=[*WAYS], default=["page"],
                        help="what is held out")  # fmt: skip
    parser.add_argument("--share", type=float, default=0.1, help="of what is held out")
    parser.add_argument("--pages", type=int, help="only so many pages, drawn at random")
    parser.add_argument("--template", type=int, metavar="N",
                        help="N pages of one template around the texts of the corpora")  # fmt: skip
    parser.add_argument("--teasers", type=int, default=0,
                        help="beginnings of other pages on each page of the template")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--config", default="density", help="configuration of the labeler")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="change a key of the configuration")  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except VictorError as error:
        sys.exit(str(error))
