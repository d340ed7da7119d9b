"""The value of each group of features: the cross-validated loss of a model without it.

Features are computed once. A group is dropped as `features-` switches its module off, so every
model is trained on the same blocks in the same folds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from victor.base.errors import ConfigError, hint
from victor.config.schema import Config
from victor.evaluation.scores import Scores, assess
from victor.measures.averages import Comparison, compare_scores
from victor.model.extractor import FeatureExtractor, n_entries
from victor.training.dataset import Dataset
from victor.training.training import cross_validate

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
