"""Labelled pages as CRFsuite reads them: sequences of blocks with attributes and values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from victor.base.arrays import Codes, Floats, Ints, Labels, prefix_sums, span_indices, window_sums
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.features.base import Bag
from victor.model.crf.attributes import entry_values, n_values
from victor.model.crf.weights import BagWeights, Weights
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
        bags: bag columns over the n blocks.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        labels: (n,) uint8.
        sites: (P,) number of the site of each page.
        kinds: (n,) kind of the edge to the block before (`victor.model.crf.edges`).
        weights: (n,) what each block weighs where training weighs blocks.
    """

    codes: Codes
    names: tuple[str, ...]
    bags: Mapping[str, Bag]
    page_starts: Ints
    labels: Labels
    sites: Ints
    kinds: Ints
    weights: Floats

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
            {name: bag.take(rows) for name, bag in self.bags.items()},
            prefix_sums(lengths),
            self.labels[rows],
            self.sites[pages],
            self.kinds[rows],
            self.weights[rows],
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
class Tokens:
    """The tokens of a bag that occur on enough sites.

    Attributes:
        vocabulary: the K tokens, sorted.
        number: (V + 1,) index in `vocabulary` of every token of the bag, -1 for the others.
    """

    vocabulary: tuple[str, ...]
    number: Ints

    @classmethod
    def choose(cls, pages: Pages, name: str, min_sites: int) -> Tokens:
        """Count the sites of every token of a bag on the labelled blocks."""
        block_sites = np.repeat(pages.sites, np.diff(pages.page_starts))
        labelled = np.flatnonzero(pages.labels != UNLABELLED)
        bag = pages.bags[name].take(labelled)
        # A site has few distinct groups, so tokens are looked at once per site and group.
        site, group = _distinct(np.repeat(block_sites[labelled], np.diff(bag.indptr)), bag.groups)
        whole = Bag(np.arange(len(group) + 1), group, bag.group_indptr, bag.ids, bag.vocabulary)
        indptr, ids = whole.flat()
        _, token = _distinct(np.repeat(site, np.diff(indptr)), ids)
        counts = np.bincount(token, minlength=len(bag.vocabulary))
        kept = np.flatnonzero(counts >= min_sites).tolist()
        kept.sort(key=bag.vocabulary.__getitem__)
        number = np.full(len(bag.vocabulary) + 1, -1)
        number[kept] = np.arange(len(kept))
        return cls(tuple(bag.vocabulary[token] for token in kept), number)

    def counts(self, bag: Bag) -> tuple[list[int], list[int], list[int]]:
        """Tokens of every block of a bag of the same vocabulary, each once, in compressed rows.

        Returns:
            (n + 1,) offsets, indices in `vocabulary`, how often the block has the token.
        """
        indptr, ids = bag.flat()
        block = np.repeat(np.arange(len(bag)), np.diff(indptr))
        number = self.number[ids]
        width = len(self.vocabulary) + 1
        pairs, counts = np.unique((block * width + number)[number >= 0], return_counts=True)
        offsets = np.searchsorted(pairs, np.arange(len(bag) + 1) * width)
        return offsets.tolist(), (pairs % width).tolist(), counts.tolist()


def _distinct(first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """The distinct pairs of two equally long arrays of non-negative integers."""
    width = int(second.max(initial=0)) + 1
    pairs = np.unique(first * width + second)
    return pairs // width, pairs % width


@dataclass(frozen=True, eq=False)
class Attributes:
    """How a block becomes attributes, named by number ``e:ENTRY:VALUE`` and ``b:BAG:TOKEN``.

    Attributes:
        template: all entries.
        sizes: number of codes of every column.
        tokens: tokens of every bag column that the template reads.
        scale: column to attribute value, 1 if not there.
        references: for every entry that reads columns the value that gives no attribute; None if
            all values do. Then every block has the attribute `BIAS`.
    """

    template: Template
    sizes: Mapping[str, int]
    tokens: Mapping[str, Tokens]
    scale: Mapping[str, float]
    references: tuple[int, ...] | None = None

    @property
    def entries(self) -> list[Entry]:
        """The entries that read columns, not bags."""
        return [entry for entry in self.template.entries if entry.columns[0][0] in self.sizes]

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

    def weights(self, entries: list[Floats], bags: list[Floats], bias: Floats) -> Weights:
        """What was learnt for attributes as weights of values; attribute values are folded in.

        Args:
            entries: (V, L) by value of every entry.
            bags: (K, L) by token of every bag.
            bias: (L,).
        """
        values = [self.value_of(entry) for entry in self.entries]
        scales = [self.scale.get(name, 1.0) for name in self.tokens]
        return Weights(
            template=structs.replace(self.template, edges=()),
            sizes=self.sizes,
            entries=tuple(
                (table * value).astype(np.float32)
                for table, value in zip(entries, values, strict=True)
            ),
            bags={
                name: BagWeights(tokens.vocabulary, (table * scale).astype(np.float32))
                for (name, tokens), table, scale in zip(
                    self.tokens.items(), bags, scales, strict=True
                )
            },
            bias=bias.astype(np.float32),
        )

    def items(self, pages: Pages) -> list[Item]:
        """The attributes of every block."""
        values = [self.value_of(entry) for entry in self.entries]
        items = [
            {name: value for name, value in zip(row, values, strict=True) if name}
            for row in self._named(pages).T.tolist()
        ]
        if self.references is not None:
            for item in items:
                item[BIAS.encode()] = 1.0
        for number, name in enumerate(self.tokens):
            self._add_tokens(items, pages.bags[name], number=number, name=name)
        return items

    def _named(self, pages: Pages) -> NDArray[np.object_]:
        """(E, n) attribute name of every entry and block, None where it has its reference."""
        names_of_blocks = np.empty((len(self.entries), len(pages.labels)), dtype=object)
        for number, entry in enumerate(self.entries):
            size = n_values(entry, self.template, self.sizes)
            names = np.array([f"e:{number}:{row}".encode() for row in range(size)], dtype=object)
            if self.references is not None:
                names[self.references[number]] = None
            names_of_blocks[number] = names[pages.values(entry, self.template, self.sizes)]
        return names_of_blocks

    def _add_tokens(self, items: list[Item], bag: Bag, *, number: int, name: str) -> None:
        """Add the tokens of a bag to the blocks."""
        tokens, value = self.tokens[name], self.scale.get(name, 1.0)
        names = [f"b:{number}:{row}".encode() for row in range(len(tokens.vocabulary))]
        offsets, rows, counts = tokens.counts(bag)
        for item, (start, end) in zip(items, pairwise(offsets), strict=True):
            for at in range(start, end):
                item[names[rows[at]]] = value * counts[at]


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
