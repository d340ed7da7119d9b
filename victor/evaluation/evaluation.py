"""Marginals of annotated pages: by cross-validation, or of a trained system; the value of features.

Features are computed once. A group is dropped as `features-` switches its module off, so every
model is trained on the same blocks in the same folds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Labels
from victor.base.errors import ConfigError, hint
from victor.config.schema import Config
from victor.corpus.pages import AnnotatedPage, Corpus, folds, read
from victor.evaluation.page_heads import cross_judged
from victor.evaluation.predictions import Predictions, collect
from victor.evaluation.scores import Scores, assess, score_labels
from victor.labelers.crf import CrfLabeler, load_model
from victor.labelers.labeler import Labeler
from victor.measures.averages import Comparison, compare_scores
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor, n_entries
from victor.model.model import Model
from victor.page.verdict.verdict import Verdict
from victor.training.corpora import Settings, configuration
from victor.training.dataset import Dataset, LabelledPages, analyze, block_rows, label_blocks
from victor.training.training import cross_validate, training_steps

AS_IT_IS: Final = "as it is"
"""Protocol of a system that was not trained for the evaluation."""

Progress = Callable[[int], None]
Bars = Callable[[str, int], AbstractContextManager[Progress]]
"""Given what is done and of how many steps, a context in which steps are counted."""


@contextmanager
def no_bars(_title: str, _total: int) -> Iterator[Progress]:
    """Show nothing."""
    yield lambda _: None


@dataclass(frozen=True, eq=False)
class Outcome:
    """Marginals and labels that a system gave to the n blocks of annotated pages.

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
        p_no_content: (P,) float64 probability that a page has no content, NaN where nobody knows;
            None for a system that does not judge pages.
    """

    system: str
    protocol: str
    pages: LabelledPages
    marginals: Floats
    labels: Labels | None
    decision: Decision
    presets: Mapping[str, float] = field(default_factory=dict)
    labeler: Labeler | None = None
    p_no_content: Floats | None = None

    def assess(self, decision: Decision | None = None) -> Scores:
        """Scores as the system decides, or by another decision on the same marginals."""
        if decision is None and self.labels is not None:
            return score_labels(self.pages, self.labels, self.marginals)
        return assess(self.pages, self.marginals, decision or self.decision, self.p_no_content)

    def predictions(self) -> Predictions:
        """The marginals with all that sweeps and reports need."""
        return collect(
            self.pages,
            self.marginals,
            system=self.system,
            protocol=self.protocol,
            decision=self.decision,
            p_no_content=self.p_no_content,
        )


def evaluate(  # noqa: PLR0913  (everything that a run depends on)
    corpus: Corpus,
    *,
    model: Model | str | Path | None = None,
    config: Settings = "default",
    overrides: Sequence[str] = (),
    k: int = 5,
    jobs: int = 1,
    trust_code: bool = False,
) -> Outcome:
    """Score a model as it is, or a configuration by cross-validation over sites.

    Args:
        corpus: as of `victor.training.corpora.train`.
        model: a trained model, a shipped model's name or the path of a model file; None
            cross-validates the configuration.
        config: as of `victor.training.corpora.train`.
        overrides: as of `victor.training.corpora.train`.
        k: folds.
        jobs: folds trained at once.
        trust_code: run the code that the model or the configuration brings: feature modules that
            are files.

    Returns:
        The outcome: `Outcome.assess` gives the scores, `Outcome.predictions` what is swept.

    Raises:
        CorpusError: the corpus is missing, damaged or without labels.
        ConfigError, TemplateError, FeatureError: the configuration is wrong.
        ModelError: the model is missing or damaged.
    """
    if model is not None:
        loaded = model if isinstance(model, Model) else load_model(model)
        labeler = CrfLabeler(loaded, trust_code=trust_code)
        outcome = by_labeler(read(corpus), labeler, system="model")
    else:
        is_named = isinstance(config, str | Path)
        outcome = by_folds(
            read(corpus),
            configuration(config, overrides),
            system=Path(str(config)).stem if is_named else "configuration",
            k=k,
            jobs=jobs,
            trust_code=trust_code,
        )
    outcome.pages.warn_of_drift()
    return outcome


def by_folds(  # noqa: PLR0913  (everything that a run depends on)
    pages: Iterable[AnnotatedPage],
    config: Config,
    *,
    system: str,
    k: int = 5,
    jobs: int = 1,
    bars: Bars = no_bars,
    trust_code: bool = False,
) -> Outcome:
    """Cross-validate a configuration in k folds, the pages of a site together.

    `system` is the name for tables and plots, and `bars` show how far it is; the rest is as of
    `evaluate`.
    """
    extractor = FeatureExtractor(config, trust_code=trust_code)
    corpus = list(pages)
    with bars("measuring pages", len(corpus)) as advance:
        dataset = analyze(corpus, extractor, progress=advance)
    with bars("cross-validating", k * training_steps(config)) as advance:
        marginals = cross_validate(
            dataset, extractor.config, kinds=extractor.kinds, k=k, jobs=jobs, steps=advance
        )
    return Outcome(
        system,
        f"{k} folds by site",
        dataset,
        marginals,
        None,
        config.decide.on_marginals,
        p_no_content=cross_judged(dataset, marginals, config.decide),
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

    All labelers that `train_labeler` makes must cut pages alike. `progress` is called with the
    number of folds done since the last call.
    """
    corpus = list(pages)
    fold_of_page = folds([page.site or page.id for page in corpus], k)
    parts = []
    for fold in range(k):
        is_held_out = fold_of_page == fold
        labeler = train_labeler(_selected(corpus, ~is_held_out))
        parts.append(by_labeler(_selected(corpus, is_held_out), labeler, system=system))
        progress(1)
    labelled = label_blocks(corpus, labeler)
    held_out = np.argsort(fold_of_page, kind="stable")
    rows = np.argsort(block_rows(labelled.page_starts, held_out))  # back to the order of the pages
    return replace(
        parts[0],
        protocol=f"{k} folds by site",
        pages=labelled,
        marginals=np.concatenate([part.marginals for part in parts])[rows],
        labels=np.concatenate([part.labels for part in parts])[rows],
        labeler=labeler,
        p_no_content=np.concatenate([part.p_no_content for part in parts])[np.argsort(held_out)],
    )


