"""Honest marginals of annotated pages: by folds, for held-out sites, or of a system as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from victor.config import Config, load
from victor.corpus.pages import AnnotatedPage
from victor.corpus.read import read_folder
from victor.corpus.splits import folds, holdout
from victor.evaluation.predictions import Predictions, collect
from victor.evaluation.scores import Assessment, assess, score_labels
from victor.labelers import Labeler
from victor.labelers.crf import CrfLabeler
from victor.labels import Label
from victor.model.decide import Decision
from victor.model.extractor import Analyzer
from victor.model.model import Model
from victor.training.dataset import LabelledPages, analyze, block_rows, label_blocks
from victor.training.training import cross_validate, train

_RECORDED = ("class",)
"""Attributes that tell where errors come from, whatever the features read."""

Progress = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a system made of annotated pages; n blocks.

    Attributes:
        system: name for tables and plots.
        protocol: how the marginals were made.
        pages: the pages as the system cuts them.
        marginals: (n, 3) float64.
        labels: (n,) uint8 labels as the system is configured to decide; None where that needs
            more than marginals.
        decision: how it is configured to decide; for a best path the plain threshold.
        presets: named thresholds of the system.
        labeler: the system itself, where there is one for all pages or the last of several.
    """

    system: str
    protocol: str
    pages: LabelledPages
    marginals: NDArray[np.float64]
    labels: NDArray[np.uint8] | None
    decision: Decision
    presets: Mapping[str, float] = field(default_factory=dict)
    labeler: Labeler | None = None

    def assess(self, decision: Decision | None = None) -> Assessment:
        """Scores as the system decides, or by another decision on the same marginals."""
        if decision is None and self.labels is not None:
            return score_labels(self.pages, self.labels, self.marginals)
        return assess(self.pages, self.marginals, decision or self.decision)

    def predictions(self) -> Predictions:
        """The marginals with all that sweeps and reports need."""
        return collect(
            self.pages,
            self.marginals,
            system=self.system,
            protocol=self.protocol,
            decision=self.decision,
        )


def evaluate(
    corpus: str | Path | Iterable[AnnotatedPage],
    *,
    model: Model | None = None,
    config: Config | str | Path = "default",
    k: int = 5,
    jobs: int = 1,
) -> Outcome:
    """Score a model as it is, or a configuration by cross-validation over sites.

    Args:
        corpus: a folder that `victor align` wrote or that holds marked pages, or the pages.
        model: a trained model; None cross-validates the configuration.
        config: a configuration, its shipped name or its path.
        k: folds.
        jobs: folds trained at once.

    Returns:
        The outcome: `Outcome.assess` gives the scores, `Outcome.predictions` what is swept.

    Raises:
        CorpusError: the corpus is missing, damaged or without labels.
        ConfigError, TemplateError, FeatureError: the configuration is wrong.
    """
    pages = read_folder(Path(corpus)) if isinstance(corpus, str | Path) else corpus
    if model is not None:
        return by_labeler(pages, CrfLabeler(model, attributes=_RECORDED), system="model")
    chosen = config if isinstance(config, Config) else load(config)
    name = "configuration" if isinstance(config, Config) else Path(config).stem
    return by_folds(pages, chosen, system=name, k=k, jobs=jobs)


