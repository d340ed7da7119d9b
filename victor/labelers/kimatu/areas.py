"""Areas: text elements of the same appearance that lie near each other, and their relevance.

The blocks of the paper (Saralegi and Leturia) are called areas here, and its text elements are the
blocks of the table. Four ratios of an area make its relevance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Hashes, Ints, window_sums
from victor.base.lazy import cached_property
from victor.config.schema import Count, Flat, Limits, NonNegative, Positive, Share
from victor.page.parsing import characters as ch
from victor.page.parsing.tags import NAMES, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN

_AtLeastThree = Annotated[int, Meta(ge=3)]


class Settings(Flat, frozen=True):
    """The schema of ``configs/kimatu.yaml``."""

    labeler: Literal["kimatu"] = "kimatu"
    areas_near: Count = 0
    ratios_average_cap: Positive = 400.0
    ratios_marks_per_word: Positive = 0.05
    ratios_links_per_element: Positive = 5.0
    weights_length: NonNegative = 0.5
    weights_average: NonNegative = 0.5
    weights_punctuation: NonNegative = 1.0
    weights_links: NonNegative = 1.0
    sure: float = 0.32
    functions_words: NonNegative = 10.0
    functions_elements: Annotated[int, Meta(ge=2)] = 3
    functions_common: Share = 0.5
    functions_shared: Share = 0.5
    quotes_similarity: Share = 0.8
    quotes_most: Share = 0.5
    quotes_words: _AtLeastThree = 5
    quotes_word_cap: _AtLeastThree = 300
    quotes_pair_cap: Count = 1000
    rescue_near: Annotated[int, Meta(ge=0, le=1000)] = 100
    rescue_relevance: float = 0.1
    far_times: Positive = 4.0
    far_relevance: float = 0.5
    references_reach: Count = 2
    references_relevance: float = -1.0
    limits: Limits = Limits()


LOOKS: Final = ("class", "style", "align", "bgcolor", "color", "face", "size")
"""Attributes that affect appearance; the class comes first."""
_TAGS: Final = frozenset(
    "a abbr address b big blockquote button caption center cite code dd dt em figcaption font h1 "
    "h2 h3 h4 h5 h6 i kbd label legend li listing mark pre q s samp small strike strong sub sup "
    "summary td th tt u".split()
)
"""Tags that affect appearance."""
_DIGITS: Final = re.compile(r"\d+")
_MIXER: Final = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas of a batch of pages by their first block; A areas of n blocks, L looks."""

    area: Ints  # (n,) int64 area of each block
    look: Ints  # (A,) int64 number of the appearance, 0 to L - 1; those of two pages differ
    first: Ints  # (A,) int64 first block
    last: Ints  # (A,) int64 last block; blocks of other areas may lie between
    page: Ints  # (A,) int64 page

    def __len__(self) -> int:
        return len(self.look)

    @cached_property
    def block_look(self) -> Ints:
        """(n,) appearance of each block."""
        return self.look[self.area]

    @cached_property
    def n_looks(self) -> int:
        """Number of appearances."""
        return int(self.look.max(initial=-1)) + 1

    def sums(self, values: NDArray[np.generic]) -> Floats:
        """(A,) sums of numbers given per block."""
        return np.bincount(self.area, weights=values, minlength=len(self)).astype(np.float64)

    def page_maxima(self, values: Floats) -> Floats:
        """(A,) the maximum on the page of each area of positive numbers given per area."""
        maxima = np.zeros(int(self.page.max(initial=-1)) + 1)
        np.maximum.at(maxima, self.page, values)
        return maxima[self.page]


def group(look: Ints, page: Ints, near: int) -> Areas:
    """Areas of blocks with the same appearance.

    Args:
        look: (n,) int64 number of the appearance, from 0 and different on every page.
        page: (n,) int64 page of each block.
        near: most other blocks between two consecutive ones of an area.
    """
    order = np.argsort(look, kind="stable")
    new = (np.diff(look[order], prepend=-1) != 0) | (np.diff(order, prepend=-1) > near + 1)
    starts = np.flatnonzero(new)
    ends = np.append(starts, len(order))[1:]
    first = order[starts]
    rank = np.empty(len(starts), dtype=np.int64)
    by_first = np.argsort(first)
    rank[by_first] = np.arange(len(starts))
    area = np.empty(len(look), dtype=np.int64)
    area[order] = np.repeat(rank, ends - starts)
    first = first[by_first]
    return Areas(area, look[first], first, order[ends - 1][by_first], page[first])


