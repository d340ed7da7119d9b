"""Labelled pages as CRFsuite reads them: sequences of blocks with attributes and values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Codes, Floats, Ints, Labels, prefix_sums, span_indices, window_sums
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.model.crf.attributes import entry_values, n_values
from victor.model.crf.weights import Weights
from victor.model.template import Entry, Template

Item = dict[bytes, float]

BIAS = "bias"
"""Attribute of every block, needed when reference values give none."""

_BATCH = 8192
"""Blocks whose attributes are made at once; all of a corpus would not fit into memory."""


@dataclass(frozen=True, eq=False)
class Pages:
    """Labelled pages; P pages with n blocks.

    Attributes:
        codes: (n, C) uint8 codes.
        names: the C column names.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        labels: (n,) uint8.
    """

    codes: Codes
    names: tuple[str, ...]
    page_starts: Ints
    labels: Labels

    def trainable(self, max_blocks: int) -> Pages:
        """The pages with a labelled block and at most so many blocks."""
        some = window_sums(self.labels != UNLABELLED, self.page_starts) > 0
        return self.take(np.flatnonzero(some & (np.diff(self.page_starts) <= max_blocks)))

    def take(self, pages: Ints) -> Pages:
        """Some of the pages."""
        lengths = np.diff(self.page_starts)[pages]
        rows = span_indices(self.page_starts[pages], lengths)
        return Pages(
            self.codes[rows],
            self.names,
            prefix_sums(lengths),
            self.labels[rows],
        )

    def batches(self) -> Iterator[Pages]:
        """Runs of pages of about `_BATCH` blocks."""
        batch = self.page_starts[:-1] // _BATCH
        for batch_index in np.unique(batch):
            yield self.take(np.flatnonzero(batch == batch_index))

    def values(self, entry: Entry, template: Template, sizes: Mapping[str, int]) -> Ints:
        """(n,) value of an entry at every block."""
        codes = {name: self.codes[:, number] for number, name in enumerate(self.names)}
        return entry_values(entry, codes, self.page_starts, template=template, sizes=sizes)

    def spans(self, *, joined: bool) -> list[tuple[int, int]]:
        """First and past-last block of every sequence.

        Unlabelled blocks belong to none and end the one before; if not `joined`, every block is
        a sequence of its own.
        """
        labelled = np.append(self.labels != UNLABELLED, False)
        cut = np.full(len(labelled), not joined)
        cut[self.page_starts] = True
        before = np.roll(labelled, 1)
        firsts = np.flatnonzero(labelled & (cut | ~before))
        lasts = np.flatnonzero(before & (cut | ~labelled))
        return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Attributes:
    """How a block becomes attributes, named by number ``ENTRY:VALUE``.

    Attributes:
        template: all entries.
        sizes: number of codes of every column.
        scale: column to attribute value, 1 if not there.
        references: for every entry the value that gives no attribute; None if all values do. Then
            every block has the attribute `BIAS`.
    """

    template: Template
    sizes: Mapping[str, int]
    scale: Mapping[str, float]
    references: tuple[int, ...] | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the template."""
        return self.template.entries

    def value_of(self, entry: Entry) -> float:
        """The value of an entry's attributes."""
        return math.prod(self.scale.get(name, 1.0) for name, _ in entry.columns)

    def with_references(self, pages: Pages) -> Attributes:
        """The same with the most frequent value of every entry on labelled blocks as reference."""
        sizes = [n_values(entry, self.template, self.sizes) for entry in self.entries]
        counts = [np.zeros(size, dtype=np.int64) for size in sizes]
        for batch in pages.batches():
            labelled = batch.labels != UNLABELLED
            for number, entry in enumerate(self.entries):
                values = batch.values(entry, self.template, self.sizes)[labelled]
                counts[number] += np.bincount(values, minlength=sizes[number])
        return replace(self, references=tuple(int(count.argmax()) for count in counts))

    def weights(self, entries: list[Floats], bias: Floats) -> Weights:
        """What was learnt for attributes as weights of values; attribute values are folded in.

        Args:
            entries: (V, L) by value of every entry.
            bias: (L,).
        """
        values = [self.value_of(entry) for entry in self.entries]
        return Weights(
            template=self.template,
            sizes=self.sizes,
            entries=tuple(
                (table * value).astype(np.float32)
                for table, value in zip(entries, values, strict=True)
            ),
            bias=bias.astype(np.float32),
        )

    def items(self, pages: Pages) -> list[Item]:
        """The attributes of every block; none of one without a label, which no sequence holds."""
        values = [self.value_of(entry) for entry in self.entries]
        items: list[Item] = [{} for _ in pages.labels]
        labelled = np.flatnonzero(pages.labels != UNLABELLED)
        rows = self._named(pages)[:, labelled].T.tolist()
        for number, row in zip(labelled.tolist(), rows, strict=True):
            items[number] = {name: value for name, value in zip(row, values, strict=True) if name}
            if self.references is not None:
                items[number][BIAS.encode()] = 1.0
        return items

    def _named(self, pages: Pages) -> NDArray[np.object_]:
        """(E, n) attribute name of every entry and block, None where it has its reference."""
        names_of_blocks = np.empty((len(self.entries), len(pages.labels)), dtype=object)
        for number, entry in enumerate(self.entries):
            size = n_values(entry, self.template, self.sizes)
            names = np.array([f"{number}:{row}".encode() for row in range(size)], dtype=object)
            if self.references is not None:
                names[self.references[number]] = None
            names_of_blocks[number] = names[pages.values(entry, self.template, self.sizes)]
        return names_of_blocks


@dataclass(frozen=True, eq=False)
class Sequences:
    """All training sequences; their attributes are made batch by batch whenever they are read.

    Attributes:
        pages: pages that can be trained on.
        attributes: how a block becomes attributes.
        joined: see `Pages.spans`.
    """

    pages: Pages
    attributes: Attributes
    joined: bool

    def __len__(self) -> int:
        return len(self.pages.spans(joined=self.joined))

    def __iter__(self) -> Iterator[list[Item]]:
        for batch in self.pages.batches():
            items = self.attributes.items(batch)
            for start, end in batch.spans(joined=self.joined):
                yield items[start:end]

    def labels(self) -> list[list[str]]:
        """Label names of every sequence."""
        labels = self.pages.labels.tolist()
        spans = self.pages.spans(joined=self.joined)
        return [[LABEL_NAMES[label] for label in labels[start:end]] for start, end in spans]