def by_folds(
    pages: Iterable[AnnotatedPage],
    config: Config,
    *,
    system: str,
    k: int = 5,
    jobs: int = 1,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Cross-validate a configuration, the pages of a site together.

    Args:
        pages: the corpus.
        config: what is trained.
        system: name for tables and plots.
        k: folds.
        jobs: folds trained at once.
        progress: called with the number of folds done since the last call.

    Raises:
        CorpusError: no page, or none with labels.
        ConfigError, TemplateError, FeatureError: the configuration is wrong.
    """
    analyzer = Analyzer(config, attributes=_RECORDED)
    dataset = analyze(pages, analyzer)
    marginals = cross_validate(
        dataset, config, kinds=analyzer.kinds, k=k, jobs=jobs, progress=progress
    )
    return Outcome(
        system,
        f"{k} folds by site",
        dataset,
        marginals,
        None,
        config.decide.on_marginals,
    )


def by_training(
    pages: Iterable[AnnotatedPage],
    train_labeler: Callable[[Sequence[AnnotatedPage]], Labeler],
    *,
    system: str,
    k: int = 5,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Cross-validate a labeler that learns from annotated pages, the pages of a site together.

    Args:
        pages: the corpus.
        train_labeler: annotated pages to a labeler; all that it makes must cut pages alike.
        system: name for tables and plots.
        k: folds.
        progress: called with the number of folds done since the last call.

    Raises:
        CorpusError: no page.
        ConfigError: fewer sites than folds.
    """
    every = list(pages)
    fold_of_page = folds([page.site or page.id for page in every], k)
    parts: list[tuple[NDArray[np.int64], Outcome]] = []
    for fold in range(k):
        labeler = train_labeler([p for p, f in zip(every, fold_of_page, strict=True) if f != fold])
        own = np.flatnonzero(fold_of_page == fold)
        parts.append((own, by_labeler([every[page] for page in own], labeler, system=system)))
        progress(1)
    return _joined(every, parts, f"{k} folds by site")


def _joined(
    every: Sequence[AnnotatedPage],
    parts: Sequence[tuple[NDArray[np.int64], Outcome]],
    protocol: str,
) -> Outcome:
    """One outcome of all pages in their order, from outcomes of some of them."""
    first = parts[0][1]
    assert first.labeler is not None, "the outcomes are those of labelers"
    found = label_blocks(every, first.labeler)
    lengths = np.diff(found.page_starts)
    marginals = np.zeros((int(lengths.sum()), len(Label)))
    labels = np.zeros(int(lengths.sum()), dtype=np.uint8)
    for own, outcome in parts:
        rows = block_rows(found.page_starts, own)
        marginals[rows] = outcome.marginals
        assert outcome.labels is not None, "a labeler gives labels"
        labels[rows] = outcome.labels
    return replace(first, protocol=protocol, pages=found, marginals=marginals, labels=labels)


def held_out(
    pages: Iterable[AnnotatedPage], config: Config, *, system: str, share: float
) -> Outcome:
    """Train on some sites and score the others.

    Args:
        pages: the corpus.
        config: what is trained.
        system: name for tables and plots.
        share: of the pages to hold out, above 0 and below 1.

    Raises:
        As `by_folds`.
    """
    every = list(pages)
    held = holdout([page.site or page.id for page in every], share)
    analyzer = Analyzer(config)
    rest = [page for page, out in zip(every, held, strict=True) if not out]
    model = train(analyze(rest, analyzer), analyzer)
    chosen = [page for page, out in zip(every, held, strict=True) if out]
    found = by_labeler(chosen, CrfLabeler(model, attributes=_RECORDED), system=system)
    protocol = f"trained on {len(rest)} pages of other sites, {len(chosen)} held out"
    return replace(found, protocol=protocol)


def by_labeler(
    pages: Iterable[AnnotatedPage],
    labeler: Labeler,
    *,
    system: str,
    progress: Progress = lambda _: None,
) -> Outcome:
    """What a finished system makes of pages; whether it saw them before is for the caller to say.

    Args:
        pages: the corpus.
        labeler: the system.
        system: name for tables and plots.
        progress: called with the number of pages done since the last call.

    Raises:
        CorpusError: no page.
    """
    found = label_blocks(pages, labeler)
    verdicts = []
    for table in found.tables:
        verdicts.append(labeler.label(table))
        progress(table.n_pages)
    return Outcome(
        system,
        "as it is",
        found,
        np.concatenate([verdict.marginals for verdict in verdicts]),
        np.concatenate([verdict.labels for verdict in verdicts]),
        labeler.decision.on_marginals,
        labeler.presets,
        labeler,
    )
