"""An annotated corpus as blocks with labels and columns, for training and scoring."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

import numpy as np

from victor.base.arrays import Ints, Labels
from victor.base.errors import CorpusError
from victor.corpus.pages import (
    AnnotatedPage,
    Drift,
    block_labels,
    canonical_table,
    carry,
    current_labels,
    segment_places,
)
from victor.features.base import ColumnValues
from victor.model.extractor import FeatureExtractor, batches
from victor.model.trees import TYPES
from victor.page.decoding.decode import utf8
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import segment_texts

_OTHER_NAMES: Final = {
    "news": "article", "blog": "article", "collection": "listing", "docs": "documentation",
    "reference": "documentation", "video": "media", "social": "media",
}  # fmt: skip


def page_type(name: str | None, metadata: Mapping[str, Any]) -> str:
    """The type of an annotated page by its name in the corpus; "" if it is none of `TYPES`.

    A page whose metadata have ingredients is a recipe, whatever its name.

    >>> page_type("collection", {}), page_type("article", {"ingredients": ["an egg"]})
    ('listing', 'recipe')
    >>> page_type("empty", {})
    ''
    """
    if metadata.get("ingredients") or metadata.get("instructions"):
        return "recipe"
    kind = _OTHER_NAMES.get(name or "", name or "")
    return kind if kind in TYPES else ""


@dataclass(frozen=True, slots=True)
class PageInfo:
    """What is known about an annotated page besides its blocks.

    Its site is never empty: pages of one site are resampled together. `page_type` is one of
    `victor.model.trees.TYPES`, "" for a page of none of them; `gold` is None if there is none.
    """

    id: str
    site: str
    kind: str = "page"
    language: str = "unknown"
    gold: str | None = None
    corpus: str = ""
    page_type: str = ""

    @classmethod
    def of(cls, page: AnnotatedPage) -> PageInfo:  # noqa: D102
        return cls(
            id=page.id,
            site=page.site or page.id,
            kind=page.kind or "page",
            language=page.language or "unknown",
            gold=page.gold,
            corpus=str(page.metadata.get("corpus") or ""),
            page_type=page_type(page.kind, page.metadata),
        )


class Segmenter(Protocol):
    """Splits pages into blocks: an `FeatureExtractor`, or any labeler."""

    @property
    def canonical(self) -> bool:
        """Whether the segments of its tables are those that labels belong to."""

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""


@dataclass(frozen=True, eq=False)
class LabelledPages:
    """Annotated pages split into blocks; P pages with n blocks in all.

    Attributes:
        pages: the annotated pages, in order.
        tables: block tables of the batches of pages, in order.
        page_starts: (P + 1,) first block of each page.
        labels: (n,) uint8 label or UNLABELLED per block.
        words: (n,) words per block.
        drifts: pages whose stored labels no longer fit their segments and were carried over.
    """

    pages: tuple[AnnotatedPage, ...]
    tables: tuple[BlockTable, ...]
    page_starts: Ints
    labels: Labels
    words: Ints
    drifts: tuple[Drift, ...]

    @property
    def infos(self) -> tuple[PageInfo, ...]:
        """What is known about every page."""
        return tuple(PageInfo.of(page) for page in self.pages)

    @property
    def sites(self) -> list[str]:
        """Site of every page; a page without one is a site of its own."""
        return [page.site or page.id for page in self.pages]

    @property
    def drift(self) -> str:
        """What to say of stored labels that no longer fit their pages; empty if all fit."""
        if not self.drifts:
            return ""
        lost = sum(drift.lost for drift in self.drifts)
        return (
            f"stored labels of {len(self.drifts)} pages do not fit their text any more, "
            f"{lost} pieces of text have none; `victor align --check` lists the pages"
        )

    def warn_of_drift(self) -> None:
        """Warn the caller of the function that calls this, if stored labels no longer fit."""
        if self.drift:
            warnings.warn(self.drift, stacklevel=3)


@dataclass(frozen=True, eq=False)
class Dataset(LabelledPages):
    """Annotated pages with every column over all their blocks.

    The fingerprint is a short hash of all that a model depends on: pages, labels, configuration.
    """

    columns: dict[str, ColumnValues]
    fingerprint: str

    def select(self, chosen: Sequence[int] | Ints) -> Selection:
        """Columns, labels and page starts of some of the pages, in the given order."""
        types = [info.page_type for info in self.infos]
        return Selection.of(
            self.columns, self.page_starts, self.labels, self.words, self.sites, chosen, types
        )


class _Rows(Mapping[str, ColumnValues]):
    """Some rows of columns, each column taken when it is asked for: all take much memory."""

    def __init__(self, columns: Mapping[str, ColumnValues], rows: Ints) -> None:
        self._columns = columns
        self._rows = rows

    def __getitem__(self, name: str) -> ColumnValues:
        return self._columns[name].take(self._rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __reduce__(self) -> tuple[type, tuple[dict[str, ColumnValues]]]:
        return dict, (dict(self),)  # another process needs no other rows


@dataclass(frozen=True, eq=False)
class Selection:
    """Some pages of a dataset; `rows` are their blocks in it, `types` "" where nobody knows."""

    columns: Mapping[str, ColumnValues]
    page_starts: Ints
    labels: Labels
    words: Ints
    sites: list[str]
    rows: Ints
    types: list[str]

    @classmethod
    def of(  # noqa: PLR0913, PLR0917  (what a corpus is made of)
        cls,
        columns: Mapping[str, ColumnValues],
        page_starts: Ints,
        labels: Labels,
        words: Ints,
        sites: Sequence[str],
        chosen: Sequence[int] | Ints,
        types: Sequence[str] = (),
    ) -> Selection:
        """Some of the pages that the arguments describe, in the given order."""
        rows = block_rows(page_starts, chosen)
        return cls(
            columns=_Rows(columns, rows),
            page_starts=np.cumsum([0, *np.diff(page_starts)[chosen]], dtype=np.int64),
            labels=labels[rows],
            words=words[rows],
            sites=[sites[page] for page in chosen],
            rows=rows,
            types=[types[page] if types else "" for page in chosen],
        )


def label_blocks(
    pages: Iterable[AnnotatedPage],
    segmenter: Segmenter,
    *,
    lean: bool = False,
    measure: Callable[[BlockTable], None] = lambda _: None,
) -> LabelledPages:
    """Split annotated pages into blocks and give every block its label.

    Args:
        pages: the corpus; a `CorpusError` if there is no page.
        segmenter: how pages are split.
        lean: keep no tables, and pages without their HTML and hashes.
        measure: called with every table when it is made.
    """
    tables: list[BlockTable] = []
    kept, lengths, labels, words, drifts = [], [], [], [], []
    for batch in batches((page, utf8(page.html)) for page in pages):
        table = segmenter.table([markup for _, markup in batch])
        batch_labels, batch_drifts = _batch_labels(
            [page for page, _ in batch], table, canonical=segmenter.canonical
        )
        lengths.append(np.diff(table.page_starts))
        labels.append(batch_labels)
        words.append(table.words)
        drifts += batch_drifts
        measure(table)
        kept += [replace(page, html=b"", hashes=()) if lean else page for page, _ in batch]
        tables += [] if lean else [table]
    if not kept:
        raise CorpusError("the corpus has no page; name a folder that `victor align` wrote")
    return LabelledPages(
        pages=tuple(kept),
        tables=tuple(tables),
        page_starts=np.append(0, np.cumsum(np.concatenate(lengths))).astype(np.int64),
        labels=np.concatenate(labels),
        words=np.concatenate(words),
        drifts=tuple(drifts),
    )


def analyze(
    pages: Iterable[AnnotatedPage],
    extractor: FeatureExtractor,
    *,
    lean: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Dataset:
    """Split annotated pages into blocks, label the blocks and compute their features.

    Args:
        pages: the corpus; a `CorpusError` if there is no page.
        extractor: how pages are split and which features are computed.
        lean: take little memory, for learning: as of `label_blocks`, and whole numbers of columns
            in small types.
        progress: called with the number of pages done since the last call.
    """
    columns: list[dict[str, ColumnValues]] = []
    stored = _small if lean else single
    settings = {key: value for key, value in extractor.config.to_json().items() if key != "filter"}
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())

    def hashed() -> Iterator[AnnotatedPage]:
        for page in pages:
            digest.update(page.html)
            digest.update(page.labels.tobytes())
            yield page

    def measure(table: BlockTable) -> None:
        measured = extractor.columns(table)
        columns.append({name: stored(values) for name, values in measured.items()})
        progress(table.n_pages)

    labelled = label_blocks(hashed(), extractor, lean=lean, measure=measure)
    # A column of a batch is freed when it is joined.
    joined = {name: np.concatenate([part.pop(name) for part in columns]) for name in [*columns[0]]}
    return Dataset(**vars(labelled), columns=joined, fingerprint=digest.hexdigest()[:16])


def _batch_labels(
    pages: Sequence[AnnotatedPage], table: BlockTable, *, canonical: bool
) -> tuple[Labels, list[Drift]]:
    """Block labels of a batch, and the pages whose segments are not the stored ones.

    Labels belong to the canonical segments of a page. Where the configuration makes others
    (alternative texts, lines of ``<pre>``), the page is parsed once more the canonical way.
    """
    page_tags = table.elements.open[table.page_roots]
    bounds = np.searchsorted(table.segments.tag, np.append(page_tags, len(table.tags.id)))
    texts = segment_texts(table) if canonical else []
    places = None if canonical else segment_places(table)
    labels, drifts = [np.zeros(0, dtype=np.uint8)], []
    for page, start, end in zip(pages, bounds[:-1], bounds[1:], strict=True):
        if places is None:
            page_labels, drift = current_labels(page, texts[start:end])
        else:
            plain = canonical_table(page.html)
            stored, drift = current_labels(page, segment_texts(plain))
            page_labels = carry(stored, segment_places(plain), places[:, start:end])
        labels.append(page_labels)
        if drift:
            drifts.append(drift)
    return block_labels(np.concatenate(labels), table), drifts


def block_rows(page_starts: Ints, chosen: Sequence[int] | Ints) -> Ints:
    """Blocks of the chosen pages, page after page."""
    rows = [np.arange(page_starts[page], page_starts[page + 1]) for page in chosen]
    return np.concatenate([np.zeros(0, dtype=np.int64), *rows])


def single(values: ColumnValues) -> ColumnValues:
    """Numbers as float32; flags as they are."""
    if values.dtype.kind not in "fiu":
        return values
    return values.astype(np.float32, copy=False)


def _small(values: ColumnValues) -> ColumnValues:
    """As `single`, whole numbers in the smallest type that has them all."""
    values = single(values)
    if values.dtype.kind != "f":
        return values
    with np.errstate(invalid="ignore"):  # what a type has no room for
        as_whole = (values.astype(dtype) for dtype in (np.uint8, np.int16, np.uint16))
        return next((whole for whole in as_whole if (whole == values).all()), values)