def _selected(pages: Sequence[AnnotatedPage], chosen: Bools) -> list[AnnotatedPage]:
    return [pages[index] for index in np.flatnonzero(chosen).tolist()]


def by_labeler(
    pages: Iterable[AnnotatedPage],
    labeler: Labeler,
    *,
    system: str,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Apply a trained system to pages; only the caller knows whether it was trained on them.

    `progress` is called with the number of pages done since the last call. A `CorpusError` says
    that there is no page.
    """
    labelled = label_blocks(pages, labeler)
    verdicts = []
    for table in labelled.tables:
        verdicts.append(labeler.label(table))
        progress(table.n_pages)
    return Outcome(
        system,
        AS_IT_IS,
        # The text that is scored is the one that the system writes.
        replace(labelled, tables=tuple(verdict.reduced for verdict in verdicts)),
        np.concatenate([verdict.marginals for verdict in verdicts]),
        np.concatenate([verdict.labels for verdict in verdicts]),
        labeler.decision.on_marginals,
        labeler.presets,
        labeler,
        np.concatenate([_p_no_content(verdict) for verdict in verdicts]),
    )


def _p_no_content(verdict: Verdict) -> Floats:
    """(P,) probability that each page has no content, NaN if the labeler judges blocks only."""
    if verdict.pages is None:
        return np.full(verdict.table.n_pages, np.nan)
    return verdict.pages.p_no_content


WHOLE = ""
"""Name of the run with all groups."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """Scores of a configuration without one group of features.

    Attributes:
        group: feature module; `WHOLE` for the run that drops nothing.
        columns: number of columns dropped.
        entries: number of template entries dropped, those of edges and conjunctions among them.
        word_f: page mean of the word F-measure; nan where no page has a gold text.
        block_f: F-measure of kept blocks over all pages.
        words: word F with all groups compared with that without this one; None without gold.
        blocks: block F with all groups minus that without this one.
    """

    group: str
    columns: int
    entries: int
    word_f: float
    block_f: float
    words: Comparison | None
    blocks: float

    @property
    def loss(self) -> float:
        """What dropping the group costs: word F, or block F where no page has a gold text."""
        return self.blocks if self.words is None else self.words.difference


def chosen(groups: Iterable[str], names: Collection[str]) -> list[str]:
    """Modules of a configuration that are named, in its order; all of them if none is.

    Raises:
        ConfigError: there is no such module.
    """
    modules = [*groups]
    for name in names:
        if name not in modules:
            guess = hint(name, modules)
            raise ConfigError(f"the configuration has no feature module {name}{guess}")
    return [name for name in modules if not names or name in names]


def ablate(
    dataset: Dataset,
    extractor: FeatureExtractor,
    names: Sequence[str],
    *,
    k: int = 5,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Ablation]:
    """Cross-validate a configuration as it is, and without each of some groups in turn.

    Args:
        dataset: annotated pages, measured by the extractor.
        extractor: holds the configuration.
        names: groups to drop, one at a time (`chosen`).
        k: folds by site, the same for every run.
        jobs: folds trained at once.
        progress: called with the number of `victor.training.training.training_steps` that were
            done since the last call; k times as many for every run.

    Returns:
        The run with all groups, then one for each group, the greatest loss first.

    Raises:
        ConfigError: nothing is left without a group, or there are more folds than sites.
        CorpusError: no block of the training pages has a label.
    """

    def scores(config: Config) -> Scores:
        marginals = cross_validate(
            dataset, config, kinds=extractor.kinds, k=k, jobs=jobs, steps=progress
        )
        return assess(dataset, marginals, config.decide.on_marginals)

    whole = scores(extractor.config)
    runs = []
    for name in names:
        rest = extractor.without(name)
        runs.append(_compared(whole, scores(rest), extractor, rest, name))
    runs.sort(key=lambda ablation: -ablation.loss)
    return [Ablation(WHOLE, 0, 0, _word_f(whole), _block_f(whole), None, 0.0), *runs]


def _compared(
    whole: Scores, scores: Scores, extractor: FeatureExtractor, rest: Config, name: str
) -> Ablation:
    """The run without a group beside that with all of them."""
    modules = [*extractor.modules.items()]
    sites = [scores.pages[page].site for page in scores.scored_pages("words")]
    words = compare_scores(whole.words, scores.words, sites)["f1"] if whole.words else None
    return Ablation(
        name,
        len(extractor.modules[name]),
        n_entries(extractor.config, modules) - n_entries(rest, modules),
        _word_f(scores),
        _block_f(scores),
        words,
        _block_f(whole) - _block_f(scores),
    )


def _word_f(scores: Scores) -> float:
    return float(np.mean([score.f1 for score in scores.words])) if scores.words else np.nan


def _block_f(scores: Scores) -> float:
    return scores.all_blocks.kept.f1
