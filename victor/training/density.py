"""Training of the labeler `density`: its character model, calibrated on unseen pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints, prefix_sums
from victor.base.errors import CorpusError
from victor.base.files import write_bytes
from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load_as
from victor.corpus.pages import AnnotatedPage, folds
from victor.labelers.density.labeler import (
    NAME,
    Chunks,
    DensityLabeler,
    DensityModel,
    Settings,
    evidence,
    labeler,
)
from victor.labelers.density.ngrams import Alphabet, CharacterModel, Grams, ranges
from victor.model.calibration import Calibration
from victor.training.dataset import LabelledPages, label_blocks
from victor.training.training import describe

__all__ = ["NAME", "learn", "learn_to", "train", "train_on"]

_AS_IT_IS: Final = Calibration((0.0,), (0.0,))  # the calibration that changes nothing


def learn(pages: Iterable[AnnotatedPage]) -> DensityLabeler:
    """The labeler as it is shipped, with a model of annotated pages."""
    settings = load_as(Settings, NAME)
    return labeler(settings, train(pages, settings))


def learn_to(
    path: Path, pages: Iterable[AnnotatedPage], source: str | Path, overrides: Sequence[str] = ()
) -> None:
    """Train on annotated pages; write a configuration, and beside it the model that it names.

    Args:
        path: of the configuration; the model has the ending ``.density``.
        pages: what the model learns from.
        source: configuration to start from; its constants stay as they are.
        overrides: ``key=value``.
    """
    settings = load_as(Settings, source, overrides)
    model_path = path.with_suffix(".density")
    train(pages, settings).save(model_path)
    configuration = settings.replace(model=str(model_path.resolve()))
    write_bytes(path, configuration.dump().encode())


def train(pages: Iterable[AnnotatedPage], settings: Settings) -> DensityModel:
    """Train on annotated pages.

    Args:
        pages: what the model learns from.
        settings: how pages are split, what a candidate is, and the shape of the model.

    Raises:
        CorpusError: there are no pages, or no kept or no discarded block.
    """
    labelled = label_blocks(pages, labeler(settings.replace(mode="density")))
    model = train_on(labelled, settings, labelled.labels != UNLABELLED)
    return replace(model, card={"training": describe(labelled)})


def train_on(pages: LabelledPages, settings: Settings, chosen: Bools) -> DensityModel:
    """Train on the (n,) chosen blocks of pages, all of them labelled.

    Where the mode is ``both``, the n-grams are those of candidates, which are all that the model
    has to tell apart then; both calibrations are fitted in any case. Without calibration the sums
    of the logarithms decide, those of how many texts are kept and discarded included, as in
    LingPipe's classifier, which begins with one text of each.

    Raises:
        CorpusError: no kept or no discarded block.
    """
    texts = _Texts.of(pages)
    tables = pages.tables
    passing = chosen & np.concatenate([Chunks.of(table).candidates(settings) for table in tables])
    learnt = passing if settings.mode == "both" else chosen
    model = DensityModel(
        settings=settings.replace(model=None),
        characters=_fit(texts, settings, learnt),
        all_blocks=_AS_IT_IS,
        candidates=_AS_IT_IS,
    )
    if not settings.ngram_calibrated:
        return replace(model, prior=_prior(texts.kept[learnt]))
    held_out = _held_out(texts, settings, chosen, learnt, np.asarray(pages.sites)[texts.page])
    of_all = of_candidates = Calibration.fit(held_out[chosen], texts.kept[chosen])
    if passing.any():
        of_candidates = Calibration.fit(held_out[passing], texts.kept[passing])
    return replace(model, all_blocks=of_all, candidates=of_candidates)


def _prior(kept: Bools) -> float:
    """Log-odds of texts to be kept, with one more on each side."""
    n_kept = int(np.count_nonzero(kept))
    return float(np.log((n_kept + 1) / (len(kept) - n_kept + 1)))


@dataclass(frozen=True, eq=False)
class _Texts:
    """The texts of n labelled blocks.

    Attributes:
        chars: code points of all pages; the extent of every block in them follows.
        kept: (n,) bool; True for header and text.
        page: (n,) page of every block.
    """

    chars: NDArray[np.uint32]
    start: Ints
    end: Ints
    kept: Bools
    page: Ints

    @classmethod
    def of(cls, pages: LabelledPages) -> _Texts:
        shifts = prefix_sums(np.array([len(table.chars) for table in pages.tables]))
        tables = list(zip(pages.tables, shifts[:-1], strict=True))
        return cls(
            chars=np.concatenate([table.chars for table in pages.tables]),
            start=np.concatenate([table.start + shift for table, shift in tables]),
            end=np.concatenate([table.end + shift for table, shift in tables]),
            kept=np.isin(pages.labels, (Label.HEADER, Label.TEXT)),
            page=np.repeat(np.arange(len(pages.pages)), np.diff(pages.page_starts)),
        )


def _held_out(
    texts: _Texts, settings: Settings, chosen: Bools, learnt: Bools, sites: NDArray[np.str_]
) -> Floats:
    """(n,) evidence for every chosen block from a model that did not learn from its site."""
    fold = _fold_numbers(chosen, learnt, sites, settings.ngram_folds)
    scores = np.full(len(chosen), 0.5)
    for held_fold in np.unique(fold[chosen]).tolist():
        model = _fit(texts, settings, learnt & (fold != held_fold))
        rows = np.flatnonzero(fold == held_fold)
        scores[rows] = evidence(model, texts.chars, texts.start[rows], texts.end[rows])
    return scores


def _fold_numbers(chosen: Bools, learnt: Bools, sites: NDArray[np.str_], k: int) -> Ints:
    """(n,) fold of every chosen block, that of its site; -1 for all others.

    Blocks to learn from in a single site are dealt to the folds one by one.
    """
    fold = np.full(len(chosen), -1)
    names, site = np.unique(sites, return_inverse=True)
    n_sites = len(np.unique(site[learnt]))
    if n_sites > 1:
        k = min(k, n_sites)
        of_site = np.arange(len(names)) % k
        of_site[site[learnt]] = folds(sites[learnt].tolist(), k)
        fold[chosen] = of_site[site[chosen]]
        return fold
    for part in (learnt, chosen & ~learnt):
        rows = np.flatnonzero(part)
        fold[rows] = np.arange(len(rows)) % k
    return fold


def _fit(texts: _Texts, settings: Settings, chosen: Bools) -> CharacterModel:
    if len({*texts.kept[chosen].tolist()}) < 2:
        raise CorpusError(
            "kept and discarded blocks are needed to learn from, in mode both among the "
            "candidates; add labelled pages"
        )
    # Kept blocks first, then discarded ones, so that the symbols of each side are contiguous.
    rows = np.concatenate([np.flatnonzero(chosen & side) for side in (texts.kept, ~texts.kept)])
    start, end = texts.start[rows], texts.end[rows]
    n_kept = int((end - start + 1)[texts.kept[rows]].sum())
    alphabet = Alphabet.fit(texts.chars[ranges(start, end)], settings.ngram_alphabet)
    symbols = alphabet.layout(texts.chars, start, end)
    grams = Grams.count(symbols, np.arange(len(symbols)) > n_kept, settings.ngram_order)
    pruned = grams.pruned(settings.ngram_least_count, settings.ngram_most_grams)
    if not len(pruned):
        raise CorpusError("no n-gram is frequent enough; lower ngram.least_count or add pages")
    return CharacterModel(alphabet, pruned, settings.ngram_weight).stored()
