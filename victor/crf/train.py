"""Training through sklearn-crfsuite: codes and bags become attributes, the result plain arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.columns import Bag
from victor.crf.attributes import attributes
from victor.crf.weights import N_LABELS, BagWeights, Weights, coded_entries, entry_sizes
from victor.errors import ConfigError, CorpusError
from victor.labels import LABEL_NAMES, UNLABELLED
from victor.template import Template

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """How to train; the keys of ``crf:`` in a configuration.

    Attributes:
        algorithm: ``lbfgs`` or ``l2sgd``.
        c1, c2: strength of L1 (lbfgs only) and L2 regularisation.
        max_iterations: of the optimiser.
        transitions: labels of neighbouring blocks depend on one another; without, every block
            is a sequence of its own, as in the original Victor.
        drop_reference: the most frequent value of every entry gives no attribute.
        bag_min_sites: sites on which a token has to occur.
        scale: column to attribute value v; its weights are regularised v^-2 times as strongly.
        max_blocks: longer pages are left out.
    """

    algorithm: str = "lbfgs"
    c1: float = 0.0
    c2: float = 1.0
    max_iterations: int = 60
    transitions: bool = True
    drop_reference: bool = True
    bag_min_sites: int = 15
    scale: Mapping[str, float] = field(default_factory=dict)
    max_blocks: int = 1000


def learn(
    codes: NDArray[np.uint8],
    bags: Mapping[str, Bag],
    page_starts: Ints,
    labels: NDArray[np.uint8],
    *,
    template: Template,
    sizes: Mapping[str, int],
    options: TrainOptions,
    sites: Sequence[str],
) -> Weights:
    """Train on labelled pages.

    Args:
        codes: (n, C) codes, columns in the order of `sizes`.
        bags: bag columns by name.
        page_starts: (P + 1,) first block of each page.
        labels: (n,) labels; UNLABELLED blocks end a sequence and are not learnt from, but
            their neighbours still see them.
        template: which columns at which offsets.
        sizes: number of codes per column.
        options: see `TrainOptions`.
        sites: site of each page.

    Raises:
        CorpusError: no labelled block is left to learn from.
        ConfigError: an option names a column that the template does not use.
    """
    _check_scale(options.scale, template)
    task = _Task(
        rows=attributes(codes, list(sizes), page_starts, template, sizes),
        page_starts=page_starts,
        labels=labels,
        template=template,
        sizes=sizes,
        options=options,
        bags={
            name: _Tokens.choose(bag, page_starts, sites, options.bag_min_sites)
            for name, bag in bags.items()
        },
    )
    estimator = estimate(task)
    return _weights(task, estimator)


def _check_scale(scale: Mapping[str, float], template: Template) -> None:
    unknown = sorted(set(scale) - set(template.names))
    if unknown:
        raise ConfigError(f"crf.scale names {unknown[0]}, which the template does not use")


@dataclass(frozen=True, eq=False)
class _Tokens:
    """The tokens of a bag that are frequent enough: compressed rows of their numbers."""

    vocabulary: tuple[str, ...]
    indptr: Ints
    ids: Ints

    @classmethod
    def choose(
        cls, bag: Bag, page_starts: Ints, sites: Sequence[str], min_sites: int
    ) -> _Tokens:
        """Keep the tokens that occur on enough distinct sites."""
        indptr, ids = bag.flat()
        seen: dict[int, set[str]] = defaultdict(set)
        for page, site in enumerate(sites):
            first, last = indptr[page_starts[page]], indptr[page_starts[page + 1]]
            for token in np.unique(ids[first:last]).tolist():
                seen[token].add(site)
        kept = sorted(
            (token for token, where in seen.items() if len(where) >= min_sites),
            key=lambda token: bag.vocabulary[token],
        )
        number = np.full(len(bag.vocabulary) + 1, -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        numbers = number[ids]
        total = np.concatenate(([0], np.cumsum(numbers >= 0)))
        vocabulary = tuple(bag.vocabulary[token] for token in kept)
        return cls(vocabulary, total[indptr], numbers[numbers >= 0])


@dataclass(frozen=True, eq=False)
class _Task:
    """What training needs, as arrays."""

    rows: NDArray[np.int32]
    page_starts: Ints
    labels: NDArray[np.uint8]
    template: Template
    sizes: Mapping[str, int]
    options: TrainOptions
    bags: Mapping[str, _Tokens]


def estimate(task: _Task) -> Any:  # noqa: ANN401  (an untyped library's class)
    """The fitted sklearn-crfsuite estimator."""
    from sklearn_crfsuite import CRF  # noqa: PLC0415  (slow to import, only for training)

    options = task.options
    spans = list(_spans(task))
    if not spans:
        raise CorpusError(
            "no page is left to learn from: all are unlabelled or longer than crf.max_blocks"
        )
    parameters: dict[str, Any] = {"c2": options.c2, "max_iterations": options.max_iterations}
    if options.algorithm == "lbfgs":
        parameters["c1"] = options.c1
    estimator = CRF(algorithm=options.algorithm, **parameters)
    estimator.fit(_Attributes(task, spans), [_names(task.labels[a:b]) for a, b in spans])
    return estimator


def _spans(task: _Task) -> Iterator[tuple[int, int]]:
    """First and last block of every training sequence."""
    for start, end in zip(task.page_starts[:-1].tolist(), task.page_starts[1:].tolist(), strict=True):
        if end - start > task.options.max_blocks:
            continue
        labelled = task.labels[start:end] != UNLABELLED
        if not task.options.transitions:
            yield from ((start + at, start + at + 1) for at in np.flatnonzero(labelled).tolist())
            continue
        edges = np.flatnonzero(np.diff(np.concatenate(([False], labelled, [False]))))
        yield from ((start + a, start + b) for a, b in edges.reshape(-1, 2).tolist())


def _names(labels: NDArray[np.uint8]) -> list[str]:
    return [LABEL_NAMES[label] for label in labels.tolist()]


class _Attributes:
    """Attribute lists of one sequence at a time: all at once would not fit into memory."""

    def __init__(self, task: _Task, spans: Sequence[tuple[int, int]]) -> None:
        self._task = task
        self._spans = spans
        lengths = entry_sizes(task.template, task.sizes)
        self._base = np.cumsum(lengths) - lengths
        self._names = np.array([f"e{row}" for row in range(sum(lengths))], dtype=object)
        self._skipped = self._references(sum(lengths))
        self._values = self._entry_values()

    def __len__(self) -> int:
        return len(self._spans)

    def __iter__(self) -> Iterator[list[dict[str, float]]]:
        for start, end in self._spans:
            yield [self._block(block) for block in range(start, end)]

    def _block(self, block: int) -> dict[str, float]:
        rows = self._task.rows[block] + self._base
        used = ~self._skipped[rows]
        found: dict[str, float] = dict(
            zip(self._names[rows[used]].tolist(), self._values[used].tolist(), strict=True)
        )
        for place, (name, bag) in enumerate(self._task.bags.items()):
            value = self._task.options.scale.get(name, 1.0)
            for token in bag.ids[bag.indptr[block] : bag.indptr[block + 1]].tolist():
                key = f"b{place}:{token}"
                found[key] = found.get(key, 0.0) + value
        return found

    def _references(self, total: int) -> NDArray[np.bool_]:
        """Rows that give no attribute: the most frequent one of every entry."""
        skipped = np.zeros(total, dtype=bool)
        if self._task.options.drop_reference:
            for column, base in enumerate(self._base.tolist()):
                counts = np.bincount(self._task.rows[:, column])
                skipped[base + int(counts.argmax())] = True
        return skipped

    def _entry_values(self) -> NDArray[np.float64]:
        """(E,) attribute value of every entry."""
        scale = self._task.options.scale
        entries = coded_entries(self._task.template, self._task.sizes)
        return np.array(
            [min(scale.get(name, 1.0) for name, _ in entry.columns) for entry in entries]
        )


def _weights(task: _Task, estimator: Any) -> Weights:  # noqa: ANN401  (an untyped library's class)
    """Weights of a fitted estimator as arrays, attribute values folded in."""
    lengths = entry_sizes(task.template, task.sizes)
    label = {name: number for number, name in enumerate(LABEL_NAMES)}
    rows = np.zeros((sum(lengths), N_LABELS), dtype=np.float32)
    bags = [np.zeros((len(bag.vocabulary), N_LABELS), np.float32) for bag in task.bags.values()]
    for (attribute, name), weight in estimator.state_features_.items():
        if attribute[0] == "e":
            rows[int(attribute[1:]), label[name]] = weight
        else:
            place, token = attribute[1:].split(":")
            bags[int(place)][int(token), label[name]] = weight
    transitions = np.zeros((N_LABELS, N_LABELS), dtype=np.float32)
    for (before, after), weight in estimator.transition_features_.items():
        transitions[label[before], label[after]] = weight
    attributes_ = _Attributes(task, [])
    entries = [
        part * np.float32(value)
        for part, value in zip(
            np.split(rows, np.cumsum(lengths)[:-1]), attributes_._entry_values(), strict=True
        )
    ]
    scale = task.options.scale
    return Weights(
        template=task.template,
        sizes=task.sizes,
        entries=tuple(entries),
        bags={
            name: BagWeights(bag.vocabulary, values * np.float32(scale.get(name, 1.0)))
            for (name, bag), values in zip(task.bags.items(), bags, strict=True)
        },
        transitions=transitions,
    )
