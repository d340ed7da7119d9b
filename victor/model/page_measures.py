"""Measures of whole pages, for the page head: what a page has, and what the chain says of it.

They read the block table and the marginals of the chain, and nothing that only scripts say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Hashes, Ints, span_indices
from victor.base.labels import HEADER, OTHER
from victor.config import compiled
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE, NameGroups
from victor.page.parsing.heads import Head
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable

NAMES: Final = Path(__file__).with_name("page_names.yaml")
_LONG: Final = (10, 25, 50)
"""Words outside links that make a block a long one."""
_TAGS: Final = (
    "p", "li", "td", "img", "input", "form", "h1", "h2", "h3", "a", "article", "button", "select",
    "pre", "code", "br", "hr", "time", "table", "font", "dl", "ol", "figure",
)  # fmt: skip
_TAG_IDS: Final = [IDS[tag] for tag in _TAGS]
_TYPES: Final = ("article", "website", "product", "video")
_LEVELS: Final = (0.3, 0.5, 0.7, 0.9)
_TELLING: Final = (1, 5, 15)
"""Words of blocks whose highest probability is a measure."""
_N_LOGS, _N_SUMS = 11, 22
"""Sums over the blocks of a page, and those that logarithms are taken of, the first ones."""
_PARTS: Final = [11, 12, 13, 14, 15, 16, 17, 18, 5, 19, 20, 21]
_OF: Final = [0, 1, 0, 1, 14, 0, 0, 0, 0, 5, 5, 5]
"""Sums of which a measure is the share, and what they are a share of."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_DIGIT: Final = re.compile(r"\d")
_SCHEME: Final = re.compile(r"https?://[^/]*")
_MOST_IDS: Final = 128
_LONGEST_TEXT: Final = 500
"""Characters of a title or an address that are read."""


