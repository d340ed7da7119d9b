"""Marginals of annotated pages with everything that scores, curves and reports need, in one file.

The file is an ``.npz`` archive without pickle: arrays, one JSON document and the texts. It is
written once, from models that saw none of the pages, and read for every new question; a calibration
is fitted on all its sites, or on sites other than those scored.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.base.cached import cached_property
from victor.base.errors import CorpusError
from victor.base.files import write_bytes
from victor.base.labels import UNLABELLED, Label
from victor.corpus.splits import folds
from victor.model.calibration import Calibration, Reliability, reliability
from victor.model.decide import Decision, decide
from victor.model.page_measures import measured
from victor.page.parsing.tags import NAMES
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts
from victor.training.dataset import LabelledPages, PageInfo

FORMAT: Final = 4
_JSON: Final = "document"
_ARRAYS: Final = (
    "page_starts", "labels", "marginals", "words", "page_measures", "p_no_content",
    "path", "css_class",
)  # fmt: skip
_MOST_LEVELS: Final = 8
"""Elements named in a tag path: the innermost ones."""
_LEVELS_TO_CLASS: Final = 6
"""Elements searched upward for a class."""
_DAMAGE: Final = (
    OSError,
    ValueError,
    KeyError,
    IndexError,
    MemoryError,
    EOFError,
    TypeError,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, eq=False)
class Predictions:
    """Marginals of the n blocks of P annotated pages.

    Attributes:
        system: name for tables and plots.
        protocol: how the marginals were made, e.g. ``"5 folds by site"``.
        decision: how the system is configured to decide.
        pages: (P) what the corpus says of each page.
        page_starts: (P + 1,) int64 first block of each page.
        labels: (n,) uint8 gold label or `UNLABELLED`.
        marginals: (n, 3) float64, columns in the order of `Label`.
        words: (n,) int64 words of each block.
        page_measures: (P, M) float64 as `victor.model.page_measures.measure_names`.
        p_no_content: (P,) float64 probability that the page has no content; NaN where nobody
            knows.
        texts: (n) text of each block.
        path: (n,) int64 index in `paths` of the tag path of each block.
        paths: tag paths, the innermost eight elements, e.g. ``body/main/p``.
        css_class: (n,) int64 index in `css_classes` of the nearest class attribute.
        css_classes: class attributes; ``""`` where none was found.
    """

    system: str
    protocol: str
    decision: Decision
    pages: tuple[PageInfo, ...]
    page_starts: Ints
    labels: NDArray[np.uint8]
    marginals: NDArray[np.float64]
    words: Ints
    page_measures: NDArray[np.float64]
    p_no_content: NDArray[np.float64]
    texts: tuple[str, ...]
    path: Ints
    paths: tuple[str, ...]
    css_class: Ints
    css_classes: tuple[str, ...]

    def __post_init__(self) -> None:
        sizes = {len(self.marginals), len(self.words), len(self.texts)}
        sizes |= {len(self.labels), int(self.page_starts[-1])}
        n_pages = {len(self.pages), len(self.page_starts) - 1, len(self.page_measures)}
        n_pages.add(len(self.p_no_content))
        if len(sizes) > 1 or len(n_pages) > 1:
            raise CorpusError("the predictions are of different blocks: make them again")

    @cached_property
    def keep(self) -> NDArray[np.float64]:
        """(n,) probability of being kept: p(header) + p(text)."""
        return np.asarray(self.marginals[:, Label.HEADER] + self.marginals[:, Label.TEXT])

    @cached_property
    def decided(self) -> NDArray[np.uint8]:
        """(n,) labels as the system is configured to decide, as far as marginals determine it."""
        decision = self.decision.on_marginals
        return decide(self.marginals, self, decision, p_no_content=self.p_no_content)

    @property
    def sites(self) -> list[str]:
        """Site of each page."""
        return [page.site for page in self.pages]

    @property
    def kinds(self) -> list[str]:
        """Page type of each page."""
        return [page.kind for page in self.pages]

    def save(self, path: Path) -> None:
        """Write the file, replacing one that is there only when all of it is written."""
        document = {
            "format": FORMAT,
            "system": self.system,
            "protocol": self.protocol,
            "decision": [*self.decision.to_data().values()],
            "pages": [astuple(page) for page in self.pages],
            "paths": self.paths,
            "css_classes": self.css_classes,
            "texts": self.texts,
        }
        text = json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")
        arrays: dict[str, Any] = {name: getattr(self, name) for name in _ARRAYS}
        arrays[_JSON] = np.frombuffer(text, dtype=np.uint8)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        write_bytes(path, buffer.getvalue(), parents=True)

    @classmethod
    def load(cls, path: Path) -> Predictions:
        """Read the file.

        Raises:
            CorpusError: it is missing, damaged or of another format.
        """
        try:
            if not zipfile.is_zipfile(path) and path.exists():
                raise ValueError("not an .npz file")  # NumPy would offer to read it unsafely
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                document = json.loads(archive[_JSON].tobytes().decode("utf-8", "surrogatepass"))
                arrays = {name: archive[name] for name in _ARRAYS}
            if document["format"] != FORMAT:
                raise ValueError(f"format {document['format']}, this version reads {FORMAT}")
            return cls(**arrays, **_parsed(document))
        except FileNotFoundError:
            raise CorpusError(
                f"no predictions at {path}; `victor evaluate --save` makes them"
            ) from None
        except _DAMAGE as error:
            raise CorpusError(
                f"{path} holds no predictions or is damaged ({error}); make it again with "
                "`victor evaluate --save`"
            ) from None


def _parsed(document: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that are not arrays."""
    return {
        "system": document["system"],
        "protocol": document["protocol"],
        "decision": Decision(*document["decision"]),
        "pages": tuple(PageInfo(*fields) for fields in document["pages"]),
        **{name: tuple(document[name]) for name in ("paths", "css_classes", "texts")},
    }


