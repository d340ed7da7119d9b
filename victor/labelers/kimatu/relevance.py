"""The four ratios of an area and its relevance (Saralegi and Leturia)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.arrays import Bools, Floats, Ints
from victor.labelers.kimatu.areas import Areas, counts, page_maxima
from victor.labelers.kimatu.settings import Settings
from victor.page import characters as ch
from victor.page.blocks import BlockTable

_LINKS: Final = frozenset({"a"})


@dataclass(frozen=True, eq=False)
class Counts:
    """What is counted in each of n blocks.

    Attributes:
        characters: (n,) int64 visible characters and single spaces.
        words: (n,) int64 words.
        marks: (n,) int64 punctuation marks at phrase boundaries.
        links: (n,) int64 links that hold some of the text.
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
    """Count in every block what the ratios need."""
    return Counts(
        characters=table.end - table.start,
        words=table.words,
        marks=counts(table, np.flatnonzero(phrase_marks(table))),
        links=_links(table),
    )


def phrase_marks(table: BlockTable) -> Bools:
    """(N,) bool; is each character a punctuation mark that ends a phrase.

    A mark before a word character is none (times, decimal numbers, addresses, inside acronyms),
    nor is a full stop after a single letter (acronyms, initials); of several in a row it is the
    last.
    """
    classes = ch.class_table()[table.chars]
    marks = (classes == ch.SENTENCE_END) | (classes == ch.PUNCTUATION)
    letters = (classes >= ch.LOWER) & (classes <= ch.CASELESS)
    follows = np.append(classes[1:], ch.SPACE)[: len(classes)]
    follows[table.end - 1] = ch.SPACE
    goes_on = (follows >= ch.LOWER) & (follows <= ch.OTHER_WORD)
    goes_on |= (follows == ch.SENTENCE_END) | (follows == ch.PUNCTUATION)
    return np.asarray(marks & ~goes_on & ~(_after_single(letters, table.start) & _stops(table)))


def _after_single(letters: Bools, starts: Ints) -> Bools:
    """(N,) does a letter stand before each place and none before that, in the same block."""
    before = np.zeros(len(letters) + 2, dtype=bool)
    before[2:] = letters
    opens = np.zeros(len(letters), dtype=bool)
    opens[starts] = True
    second = before[:-2].copy()
    second[1:] &= ~opens[:-1]
    return np.asarray(before[1:-1] & ~second & ~opens)


def _stops(table: BlockTable) -> Bools:
    return np.asarray(table.chars == ord("."))


def _links(table: BlockTable) -> Ints:
    """(n,) how many links hold some of each block's text."""
    link = table.nearest(_LINKS, table.segments.tag)
    new = (link >= 0) & (np.diff(link, prepend=-1) != 0)
    new[table.segment_starts[:-1]] = link[table.segment_starts[:-1]] >= 0
    return table.sum_segments(new.astype(np.int64))


def ratios(block_counts: Counts, areas: Areas, settings: Settings) -> Ratios:
    """The four ratios of every area.

    Args:
        block_counts: counts per block.
        areas: which blocks make an area.
        settings: the constants of the ratios.
    """
    constants = settings.ratios
    n_pages = int(areas.page.max(initial=-1)) + 1
    elements = areas.sums(np.ones(len(areas.area)))
    characters = areas.sums(block_counts.characters)
    average = characters / elements
    largest = page_maxima(characters, areas.page, n_pages)
    highest = np.minimum(page_maxima(average, areas.page, n_pages), constants.average_cap)
    marks_per_word = areas.sums(block_counts.marks) / np.maximum(areas.sums(block_counts.words), 1)
    links_per_element = areas.sums(block_counts.links) / elements
    return Ratios(
        length=characters / largest[areas.page],
        average=np.minimum(average / highest[areas.page], 1.0),
        punctuation=np.minimum(marks_per_word / constants.marks_per_word, 1.0),
        links=np.minimum(links_per_element / constants.links_per_element, 1.0),
    )


def relevance(area_ratios: Ratios, settings: Settings) -> Floats:
    """(A,) length and average length, less the lack of punctuation and the link density."""
    weights = settings.weights
    return np.asarray(
        weights.length * area_ratios.length
        + weights.average * area_ratios.average
        - weights.punctuation * (1.0 - area_ratios.punctuation)
        - weights.links * area_ratios.links
    )
