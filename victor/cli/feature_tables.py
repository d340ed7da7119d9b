"""The columns of a page as a table, JSON lines, or training data for CRF++."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.corpus.read import ATTRIBUTE, read_marked
from victor.features.base import ColumnValues
from victor.model.discretize import Codebook
from victor.model.extractor import FeatureExtractor
from victor.page.table.texts import block_texts
from victor.training.dataset import LabelledPages, label_blocks, single

_NO_LABEL: Final = "?"
Values = Sequence[int | float]


@dataclass(frozen=True)
class Measured:
    """The columns of a page; n blocks.

    Attributes:
        texts, labels: (n,) text and label of every block.
        columns: (n,) values by column name.
    """

    texts: list[str]
    labels: list[str]
    columns: dict[str, Values]

    def rows(self) -> Iterator[tuple[int | float, ...]]:
        """The values of every block."""
        if not self.columns:
            return repeat((), len(self.texts))
        return zip(*self.columns.values(), strict=True)


def measure(page: bytes, extractor: FeatureExtractor, codebook: Codebook | None) -> Measured:
    """The columns of a page; with a codebook, those in it become codes.

    The labels are those of `victor.corpus.read`; a page without marks has none.
    """
    labelled = label_blocks([read_marked("page", page)], extractor)
    table = labelled.tables[0]
    columns = {name: single(values) for name, values in extractor.columns(table).items()}
    return Measured(
        texts=block_texts(table),
        labels=_labels(labelled, marked=f" {ATTRIBUTE}=".encode() in page),
        columns=_raw(columns) if codebook is None else _codes(columns, codebook),
    )


def _labels(labelled: LabelledPages, *, marked: bool) -> list[str]:
    if not marked:
        return [_NO_LABEL] * len(labelled.labels)
    names = {UNLABELLED: _NO_LABEL, **dict(enumerate(LABEL_NAMES))}
    return [names[label] for label in labelled.labels.tolist()]


def _raw(columns: Mapping[str, ColumnValues]) -> dict[str, Values]:
    return {name: _numbers(values) for name, values in columns.items()}


def _numbers(values: NDArray[Any]) -> list[int | float]:
    """Four decimals, whole numbers without a decimal point."""
    rounded = np.asarray(values).astype(np.float64).round(4).tolist()
    return [int(value) if value.is_integer() else value for value in rounded]


def _codes(columns: Mapping[str, ColumnValues], codebook: Codebook) -> dict[str, Values]:
    """The codes of a model."""
    codes = codebook.codes(columns)
    return {name: codes[:, column].tolist() for column, name in enumerate(codebook.names)}


def _tsv(measured: Measured) -> Iterator[str]:
    yield "\t".join([*measured.columns, "text"])
    for text, row in zip(measured.texts, measured.rows(), strict=True):
        yield "\t".join([*map(str, row), " ".join(text.split())])


def _jsonl(measured: Measured) -> Iterator[str]:
    for text, row in zip(measured.texts, measured.rows(), strict=True):
        values = dict(zip(measured.columns, row, strict=True))
        yield json.dumps({"text": text, **values}, ensure_ascii=False)


def _crfpp(measured: Measured) -> Iterator[str]:
    """One block a line: the columns in order and the label; an empty line ends the page."""
    for label, row in zip(measured.labels, measured.rows(), strict=True):
        yield " ".join([*map(str, row), label])
    yield ""


FORMS: Final[dict[str, Callable[[Measured], Iterator[str]]]] = {
    "tsv": _tsv, "jsonl": _jsonl, "crfpp": _crfpp,
}  # fmt: skip
"""Name of every form to its lines."""