def looks(table: BlockTable) -> Ints:
    """(n,) int64 number of each block's appearance, from 0 and different on every page.

    Two blocks look alike if their own elements have the same class. Without a class of its own a
    block looks like those with the same class around them and the same tags and attributes inside
    that affect appearance. All numbers in class names count as equal: they distinguish posts, not
    appearances.
    """
    classes = _class_numbers(table)[table.elements.bundle]
    of_class = classes[table.container]
    appearance = np.where(
        of_class > 0,
        of_class.astype(np.uint64) * GOLDEN,
        _appearances(table, classes)[_around(table)],
    )
    _, numbers = np.unique(appearance + table.page.astype(np.uint64) * _MIXER, return_inverse=True)
    return np.asarray(numbers, dtype=np.int64)


def _around(table: BlockTable) -> Ints:
    """(n,) the innermost element around each block if all of it is inside, else its container."""
    element = table.element
    return np.where(table.elements.close[element] > table.last_tag, element, table.container)


def _appearances(table: BlockTable, classes: Ints) -> Hashes:
    """(E,) hash of how text in each element looks.

    Every element maps the hash of its parent x to f x + a: f is 0 where a class makes everything
    around it irrelevant, and 1 with a = 0 where the element does not affect appearance. Pointer
    doubling composes the maps with those of ever further ancestors.
    """
    elements = table.elements
    factor, addend = _maps(table, classes)
    above = elements.parent
    for _ in range(int(elements.depth.max(initial=0)).bit_length()):
        addend = factor * addend[above] + addend
        factor = factor * factor[above]
        above = above[above]
    return addend


def _maps(table: BlockTable, classes: Ints) -> tuple[Hashes, Hashes]:
    """(E,) factors and addends of every element."""
    elements = table.elements
    tag = np.where(member_mask(_TAGS)[elements.tag], elements.tag + 1, 0)
    bundle = np.where(classes > 0, 0, elements.bundle + 1)
    code = (classes * (len(table.bundles) + 2) + bundle) * (len(NAMES) + 1) + tag
    addend = code.astype(np.uint64) * _MIXER
    addend ^= addend >> np.uint64(29)
    factor = np.where(code > 0, GOLDEN, np.uint64(1))
    factor[(classes > 0) | (elements.depth == 0)] = 0
    return factor, addend


def _class_numbers(table: BlockTable) -> Ints:
    """(B + 1,) number of each bundle's class, 0 for none; the last one stands for no bundle."""
    class_number = {"": 0}
    values = table.attribute(LOOKS[0])
    classes = {value: _DIGITS.sub("0", " ".join((value or "").split())) for value in set(values)}
    numbers = (class_number.setdefault(classes[value], len(class_number)) for value in values)
    return np.array([*numbers, 0], dtype=np.int64)


