"""Turn column values into small integer codes: edges, shares, flags, categories, quantiles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from operator import lt
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from victor.base.arrays import Codes, Floats32
from victor.base.errors import ConfigError, FeatureError, hint, nearest
from victor.base.lazy import cached_property
from victor.model.template import expand

MAX_SIZE = 256  # codes are bytes

ZERO_SHARE = 0.3
"""Zero has a bin of its own when more than this share of the training values is zero."""

DEFAULTS: Mapping[str, str | Mapping[str, int]] = {
    "bool": "bool",
    "category": "category",
    "count": {"quantiles": 10},
    "number": {"quantiles": 10},
}
"""Discretizer of a column of each kind (`victor.features.base.Kind`) without configuration."""


class Discretizer:
    """A pure function from the values of one column to codes: how many thresholds are not above.

    Values and thresholds are compared as float32, so a share computed in double precision and
    the threshold of the same fraction are always equal.
    """

    @property
    def thresholds(self) -> Floats32:
        """Ascending thresholds."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """Number of codes; every code is below it."""
        return len(self.thresholds) + 1

    def __call__(self, values: ArrayLike) -> Codes:
        """Codes of (n,) values, (n,) uint8."""
        return np.searchsorted(self.thresholds, _float32(values), side="right").astype(np.uint8)

    def to_json(self) -> dict[str, Any]:
        """The configuration that `from_config` turns back into this discretizer."""
        raise NotImplementedError


class Bool(Discretizer, Struct, frozen=True):
    """0 or 1."""

    @property
    def thresholds(self) -> Floats32:
        """One, between the two values."""
        return np.array([0.5], dtype=np.float32)

    def to_json(self) -> dict[str, Any]:
        """Its configuration."""
        return {"bool": True}


class Edges(Discretizer, Struct, frozen=True, dict=True):
    """The number of edges that are not above the value, so 0 below the first edge."""

    edges: tuple[float, ...]  # strictly ascending finite numbers

    def __post_init__(self) -> None:
        thresholds = self.thresholds.tolist()
        if len(thresholds) >= MAX_SIZE:
            raise ConfigError(f"at most {MAX_SIZE - 1} edges are possible, got {len(thresholds)}")
        if not all(map(isfinite, thresholds)) or not all(map(lt, thresholds, thresholds[1:])):
            raise ConfigError(f"edges must be finite and ascending, got {list(self.edges)}")

    @cached_property
    def thresholds(self) -> Floats32:
        """The edges."""
        return _float32(self.edges)

    def to_json(self) -> dict[str, Any]:
        """Its configuration."""
        return {"edges": list(self.edges)}


class Scale(Discretizer, Struct, frozen=True):
    """Equal bins of a share: ``floor(x * (bins + 1))``, at most `bins` (Victor 2008)."""

    bins: int  # the highest code; a share of exactly 1 shares it with the bin below 1

    def __post_init__(self) -> None:
        if not 1 <= self.bins < MAX_SIZE:
            raise ConfigError(f"a scale is a number from 1 to {MAX_SIZE - 1}, got {self.bins}")

    @property
    def thresholds(self) -> Floats32:
        """The fractions ``k / (bins + 1)``."""
        return _float32(np.arange(1, self.bins + 1) / (self.bins + 1))

    def to_json(self) -> dict[str, Any]:
        """Its configuration."""
        return {"scale": self.bins}


class Category(Discretizer, Struct, frozen=True, dict=True):
    """Integer codes as they are; what lies beyond the last level shares the last level."""

    levels: int  # number of codes

    def __post_init__(self) -> None:
        if not 2 <= self.levels <= MAX_SIZE:
            raise ConfigError(f"a category has 2 to {MAX_SIZE} levels, got {self.levels}")

    @cached_property
    def thresholds(self) -> Floats32:
        """Every level but the first: the code of an integer is how many are not above it."""
        return np.arange(1, self.levels, dtype=np.float32)

    def to_json(self) -> dict[str, Any]:
        """Its configuration."""
        return {"category": self.levels}


class Categories(Struct, frozen=True):
    """A category whose levels are those of the training pages and one more for all others."""

    def fit(self, values: ArrayLike) -> Category:
        """The category with room for every training value and one unseen level."""
        highest = int(np.max(np.asarray(values), initial=0))
        return Category(min(highest + 2, MAX_SIZE))


class Quantiles(Struct, frozen=True):
    """Bins of about equal mass, fitted on the values of the training pages.

    A value that makes up most of the mass keeps one bin, so there may be fewer bins than requested.
    """

    bins: int  # most bins to make; `bins` + 2 distinct values or fewer get one bin each

    def __post_init__(self) -> None:
        if not 3 <= self.bins <= MAX_SIZE - 2:
            raise ConfigError(f"quantiles are a number from 3 to {MAX_SIZE - 2}, got {self.bins}")

    def fit(self, values: ArrayLike) -> Edges:
        """Edges between training values, half way from each value to the one before it.

        Args:
            values: (n,) finite values, n > 0.

        Raises:
            ConfigError: `values` is empty.
        """
        ordered = np.sort(_float32(values))
        if not len(ordered):
            raise ConfigError("quantiles need training pages with at least one block")
        distinct = np.unique(ordered)
        if len(distinct) <= self.bins + 2:
            return _edges_below(distinct[1:], distinct)
        zero = ordered == 0
        if zero.mean() <= ZERO_SHARE:
            return _edges_below(_quantiles(ordered, self.bins), distinct)
        sides = 1 + int(ordered[0] < 0)
        rest = _quantiles(ordered[~zero], self.bins - sides)
        around = [0.0, distinct[distinct > 0][0]] if (distinct > 0).any() else [0.0]
        return _edges_below(np.append(rest, around), distinct)


def _quantiles(ordered: Floats32, bins: int) -> Floats32:
    """The first value of each of `bins` equal parts but the first."""
    return ordered[(np.arange(1, bins) * len(ordered)) // bins]


def _edges_below(values: ArrayLike, distinct: Floats32) -> Edges:
    """Edges just below each of the given values that is not the lowest of the distinct ones."""
    above = np.unique(np.searchsorted(distinct, np.asarray(values)))
    above = above[above > 0]
    low, high = distinct[above - 1], distinct[above]
    middle = _float32((low.astype(np.float64) + high) / 2)
    # Two neighbouring floats have no middle: then the edge is the higher one.
    return Edges(tuple(float(str(edge)) for edge in np.where(middle > low, middle, high)))


Unfitted = Quantiles | Categories


def from_config(config: object) -> Discretizer | Unfitted:
    """Build the discretizer that a configuration entry describes.

    Args:
        config: ``"bool"``, ``"category"`` or one of ``{"edges": [1, 2, 4]}``, ``{"scale": 10}``,
            ``{"category": 12}``, ``{"quantiles": 10}``, ``{"bool": True}``.

    Raises:
        ConfigError: the kind is unknown, or its parameter is wrong.
    """
    if isinstance(config, str):
        config = {config: True}
    if not isinstance(config, Mapping) or len(config) != 1:
        raise ConfigError(f"a discretizer is one of {_known()}, got {config!r}")
    kind, parameter = next(iter(config.items()))
    if kind == "edges":
        return Edges(_numbers(parameter))
    if parameter is True and kind in ("bool", "category"):
        return Bool() if kind == "bool" else Categories()
    if kind not in _BY_NUMBER:
        raise ConfigError(f"unknown discretizer {kind!r}, known are {_known()}")
    if not isinstance(parameter, int) or isinstance(parameter, bool):
        raise ConfigError(f"{kind} needs an integer, e.g. {kind}: 10, got {parameter!r}")
    return _BY_NUMBER[kind](parameter)


_BY_NUMBER: Mapping[str, type[Scale | Category | Quantiles]] = {
    "scale": Scale,
    "category": Category,
    "quantiles": Quantiles,
}


def _known() -> str:
    """The kinds, for messages."""
    return "bool, category, edges: [..], scale: N, category: N, quantiles: N"


_NUMBER = (int, float)  # a tuple: a union is made anew at every call


def _numbers(values: object) -> tuple[float, ...]:
    """Edges as given, if they are a list of numbers."""
    if isinstance(values, Sequence) and not isinstance(values, str):
        numbers = [v for v in values if isinstance(v, _NUMBER) and v is not True and v is not False]
        if len(numbers) == len(values):
            return tuple(numbers)
    raise ConfigError(f"edges are a list of numbers, e.g. [1, 2, 4], got {values!r}")


def from_json(data: object) -> Discretizer:
    """The fitted discretizer that `to_json` wrote.

    Raises:
        ConfigError: the data describe none, or one that is still to be fitted.
    """
    discretizer = from_config(data)
    if isinstance(discretizer, Unfitted):
        raise ConfigError(f"{data!r} is not fitted: fit it on training pages first")
    return discretizer


class Codebook(Struct, frozen=True, dict=True):
    """A fitted discretizer for every column that a model reads, in the order of the codes."""

    discretizers: Mapping[str, Discretizer]  # column name to discretizer

    @classmethod
    def fit(cls, columns: Mapping[str, Any], config: Mapping[str, object]) -> Codebook:
        """Fit on the columns of the training pages.

        Args:
            columns: column name to (n,) values; more columns than configured are ignored.
            config: column name to discretizer configuration (`from_config`), in the order wanted.

        Raises:
            ConfigError: an entry is wrong or its column does not exist.
        """
        return cls({name: _fitted(name, columns, entry) for name, entry in config.items()})

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in the order of the codes."""
        return tuple(self.discretizers)

    @property
    def sizes(self) -> dict[str, int]:
        """Number of codes of every column, in the order of the codes."""
        return {name: discretizer.size for name, discretizer in self.discretizers.items()}

    @property
    def thresholds(self) -> dict[str, Floats32]:
        """Those of every column."""
        return dict(zip(self.names, self._thresholds, strict=True))

    @cached_property
    def _thresholds(self) -> list[Floats32]:
        return [discretizer.thresholds for discretizer in self.discretizers.values()]

    def codes(self, columns: Mapping[str, Any]) -> Codes:
        """Discretise a batch.

        Args:
            columns: column name to (n,) finite values; columns not in the codebook are ignored.

        Returns:
            (n, C) uint8, each column contiguous.

        Raises:
            FeatureError: a column is missing.
        """
        codes = np.empty((len(self.names), 0), dtype=np.uint8)
        for row, (name, thresholds) in enumerate(self.thresholds.items()):
            values = _float32(_column(name, columns))  # one at a time: together they are large
            if not row:
                codes = np.empty((len(codes), len(values)), dtype=np.uint8)
            codes[row] = thresholds.searchsorted(values, side="right")
        return codes.T

    def to_json(self) -> dict[str, Any]:
        """Column name to discretizer configuration."""
        return {name: discretizer.to_json() for name, discretizer in self.discretizers.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Codebook:
        """The codebook that `to_json` wrote.

        Raises:
            ConfigError: an entry describes no fitted discretizer.
        """
        return cls({name: from_json(entry) for name, entry in data.items()})


def _float32(values: ArrayLike) -> Floats32:
    """Values as float32; what is too large becomes infinite and falls into the last bin."""
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(np.float32)


def _fitted(name: str, columns: Mapping[str, Any], entry: object) -> Discretizer:
    """The discretizer of one column, fitted on its values if need be."""
    if name not in columns:
        raise ConfigError(f"discretize: no feature gives a column {name}{hint(name, columns)}")
    try:
        discretizer = from_config(entry)
        if isinstance(discretizer, Unfitted):
            return discretizer.fit(columns[name])
    except ConfigError as error:
        raise ConfigError(f"discretize: {name}: {error}") from None
    return discretizer


def _column(name: str, columns: Mapping[str, Any]) -> NDArray[Any]:
    """The values of one column."""
    if name not in columns:
        raise FeatureError(f"the model needs column {name}: switch its feature on or retrain")
    return np.asarray(columns[name])


# --- One discretizer a column ---------------------------------------------------------------------

_MOST_NAMED: Final = 3
REMEDY: Final = (
    "correct the name, add its module (`features+: [MODULE]`) or set the entry to null; "
    "`features-: [MODULE]` leaves a module of the base out with its entries"
)
"""What helps where a column is named that no feature gives."""


def without_columns(discretize: Mapping[str, Any], columns: Collection[str]) -> dict[str, Any]:
    """`Config.discretize` without some columns; of braces the other alternatives stay.

    >>> without_columns({"default": "bool", "char.{alpha,num}": "bool"}, ["char.num"])
    {'default': 'bool', 'char.alpha': 'bool'}
    """
    kept: dict[str, Any] = {}
    for key, discretizer in discretize.items():
        names = expand(key)
        others = [name for name in names if name not in columns]
        kept |= dict.fromkeys([key] if others == names else others, discretizer)
    return kept


def expand_discretizers(
    discretize: Mapping[str, Any], columns: Collection[str]
) -> dict[str, str | Mapping[str, Any]]:
    """One discretizer per column, the alternatives in braces written out; later entries win.

    Args:
        discretize: `Config.discretize`; its entry ``default`` is left out.
        columns: the columns that the configured features give.

    Raises:
        ConfigError: entries name columns that no configured feature gives.

    >>> expand_discretizers({"char.{alpha,num}": "bool"}, ["char.alpha", "char.num"])
    {'char.alpha': 'bool', 'char.num': 'bool'}
    """
    expanded = {
        name: discretizer
        for key, discretizer in discretize.items()
        if key != "default"
        for name in expand(key)
    }
    unknown = [name for name in expanded if name not in columns]
    if unknown:
        guesses = [f"{name}{nearest(name, columns)}" for name in unknown[:_MOST_NAMED]]
        more = len(unknown) - len(guesses)
        named = "; ".join(guesses) + (f"; and {more} more" if more else "")
        raise ConfigError(f"discretize: no feature gives {named}; {REMEDY}")
    return expanded
