"""A trained model: a configuration, the potentials of its chain and their history in one file.

A model is one conditional random field: node potentials, linear or of trees, say what a block's
measures are worth to each label, edges what the labels of neighbours are worth to each other.
Marginals and the most probable sequence are read off this chain.

The file is a zip archive of ``model.json``, one ``.npy`` member per array and one ``features/*.py``
per feature module of its author. It is written with fixed time stamps, so the same model is always
the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct, field
from msgspec.structs import force_setattr, replace
from numpy.typing import NDArray

from victor.base.arrays import Codes, Floats, Floats32, Ints, Labels
from victor.base.errors import ConfigError, ModelError, VictorError
from victor.base.lazy import cached_property
from victor.config import modules
from victor.config.schema import Config
from victor.features.base import ColumnValues
from victor.model import archive
from victor.model.chain import CHUNK, Edges, Pooling, marginals, viterbi
from victor.model.decide import Presets
from victor.model.discretize import Codebook
from victor.model.page_head import PageHead
from victor.model.trees import Trees, expert_of

if TYPE_CHECKING:
    from victor.model.linear import LinearPotentials

    Potentials = LinearPotentials | Trees
    """What gives the (n, 3) log potentials of the labels of blocks."""


FORMAT: Final = 7
_DAMAGE: Final = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, MemoryError)
"""Errors that damaged parts of a file cause."""


class Model(Struct, frozen=True, eq=False):
    """Everything that turns the columns of a block table into marginals."""

    config: Config  # resolved configuration that the model was trained with
    potentials: Potentials  # of the nodes
    edges: Edges  # log potentials of neighbouring labels
    card: Mapping[str, Any] = field(default_factory=dict)
    """What people should know: training data with licences, fingerprint, scores."""
    presets: Mapping[str, float] = field(default_factory=Presets)
    """Named thresholds, chosen on pages that the model did not see; a plain mapping is made
    `Presets`."""
    page_head: PageHead | None = None
    """Judges whole pages; None for a model that judges blocks only."""

    def __post_init__(self) -> None:
        force_setattr(self, "presets", Presets.of(self.presets))

    def chain(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> tuple[Floats, Ints]:
        """(n, 3) log potentials of each block, and (n,) kind of the edge that leads to it."""
        scores = self.potentials(columns, page_starts)
        pooled = self.pooling(scores, columns, page_starts)
        return pooled, self.edges.kinds(columns, page_starts)

    def marginals(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Floats:
        """(n, 3) probability of every label of each block, columns in the order of `Label`."""
        return self.marginals_of(self.chain(columns, page_starts), page_starts)

    def marginals_of(self, chain: tuple[Floats, Ints], page_starts: Ints) -> Floats:
        """The same, given what `chain` gave."""
        scores, kinds = chain
        return marginals(scores, self.edges.factors, kinds, page_starts)

    def viterbi(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Labels:
        """(n,) labels of the most probable sequence of each page."""
        return self.viterbi_of(self.chain(columns, page_starts), page_starts)

    def viterbi_of(self, chain: tuple[Floats, Ints], page_starts: Ints) -> Labels:
        """The same, given what `chain` gave."""
        scores, kinds = chain
        return viterbi(scores, self.edges.factors, kinds, page_starts)

    @property
    def pooling(self) -> Pooling:
        """What the blocks of one template path say to each other, before their neighbours do."""
        return Pooling(self.config.crf.pooling)

    @property
    def columns(self) -> frozenset[str]:
        """Names of the columns that it reads."""
        return frozenset((*self.potentials.columns, *self.pooling.columns, *self.edges.columns))

    @property
    def experts(self) -> tuple[str, ...]:
        """Names of the experts for types of pages; none where one decides about all."""
        return self.potentials.experts if isinstance(self.potentials, Trees) else ()

    def of_type(self, page_type: str) -> Model:
        """The model for pages of a type that the user knows: one expert decides.

        Raises:
            ConfigError: there is no such type, or the model has no experts.
        """
        expert, trees = expert_of(page_type), self.potentials
        if isinstance(trees, Trees) and expert in trees.experts:
            return replace(self, potentials=trees.of_expert(expert))
        lacks = "experts for types of pages"
        if self.experts:
            lacks = f"expert for pages of the type {page_type}, only for {', '.join(self.experts)}"
        raise ConfigError(
            f"the model has no {lacks}: leave the type out, or take another model, such as default"
        )

    def with_card(self, **entries: Any) -> Model:  # noqa: ANN401  (JSON values)
        """The same model with more said about it."""
        return replace(self, card={**self.card, **entries})

    def save(self, path: str | Path) -> None:
        """Write the model file; one that is there is replaced when all is written, not before.

        Raises:
            OutputError: it cannot be written.
        """
        potentials, arrays = _potentials_to_arrays(self.potentials)
        edges, edge_arrays = self.edges.to_arrays()
        head, head_arrays = (None, {}) if self.page_head is None else self.page_head.to_arrays()
        config, sources = modules.parted(self.config.to_json())
        document: dict[str, Any] = {
            "format": FORMAT,
            "config": config,
            **potentials,
            "edges": edges,
            "card": dict(self.card),
            "presets": Presets.of(self.presets).to_json(),
            "page_head": head,
        }
        archive.write(Path(path), document, arrays | edge_arrays | head_arrays, sources)

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read a model file.

        Raises:
            ModelError: the file is missing, damaged or of another format.
        """
        document, arrays = archive.read(path)
        if document.get("format") != FORMAT or isinstance(document["format"], float):
            raise ModelError(
                f"{path} has model format {document.get('format')}, this version reads {FORMAT}; "
                "train it again with `victor train`"
            )
        if document.get("calibration"):
            raise ModelError(f"{path} is calibrated, which models no longer are; train it again")
        config = modules.joined(path, document.get("config"), archive.read_text)
        document = {**document, "config": config}
        return cls._from_document(path, document, arrays)

    @classmethod
    def _from_document(
        cls, path: Path, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> Model:
        try:
            return cls(
                config=Config.from_json(document["config"]),
                potentials=_potentials(document, arrays),
                edges=Edges.from_arrays(document["edges"], arrays),
                card=dict(document.get("card", {})),
                presets=Presets.from_json(document.get("presets", {})),
                page_head=_page_head(document.get("page_head"), arrays),
            )
        except (*_DAMAGE, VictorError) as error:
            raise ModelError(f"{path} is damaged: {error}; restore it or train again") from None


def _potentials_to_arrays(
    potentials: Potentials,
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Plain data and arrays; `_potentials` reads them."""
    if isinstance(potentials, Trees):
        document, arrays = potentials.to_arrays()
        return {"trees": document}, arrays
    document, arrays = potentials.weights.to_arrays()
    return {"codebook": potentials.codebook.to_json(), "weights": document}, arrays


def _potentials(document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Potentials:
    if "trees" in document:
        return Trees.from_arrays(document["trees"], arrays)
    from victor.model.linear import LinearPotentials, Weights

    codebook = Codebook.from_json(document["codebook"])
    return LinearPotentials(codebook, Weights.from_arrays(document["weights"], dict(arrays)))


def _page_head(
    document: Mapping[str, Any] | None, arrays: Mapping[str, NDArray[Any]]
) -> PageHead | None:
    return None if document is None else PageHead.from_arrays(document, arrays)


Scorer = Callable[[Codes, Ints], Floats]
"""(C, n) codes and (P + 1,) page starts to (n, 3) log potentials."""


class Reading(Struct, frozen=True, eq=False, dict=True):
    """What a model wants of C columns, and what it makes of them.

    Attributes:
        thresholds: of every column; None for one that is not read.
        raw: columns whose values are wanted, too.
        scorer: gives the potentials of nodes.
        pooling, edges: of the model.
        layout: of trees, for the core; None for a model of another kind.
    """

    thresholds: Sequence[Floats32 | None]
    raw: tuple[str, ...]
    scorer: Scorer
    pooling: Pooling
    edges: Edges
    layout: object = None

    @classmethod
    def of(cls, model: Model, names: Sequence[str]) -> Reading:
        """How a model reads columns of these names, its own among them."""
        scorer = model.potentials.scorer(names)
        thresholds = model.potentials.codebook.thresholds
        wanted = [thresholds.get(name) for name in names]
        raw = tuple(dict.fromkeys((*model.pooling.columns, *model.edges.columns)))
        trees = model.potentials
        layout = trees.layout(names) if isinstance(trees, Trees) else None
        return cls(wanted, raw, scorer, model.pooling, model.edges, layout)

    def __call__(self, codes: Codes, raw: Floats32, page_starts: Ints) -> tuple[Floats, Ints]:
        """What `Model.chain` gives, of (C, n) codes and the (R, n) values that are wanted."""
        scores = self.scorer(codes, page_starts)
        values = dict(zip(self.raw, raw, strict=True))
        pooled = self.pooling(scores, values, page_starts)
        return pooled, self.edges.kinds(values, page_starts)

    def marginals(self, codes: Codes, raw: Floats32, page_starts: Ints) -> Floats:
        """(n, 3) marginals of what `__call__` gives."""
        scores, kinds = self(codes, raw, page_starts)
        return marginals(scores, self.edges.factors, kinds, page_starts)

    @cached_property
    def rules(self) -> tuple[object, ...] | None:
        """What the core labels a batch by at once; None for a model that is not trees alone."""
        if self.layout is None or self._kind_row is None:
            return None
        factors = self.edges.factors
        period = 0 if factors.are_free else factors.period
        chain = self.pooling.strength, self._kind_row, CHUNK, period
        return self.layout, np.ascontiguousarray(factors.values, dtype=np.float64), *chain

    @cached_property
    def _kind_row(self) -> int | None:
        """Which of the values are the kinds of edges; -1 for none, None if it is not one alone."""
        if not self.edges.entries:
            return -1
        return None if self.edges.category is None else self.raw.index(self.edges.category[0])