_LINKS: Final = frozenset({"a"})


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts of each of n blocks."""

    characters: Ints  # (n,) int64 visible characters and single spaces
    words: Ints  # (n,) int64 words
    marks: Ints  # (n,) int64 punctuation marks at phrase boundaries
    links: Ints  # (n,) int64 links that contain some of the text


@dataclass(frozen=True, eq=False)
class Ratios:
    """The ratios of A areas, each (A,) float64 in 0..1."""

    length: Floats  # characters over those of the page's largest area
    average: Floats  # characters per element over the highest of the page, which is capped
    punctuation: Floats  # phrase-boundary marks per word over a constant
    links: Floats  # links per element over a constant


def count(table: BlockTable) -> Counts:
    """The counts of every block that the ratios need."""
    return Counts(
        characters=table.end - table.start,
        words=table.words,
        marks=window_sums(phrase_marks(table), np.append(table.start, len(table.chars))),
        links=_links(table),
    )


def phrase_marks(table: BlockTable) -> Bools:
    """(N,) bool; is each character a punctuation mark that ends a phrase.

    A mark before a word character is none (times, decimal numbers, addresses, acronyms), nor is a
    full stop after a single letter (acronyms, initials); of several in a row only the last is one.
    """
    classes = ch.class_table()[table.chars]
    marks = (classes == ch.SENTENCE_END) | (classes == ch.PUNCTUATION)
    letters = (classes >= ch.LOWER) & (classes <= ch.CASELESS)
    follows = np.append(classes[1:], ch.SPACE)[: len(classes)]
    follows[table.end - 1] = ch.SPACE
    goes_on = (follows >= ch.LOWER) & (follows <= ch.OTHER_WORD)
    goes_on |= (follows == ch.SENTENCE_END) | (follows == ch.PUNCTUATION)
    is_stop = table.chars == ord(".")
    return np.asarray(marks & ~goes_on & ~(_after_single(letters, table.start) & is_stop))


def _after_single(letters: Bools, starts: Ints) -> Bools:
    """(N,) is exactly one letter before each position, in the same block."""
    before = np.zeros(len(letters) + 2, dtype=bool)
    before[2:] = letters
    opens = np.zeros(len(letters), dtype=bool)
    opens[starts] = True
    second = before[:-2].copy()
    second[1:] &= ~opens[:-1]
    return np.asarray(before[1:-1] & ~second & ~opens)


def _links(table: BlockTable) -> Ints:
    link = table.nearest(_LINKS, table.segments.tag)
    new = (link >= 0) & (np.diff(link, prepend=-1) != 0)
    new[table.segment_starts[:-1]] = link[table.segment_starts[:-1]] >= 0
    return table.sum_segments(new.astype(np.int64))


def ratios(per_block: Counts, areas: Areas, settings: Settings) -> Ratios:
    """The ratios of every area."""
    elements = areas.sums(np.ones(len(areas.area)))
    characters = areas.sums(per_block.characters)
    averages = characters / elements
    marks_per_word = areas.sums(per_block.marks) / np.maximum(areas.sums(per_block.words), 1)
    links_per_element = areas.sums(per_block.links) / elements
    return Ratios(
        length=characters / areas.page_maxima(characters),
        average=_average_ratio(averages, areas.page_maxima(averages), settings),
        punctuation=np.minimum(marks_per_word / settings.ratios_marks_per_word, 1.0),
        links=np.minimum(links_per_element / settings.ratios_links_per_element, 1.0),
    )


def _average_ratio(averages: Floats, highest: Floats, settings: Settings) -> Floats:
    """(A,) average element lengths over the highest ones, which are capped; at most 1."""
    return np.minimum(averages / np.minimum(highest, settings.ratios_average_cap), 1.0)


def relevance(of_areas: Ratios, settings: Settings) -> Floats:
    """(A,) length and average length, less link density and lack of marks."""
    return np.asarray(
        settings.weights_length * of_areas.length
        + settings.weights_average * of_areas.average
        - settings.weights_punctuation * (1.0 - of_areas.punctuation)
        - settings.weights_links * of_areas.links
    )


def within_look(
    of_areas: Ratios, characters: Ints, areas: Areas, references: Bools, settings: Settings
) -> Ratios:
    """The ratios with both sizes taken against reference areas of the same appearance.

    The paper sets this ratio, "with respect to the reference blocks of the same class", against
    the global one, whose sizes are taken against the largest of the page. They are 0 where an
    appearance has no reference.

    Args:
        of_areas: the global ratios; those of punctuation and links hold here too.
        characters: (n,) of each block.
        areas: the areas of the blocks.
        references: (A,) bool; the reference areas.
        settings: the constants.
    """
    lengths = areas.sums(characters)
    averages = lengths / areas.sums(np.ones(len(areas.area)))
    longest = _look_maxima(lengths, areas, references)
    highest = _look_maxima(averages, areas, references)
    return replace(
        of_areas,
        length=np.minimum(lengths / longest, 1.0),
        average=_average_ratio(averages, highest, settings) * (highest < np.inf),
    )


def _look_maxima(values: Floats, areas: Areas, references: Bools) -> Floats:
    """(A,) maximum over the references of each area's appearance, infinite if there are none."""
    maxima = np.zeros(areas.n_looks)
    np.maximum.at(maxima, areas.look[references], values[references])
    maxima[maxima == 0] = np.inf
    return maxima[areas.look]
