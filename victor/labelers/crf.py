"""The core system: features, codes and a linear-chain CRF give the marginals of every block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Codes, Floats, Floats32, Labels
from victor.base.errors import ModelError, hint
from victor.base.files import package_folder, version
from victor.base.labels import N_LABELS
from victor.base.lazy import cached_property
from victor.config.schema import Config, Limits, Scope
from victor.features.base import Kind
from victor.kinds.finish import are_named, judgments
from victor.labelers.labeler import Labeler
from victor.model.decide import Decision, decide
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model, Reading
from victor.model.page_head import Judgements
from victor.model.trees import Trees, expert_of
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict


class CrfLabeler:
    """A trained model as a labeler.

    Args:
        model: the model; its own configuration says how pages are cut, measured and decided.
        attributes: element attributes to record beside those that the features read.
        trust_code: as of `victor.model.extractor.FeatureExtractor`.
        page_type: what all pages are, so that one expert of the model decides
            (`victor.model.trees.TOLD`); None leaves it to the model.

    Raises:
        ConfigError: there is no such type, or the model has no expert for it.
        ModelError: the model reads columns that its features do not give.
        FeatureError: they are missing or may not run.
    """

    name = "crf"

    def __init__(
        self,
        model: Model,
        *,
        attributes: Sequence[str] = (),
        trust_code: bool = False,
        page_type: str | None = None,
    ) -> None:
        self.model = model if page_type is None else model.of_type(page_type)
        self.page_type = page_type
        self.trust_code = trust_code
        self._extractor = FeatureExtractor(
            model.config, attributes=attributes, trust_code=trust_code
        )
        _check_columns(model, self._extractor.kinds)

    @property
    def limits(self) -> Limits:
        """Bounds of one page, of the model's configuration."""
        return self.model.config.limits

    @property
    def canonical(self) -> bool:
        """Are its segments those that labels of annotated pages belong to."""
        return self._extractor.canonical

    @property
    def presets(self) -> Mapping[str, float]:
        """Named thresholds of the model."""
        return self.model.presets

    @cached_property
    def decision(self) -> Decision:
        """How the model's configuration decides."""
        return self.model.config.decide

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        return self._extractor.table(pages)

    def _marginals(self, table: BlockTable) -> Floats:
        """(n, 3) what `Model.marginals_of` gives of the chain, which is not kept."""
        codes, raw = self._codes(table)
        return self._reading.marginals(codes, raw, table.page_starts)

    def _codes(self, table: BlockTable) -> tuple[Codes, Floats32]:
        reading = self._reading
        return self._extractor.features.codes(table, reading.thresholds, reading.raw)

    @cached_property
    def _reading(self) -> Reading:
        return Reading.of(self.model, [*self._extractor.kinds])

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        """Marginals and labels of every block of a batch."""
        rule = decision or self.decision
        if rule.method == "expected-f" and self._reading.rules is not None:
            return self._label_at_once(table, rule)
        if rule.method != "viterbi":
            return self._verdict(table, self._marginals(table), rule)
        starts = table.page_starts
        chain = self._reading(*self._codes(table), starts)
        best = self.model.viterbi_of(chain, starts)
        return self._verdict(table, self.model.marginals_of(chain, starts), rule, best)

    def _label_at_once(self, table: BlockTable, rule: Decision) -> Verdict:
        """The verdict by one call of the core."""
        reading, features = self._reading, self._extractor.features
        plan, inputs = features.planned(table, reading.thresholds, reading.raw)
        head = self.model.page_head
        is_final = rule.temperature == 1.0 and are_named(table)
        own, chosen, judgements, judged = core.compiled.label(
            table.batch, plan, inputs, *reading.rules or (), rule.no_content, head and head.lent,
            judgments(None if head is None else self.page_type) if is_final else None,
        )  # fmt: skip
        marginals = core.array(own, np.float64).reshape(-1, N_LABELS)
        if rule.temperature != 1.0:
            return self._verdict(table, marginals, rule)
        labels = core.array(chosen, np.uint8)
        pages = None
        if head is not None:
            pages = Judgements(head, table, marginals, self.page_type, judgements)
        return Verdict(
            table, labels, marginals, rule.method, by_model=True, pages=pages, judged=judged
        )

    def experts(self, table: BlockTable) -> list[dict[str, float]]:
        """The experts that decide about each page and their weights; none if the model has none."""
        if self.page_type is not None:
            return [{expert_of(self.page_type): 1.0}] * table.n_pages
        trees = self.model.potentials
        if not (isinstance(trees, Trees) and trees.experts):
            return [{}] * table.n_pages
        codes, _ = self._codes(table)
        weights = trees.weights(codes, table.page_starts, self._reading.layout).tolist()
        return [dict(_heaviest_first(zip(trees.experts, row, strict=True))) for row in weights]

    def _verdict(
        self,
        table: BlockTable,
        marginals: Floats,
        rule: Decision,
        best: Labels | None = None,
    ) -> Verdict:
        head = self.model.page_head
        pages = None if head is None else Judgements(head, table, marginals, self.page_type)
        p_no_content, p_error = (None, None) if pages is None else pages.asked(rule)
        labels = decide(
            marginals, table, rule, viterbi_labels=best, p_no_content=p_no_content, p_error=p_error
        )
        return Verdict(table, labels, marginals, rule.method, by_model=True, pages=pages)