@cache
def measure_names(*, quick: bool = False) -> tuple[str, ...]:
    """Names of the M measures in order, or of the Q quick ones, which come first."""
    groups = compiled.read(NAMES)
    of_pages = (
        "words", "blocks", "link-share", "linked-blocks", "longest", "heading-words",
        "heading-blocks", "linked-headings",
        *(f"long-{size}.{what}" for size in _LONG for what in ("words", "count")),
        *(f"count.{tag}" for tag in _TAGS),
        *(f"declared.{kind}" for kind in _TYPES),
        "title-words", "address-depth", "address-digits", "described", "addressed", "front-address",
        *(f"said.{group}" for group in groups),
        "kept", "kept-share", "kept-outside-links", "kept-headers", "kept-blocks", "mean-kept",
        *(f"kept-over-{level:g}" for level in _LEVELS),
        *(f"highest-{words}" for words in _TELLING),
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
    return np.concatenate([quick_measures(table, marginals), name_measures(table)], axis=1)


def quick_measures(table: BlockTable, marginals: Floats, pages: Ints | None = None) -> Floats:
    """(P, Q) measures but for those of names, which take as long as all others together.

    Args:
        table: the blocks, as of `page_measures`.
        marginals: (n, 3) float64 of them.
        pages: (P,) which pages; None for all.
    """
    pages = np.arange(table.n_pages) if pages is None else pages
    sums, highest = _of_blocks(table, marginals, pages)
    shares = sums[:, _PARTS] / np.maximum(sums[:, _OF], 1)
    logs = np.log1p(sums[:, :_N_LOGS]), np.log1p(highest[:, :1])
    of_heads = _of_heads([table.heads[page] for page in pages.tolist()])
    parts = (*logs, shares, highest[:, 1:], _of_elements(table, pages), of_heads)
    return np.concatenate(parts, axis=1)[:, _order()]


@cache
def _order() -> Ints:
    """(Q,) where each measure is among those of blocks, of elements and of heads."""
    names = measure_names(quick=True)
    of_blocks = (
        "words", "blocks", *(f"long-{size}.count" for size in _LONG), "kept", "kept-blocks",
        *(f"kept-over-{level:g}" for level in _LEVELS), "longest",
        "link-share", "linked-blocks", "heading-words", "heading-blocks", "linked-headings",
        *(f"long-{size}.words" for size in _LONG), "kept-share", "kept-outside-links",
        "kept-headers", "mean-kept", *(f"highest-{words}" for words in _TELLING),
    )  # fmt: skip
    made = (*of_blocks, *(name for name in names if name not in of_blocks))
    return np.array([made.index(name) for name in names])


def measured(tables: Sequence[BlockTable], marginals: Floats) -> Floats:
    """(P, M) measures of the pages of several tables, given the marginals of all their blocks."""
    ends = np.cumsum([len(table) for table in tables])[:-1]
    parts = zip(tables, np.split(marginals, ends), strict=True)
    return np.concatenate([page_measures(table, own_marginals) for table, own_marginals in parts])


def _of_blocks(table: BlockTable, marginals: Floats, pages: Ints) -> tuple[Floats, Floats]:
    """(P, 22) sums over the blocks of some pages and (P, 4) largest values, 0 without a block."""
    lengths = table.page_starts[pages + 1] - table.page_starts[pages]
    rows = span_indices(table.page_starts[pages], lengths)
    words, free, p_header, p_other = (column[rows] for column in (
        table.words, table.free_words, marginals[:, HEADER], marginals[:, OTHER]))  # fmt: skip
    has_words, heading = words > 0, table.heading_level[rows] > 0
    keep = np.where(has_words, 1 - p_other, 0.0)
    is_long, kept = free >= np.array(_LONG)[:, None], keep * words
    over, telling = np.array(_LEVELS)[:, None], np.array(_TELLING)[:, None]
    linked, headings = has_words & (free == 0), (heading & has_words, heading & (words > free))
    values = np.vstack([
        words, has_words, is_long, kept, keep, words * (keep >= over), words - free, linked,
        words * heading, *headings, free * is_long, keep * free, p_header * words, keep * kept,
        free, keep * (words >= telling),
    ])  # fmt: skip
    starts, has_blocks = np.cumsum(lengths) - lengths, lengths > 0
    result = np.zeros((len(pages), len(values)))
    if len(rows):
        starts = starts[has_blocks]
        sums = np.add.reduceat(values[:_N_SUMS], starts, axis=1)
        highest = np.maximum.reduceat(values[_N_SUMS:], starts, axis=1)
        result[has_blocks] = np.concatenate([sums, highest]).T
    return result[:, :_N_SUMS], result[:, _N_SUMS:]


def _of_elements(table: BlockTable, pages: Ints) -> Floats:
    starts = np.append(table.elements.open[table.page_roots], len(table.tags.id)).tolist()
    # Start and end tags both count, for void elements have only one of them.
    tags = (table.tags.id[starts[page] : starts[page + 1]] for page in pages.tolist())
    counts = [np.bincount(ids, minlength=_MOST_IDS)[_TAG_IDS] for ids in tags]
    return np.log1p(np.array(counts, dtype=np.float64).reshape(len(pages), len(_TAGS)))


def _of_heads(heads: Sequence[Head]) -> Floats:
    declared = np.array([_declared(head) for head in heads], dtype=np.float64)
    counts = declared.reshape(len(heads), len(_TYPES) + 6)
    counts[:, len(_TYPES) : len(_TYPES) + 3] = np.log1p(counts[:, len(_TYPES) : len(_TYPES) + 3])
    said = np.array([_said(head) for head in heads], dtype=np.uint64)
    return np.concatenate([counts, _flags(said)], axis=1)


def _declared(head: Head) -> tuple[float, ...]:
    """The type that a head says, and counts and flags of its title and address."""
    kind, path = head.meta.get("og:type", "").lower(), _path(head)
    return (
        *(name in kind for name in _TYPES),
        head.title[:_LONGEST_TEXT].count(" ") + bool(head.title),
        0 if path is None else len([part for part in path.split("/") if part]),
        0 if path is None else len(_DIGIT.findall(path)),
        "description" in head.meta or "og:description" in head.meta,
        path is not None,
        path is not None and not path.strip("/"),
    )


def _said(head: Head) -> int:
    """The bits of the groups of the words of a title and an address."""
    bit_of_word = _bit_of_word()
    bits = 0
    for word in _WORD.findall(f"{head.title[:_LONGEST_TEXT]} {_path(head) or ''}".lower()):
        bits |= bit_of_word.get(word, 0)
    return bits


def _path(head: Head) -> str | None:
    """The path of the address that a page declares, with its query; None if it declares none."""
    address = (head.canonical or head.meta.get("og:url", "")).strip()[:_LONGEST_TEXT]
    return _SCHEME.sub("", address, count=1) if address else None


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
    return tuple(map(tuple, compiled.read(NAMES).values()))


@cache
def _names() -> NameGroups:
    return NameGroups(_groups())


@cache
def _bit_of_word() -> dict[str, int]:
    bits: dict[str, int] = {}
    for number, word in chain.from_iterable(
        ((number, word) for word in words) for number, words in enumerate(_groups())
    ):
        bits[word] = bits.get(word, 0) | 1 << number
    return bits
