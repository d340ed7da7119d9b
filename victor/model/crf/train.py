"""Train linear potentials by sklearn-crfsuite: codes become attributes, the result plain arrays.

CRFsuite maximises ``sum_s log p(y_s | x_s) - c1 |w| - c2 w^2``: the probability of the labels of
every sequence s as a whole (a page, or a run of its labelled blocks), in which all blocks weigh the
same. All edges are alike: CRFsuite has no weights for pairs of labels that read the input.

Source: Okazaki (2007), CRFsuite: a fast implementation of conditional random fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from victor.base import lazy
from victor.base.arrays import Codes, Ints, Labels
from victor.base.errors import ConfigError, CorpusError, TemplateError
from victor.base.labels import LABEL_NAMES
from victor.config.schema import Crf
from victor.model.crf.attributes import n_values
from victor.model.crf.edges import Edges
from victor.model.crf.sequences import BIAS, Attributes, Pages, Sequences
from victor.model.crf.weights import UNTRAINED, Weights
from victor.model.template import Template

Progress = Callable[[int, float], None]
"""Called after every iteration of the optimiser with its number and the loss."""


def learn(  # noqa: PLR0913  (what a corpus is made of)
    codes: Codes,
    page_starts: Ints,
    labels: Labels,
    *,
    template: Template,
    sizes: Mapping[str, int],
    options: Crf,
    progress: Progress | None = None,
) -> tuple[Weights, Edges]:
    """Train on labelled pages; the same input always gives the same weights.

    Args:
        codes: (n, C) codes, columns in the order of `sizes`.
        page_starts: (P + 1,) first block of each page.
        labels: (n,) labels; UNLABELLED blocks end a sequence and are not learnt from, but they
            remain in the context of their neighbours.
        template: which columns at which offsets.
        sizes: number of codes per column.
        options: how to train.
        progress: see `Progress`.

    Raises:
        CorpusError: no labelled block is left to learn from.
        ConfigError: an option names a column that the template does not use.
        TemplateError: the template has entries of edges.
    """
    _check_scale(options.scale, template)
    if template.edges:
        raise TemplateError(
            "only trees learn edges that read the input: take the edge entries out of the "
            "template, and set crf.edges to null"
        )
    pages = Pages(codes, tuple(sizes), np.asarray(page_starts), labels)
    sequences = prepare(pages, template, sizes=sizes, options=options)
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
    crfsuite = lazy.load("sklearn_crfsuite", extra="train")
    parameters: dict[str, Any] = {"c2": options.c2, "max_iterations": options.max_iterations}
    if options.algorithm == "lbfgs":
        parameters["c1"] = options.c1
    trainer = None if progress is None else _reporting(progress)
    estimator = crfsuite.CRF(algorithm=options.algorithm, trainer_cls=trainer, **parameters)
    return estimator.fit(sequences, sequences.labels())


def _reporting(progress: Progress) -> type:
    """A trainer that reports its iterations."""
    trainer: Any = lazy.load("pycrfsuite", extra="train").Trainer

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