def collect(
    pages: LabelledPages,
    marginals: NDArray[np.float64],
    *,
    system: str,
    protocol: str,
    decision: Decision,
    p_no_content: NDArray[np.float64] | None = None,
) -> Predictions:
    """Predictions from the marginals of labelled pages.

    Classes are known where the tables recorded the attribute ``class``.
    """
    texts: list[str] = []
    paths, classes = _Names(), _Names()
    path_parts, class_parts = [], []
    for table in pages.tables:
        texts += block_texts(table)
        path_parts.append(_paths(table, paths))
        class_parts.append(_classes(table, classes))
    return Predictions(
        system=system,
        protocol=protocol,
        decision=decision,
        pages=pages.infos,
        page_starts=pages.page_starts,
        labels=pages.labels,
        marginals=marginals,
        words=pages.words,
        page_measures=measured(pages.tables, marginals),
        p_no_content=np.full(len(pages.infos), np.nan) if p_no_content is None else p_no_content,
        texts=tuple(texts),
        path=np.concatenate(path_parts),
        paths=tuple(paths),
        css_class=np.concatenate(class_parts),
        css_classes=tuple(classes),
    )


class _Names(dict[str, int]):
    """Distinct strings, each with the number it was given when first seen."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]


def _paths(table: BlockTable, names: _Names) -> Ints:
    """(n,) number of the tag path of each block."""
    distinct, inverse = np.unique(table.element, return_inverse=True)
    levels, element = [], distinct
    for _ in range(_MOST_LEVELS):
        inside = table.elements.depth[element] > 0
        levels.append(np.where(inside, table.elements.tag[element], -1).tolist())
        element = table.elements.parent[element]
    paths = [_path(tags) for tags in zip(*reversed(levels), strict=True)]
    return np.array([names[path] for path in paths], dtype=np.int64)[inverse]


def _path(tags: Sequence[int]) -> str:
    return "/".join(NAMES[tag] for tag in tags if tag >= 0)


def _classes(table: BlockTable, names: _Names) -> Ints:
    """(n,) number of the nearest class attribute around each block, that of "" if there is none."""
    if "class" not in table.attributes:
        return np.full(len(table), names[""], dtype=np.int64)
    values = np.array([names[" ".join((v or "").split())] for v in table.attribute("class")] + [0])
    element = table.element
    nearest = np.full(len(table), names[""], dtype=np.int64)
    for _ in range(_LEVELS_TO_CLASS):
        bundle = table.elements.bundle[element]
        of_element = np.where(bundle >= 0, values[bundle], names[""])
        nearest = np.where(nearest == names[""], of_element, nearest)
        element = table.elements.parent[element]
    return nearest


def page_slices(page_starts: Ints) -> list[slice]:
    """The blocks of each page."""
    return [slice(a, b) for a, b in pairwise(page_starts.tolist())]


def fitted_calibration(predictions: Predictions) -> Calibration:
    """The calibration of a model, from predictions of pages that it did not see.

    Raises:
        CorpusError: no block has a label.
    """
    return _fit(predictions, np.ones(len(predictions.labels), dtype=bool))


def cross_calibrated(predictions: Predictions, k: int = 5) -> Predictions:
    """The predictions with marginals calibrated on other sites than their own.

    Args:
        predictions: of models that did not see the pages.
        k: folds; the pages of a site stay together.

    Raises:
        ConfigError: k is below 2 or above the number of sites.
        CorpusError: no block of the other folds has a label.
    """
    fold = np.repeat(folds(predictions.sites, k), np.diff(predictions.page_starts))
    marginals = predictions.marginals.copy()
    for held_fold in range(k):
        held_out = fold == held_fold
        calibration = _fit(predictions, ~held_out)
        marginals[held_out] = calibration(predictions.marginals[held_out])
    return replace(predictions, marginals=marginals)


def reliabilities(predictions: Predictions) -> dict[str, Reliability]:
    """Reliability of labelled blocks, each weighing the same and each weighing its words."""
    is_labelled = predictions.labels != UNLABELLED
    keep, gold = predictions.keep[is_labelled], predictions.labels[is_labelled] != Label.OTHER
    return {
        "blocks": reliability(keep, gold),
        "words": reliability(keep, gold, predictions.words[is_labelled]),
    }


def _fit(predictions: Predictions, chosen: NDArray[np.bool_]) -> Calibration:
    """Fit on some blocks, those without label left out."""
    rows = chosen & (predictions.labels != UNLABELLED)
    return Calibration.fit(predictions.keep[rows], predictions.labels[rows] != Label.OTHER)
