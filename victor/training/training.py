"""Training of a model on annotated pages, and marginals by cross-validation over sites."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from victor.base import lazy
from victor.base.arrays import Bools, Codes, Floats, Ints, Labels
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.config.schema import Config
from victor.corpus.pages import folds
from victor.features.base import Kind
from victor.model.boost import Examples, grow, narrow_codes
from victor.model.chain import Edges
from victor.model.crfsuite import learn
from victor.model.discretize import DEFAULTS, Codebook, expand_discretizers
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.model.model import Model
from victor.model.template import Template
from victor.model.trees import EXPERTS, Gate, Input, Trees, codes_of_inputs, expert_of
from victor.training.dataset import Dataset, LabelledPages, Selection

_WORDLESS: Final = 0.5  # words that a block without words counts as
_BESIDE_KEPT: Final = 0.25
"""Share of a page's words added to those to be kept, so that no single page dominates."""
_LEAST_MASS: Final = _WORDLESS * _BESIDE_KEPT
_SEED: Final = 2008  # for the blocks drawn from long pages, and the stretches
_STRETCH: Final = 10
"""Blocks that are drawn together, so that CRFsuite sees how labels follow each other."""

Progress = Callable[[int], None]
"""Called with the number of steps that were done since the last call."""


def training_steps(config: Config) -> int:
    """How many steps a training reports: its trees, or the most iterations of CRFsuite."""
    return config.trees.count or config.crf.max_iterations


def fit(
    selection: Selection,
    config: Config,
    *,
    kinds: Mapping[str, Kind],
    coded: Callable[[], None] = lambda: None,
    progress: Progress = lambda _: None,
) -> Model:
    """Train on some pages of a dataset.

    Args:
        selection: the training pages.
        config: resolved configuration; its features gave the columns.
        kinds: kind of every column (`victor.features.base.Kind`).
        coded: called when trees have what they need of the columns.
        progress: is told of `training_steps`; all are done in the end.

    Raises:
        ConfigError, TemplateError: the configuration does not fit the columns.
        CorpusError: no page has a label to learn.
    """
    if not np.isin(selection.labels, [*Label]).any():
        raise CorpusError("no block of the training pages has a label; check the corpus")
    if config.trees.count:
        return Model(config, *_trees(selection, config, kinds, coded, progress))
    return Model(config, *_linear(selection, config, kinds, progress))


def _linear(
    selection: Selection, config: Config, kinds: Mapping[str, Kind], progress: Progress
) -> tuple[LinearPotentials, Edges]:
    template = Template.of(config, kinds)
    done = 0

    def iterated(iteration: int, _loss: float) -> None:
        nonlocal done
        progress(iteration - done)
        done = iteration

    codebook = Codebook.fit(selection.columns, _discretizers(config, kinds, template.names))
    weights, edges = learn(
        codebook.codes(selection.columns),
        selection.page_starts,
        _drawn(selection, config.crf.draw),
        template=template,
        sizes=codebook.sizes,
        options=config.crf,
        progress=iterated,
    )
    progress(training_steps(config) - done)  # it ends where it gains nothing more
    return LinearPotentials(codebook, weights), edges


def _trees(
    selection: Selection,
    config: Config,
    kinds: Mapping[str, Kind],
    coded: Callable[[], None],
    progress: Progress,
) -> tuple[Trees, Edges]:
    """Trees over the columns of the template, and edges of the kinds that a column says.

    The weights of blocks (`block_weights`) approximate the page mean of word F.
    """
    options = config.trees
    template = Template.from_config(config.template, columns=kinds, page_edge="one")
    # A conjunction stands for each of its columns.
    read = (column for entry in template.entries for column in entry.columns)
    inputs: list[Input] = [*dict.fromkeys(read)]
    discretizers = {
        name: {"quantiles": options.bins} if _is_numeric(kinds[name]) else DEFAULTS[kinds[name]]
        for name, _ in inputs
    }
    codebook = Codebook.fit(selection.columns, discretizers)
    template, starts = Template.of(config, kinds), selection.page_starts
    of_names = {name: DEFAULTS[kinds[name]] for name in template.edge_names}
    edges = Edges.untrained(template.edges, Codebook.fit(selection.columns, of_names))
    of_edges = edges.kinds(selection.columns, starts)
    codes = codebook.codes(selection.columns).T
    coded()
    names, experts = experts_of(codes, starts, selection.types)

    trees, tables = grow(
        Examples(
            codes_of_inputs(inputs, codebook.names, codes, starts),
            selection.labels,
            block_weights(selection, options.max_blocks),
            starts,
            of_edges,
            edges.layout,
            experts.repeat(np.diff(starts)),
            names,
        ),
        codebook=codebook,
        inputs=inputs,
        options=options,
        connected=config.crf.transitions,
        progress=progress,
    )
    if trees.gate is not None:
        narrow = narrow_codes(codebook, trees.codebook, codes)
        trees = replace(trees, gate=gate_of(names, narrow, starts, experts))
    return trees, replace(edges, tables=tables)


