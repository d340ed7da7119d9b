"""Marginals to labels: which blocks are kept, which are headers, and the thresholds of a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, Self

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.errors import ConfigError, ModelError
from victor.base.labels import HEADER, OTHER, TEXT
from victor.base.lazy import pattern
from victor.config.schema import METHODS, Decision, Method

__all__ = ["METHODS", "Blocks", "Decision", "Method", "Presets", "Reached", "decide", "in_doubt"]


class Blocks(Protocol):
    """What decisions read of the n blocks of P pages beside marginals."""

    @property
    def page_starts(self) -> Ints:
        """(P + 1,) int64; page p owns blocks ``page_starts[p]:page_starts[p + 1]``."""
        ...

    @property
    def words(self) -> Ints:
        """(n,) int64 words of each block."""
        ...


def decide(
    marginals: Floats,
    blocks: Blocks,
    decision: Decision,
    *,
    viterbi_labels: Labels | None = None,
    p_no_content: Floats | None = None,
    p_error: Floats | None = None,
) -> Labels:
    """Label every block of a batch.

    Args:
        marginals: (n, 3) float64, columns in the order of `victor.base.labels.Label`.
        blocks: the same blocks: a table, labelled pages or predictions.
        decision: how to choose.
        viterbi_labels: (n,) labels of the most probable sequence, for ``viterbi`` only.
        p_no_content: (P,) probability that a page has no content, for ``expected-f`` only; read of
            pages `in_doubt`. Where it is NaN, or None for all, and of snippets, marginals decide;
            of snippets all is kept that is not surely other.
        p_error: (P,) probability that a server or a wall speaks on a page, and that nothing is to
            be kept of it, be it a snippet; for ``threshold``, too.

    Returns:
        (n,) uint8 labels.

    Raises:
        ConfigError: ``viterbi`` is asked of something that gives marginals only.
    """
    if decision.method == "viterbi":
        if viterbi_labels is None:
            raise ConfigError(
                "decision method viterbi needs a sequence model; choose threshold or expected-f"
            )
        return viterbi_labels.astype(np.uint8)
    if decision.method == "threshold":
        labels = _labels(marginals, marginals[:, OTHER] < decision.threshold)
        if p_error is not None:
            is_error = p_error > decision.no_content
            labels[np.repeat(is_error, np.diff(blocks.page_starts))] = OTHER
        return labels
    return _expected_f(marginals, blocks, decision, p_no_content, p_error)


def in_doubt(marginals: Floats, blocks: Blocks) -> Bools:
    """(P,) is a page with blocks expected to keep fewer than 100 words, so that heads are asked."""
    memory = core.compiled.in_doubt(*_arrays(marginals, blocks))
    return core.array(memory, np.bool_)


def _arrays(marginals: Floats, blocks: Blocks) -> tuple[Floats, Ints, Ints]:
    """What the core reads."""
    return (
        np.ascontiguousarray(marginals, dtype=np.float64),
        np.ascontiguousarray(blocks.words, dtype=np.int64),
        np.ascontiguousarray(blocks.page_starts, dtype=np.int64),
    )


def _labels(marginals: Floats, kept: Bools) -> Labels:
    """(n,) uint8 labels of blocks that are kept or not."""
    header = marginals[:, HEADER] > marginals[:, TEXT]
    return np.where(kept, np.where(header, HEADER, TEXT), OTHER).astype(np.uint8)


def _expected_f(
    marginals: Floats,
    blocks: Blocks,
    decision: Decision,
    p_no_content: Floats | None,
    p_error: Floats | None,
) -> Labels:
    """(n,) uint8 labels that maximise the expected F of each page, or give nothing of it.

    With the blocks of a page by falling probability p, and w their words, the first k are kept
    where ``2 sum_{i<=k} p_i w_i / (sum_{i<=k} w_i + sum_all p_i w_i)`` is largest, k >= 1. No
    other set of blocks does better under this measure. A block without words changes nothing in
    it: it is kept if it is as probable as the last block kept, or above 0.5 on a page that has no
    words at all.

    On the word of marginals alone pages give nothing of which fewer than 25 words are expected to
    be kept, unless a block with words is kept with a probability of 0.3 or more. A snippet has
    fewer than ten blocks with words, one of them not surely other.
    """
    temperature = decision.temperature
    memory = core.compiled.expected_f(
        *_arrays(marginals, blocks),
        None if temperature == 1.0 else _soften(marginals, temperature),
        _of_pages(p_no_content),
        _of_pages(p_error),
        decision.no_content,
    )
    return core.array(memory, np.uint8).copy()  # callers may change labels


def _of_pages(probabilities: Floats | None) -> Floats | None:
    return None if probabilities is None else np.ascontiguousarray(probabilities, np.float64)


def _soften(marginals: Floats, temperature: float) -> Floats:
    """(n,) probability of being kept, its log-odds divided by the temperature."""
    keep: Floats = marginals[:, HEADER] + marginals[:, TEXT]
    with np.errstate(divide="ignore"):
        log_odds = np.log(keep) - np.log(marginals[:, OTHER])
    return np.asarray(0.5 + 0.5 * np.tanh(log_odds / (2 * temperature)))


_PRECISION: Final = pattern(r"p(0?\.\d+|[01])")  # asks for a precision, e.g. ``p0.98``.


class Reached(NamedTuple):
    """A threshold and what it reached; None where nobody wrote that down."""

    threshold: float
    precision: float | None = None
    recall: float | None = None

    def shown(self) -> dict[str, float | None]:
        """Rounded, by name."""
        return {name: value and round(value, 4) for name, value in self._asdict().items()}


class Presets(Mapping[str, float]):
    """The thresholds of a model as a mapping of names to numbers.

    Beside its names the mapping answers ``p0.98`` and the like, with the loosest threshold whose
    precision was at least that, in steps of 0.01.

    Args:
        points: by name: precision, balanced, recall.
        curve: by the least precision that was asked for, rising: the loosest threshold that reached
            it.
        measure: what precision and recall are of: words or blocks.
        protocol: how the pages were scored, e.g. ``5 folds by site``.
        pages: number of pages by corpus.

    Raises:
        ModelError: a threshold is not between 0 and 1.
    """

    def __init__(
        self,
        points: Mapping[str, Reached] = MappingProxyType({}),
        curve: Mapping[float, Reached] = MappingProxyType({}),
        measure: str = "",
        protocol: str = "",
        pages: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.points, self.curve, self.pages = points, curve, pages
        self.measure, self.protocol = measure, protocol
        reached = (*points.values(), *curve.values())
        if not all(0 <= point.threshold <= 1 for point in reached):
            raise ModelError("a preset is not between 0 and 1: store the presets again")

    @classmethod
    def of(cls, presets: Mapping[str, float]) -> Presets:
        """Presets from names and thresholds alone."""
        if isinstance(presets, Presets):
            return presets
        return cls({name: Reached(float(threshold)) for name, threshold in presets.items()})

    def __getitem__(self, name: str) -> float:
        """The threshold of a name, or of a precision such as ``p0.98``.

        Raises:
            KeyError: there is no such name.
            ConfigError: so high a precision was not reached.
        """
        asked = _PRECISION.fullmatch(name)
        if name in self.points or asked is None:
            return self.points[name].threshold
        least = float(asked[1])
        for precision, reached in self.curve.items():
            if precision >= least:
                return reached.threshold
        raise ConfigError(self._not_reached(least))

    def _not_reached(self, least: float) -> str:
        if not self.curve:
            return (
                "the model does not say what precision it reached; `victor sweep --store` adds it"
            )
        return (
            f"the model did not reach a precision of {least:g}, the highest is "
            f"{max(self.curve):g}: ask for p{max(self.curve):g}, or give a threshold"
        )

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.points)

    def __len__(self) -> int:
        """How many names there are."""
        return len(self.points)

    def to_json(self) -> dict[str, Any]:
        """As JSON values; names and thresholds alone where nothing else is known."""
        if not self.measure:
            return dict(self)
        return {
            "measure": self.measure,
            "protocol": self.protocol,
            "pages": dict(self.pages),
            "points": {name: [*point] for name, point in self.points.items()},
            "curve": {f"{precision:g}": [*point] for precision, point in self.curve.items()},
        }

    def shown(self) -> dict[str, Any]:
        """What people should know, as JSON values: what every threshold reached, and where."""
        if not self.measure:
            return dict(self)
        return {
            **{name: point.shown() for name, point in self.points.items()},
            **{f"p{precision:g}": point.shown() for precision, point in self.curve.items()},
            "measure": f"{self.measure}, mean of corpora",
            "protocol": self.protocol,
            "pages": dict(self.pages),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """What `to_json` gave, or the names and numbers of formats up to 3.

        Raises:
            LookupError, TypeError, ValueError: it is something else.
            ModelError: a threshold is not between 0 and 1.
        """
        if "points" not in document:
            return cls({name: Reached(float(value)) for name, value in document.items()})
        return cls(
            {str(name): _reached(point) for name, point in document["points"].items()},
            {float(name): _reached(point) for name, point in document["curve"].items()},
            str(document["measure"]),
            str(document["protocol"]),
            {str(name): int(count) for name, count in document["pages"].items()},
        )


def _reached(values: list[float]) -> Reached:
    threshold, precision, recall = map(float, values)
    return Reached(threshold, precision, recall)
