"""Train linear potentials: codes become attributes, the result plain arrays.

sklearn-crfsuite learns where all edges are alike; it has no features of pairs of labels that read
the input. Where edges have entries, `victor.model.crf.ascent` learns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from victor.base import optional
from victor.base.arrays import Codes, Floats, Ints, Labels
from victor.base.errors import ConfigError, CorpusError
from victor.base.labels import LABEL_NAMES
from victor.config import Crf
from victor.model.crf.ascent import Progress, ascend
from victor.model.crf.attributes import n_values
from victor.model.crf.edges import Edges
from victor.model.crf.sequences import BIAS, Attributes, Pages, Sequences
from victor.model.crf.weights import UNTRAINED, Weights
from victor.model.template import Template


def learn(  # noqa: PLR0913  (what a corpus is made of)
    codes: Codes,
    page_starts: Ints,
    labels: Labels,
    kinds: Ints,
    weights: Floats,
    *,
    template: Template,
    sizes: Mapping[str, int],
    edges: Edges,
    options: Crf,
    sites: Sequence[str],
    progress: Progress | None = None,
) -> tuple[Weights, Edges]:
    """Train on labelled pages; the same input always gives the same weights.

    Args:
        codes: (n, C) codes, columns in the order of `sizes`.
        page_starts: (P + 1,) first block of each page.
        labels: (n,) labels; UNLABELLED blocks end a sequence and are not learnt from, but they
            remain in the context of their neighbours.
        kinds: (n,) kind of the edge to the block before.
        weights: (n,) what each block weighs; CRFsuite takes all blocks alike.
        template: which columns at which offsets.
        sizes: number of codes per column.
        edges: untrained; what they read gave the kinds.
        options: how to train.
        sites: site of each page.
        progress: see `Progress`.

    Raises:
        CorpusError: no labelled block is left to learn from.
        ConfigError: an option names a column that the template does not use, or another
            optimiser than lbfgs where edges have entries.
    """
    _check_scale(options.scale, template)
    starts = np.asarray(page_starts)
    pages = Pages(codes, tuple(sizes), starts, labels, _numbered(sites), kinds, weights)
    sequences = prepare(pages, template, sizes=sizes, options=options)
    if edges.entries and options.transitions:
        return ascend(sequences, edges, options, progress or (lambda *_: None))
    return collect(sequences.attributes, estimate(sequences, options, progress))


def prepare(
    pages: Pages, template: Template, *, sizes: Mapping[str, int], options: Crf
) -> Sequences:
    """Training sequences of some pages.

    Raises:
        CorpusError: no page can be trained on.
    """
    trainable = pages.trainable(options.max_blocks)
    if not len(trainable.labels):
        raise CorpusError(
            "no page is left to learn from: all are unlabelled or longer than crf.max_blocks"
        )
    attributes = Attributes(template, sizes, options.scale)
    if options.drop_reference:
        attributes = attributes.with_references(trainable)
    return Sequences(trainable, attributes, options.transitions)


def estimate(sequences: Sequences, options: Crf, progress: Progress | None = None) -> Any:  # noqa: ANN401  (an untyped library's class)
    """The fitted sklearn-crfsuite estimator."""
    crfsuite = optional.load("sklearn_crfsuite", extra="train")
    parameters: dict[str, Any] = {"c2": options.c2, "max_iterations": options.max_iterations}
    if options.algorithm == "lbfgs":
        parameters["c1"] = options.c1
    trainer = None if progress is None else _reporting(progress)
    estimator = crfsuite.CRF(algorithm=options.algorithm, trainer_cls=trainer, **parameters)
    return estimator.fit(sequences, sequences.labels())


def _reporting(progress: Progress) -> type:
    """A trainer that reports its iterations."""
    trainer: Any = optional.load("pycrfsuite", extra="train").Trainer

    class Reporting(trainer):  # type: ignore[misc]  # an untyped library's class
        def message(self, message: str) -> None:
            if self.logparser.feed(message) == "iteration":
                iteration = self.logparser.last_iteration
                progress(iteration["num"], iteration.get("loss", float("nan")))

    return Reporting


def collect(attributes: Attributes, estimator: Any) -> tuple[Weights, Edges]:  # noqa: ANN401  (as above)
    """Weights and edges of a fitted estimator as arrays, attribute values folded in."""
    code_of = {name: number for number, name in enumerate(LABEL_NAMES)}
    bias = np.full(len(code_of), UNTRAINED)
    bias[[code_of[name] for name in estimator.classes_]] = 0
    sizes = [n_values(e, attributes.template, attributes.sizes) for e in attributes.entries]
    tables = [np.zeros((size, len(code_of))) for size in sizes]
    for (attribute, name), weight in estimator.state_features_.items():
        if attribute == BIAS:
            bias[code_of[name]] = weight
        else:
            number, row = attribute.split(":")
            tables[int(number)][int(row), code_of[name]] = weight
    transitions = np.zeros((len(code_of), len(code_of)))
    for (before, after), weight in estimator.transition_features_.items():
        transitions[code_of[before], code_of[after]] = weight
    return attributes.weights(tables, bias), Edges.alike(transitions)


def _check_scale(scale: Mapping[str, float], template: Template) -> None:
    unknown = sorted(set(scale) - set(template.names))
    if unknown:
        raise ConfigError(f"crf.scale names {unknown[0]}, which the template does not use")


def _numbered(sites: Sequence[str]) -> Ints:
    """A number for every site."""
    numbers = {site: number for number, site in enumerate(dict.fromkeys(sites))}
    return np.array([numbers[site] for site in sites], dtype=np.int64)
