"""The page head of a model: has a page content, and of which type is it.

No block can know alone whether a page has content: every threshold on marginals that empties menus,
forms and error pages empties forums and lists, too. The head is logistic regressions over measures
of the whole page, which read the block table and the marginals of the chain, and nothing that only
scripts say. The phrases of `wall_words.yaml`, by which a server or a wall speaks in place of what
was asked for, are looked for in the title and in the blocks that are most probably kept
(``core/model/walls.c``). `victor.evaluation.page_heads` fits the head on marginals of models that
did not see the pages, `benchmarks/train_walls.py` what tells servers and walls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Floats, Hashes, Ints
from victor.base.lazy import cached_property
from victor.config import plain_yaml
from victor.model import archive
from victor.model.chain import exponentials
from victor.model.decide import Decision, in_doubt
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE, NameGroups
from victor.page.parsing.characters import lower_table
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import char_codes

_ERROR_PAGE, _NO_CONTENT = "error-page", "no-content"

NAMES: Final = Path(__file__).with_name("page_names.yaml")
_TAGS: Final = (
    "p", "li", "td", "img", "input", "form", "h1", "h2", "h3", "a", "article", "button", "select",
    "pre", "code", "br", "hr", "time", "table", "font", "dl", "ol", "figure",
)  # fmt: skip
_TYPES: Final = ("article", "website", "product", "video")
_OUTLINE_TAGS: Final = ("main", "article", "li", "dd")
"""Main parts of pages, and the items of their lists, as `core/model/page_head.h` counts them."""
N_JUDGEMENTS: Final = 3
WORDS: Final = Path(__file__).with_name("wall_words.yaml")
_SPEAKERS: Final = ("wall", "nothing")
MEASURES: Final = (
    *(f"{who}.{what}" for who in _SPEAKERS for what in ("named", "groups", "words", "density")),
    "said-words", "other-words",
)  # fmt: skip
"""Is a phrase in the title or a heading, how many groups of phrases are said, which share of the
words their blocks have, and of the characters there the phrases; logarithms of words. All are 0 for
a page that says none, or that surely has content."""
_CASED: Final = 0x2200  # code points beyond which no letter of a phrase has upper case


class Regression(Struct, frozen=True, eq=False, dict=True):
    """Linear scores of k classes over K measures of a page.

    Raises:
        ValueError: they do not fit each other, or this version has no measure of such a name.
    """

    measures: tuple[str, ...]  # (K,) names of the measures that it reads
    weights: Floats  # (K + 1, k) float64, the last row the intercepts

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.measures) + 1:
            raise ValueError("the weights of the page head do not fit its measures")
        unknown = {*self.measures} - {*measure_names(), *MEASURES}
        if unknown:
            raise ValueError(f"the page head reads {min(unknown)}, which is no measure")

    def __call__(self, measures: Floats) -> Floats:
        """(P, k) scores, given (P, M) measures, or the first of them where it reads no others."""
        # Page by page, each in one piece: a product of matrices may round otherwise in a batch of
        # another size, or where the numbers of a row lie apart.
        rows = [row @ self.weights[:-1] for row in measures.take(self.columns, axis=1)]
        scores = np.array(rows, dtype=np.float64).reshape(len(rows), self.weights.shape[1])
        return np.asarray(scores + self.weights[-1])

    @cached_property
    def columns(self) -> Ints:
        """(K,) columns of the measures that it reads."""
        column = {name: number for number, name in enumerate(measure_names())}
        first = len(measure_names(quick=True))  # those of walls stand there where they are read
        column |= {name: first + number for number, name in enumerate(MEASURES)}
        return np.array([column[name] for name in self.measures], dtype=np.int64)


class PageHead(Struct, frozen=True, eq=False, dict=True):
    """Says of pages whether they have content, and which of T types they are of.

    Raises:
        ValueError: there are other scores than these.
    """

    types: tuple[str, ...]  # (T,) names of the types
    of_type: Regression  # scores of the types
    of_nothing: Regression  # one score, that a page has no content; over quick measures only
    of_error: Regression | None = None
    """One score, that a server or a wall speaks on a page; over quick measures and those of
    walls. None if nothing was learnt of them."""

    def __post_init__(self) -> None:
        widths = self.of_type.weights.shape[1], self.of_nothing.weights.shape[1]
        if not self.types or widths != (len(self.types), 1):
            raise ValueError("the weights of the page head do not fit its types")
        quick, of_error = measure_names(quick=True), self.of_error
        if not {*self.of_nothing.measures} <= {*quick}:
            raise ValueError("the page head reads names of elements to tell pages without content")
        if of_error and not (
            {*of_error.measures} <= {*quick, *MEASURES} and of_error.weights.shape[1] == 1
        ):
            raise ValueError("the page head cannot tell error pages by these weights")

    @cached_property
    def lent(self) -> tuple[object, Floats]:
        """What the core asks it by."""
        return page_words(), self.weights

    def p_no_content(self, measures: Floats) -> Floats:
        """(P,) probability that each page has no content, given (P, M) or quick measures."""
        return _logistic(self.of_nothing(measures))

    @cached_property
    def weights(self) -> Floats:
        """(2 (Q + W + 1),) weights and intercept of pages without content, then of error pages."""
        n_measures = len(measure_names(quick=True)) + len(MEASURES)
        weights = np.zeros((2, n_measures + 1))
        weights[1, -1] = -np.inf  # where nothing was learnt of error pages
        for row, regression in zip(weights, (self.of_nothing, self.of_error), strict=True):
            if regression:
                row[[*regression.columns, -1]] = regression.weights[:, 0]
        return weights.ravel()

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays; `from_arrays` reads them."""
        document = {
            "types": [*self.types],
            "measures": [*self.of_type.measures],
            "measures of nothing": [*self.of_nothing.measures],
        }
        if self.of_error is not None:
            document["measures of errors"] = [*self.of_error.measures]
        weights = {
            "page_types": self.of_type.weights.astype(np.float64),
            "page_nothing": self.of_nothing.weights.astype(np.float64),
        }
        if self.of_error is not None:
            weights["page_error"] = self.of_error.weights.astype(np.float64)
        return document, weights

    @classmethod
    def from_arrays(
        cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> PageHead:
        """The head that `to_arrays` gave.

        Raises:
            LookupError, TypeError, ValueError: it is something else.
        """

        def regression(measures: str, weights: str, columns: int) -> Regression:
            checked = archive.weights(arrays[weights], columns)
            return Regression(tuple(map(str, document[measures])), checked.astype(np.float64))

        types = tuple(map(str, document["types"]))
        return cls(
            types,
            regression("measures", "page_types", len(types)),
            regression("measures of nothing", "page_nothing", 1),
            regression("measures of errors", "page_error", 1) if "page_error" in arrays else None,
        )


class Judgements(Struct, frozen=True, eq=False, dict=True):
    """What a head says of the P pages of a batch."""

    head: PageHead  # the head
    table: BlockTable  # the pages
    marginals: Floats  # (n, 3) float64 of their blocks
    told: str | None = None
    """The type of all pages as the user knows it; None leaves it to the head."""
    judged: memoryview | None = None
    """(P, 3) float64 judgements on the pages that were in doubt, NaN for the others."""

    def only(self, table: BlockTable, marginals: Floats) -> Judgements:
        """What the head says of some of the pages, given their table and (n, 3) marginals."""
        return Judgements(self.head, table, marginals, self.told)

    @cached_property
    def p_no_content(self) -> Floats:
        """(P,) float64 probability that the page has no content, for whatever reason."""
        return np.asarray(self._rows[:, -N_JUDGEMENTS:-1].max(axis=1))

    @property
    def p_error(self) -> Floats:
        """(P,) that a server or a wall speaks on a page; 0 where no phrase of theirs is."""
        return self._rows[:, -2]

    def asked(self, decision: Decision) -> tuple[Floats | None, Floats | None]:
        """What `decide` asks: (P,) that a page has no content, and that it is an error page.

        To measure a page takes a while, and most surely have content.
        """
        if decision.method != "expected-f":
            is_asked = decision.method == "threshold" and decision.no_content < 1
            return None, self.p_error if is_asked else None
        (pages,) = in_doubt(self.marginals, self.table).nonzero()
        if not len(pages):
            return None, None
        p_no_content, p_error = answers = np.full((2, self.table.n_pages), np.nan)
        answers[:, pages] = self._judged(pages)[:, -N_JUDGEMENTS:-1].T
        return p_no_content, p_error

    def why_nothing(self, page: int) -> str:
        """Why a page gives nothing: it is an ``error-page``, or has ``no-content``."""
        known = () if self.judged is None else core.array(self.judged, np.float64)
        row = known[page * N_JUDGEMENTS :][:N_JUDGEMENTS]
        if not len(row) or np.isnan(row[-1]):
            (row,) = self._judged(np.array([page]))
        return _ERROR_PAGE if row[-1] else _NO_CONTENT

    def type_of(self, page: int) -> str:
        """The type of a page: the one that the user told, else the most probable."""
        return self.told or self.head.types[int(self._type_scores[page].argmax())]

    def _judged(self, pages: Ints | None = None) -> Floats:
        return page_rows(self.table, self.marginals, pages, self.head.weights)

    @cached_property
    def _rows(self) -> Floats:
        """(P, Q + W + 3) measures and judgements of all pages."""
        return self._judged()

    @cached_property
    def _type_scores(self) -> Floats:
        """(P, T) made when somebody asks: names of elements take as long as all else."""
        quick = self._rows[:, : len(measure_names(quick=True))]
        return self.head.of_type(np.concatenate([quick, name_measures(self.table)], axis=1))


def _logistic(scores: Floats) -> Floats:
    """(P,) probabilities of (P, 1) scores, as the core has them."""
    odds = exponentials(-np.abs(scores[:, 0]))
    return np.asarray(np.where(scores[:, 0] > 0, 1.0, odds) / (1.0 + odds))


# --- What a page has, and what the chain says of it -----------------------------------------------


@cache
def measure_names(*, quick: bool = False) -> tuple[str, ...]:
    """Names of the M measures in order, or of the Q quick ones, which come first."""
    groups = plain_yaml.read_compiled(NAMES)
    of_pages = (
        "words", "blocks", "link-share", "linked-blocks", "longest", "heading-words",
        "heading-blocks", "linked-headings",
        *(f"long-{size}.{what}" for size in (10, 25, 50) for what in ("words", "count")),
        *(f"count.{tag}" for tag in _TAGS),
        *(f"declared.{kind}" for kind in _TYPES),
        "title-words", "address-depth", "address-digits", "described", "addressed", "front-address",
        *(f"said.{group}" for group in groups),
        "kept", "kept-share", "kept-outside-links", "kept-headers", "kept-blocks", "mean-kept",
        *(f"kept-over-0.{tenths}" for tenths in (3, 5, 7, 9)),
        *(f"highest-{words}" for words in (1, 5, 15)),
    )  # fmt: skip
    names = (f"{place}.{group}" for place in ("element", "body") for group in groups)
    return of_pages if quick else (*of_pages, *names)


def page_measures(table: BlockTable, marginals: Floats) -> Floats:
    """Measure whole pages.

    Args:
        table: n blocks on P pages. Names of elements count only where they were recorded.
        marginals: (n, 3) float64, columns in the order of `victor.base.labels.Label`.

    Returns:
        (P, M) float64, a column for each of `measure_names`: shares, bits, or logarithms of counts.
        Those of a page are the same alone and in any batch.
    """
    quick = page_rows(table, marginals)[:, : len(measure_names(quick=True))]
    return np.concatenate([quick, name_measures(table)], axis=1)


def page_rows(
    table: BlockTable, marginals: Floats, pages: Ints | None = None, head: Floats | None = None
) -> Floats:
    """What is told quickly of pages, and what a page head makes of it.

    Args:
        table: the blocks, as of `page_measures`.
        marginals: (n, 3) float64 of them.
        pages: (P,) which pages; None for all.
        head: the weights of a page head (`victor.model.page_head.PageHead.weights`).

    Returns:
        (P, Q + W + 3) float64: measures but for those of names, which take as long as all others
        together; `victor.model.page_head.MEASURES`; and the judgements of the head, or 0: the
        probabilities that the page has no content and that a server or a wall speaks on it, and
        whether that is why it gives nothing.
    """
    pages = np.arange(table.n_pages) if pages is None else pages
    memory = core.compiled.page_measures(
        table.batch, np.ascontiguousarray(marginals, dtype=np.float64), pages, head, page_words()
    )
    width = len(measure_names(quick=True)) + len(MEASURES) + N_JUDGEMENTS
    return core.array(memory, np.float64).reshape(-1, width)


@cache
def page_words() -> object:
    """What the core counts and looks for on pages."""
    tags = (np.array([IDS[name] for name in names]) for names in (_TAGS, _OUTLINE_TAGS))
    phrases = _texts(plain_yaml.read_compiled(WORDS, wall_phrases), np.uint8)
    said = _texts(plain_yaml.read_compiled(NAMES, said_words), np.uint64)
    lower = lower_table()[:_CASED].copy()
    lower[ord("\N{RIGHT SINGLE QUOTATION MARK}")] = ord("'")
    return core.compiled.page_words((*tags, *phrases, lower, *said))


def _texts(
    numbered: Sequence[tuple[str, int]], dtype: type[np.unsignedinteger[Any]]
) -> tuple[NDArray[Any], ...]:
    """Texts as the core looks for them.

    Returns:
        (N,) uint32 their characters, one after the other; (F,) int64 where each ends; (F,) their
        numbers.
    """
    texts = [text for text, _ in numbered]
    numbers = np.array([number for _, number in numbered], dtype=dtype)
    return char_codes("".join(texts)), np.cumsum([*map(len, texts)]), numbers


def said_words(groups: Mapping[str, Sequence[str]]) -> list[tuple[str, int]]:
    """The words that are looked for in titles and addresses, sorted, with bits of their groups."""
    bits = defaultdict[str, int](int)
    for number, words in enumerate(groups.values()):
        for word in words:
            bits[word] |= 1 << number
    return sorted(bits.items())


def wall_phrases(groups: Mapping[str, Sequence[Sequence[str]]]) -> list[tuple[str, int]]:
    """What servers and walls say, sorted; of each its group, 64 more for the second speaker."""
    group_of = {
        (phrase, 64 * (name == _SPEAKERS[1])): number
        for number, (name, rows) in enumerate(groups.items())
        for phrase in chain(*rows)
    }
    return sorted((phrase, speaker + number) for (phrase, speaker), number in group_of.items())


def measured(tables: Sequence[BlockTable], marginals: Floats) -> Floats:
    """(P, M) measures of the pages of several tables, given the marginals of all their blocks."""
    ends = np.cumsum([len(table) for table in tables])[:-1]
    parts = zip(tables, np.split(marginals, ends), strict=True)
    return np.concatenate([page_measures(table, own_marginals) for table, own_marginals in parts])


def name_measures(table: BlockTable) -> Floats:
    """(P, 2 G) does an element of the page, or its body, have a name of each group."""
    bits = np.zeros((2, table.n_pages), dtype=np.uint64)
    if {*ATTRIBUTES} <= {*table.attributes}:
        of_element = _names().masks(table)[table.elements.bundle]
        is_whole = member_mask(WHOLE_PAGE)[table.elements.tag]
        bits[0] = _any(np.where(is_whole, np.uint64(0), of_element), table.page_roots)
        bits[1] = _any(np.where(is_whole, of_element, np.uint64(0)), table.page_roots)
    return np.concatenate([_flags(row) for row in bits], axis=1)


def _any(bits: Hashes, roots: Ints) -> Hashes:
    """(P,) the bits of all elements of each page."""
    return np.bitwise_or.reduceat(bits, roots) if len(roots) else np.zeros(0, dtype=np.uint64)


def _flags(bits: Hashes) -> Floats:
    """(P, G) 0 or 1 for every group, given (P,) bits."""
    groups = np.arange(len(_groups()), dtype=np.uint64)
    return (bits[:, None] >> groups & np.uint64(1)).astype(np.float64)


@cache
def _groups() -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, plain_yaml.read_compiled(NAMES).values()))


@cache
def _names() -> NameGroups:
    return NameGroups(_groups())
