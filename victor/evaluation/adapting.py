"""Adapt a trained model to a few labelled pages, as far as pages that are left out gain by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from msgspec import structs

from victor.base.arrays import Floats, Ints, window_sums
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED
from victor.corpus.pages import Corpus, folds, read
from victor.evaluation.predictions import collect
from victor.evaluation.scores import expected_f
from victor.evaluation.thresholds import choose
from victor.labelers.crf import load_model
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training import leaves
from victor.training.dataset import Dataset, LabelledPages, Selection, analyze
from victor.training.training import describe

STEPS: Final = (0, 5, 10, 20, 40, 80)
"""Numbers of steps to choose from; none is one of them."""
_FOLDS: Final = 5
_FEWEST: Final = 2  # pages: of one alone nothing says whether it helps others

Progress = Callable[[int], None]
"""Called with the number of steps that were done since the last call."""


@dataclass(frozen=True, eq=False)
class Adapted:
    """An adapted model, and what the pages that were left out said of it.

    Attributes:
        model: the model; the one that came in, with a card and presets of its own, if no number
            of steps was worth taking.
        steps: that were taken.
        expected_f: mean expected word F of the pages left out
            (`victor.evaluation.scores.expected_f`), by number of steps.
        protocol: how they were left out, e.g. ``5 folds by site``.
    """

    model: Model
    steps: int
    expected_f: Mapping[int, float]
    protocol: str

    @property
    def before(self) -> float:
        """Expected word F of the model that came in."""
        return self.expected_f[0]

    @property
    def after(self) -> float:
        """Expected word F of models adapted so, of pages that they had not seen."""
        return self.expected_f[self.steps]


def adapt(corpus: Corpus, model: Model | str = "default", *, trust_code: bool = False) -> Model:
    """Adapt a model of trees to labelled pages, 5 to 50 say, in seconds; `Model.save` writes it.

    Steps of Newton's method move the leaves of its trees towards the labels
    (`victor.training.leaves`). How many are taken is chosen on pages that are left out, whole sites
    where there are several; none is one of the choices. The card of the model names the pages that
    it was trained on and those that it was adapted to. Presets are chosen anew.

    Args:
        corpus: as of `victor.training.corpora.train`.
        model: a model, a shipped model's name or the path of a model file.
        trust_code: run the code that the model brings: feature modules that are files.

    Raises:
        CorpusError: the corpus is missing, damaged or without labels, or one page alone.
        ConfigError: the model has no trees.
        ModelError: the model is missing or damaged.
    """
    loaded = model if isinstance(model, Model) else load_model(model)
    leaves.check(loaded)
    dataset = analyze(read(corpus), FeatureExtractor(loaded.config, trust_code=trust_code))
    dataset.warn_of_drift()
    return adapted(loaded, dataset).model


def total_steps(dataset: Dataset) -> int:
    """How many steps `adapted` reports."""
    return (_Plan.of(dataset).n_folds + 1) * STEPS[-1]


def adapted(model: Model, dataset: Dataset, progress: Progress = lambda _: None) -> Adapted:
    """Adapt a model to annotated pages, measured by its own features.

    Args:
        model: has trees.
        dataset: P pages; those without labels teach nothing. Pages without content do: somebody
            who labels ten pages has looked at them.
        progress: is told of `total_steps`; all are done in the end.

    Raises:
        CorpusError: there are fewer than two pages to learn from.
        ConfigError: the model has no trees.
    """
    plan = _Plan.of(dataset)
    marginals = _left_out(model, dataset, plan, progress)
    scores = [expected_f(dataset, of_blocks)[plan.pages] for of_blocks in marginals]
    chosen = _chosen(scores)
    moved = leaves.steps(model, dataset.select(plan.pages))
    final = next(islice(moved, STEPS[chosen] - 1, None)) if chosen else model
    progress(STEPS[-1])
    means = [float(of_pages.mean()) for of_pages in scores]
    outcome = Adapted(final, STEPS[chosen], dict(zip(STEPS, means, strict=True)), plan.protocol)
    return replace(outcome, model=_described(outcome, dataset, marginals[chosen]))


class _Plan(NamedTuple):
    """The (p,) pages to learn from, and what of them stays together.

    That is the site, or the page where all are of one site; `protocol` says it in words.
    """

    pages: Ints
    groups: list[str]
    protocol: str

    @property
    def n_folds(self) -> int:
        return min(_FOLDS, len({*self.groups}))

    @classmethod
    def of(cls, dataset: LabelledPages) -> _Plan:
        n_labelled = window_sums(dataset.labels != UNLABELLED, dataset.page_starts)
        pages = np.flatnonzero(n_labelled)
        if len(pages) < _FEWEST:
            raise CorpusError(
                f"adapting needs {_FEWEST} labelled pages, {len(pages)} have labels: label more"
            )
        sites = [dataset.sites[page] for page in pages.tolist()]
        by = "site" if len({*sites}) > 1 else "page"
        plan = cls(pages, sites if by == "site" else [*map(str, pages.tolist())], "")
        return plan._replace(protocol=f"{plan.n_folds} folds by {by}")


def _left_out(model: Model, dataset: Dataset, plan: _Plan, progress: Progress) -> list[Floats]:
    """For every number of steps: (n, 3) marginals of models that did not see the page."""
    start = model.marginals(dataset.columns, dataset.page_starts)
    marginals = [start.copy() for _ in STEPS]
    fold_of_page = folds(plan.groups, plan.n_folds)
    for fold in range(fold_of_page.max() + 1):
        training = dataset.select(plan.pages[fold_of_page != fold])
        held_out = dataset.select(plan.pages[fold_of_page == fold])
        for of_step, moved in zip(marginals[1:], _stages(model, training), strict=True):
            of_step[held_out.rows] = moved.marginals(held_out.columns, held_out.page_starts)
        progress(STEPS[-1])
    return marginals


def _stages(model: Model, selection: Selection) -> Iterator[Model]:
    """The model after every number of steps above 0."""
    moved = islice(leaves.steps(model, selection), STEPS[-1])
    return (each for step, each in enumerate(moved, start=1) if step in STEPS)


def _chosen(scores: Sequence[Floats]) -> int:
    """Which of the (p,) scores is best; the first one if none is better.

    Pages vote by the root of what they gain or lose, so that no single page outvotes all others.
    Nothing wins whose mean is below that of the first.
    """
    gains = [of_pages - scores[0] for of_pages in scores]
    votes = [float((np.sign(gain) * np.sqrt(np.abs(gain))).mean()) for gain in gains]
    return max(
        (index for index, gain in enumerate(gains) if gain.mean() >= 0), key=votes.__getitem__
    )


def _described(outcome: Adapted, dataset: Dataset, marginals: Floats) -> Model:
    """The model with presets of the pages, and a card that names them and what came in."""
    model, protocol = outcome.model, outcome.protocol
    decision = model.config.decide.on_marginals
    predictions = collect(
        dataset, marginals, system="adapted", protocol=protocol, decision=decision
    )
    entry = {
        **describe(dataset),
        "fingerprint": dataset.fingerprint,
        "steps": outcome.steps,
        "protocol": protocol,
        "expected word F before": round(outcome.before, 4),
        "expected word F after": round(outcome.after, 4),
    }
    return structs.replace(model, presets=choose(predictions)).with_card(adapted=entry)
