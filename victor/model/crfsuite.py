"""Train linear potentials by sklearn-crfsuite: codes become attributes, the result plain arrays.

CRFsuite maximises ``sum_s log p(y_s | x_s) - c1 |w| - c2 w^2``: the probability of the labels of
every sequence s as a whole (a page, or a run of its labelled blocks), in which all blocks weigh the
same. All edges are alike: CRFsuite has no weights for pairs of labels that read the input.

Source: Okazaki (2007), CRFsuite: a fast implementation of conditional random fields.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base import lazy
from victor.base.arrays import Codes, Floats, Ints, Labels, prefix_sums, span_indices, window_sums
from victor.base.errors import ConfigError, CorpusError, TemplateError
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.config.schema import Crf
from victor.model.chain import Edges
from victor.model.linear import UNTRAINED, Weights
from victor.model.template import Entry, Template, entry_values, n_values

Progress = Callable[[int, float], None]
"""Called after every iteration of the optimiser with its number and the loss."""

Item = dict[bytes, float]

BIAS = "bias"  # attribute of every block, needed when reference values give none

_BATCH = 8192  # blocks whose attributes are made at once; all of a corpus would not fit into memory


def learn(  # noqa: PLR0913  (what a corpus is made of)
    codes: Codes,
    page_starts: Ints,
    labels: Labels,
    *,
    template: Template,
    sizes: Mapping[str, int],
    options: Crf,
    progress: Progress | None = None,
) -> tuple[Weights, Edges]:
    """Train on labelled pages; the same input always gives the same weights.

    Args:
        codes: (n, C) codes, columns in the order of `sizes`.
        page_starts: (P + 1,) first block of each page.
        labels: (n,) labels; UNLABELLED blocks end a sequence and are not learnt from, but they
            remain in the context of their neighbours.
        template: which columns at which offsets.
        sizes: number of codes per column.
        options: how to train.
        progress: see `Progress`.

    Raises:
        CorpusError: no labelled block is left to learn from.
        ConfigError: an option names a column that the template does not use.
        TemplateError: the template has entries of edges.
    """
    _check_scale(options.scale, template)
    if template.edges:
        raise TemplateError(
            "only trees learn edges that read the input: take the edge entries out of the "
            "template, and set crf.edges to null"
        )
    pages = Pages(codes, tuple(sizes), np.asarray(page_starts), labels)
    sequences = prepare(pages, template, sizes=sizes, options=options)
    return collect(sequences.attributes, estimate(sequences, options, progress))


def prepare(
    pages: Pages, template: Template, *, sizes: Mapping[str, int], options: Crf
) -> Sequences:
    """Training sequences of some pages.

    Raises:
        CorpusError: no page can be trained on.
    """
    trainable = pages.trainable(options.max_blocks)
    if not len(trainable.labels):
        raise CorpusError(
            "no page is left to learn from: all are unlabelled or longer than crf.max_blocks"
        )
    attributes = Attributes(template, sizes, options.scale)
    if options.drop_reference:
        attributes = attributes.with_references(trainable)
    return Sequences(trainable, attributes, options.transitions)


def estimate(sequences: Sequences, options: Crf, progress: Progress | None = None) -> Any:  # noqa: ANN401  (an untyped library's class)
    """The fitted sklearn-crfsuite estimator."""
    crfsuite = lazy.load("sklearn_crfsuite", extra="train")
    parameters: dict[str, Any] = {"c2": options.c2, "max_iterations": options.max_iterations}
    if options.algorithm == "lbfgs":
        parameters["c1"] = options.c1
    trainer = None if progress is None else _reporting(progress)
    estimator = crfsuite.CRF(algorithm=options.algorithm, trainer_cls=trainer, **parameters)
    return estimator.fit(sequences, sequences.labels())


def _reporting(progress: Progress) -> type:
    """A trainer that reports its iterations."""
    trainer: Any = lazy.load("pycrfsuite", extra="train").Trainer

    class Reporting(trainer):  # type: ignore[misc]  # an untyped library's class
        def message(self, message: str) -> None:
            if self.logparser.feed(message) == "iteration":
                iteration = self.logparser.last_iteration
                progress(iteration["num"], iteration.get("loss", float("nan")))

    return Reporting


def collect(attributes: Attributes, estimator: Any) -> tuple[Weights, Edges]:  # noqa: ANN401  (as above)
    """Weights and edges of a fitted estimator as arrays, attribute values folded in."""
    code_of = {name: number for number, name in enumerate(LABEL_NAMES)}
    bias = np.full(len(code_of), UNTRAINED)
    bias[[code_of[name] for name in estimator.classes_]] = 0
    sizes = [n_values(e, attributes.template, attributes.sizes) for e in attributes.entries]
    tables = [np.zeros((size, len(code_of))) for size in sizes]
    for (attribute, name), weight in estimator.state_features_.items():
        if attribute == BIAS:
            bias[code_of[name]] = weight
        else:
            number, row = attribute.split(":")
            tables[int(number)][int(row), code_of[name]] = weight
    transitions = np.zeros((len(code_of), len(code_of)))
    for (before, after), weight in estimator.transition_features_.items():
        transitions[code_of[before], code_of[after]] = weight
    return attributes.weights(tables, bias), Edges.alike(transitions)


def _check_scale(scale: Mapping[str, float], template: Template) -> None:
    unknown = sorted(set(scale) - set(template.names))
    if unknown:
        raise ConfigError(f"crf.scale names {unknown[0]}, which the template does not use")


# --- What CRFsuite reads --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pages:
    """Labelled pages; P pages with n blocks."""

    codes: Codes  # (n, C) uint8 codes
    names: tuple[str, ...]  # the C column names
    page_starts: Ints  # (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``
    labels: Labels  # (n,) uint8

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
    """How a block becomes attributes, named by number ``ENTRY:VALUE``."""

    template: Template  # all entries
    sizes: Mapping[str, int]  # number of codes of every column
    scale: Mapping[str, float]  # column to attribute value, 1 if not there
    references: tuple[int, ...] | None = None
    """For every entry the value that gives no attribute; None if all values do. Then every block
    has the attribute `BIAS`."""

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
    """All training sequences; their attributes are made batch by batch whenever they are read."""

    pages: Pages  # pages that can be trained on
    attributes: Attributes  # how a block becomes attributes
    joined: bool  # see `Pages.spans`

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
