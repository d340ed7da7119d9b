"""Thresholds of a model by name or by precision, with what they reached on pages it did not see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, Self

from victor.base.errors import ConfigError, ModelError

_PRECISION: Final = re.compile(r"p(0?\.\d+|[01])")  # asks for a precision, e.g. ``p0.98``.


class Reached(NamedTuple):
    """A threshold and what it reached; None where nobody wrote that down."""

    threshold: float
    precision: float | None = None
    recall: float | None = None

    def shown(self) -> dict[str, float | None]:
        """Rounded, by name."""
        return {name: value and round(value, 4) for name, value in self._asdict().items()}


@dataclass(frozen=True, eq=False)
class Presets(Mapping[str, float]):
    """The thresholds of a model as a mapping of names to numbers.

    Beside its names the mapping answers ``p0.98`` and the like, with the loosest threshold whose
    precision was at least that, in steps of 0.01.

    Raises:
        ModelError: a threshold is not between 0 and 1.
    """

    points: Mapping[str, Reached] = field(default_factory=dict)
    """By name: precision, balanced, recall."""
    curve: Mapping[float, Reached] = field(default_factory=dict)
    """By the least precision that was asked for, rising: the loosest threshold that reached it."""
    measure: str = ""  # what precision and recall are of: words or blocks
    protocol: str = ""  # how the pages were scored, e.g. ``5 folds by site``.
    pages: Mapping[str, int] = field(default_factory=dict)  # number of pages by corpus

    def __post_init__(self) -> None:
        reached = (*self.points.values(), *self.curve.values())
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

    def moved(self, move: Callable[[float], float]) -> Presets:
        """The presets with thresholds of other marginals; what they reach is as it was."""
        return replace(
            self,
            points={name: p._replace(threshold=move(p[0])) for name, p in self.points.items()},
            curve={least: p._replace(threshold=move(p[0])) for least, p in self.curve.items()},
        )

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
