"""The block table: read-only columns over the text blocks, tags and elements of some pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial, wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Chars, Codes, Hashes, Ints, ReadOnlyColumns, window_sums
from victor.base.errors import ConfigError, FeatureError
from victor.base.lazy import cached_property
from victor.page.allowance import Allowance, Allowances
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import Bundle, BundleColumns
from victor.page.parsing.heads import Head, Heads, texts_of_heads
from victor.page.parsing.tags import IDS, LINE, member_mask, roles_of
from victor.page.table.tokens import Tokens, vocabulary

if TYPE_CHECKING:
    from victor.page.parsing.source_lines import SourceLines

DECLARES_TEXTS: Final = 4
"""JSON-LD in the head has the ingredients of a recipe, or answers to questions."""
MAY_HAVE_FORMULAS: Final = 1
LINKS_TO_NOTES: Final = 2
"""A link has an address that ends as those of footnotes do."""
MAY_HAVE_PLAYERS: Final = 4
_NO_MAKERS: Final[Mapping[str, Callable[[], object]]] = {}
Split = Literal["tag", "block", "line"]
T = TypeVar("T", bound=NDArray[Any])
Word = TypeVar("Word", np.uint64, np.bool_)


class TagStream(ReadOnlyColumns):
    """All tags of the batch in order; T tags.

    Attributes:
        id: (T,) int64 tag id (`victor.page.parsing.tags.NAMES`).
        step: (T,) int8; +1 start tag, -1 end tag, 0 void element.
        element: (T,) int64 innermost element open after the tag.
        text_start: (T,) int64 where the text between this tag and the next begins in
            `BlockTable.chars`; it ends where that of the next tag begins.
        text_length: (T,) int64 raw characters between this tag and the next, white space included.
        text_space: (T,) int64 how many of these are white space.
        bundle: (T,) int64 row of the tag's attributes of interest in `BlockTable.bundles`, -1 if
            none; void elements have theirs only here.
    """

    id: Ints
    step: NDArray[np.int8]
    element: Ints
    text_start: Ints
    text_length: Ints
    text_space: Ints
    bundle: Ints

    PREFIX: ClassVar = "tags."
    TYPES: ClassVar = dict.fromkeys(
        ("id", "step", "element", "text_start", "text_length", "text_space", "bundle"), np.int64
    ) | {"step": np.int8}


def _column(compute: Callable[[Any], T]) -> cached_property[T]:
    """A column computed when first asked for, read-only as all of the table is."""

    @wraps(compute)
    def frozen(table: BlockTable | Elements) -> T:
        values = compute(table)
        values.flags.writeable = False
        return values

    return cached_property(frozen)


def _of_core(name: str, meaning: str) -> cached_property[Ints]:
    """A column that the core makes with the blocks."""

    def column(table: BlockTable) -> Ints:
        return core.array(table.batch.array(name), np.int64)

    column.__doc__ = meaning
    return cached_property(column)


class Elements(ReadOnlyColumns):
    """All elements of the batch in document order; E elements, the first of each page is its root.

    Attributes:
        tag: (E,) int64 tag id.
        parent: (E,) int64 parent element; a root is its own parent.
        depth: (E,) int64, 0 for a root.
        open, close: (E,) int64 ordinals of its start and end tag in the tag stream.
        bundle: (E,) int64 row of its attributes of interest in `BlockTable.bundles`, -1 if none.
    """

    tag: Ints
    parent: Ints
    depth: Ints
    open: Ints
    close: Ints
    bundle: Ints

    PREFIX: ClassVar = "elements."
    TYPES: ClassVar = dict.fromkeys(("tag", "parent", "depth", "open", "close", "bundle"), np.int64)

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def present(self) -> int:
        """One bit per tag id that some element has."""
        is_present = np.bincount(self.tag) > 0
        return int.from_bytes(np.packbits(is_present, bitorder="little").tobytes(), "little")

    def have(self, names: frozenset[str]) -> bool:
        """Is some element of one of the given names; what needs one asks this first."""
        return bool(self.present & _bit_mask(names))

    @_column
    def around(self) -> Hashes:
        """(2, E) one bit per tag id of each element and of every element around it."""
        bits = np.zeros((2, len(self)), dtype=np.uint64)
        bit = np.uint64(1) << (self.tag & 63).astype(np.uint64)
        bits[self.tag >> 6, np.arange(len(self))] = bit
        return self.gathered(bits)

    def gathered(self, bits: NDArray[Word]) -> NDArray[Word]:
        """(..., E) bits or flags of each element and of every element around it."""
        if bits.dtype == bool:
            inside: NDArray[Any] = self.nearest(bits.astype(bool, copy=False)) >= 0
            return inside
        own = np.ascontiguousarray(bits).view(np.int64)
        memory = core.compiled.handed_down(self.parent, own, True)
        return core.array(memory, np.uint64).reshape(bits.shape)

    def inside(self, names: frozenset[str], elements: Ints) -> Bools:
        """(m,) is each of some elements of one of the given names, or inside one that is."""
        return _any_of(names, self.around.take(elements, axis=1))

    def innermost(self, names: frozenset[str]) -> Ints:
        """(E,) each element if it is of the given names, else the nearest around it, or -1."""
        return self.nearest(member_mask(names)[self.tag])

    def nearest(self, chosen: Bools) -> Ints:
        """(E,) each element if it is one of the chosen, else the nearest around it, or -1."""
        if not chosen.any():
            return np.full(len(self), -1)
        own = np.where(chosen, np.arange(len(self)), -1)
        return core.array(core.compiled.handed_down(self.parent, own, False), np.int64)


class Segments(ReadOnlyColumns):
    """Runs of text between two tags that hold more than white space; S segments.

    Attributes:
        tag: (S,) int64 ordinal of the tag before it.
        start, end: (S,) int64 extent in `BlockTable.chars`, without white space at the ends.
    """

    tag: Ints
    start: Ints
    end: Ints

    PREFIX: ClassVar = "segments."
    TYPES: ClassVar = dict.fromkeys(("tag", "start", "end"), np.int64)

    def __len__(self) -> int:
        return len(self.tag)


class BlockTable(ReadOnlyColumns):
    """Text blocks of a batch of pages; n blocks, a block is one or more adjacent segments.

    Attributes:
        split: where blocks end: at every tag (the paper), at block-level tags only, or with the
            line of the source.
        chars: (N,) uint32 code points; white space runs are one space, or one newline where a
            ``<br>`` stood; inside ``<pre>`` white space is as written.
        page_starts: (P + 1,) int64; page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        segment_starts: (n + 1,) int64; block i owns segments ``segment_starts[i]:...[i + 1]``.
        segments, tags, elements: the finer tables below the blocks.
        page_roots: (P,) int64 root element of each page.
        attributes: names of the element attributes that were recorded.
        bundles: values of these attributes by bundle row.
        heads: (P,) title, meta data and language of each page.
        lines: lines of the sources; only where blocks end with them.
        allowances: what may be spent on it; tables that are made of it have the same.
    """

    split: Split
    chars: Chars
    page_starts: Ints
    segment_starts: Ints
    segments: Segments
    tags: TagStream
    elements: Elements
    page_roots: Ints
    attributes: tuple[str, ...]
    bundles: Sequence[Bundle]
    heads: Sequence[Head]
    lines: SourceLines | None
    allowances: Allowances

    TYPES: ClassVar = {
        "chars": np.uint32, "page_starts": np.int64, "segment_starts": np.int64,
        "page_roots": np.int64,
    }  # fmt: skip

    if not TYPE_CHECKING:  # fields have their types

        def __getattr__(self, name: str) -> object:
            makers = self.__dict__.get("_makers", _NO_MAKERS)
            if name in makers:
                self.__dict__[name] = made = makers[name]()
                return made
            return super().__getattr__(name)

    def __len__(self) -> int:
        batch = self.__dict__.get("batch")
        return len(self.segment_starts) - 1 if batch is None else len(batch)

    @cached_property
    def page_signs(self) -> Codes:
        """(P,) uint8 `MAY_HAVE_FORMULAS` and the like; all of them where nobody looked."""
        signs = core.array(self.batch.array("page_signs"), np.uint8)
        return signs if len(signs) == self.n_pages else np.full(self.n_pages, 255, np.uint8)

    def places(self, page: int) -> Ints:
        """Where in the markup of a page the attributes of each of its start tags are, 0 for none.

        Those of ``<br>`` and of dropped elements are left out; after the last one stands how many
        bytes the page has. Nothing where nobody noted them.
        """
        names = ("places", "places.starts")
        places, starts = (core.array(self.batch.array(name), np.int64) for name in names)
        return places[slice(*starts[page : page + 2])] if len(starts) else places

    @property
    def allowance(self) -> Allowance:
        """What this thread may spend now on what is made of the table."""
        return self.allowances.now

    @property
    def n_pages(self) -> int:
        """Number of pages, those without a block included."""
        return len(self.page_starts) - 1

    @cached_property
    def batch(self) -> Any:  # noqa: ANN401  (of the core)
        """What stages of the core read; made of the columns where the core did not make them."""
        parts = (self, self.segments, self.tags, self.elements)
        bundles = self.bundle_columns if self.attributes else None
        values = b"" if bundles is None else bundles.values
        offsets = np.zeros(1, dtype=np.int64) if bundles is None else bundles.offsets
        of_blocks = chain.from_iterable(part.columns() for part in parts)
        columns = (*of_blocks, values, offsets, *texts_of_heads(self.heads))
        return core.compiled.batch(vocabulary(), columns, (*self.attributes,))

    def __getstate__(self) -> dict[str, Any]:
        """What is copied: all but what the core alone holds."""
        makers = self.__dict__.get("_makers", _NO_MAKERS)
        state = {**super().__getstate__(), **{name: getattr(self, name) for name in makers}}
        return {name: value for name, value in state.items() if name != "_makers"}

    def attribute(self, name: str) -> list[str | None]:
        """Values of one attribute by bundle row; raises what `attribute_column` does."""
        return self.bundle_columns.column(self.attribute_column(name))

    def attribute_value(self, name: str, row: int) -> str | None:
        """Value of one attribute in one bundle row; raises what `attribute_column` does."""
        return self.bundle_columns.value(row, self.attribute_column(name))

    def attribute_column(self, name: str) -> int:
        """Where the values of an attribute are in each bundle.

        Raises:
            FeatureError: it was not recorded; a feature has to declare what it reads.
        """
        if name not in self.attributes:
            raise FeatureError(f"attribute {name} was not recorded; declare it in the feature")
        return self.attributes.index(name)

    @cached_property
    def bundle_columns(self) -> BundleColumns:
        """The bundles as the core reads them."""
        return BundleColumns.of(self.bundles, len(self.attributes))

    page = _of_core("page", "(n,) page of each block.")
    start = _of_core("start", "(n,) first character of each block in `chars`.")

    end = _of_core("end", "(n,) one past the last character of each block in `chars`.")
    tag = _of_core("tag", "(n,) ordinal of the tag before each block.")

    last_tag = _of_core(
        "last_tag", "(n,) ordinal of the tag before the last segment of each block."
    )

    @_column
    def shared_tags(self) -> Ints:
        """(T,) start and end tags up to each tag, the same in all tables of a page.

        Void elements, which some tables lack, and images, which may be two tags, do not count.
        """
        return np.cumsum((self.tags.step != 0) & (self.tags.id != IDS["img"]))

    @property
    def line(self) -> Ints:
        """(n,) row of each block in `lines`.

        Raises:
            ConfigError: lines of the source were not recorded.
        """
        if self.lines is None:
            raise ConfigError("lines of the source are not known; cut the page with split: line")
        return line_of_tags(self.tags.id, self.lines)[self.tag]

    element = _of_core("element", "(n,) innermost element around the start of each block.")
    container = _of_core("container", "(n,) innermost block-level element around each block.")

    @_column
    def heading_level(self) -> Ints:
        """(n,) 1-6 inside h1-h6 (the highest of those around the block), else 0."""
        return core.array(self.batch.array("heading_level"), np.uint8).astype(np.int64)

    @cached_property
    def tokens(self) -> Tokens:
        """Tokens of all blocks."""
        return Tokens.of_batch(self.batch)

    words = _of_core("words", "(n,) word tokens of each block.")
    link_words = _of_core("link_words", "(n,) words of each block inside ``<a>``.")

    free_words = _of_core("free_words", "(n,) words of each block outside ``<a>``.")
    page_words = _of_core("page_words", "(P,) word tokens of each page.")
    head_signs = _of_core(
        "head_signs", "(P,) 0 to 2 sorts of sign in each head that the page is a thread of posts."
    )

    @_column
    def head_bits(self) -> Codes:
        """(P,) what each head has: `DECLARES_TEXTS` and the two signs of a thread."""
        return core.array(self.batch.array("head_bits"), np.uint8)

    @_column
    def block_of_segment(self) -> Ints:
        """(S,) block of each segment."""
        return np.repeat(np.arange(len(self)), np.diff(self.segment_starts))

    def elements_of(self, page: int) -> slice:
        """The elements of a page."""
        first, stop = [*self.page_roots[page : page + 2].tolist(), len(self.elements)][:2]
        return slice(first, stop)

    def tags_of(self, page: int) -> slice:
        """The tags of a page."""
        root = self.page_roots[page]
        return slice(int(self.elements.open[root]), int(self.elements.close[root]) + 1)

    segment_element = _of_core("segment_element", "(S,) innermost element around each segment.")

    @_column
    def segment_around(self) -> Hashes:
        """(2, S) names of the elements around each segment, as `Elements.around` has them."""
        return self.elements.around.take(self.segment_element, axis=1)

    segment_words = _of_core("segment_words", "(S,) word tokens that start in each segment.")
    page_of_element = _of_core("element_page", "(E,) page of each element.")
    outer = _of_core(
        "outer", "(E,) innermost block-level element around each element; a root's is the root."
    )
    element_words = _of_core("element_words", "(E,) words inside each element.")
    element_link_words = _of_core(
        "element_link_words", "(E,) words inside each element that stand in links."
    )

    @cached_property
    def class_numbers(self) -> Ints:
        """(B + 1,) number of the first class by bundle row, 0 for none; the last is for row -1.

        Equal classes have equal numbers in one batch only.

        Raises:
            FeatureError: the attribute ``class`` was not recorded.
        """
        self.attribute_column("class")
        return core.array(self.batch.array("class_numbers"), np.int64)

    @cached_property
    def names(self) -> Hashes:
        """(B + 1,) bits of the shipped groups of names by bundle row; the last is for row -1.

        `victor.page.names.name_groups.words` says which bit is of which group.

        Raises:
            FeatureError: an attribute that holds names was not recorded.
        """
        for name in ATTRIBUTES:
            self.attribute_column(name)
        return core.array(self.batch.array("names"), np.uint64)

    def ancestors(self, levels: int) -> Iterator[Ints]:
        """So many times (n,) block-level elements around each block, the container first.

        Above the root of a page comes the root again.
        """
        element = self.container
        for _ in range(levels):
            yield element
            element = self.outer[element]

    def blocks_inside(self, names: frozenset[str]) -> Bools:
        """(n,) is the block inside an element of one of the given names."""
        if not self.elements.have(names):
            return np.zeros(len(self), dtype=bool)
        chosen = np.flatnonzero(member_mask(names)[self.elements.tag])
        starts = np.searchsorted(self.tag, self.elements.open[chosen])
        stops = np.searchsorted(self.tag, self.elements.close[chosen])
        n_around = np.bincount(starts, minlength=len(self) + 1)
        n_around -= np.bincount(stops, minlength=len(self) + 1)
        return np.asarray(np.cumsum(n_around[:-1]) > 0)

    def segments_inside(self, names: frozenset[str]) -> Bools:
        """(S,) is the segment inside an element of one of the given names."""
        return _any_of(names, self.segment_around)

    def nearest(self, names: frozenset[str], tags: Ints) -> Ints:
        """Innermost open element of the given names after each tag ordinal; -1 where none is."""
        return self.elements.innermost(names)[self.tags.element[tags]]

    def words_inside(self, *names: str) -> Ints:
        """(n,) words of each block that stand inside an element of one of the given names."""
        inside = self.segments_inside(frozenset(names))
        return self.sum_segments(self.segment_words * inside)

    def sum_segments(self, values: Ints) -> Ints:
        """(n,) sums of integers given per segment."""
        return window_sums(values, self.segment_starts)

    def sum_elements(self, values: Ints) -> Ints:
        """(E,) sums over the segments inside each element of integers given per segment."""
        at_tag = np.zeros(len(self.tags.id) + 1, dtype=np.int64)
        at_tag[self.segments.tag + 1] = values
        total = np.cumsum(at_tag)
        return total[self.elements.close] - total[self.elements.open]


def table_of(
    batch: Any,  # noqa: ANN401  (of the core)
    split: Split,
    makers: Mapping[str, Callable[[], object]] = _NO_MAKERS,
    **others: object,
) -> BlockTable:
    """The table of a batch of the core.

    Args:
        batch: what was read.
        split: where blocks end.
        makers: of fields that are made when they are first asked for: those of most pages are not.
        others: fields of `BlockTable`.
    """
    parts = {
        "segments": partial(Segments.of_batch, batch),
        "tags": partial(TagStream.of_batch, batch),
        "elements": partial(Elements.of_batch, batch),
    }
    return BlockTable.of_batch(batch, split=split, _makers={**parts, **makers}, **others)


def some_pages(table: BlockTable, pages: Sequence[int]) -> BlockTable:
    """The table of some pages, in this order; lines of their sources are left out."""
    if [*pages] == [*range(table.n_pages)] and table.lines is None:
        return table
    return table_of(
        table.batch.pages(np.array(pages, dtype=np.int64)), table.split,
        attributes=table.attributes, bundles=table.bundles,
        heads=Heads(table.heads.__getitem__, pages), lines=None, allowances=table.allowances,
    )  # fmt: skip


def line_of_tags(tag_id: Ints, lines: SourceLines) -> Ints:
    """(T,) line of the source that the text after each tag is of.

    A line tag follows the start of every page, before which there is no text.
    """
    n_line_tags = np.cumsum(tag_id == IDS[LINE])
    return np.asarray(np.append(0, lines.of_tag)[n_line_tags])


def _any_of(names: frozenset[str], around: Hashes) -> Bools:
    """(m,) is one of the names among those that (2, m) bits tell."""
    first, second = _bits(names)
    if not second:
        return np.asarray(around[0] & first != 0)
    if not first:
        return np.asarray(around[1] & second != 0)
    return np.asarray((around[0] & first | around[1] & second) != 0)


@cache
def _bit_mask(names: frozenset[str]) -> int:
    """One bit per tag id of the given names."""
    return sum(1 << number for number in np.flatnonzero(member_mask(names)).tolist())


@cache
def _bits(names: frozenset[str]) -> Hashes:
    """(2,) one bit per tag id of the given names."""
    ids = np.flatnonzero(member_mask(names)).astype(np.uint64)
    bits = np.zeros(2, dtype=np.uint64)
    np.bitwise_or.at(bits, ids >> np.uint64(6), np.uint64(1) << (ids & np.uint64(63)))
    return bits


NEARLY_EMPTY: Final = 300
"""Fewer characters of visible text are nearly nothing, some fifty words.

The scripts of such a page are searched for its content (`victor.page.markup.embedded`). Between 300
and 2,000 characters, what is visible was better on nine of eleven development pages.
"""


HIDING: Final = ("style", "hidden", "aria-hidden")  # the attributes that say it
_HIDDEN: Final = frozenset({"noscript", "dialog"})
_WHOLE_PAGE: Final = frozenset({"html", "body"})
"""Hidden until a script has run; then they show everything."""
HIDING_ROLES: Final = roles_of(_HIDDEN, _WHOLE_PAGE)
"""What tags are to what hides, as core/kinds/copies.c has it."""


def hidden_elements(table: BlockTable) -> Bools:
    """(E,) bool; does nobody see an element, by the attributes that the table has, or by its tag.

    These are `hidden`, `aria-hidden=true` and a style: ``display: none``, ``visibility: hidden`` or
    far off the screen. What stands in such an element is hidden, too.
    """
    memory = core.compiled.judge("hidden", table.batch, (HIDING_ROLES,))
    return core.array(memory, np.bool_)