def block_weights(selection: Selection, most: float = math.inf) -> Floats:
    """(n,) weight of each block for learning; the mean of the positive weights is 1.

    A word weighs 1 / (words to be kept on its page + a quarter of all words of the page): about as
    much as one word too many or too few changes the F-measure of the page.

    From pages with more than `most` blocks, about that many are drawn and weigh more in return.
    """
    page = np.repeat(np.arange(len(selection.sites)), np.diff(selection.page_starts))
    labelled = selection.labels != UNLABELLED
    words = np.where(labelled, np.maximum(selection.words, _WORDLESS), 0.0)
    kept = np.where(selection.labels == Label.OTHER, 0.0, words)
    mass = np.bincount(page, kept + _BESIDE_KEPT * words, len(selection.sites))
    share = np.minimum(1.0, most / np.maximum(np.diff(selection.page_starts), 1))[page]
    drawn = np.random.default_rng(_SEED).random(len(page)) < share
    weights = np.where(drawn, words / np.maximum(mass[page], _LEAST_MASS) / share, 0.0)
    return weights / max(float(weights[weights > 0].mean()) if weights.any() else 1.0, 1e-12)


def _drawn(selection: Selection, rate: float) -> Labels:
    """(n,) labels, UNLABELLED in the stretches that are not drawn (`crf.draw`).

    CRFsuite has no weights of blocks. A stretch is drawn with `rate` times the mean weight of its
    blocks as probability, so the likelihood of what is drawn is about the weighted one.
    """
    if not rate:
        return selection.labels
    starts = selection.page_starts
    position = np.arange(starts[-1]) - np.repeat(starts[:-1], np.diff(starts))
    stretch = np.cumsum(position % _STRETCH == 0) - 1
    weight = np.bincount(stretch, block_weights(selection)) / np.bincount(stretch)
    is_drawn = np.random.default_rng(_SEED).random(len(weight)) < rate * weight
    return np.where(is_drawn[stretch], selection.labels, np.uint8(UNLABELLED))


def train(
    dataset: Dataset, extractor: FeatureExtractor, *, progress: Progress = lambda _: None
) -> Model:
    """Train on all `trainable` pages of a dataset; the model card says what was used.

    A lean dataset (`analyze`) loses its columns before trees grow. `progress` is told of
    `training_steps`.
    """
    model = fit(
        dataset.select(np.flatnonzero(trainable(dataset))),
        extractor.config,
        kinds=extractor.kinds,
        coded=dataset.columns.clear if not dataset.tables else lambda: None,
        progress=progress,
    )
    return model.with_card(training=describe(dataset), fingerprint=dataset.fingerprint)


def cross_validate(  # noqa: PLR0913  (everything that a run depends on)
    dataset: Dataset,
    config: Config,
    *,
    kinds: Mapping[str, Kind],
    k: int = 5,
    jobs: int = 1,
    pages: Bools | None = None,
    steps: Progress = lambda _: None,
) -> Floats:
    """(n, 3) marginals of every block from a model that has seen no page of its site.

    Args:
        dataset: P annotated pages.
        config: what to train.
        kinds: kind of every column (`victor.features.base.Kind`).
        k: number of folds.
        jobs: folds trained at once.
        pages: (P,) pages to learn from, each with blocks; None for the `trainable` ones. The
            other pages get marginals as well.
        steps: is told of `training_steps`, k times as many; with several jobs after every fold.
    """
    joblib = lazy.load("joblib", extra="train")
    fold_of_page = folds(dataset.sites, k)
    may_train = trainable(dataset) if pages is None else pages
    marginals = np.zeros((len(dataset.labels), len(Label)))
    tasks = (
        joblib.delayed(_fold)(
            dataset.select(np.flatnonzero((fold_of_page != fold) & may_train)),
            dataset.select(np.flatnonzero(fold_of_page == fold)),
            config,
            kinds,
            *([steps] if jobs == 1 else []),
        )
        for fold in range(k)
    )
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
    for rows, fold_marginals in parallel(tasks):
        marginals[rows] = fold_marginals
        if jobs > 1:  # other processes cannot tell more
            steps(training_steps(config))
    return marginals


def trainable(dataset: LabelledPages) -> Bools:
    """(P,) pages to learn from: those with blocks whose gold text, if there is one, is not empty.

    A gold text is often empty because a script would have loaded the content; the text of such a
    page is not a good example of boilerplate.
    """
    has_content = [page.gold is None or bool(page.gold.strip()) for page in dataset.pages]
    return np.array(has_content) & (np.diff(dataset.page_starts) > 0)


def _fold(
    training: Selection,
    held_out: Selection,
    config: Config,
    kinds: Mapping[str, Kind],
    progress: Progress = lambda _: None,
) -> tuple[Ints, Floats]:
    model = fit(training, config, kinds=kinds, progress=progress)
    return held_out.rows, model.marginals(held_out.columns, held_out.page_starts)


