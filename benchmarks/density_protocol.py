"""Error of text density and n-grams, trained on nine tenths of the blocks and tested on the rest.

    python benchmarks/density_protocol.py CORPUS... [--share 0.1] [--pages N] [--set KEY=VALUE]

Random held-out blocks have neighbours of the same page and template in the training data, so the
error is also given for whole held-out sites. Every block counts as one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from victor.cli.corpora import read, report_drift
from victor.config import load_as
from victor.corpus.pages import AnnotatedPage
from victor.corpus.splits import holdout
from victor.errors import VictorError
from victor.labelers.density import DensityModel, Settings, labeler, probabilities
from victor.labels import UNLABELLED, Label
from victor.training.dataset import LabelledPages, label_blocks
from victor.training.density import train_on

MODES = ("density", "ngram", "both")


def main() -> None:
    """Train once for each way of holding out and print one table."""
    options = _arguments()
    settings = load_as(Settings, "density", options.set)
    pages = _some([*read(options.corpora)], options.pages, options.seed)
    corpus = label_blocks(pages, labeler(settings.replace(mode="density")))
    report_drift(corpus)
    ways = {"by block": _blocks_held_out, "by site": _sites_held_out}
    rows = {name: _errors(corpus, settings, way(corpus, options)) for name, way in ways.items()}
    _show(rows)


def _blocks_held_out(corpus: LabelledPages, options: argparse.Namespace) -> NDArray[np.bool_]:
    """(n,) bool: a share of the blocks at random."""
    order = np.random.default_rng(options.seed).permutation(len(corpus.labels))
    return order < round(options.share * len(order))


def _sites_held_out(corpus: LabelledPages, options: argparse.Namespace) -> NDArray[np.bool_]:
    """(n,) bool: the blocks of whole sites."""
    pages = holdout(corpus.sites, options.share, seed=options.seed)
    return np.repeat(pages, np.diff(corpus.page_starts))


def _errors(
    corpus: LabelledPages, settings: Settings, held_out: NDArray[np.bool_]
) -> dict[str, float | int]:
    """Share of the blocks held out that are kept or dropped wrongly, and how many there are."""
    labelled = corpus.labels != UNLABELLED
    model = train_on(corpus, settings, labelled & ~held_out)
    tested = labelled & held_out
    gold = np.isin(corpus.labels, (Label.HEADER, Label.TEXT))
    errors = {mode: np.mean((_kept(corpus, mode, settings, model) != gold)[tested])
              for mode in MODES}  # fmt: skip
    return {**errors, "nothing kept": np.mean(gold[tested]), "blocks": int(tested.sum())}


def _kept(
    corpus: LabelledPages, mode: str, settings: Settings, model: DensityModel
) -> NDArray[np.bool_]:
    """(n,) bool: which blocks are kept."""
    chosen = settings.replace(mode=mode)
    parts = [probabilities(table, chosen, model) for table in corpus.tables]
    return np.concatenate(parts) > 0.5


def _some(pages: list[AnnotatedPage], count: int | None, seed: int) -> list[AnnotatedPage]:
    """All pages, or some drawn at random."""
    order = np.random.default_rng(seed).permutation(len(pages))
    return pages if count is None else [pages[number] for number in sorted(order[:count].tolist())]


def _show(rows: dict[str, dict[str, float | int]]) -> None:
    print(
        f"{'error, %':10}" + "".join(f"{name:>14}" for name in (*MODES, "nothing kept", "blocks"))
    )
    for name, row in rows.items():
        *errors, blocks = row.values()
        cells = [*(f"{100 * error:.1f}" for error in errors), str(blocks)]
        print(f"{name:10}" + "".join(f"{cell:>14}" for cell in cells))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS",
                        help="folder that `victor align` wrote, or of marked pages")  # fmt: skip
    parser.add_argument("--share", type=float, default=0.1, help="of blocks or pages held out")
    parser.add_argument("--pages", type=int, help="only so many pages, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="change a key of configs/density.yaml")  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except VictorError as error:
        sys.exit(str(error))
