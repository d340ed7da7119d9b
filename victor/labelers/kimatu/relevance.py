"""The four ratios of an area and its relevance (Saralegi and Leturia)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, window_sums
from victor.labelers.kimatu.areas import Areas
from victor.labelers.kimatu.settings import Settings
from victor.page.parsing import characters as ch
from victor.page.table.blocks import BlockTable

_LINKS: Final = frozenset({"a"})


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts of each of n blocks.

    Attributes:
        characters: (n,) int64 visible characters and single spaces.
        words: (n,) int64 words.
        marks: (n,) int64 punctuation marks at phrase boundaries.
        links: (n,) int64 links that contain some of the text.
    """

    characters: Ints
    words: Ints
    marks: Ints
    links: Ints


@dataclass(frozen=True, eq=False)
class Ratios:
    """The ratios of A areas, each (A,) float64 in 0..1.

    Attributes:
        length: characters over those of the page's largest area.
        average: characters per element over the highest of the page, which is capped.
        punctuation: phrase-boundary marks per word over a constant.
        links: links per element over a constant.
    """

    length: Floats
    average: Floats
    punctuation: Floats
    links: Floats


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
    """(n,) number of links that contain some of each block's text."""
    link = table.nearest(_LINKS, table.segments.tag)
    new = (link >= 0) & (np.diff(link, prepend=-1) != 0)
    new[table.segment_starts[:-1]] = link[table.segment_starts[:-1]] >= 0
    return table.sum_segments(new.astype(np.int64))


def ratios(per_block: Counts, areas: Areas, settings: Settings) -> Ratios:
    """The four ratios of every area.

    Args:
        per_block: counts per block.
        areas: the areas of the blocks.
        settings: the constants of the ratios.
    """
    constants = settings.ratios
    elements = areas.sums(np.ones(len(areas.area)))
    characters = areas.sums(per_block.characters)
    averages = characters / elements
    marks_per_word = areas.sums(per_block.marks) / np.maximum(areas.sums(per_block.words), 1)
    links_per_element = areas.sums(per_block.links) / elements
    return Ratios(
        length=characters / areas.page_maxima(characters),
        average=_average_ratio(averages, areas.page_maxima(averages), settings),
        punctuation=np.minimum(marks_per_word / constants.marks_per_word, 1.0),
        links=np.minimum(links_per_element / constants.links_per_element, 1.0),
    )


def _average_ratio(averages: Floats, highest: Floats, settings: Settings) -> Floats:
    """(A,) average element lengths over the highest ones, which are capped; at most 1."""
    return np.minimum(averages / np.minimum(highest, settings.ratios.average_cap), 1.0)


def relevance(of_areas: Ratios, settings: Settings) -> Floats:
    """(A,) length and average length, less the lack of punctuation and the link density."""
    weights = settings.weights
    return np.asarray(
        weights.length * of_areas.length
        + weights.average * of_areas.average
        - weights.punctuation * (1.0 - of_areas.punctuation)
        - weights.links * of_areas.links
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


def character_share(chosen: Bools, characters: Ints, areas: Areas) -> Floats:
    """(A,) share of an area's characters that are in some of its blocks.

    Args:
        chosen: (n,) bool; those blocks.
        characters: (n,) of each block.
        areas: the areas of the blocks.
    """
    return areas.sums(np.where(chosen, characters, 0)) / areas.sums(characters)