def describe(dataset: LabelledPages) -> dict[str, Any]:
    """The entry of a model card on the training pages: counts, sites, corpora, licences."""
    corpora = Counter(page.metadata.get("corpus", "") for page in dataset.pages)
    stated = {page.licence or "not stated" for page in dataset.pages}
    licences = sorted({part for licence in stated for part in licence.split(" AND ")})
    return {
        "pages": len(dataset.pages),
        "sites": len(set(dataset.sites)),
        "blocks": counts_of_labels(dataset.labels),
        "corpora": {name: pages for name, pages in corpora.items() if name},
        "licences": licences,
    }


def counts_of_labels(labels: Labels) -> dict[str, int]:
    """Number of blocks by the name of their label."""
    counts = np.bincount(labels, minlength=len(Label))
    return {label.lower_name: int(counts[label]) for label in Label}


def _discretizers(
    config: Config, kinds: Mapping[str, Kind], used: Sequence[str]
) -> dict[str, object]:
    configured = expand_discretizers(config.discretize, [*kinds])
    of_numbers = config.discretize.get("default")
    defaults = {
        name: DEFAULTS[kinds[name]]
        if of_numbers is None or not _is_numeric(kinds[name])
        else of_numbers
        for name in used
    }
    return {name: configured.get(name, default) for name, default in defaults.items()}


def _is_numeric(kind: str) -> bool:
    return kind in ("count", "number")


_FEWEST: Final = 20  # pages of a type; an expert of fewer knows too little
_STRENGTH: Final = 0.06  # C of the regression; from 0.02 to 0.1 nothing changes
_STEPS: Final = 300
_LEAST_SPREAD: Final = 1e-3
"""Is added to standard deviations: what is the same on all examples says nothing."""


def experts_of(
    codes: Codes, page_starts: Ints, types: Sequence[str]
) -> tuple[tuple[str, ...], Ints]:
    """Names of the E experts that pages can teach, and the (P,) int64 expert of every page.

    Pages of an unknown type, "", go to the expert that a gate of the others gives most weight.
    There is one expert for all where fewer than two have enough pages. Codes are (C, n).
    """
    known = np.array([expert_of(name) if name else "" for name in types], dtype=object)
    names = tuple(name for name in EXPERTS if (known == name).sum() >= _FEWEST)
    if len(names) < 2:
        return ("all",), np.zeros(len(types), dtype=np.int64)
    experts = np.array([names.index(name) if name in names else -1 for name in known.tolist()])
    measures, is_known = page_means(codes, page_starts), experts >= 0
    weights = _scores(measures[is_known], experts[is_known])
    said = (measures @ weights[:-1] + weights[-1]).argmax(axis=1)
    return names, np.where(is_known, experts, said)


def gate_of(names: tuple[str, ...], codes: Codes, page_starts: Ints, experts: Ints) -> Gate:
    """The gate that weighs these experts, given (C, n) codes and the (P,) experts of pages."""
    return Gate(names, _scores(page_means(codes, page_starts), experts))


def page_means(codes: Codes, page_starts: Ints) -> Floats:
    """(P, 2 C) float64 means of the codes of C columns on each page, and of their squares.

    All are 0 for a page without blocks.
    """
    n_blocks = np.diff(page_starts)
    filled = np.flatnonzero(n_blocks)
    means = np.zeros((len(n_blocks), 2 * len(codes)))
    if len(filled):
        starts, parts = page_starts[filled], (codes, np.square(codes, dtype=np.uint16))
        sums = [np.add.reduceat(part, starts, axis=1, dtype=np.uint64) for part in parts]
        means[filled] = np.concatenate(sums).T / n_blocks[filled, None]
    return means


def _scores(measures: Floats, experts: Ints) -> Floats:
    """(M + 1, E) scores of the experts over (P, M) measures, given the (P,) experts of pages."""
    return of_both(class_scores(measures, experts, _STRENGTH, task="fitting a gate"))


def class_scores(measures: Floats, classes: Ints, strength: float, task: str) -> Floats:
    """Fit a logistic regression with L2 regularisation to standardised measures.

    Given are (P, M) measures, the (P,) number of the class of each example, C of the regression,
    and what it is for, in the message of the ConfigError if scikit-learn is not installed. Returns
    (M + 1, k) weights of the measures as they are for k classes, the last row the intercepts;
    (M + 1, 1), of the second class, if there are two.
    """
    linear = lazy.load("sklearn.linear_model", extra="train", task=task)
    mean, spread = measures.mean(axis=0), measures.std(axis=0) + _LEAST_SPREAD
    model = linear.LogisticRegression(C=strength, max_iter=_STEPS)
    model.fit((measures - mean) / spread, classes)
    weights = model.coef_ / spread
    intercepts = model.intercept_ - weights @ mean
    return np.concatenate([weights, intercepts[:, None]], axis=1).T


def of_both(scores: Floats) -> Floats:
    """(M + 1, k) the same with a column for each class, where one score stands for two."""
    return scores if scores.shape[1] > 1 else scores * np.array([0.0, 1.0])