def _heaviest_first(weights: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(((n, w) for n, w in weights if w), key=lambda pair: -pair[1])


def _check_columns(model: Model, kinds: Mapping[str, Kind]) -> None:
    """Refuse a model that reads what its features do not give: every page would fail.

    Raises:
        ModelError: a column is missing.
    """
    wrong = sorted({*model.columns, *model.potentials.codebook.names} - {*kinds})
    if wrong:
        raise ModelError(
            f"the model reads {', '.join(wrong[:5])}, which its features do not give: train again"
        )


# --- Models by name -------------------------------------------------------------------------------

_MODELS: Final = "victor.models"
DEFAULT: Final = "default"
"""Name of the model that is taken where none is named."""


def load_model(name: str | Path = DEFAULT) -> Model:
    """Load a shipped model by name, or any model by path.

    Raises:
        ModelError: it is missing, damaged or of another format.
    """
    if isinstance(name, str) and name in model_names():
        return Model.load(model_file(name))
    if isinstance(name, str) and not Path(name).exists():
        raise ModelError(f"no file and no model {name!r}{hint(name, model_names())}")
    return Model.load(Path(name))


def model_names() -> list[str]:
    """Names of the models that are shipped with the package."""
    return sorted(file.stem for file in package_folder(_MODELS).glob("*.victor"))


def model_file(name: str) -> Path:
    """Path of a shipped model."""
    return package_folder(_MODELS) / f"{name}.victor"


def configuration(labeler: Labeler) -> Config:
    """The configuration of a labeler's model; the defaults for a labeler without one."""
    return labeler.model.config if isinstance(labeler, CrfLabeler) else Config()


def scope_of(labeler: Labeler) -> Scope:
    """Which parts of pages a labeler is configured to keep."""
    own: Scope | None = getattr(labeler, "scope", None)  # of rules
    return own or configuration(labeler).scope


def model_labeler(
    model: str | Path | Model, trust_code: bool = False, page_type: str | None = None
) -> Labeler:
    """The labeler of a model; the last few stay loaded.

    Args:
        model: a shipped model's name, the path of a model file, or a loaded model.
        trust_code: run the code that the model brings: feature modules that are files.
        page_type: as of `CrfLabeler`.

    Raises:
        ConfigError: there is no such type, or the model has no expert for it.
        ModelError: the model is missing, damaged or of another format.
        FeatureError: it names a feature module that is missing, or brings code that may not be run.
    """
    of: tuple[int, ...] = ()
    if isinstance(model, str | Path) and model != DEFAULT:  # no file is named as that one
        of = version(model)
    return _cached_labeler(model, of, trust_code, page_type)


@lru_cache(maxsize=4)
def _cached_labeler(
    model: str | Path | Model, version: tuple[int, ...], trust_code: bool, page_type: str | None
) -> Labeler:
    """A labeler per model and version of its file: a model that is trained again is another one."""
    loaded = load_model(model) if isinstance(model, str | Path) else model
    return CrfLabeler(loaded, trust_code=trust_code, page_type=page_type)
