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

from victor.base.arrays import Floats, Hashes, Ints
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
_TYPES: Final = ("article", "website", "product", "video")
_LEVELS: Final = (0.3, 0.5, 0.7, 0.9)
_TELLING: Final = (1, 5, 15)
"""Words of blocks whose highest probability is a measure."""
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


def quick_measures(table: BlockTable, marginals: Floats) -> Floats:
    """(P, Q) measures but for those of names, which take as long as all others together."""
    parts = (_of_blocks(table), _of_elements(table), _of_heads(table))
    return np.concatenate([*parts, _of_marginals(table, marginals)], axis=1)


def measured(tables: Sequence[BlockTable], marginals: Floats) -> Floats:
    """(P, M) measures of the pages of several tables, given the marginals of all their blocks."""
    ends = np.cumsum([len(table) for table in tables])[:-1]
    parts = zip(tables, np.split(marginals, ends), strict=True)
    return np.concatenate([page_measures(table, own_marginals) for table, own_marginals in parts])


def _sums(table: BlockTable, values: Floats) -> Floats:
    """(P, k) sums over the blocks of each page, given (k, n)."""
    return _reduced(np.add, table, values)


def _highest(table: BlockTable, values: Floats) -> Floats:
    """(P, k) largest values of the blocks of each page, 0 without a block, given (k, n)."""
    return _reduced(np.maximum, table, values)


def _reduced(operation: np.ufunc, table: BlockTable, values: Floats) -> Floats:
    result = np.zeros((table.n_pages, len(values)))
    has_blocks = np.diff(table.page_starts) > 0
    if has_blocks.any():
        starts = table.page_starts[:-1][has_blocks]
        result[has_blocks] = operation.reduceat(values, starts, axis=1).T
    return result


def _of_blocks(table: BlockTable) -> Floats:
    words, free = table.words, table.free_words
    heading, has_words = table.heading_level > 0, table.words > 0
    columns = [words, has_words, words - free, has_words & (free == 0)]
    columns += [words * heading, heading & has_words, heading & (words > free)]
    for size in _LONG:
        columns += [free * (free >= size), free >= size]
    sums = _sums(table, np.array(columns, dtype=np.float64))
    n_words, n_blocks = np.maximum(sums[:, 0], 1), np.maximum(sums[:, 1], 1)
    longest = _highest(table, np.array([free], dtype=np.float64))[:, 0]
    long = sums[:, 7:]
    long[:, 0::2] /= n_words[:, None]
    long[:, 1::2] = np.log1p(long[:, 1::2])
    return np.column_stack([
        np.log1p(sums[:, 0]), np.log1p(sums[:, 1]), sums[:, 2] / n_words, sums[:, 3] / n_blocks,
        np.log1p(longest), sums[:, 4] / n_words, sums[:, 5] / n_blocks,
        sums[:, 6] / np.maximum(sums[:, 5], 1), long,
    ])  # fmt: skip


def _of_elements(table: BlockTable) -> Floats:
    tag_ids, n_pages = table.tags.id, table.n_pages
    first_tag = table.elements.open[table.page_roots]
    row = np.repeat(np.arange(n_pages) * _MOST_IDS, np.diff(first_tag, append=len(tag_ids)))
    cells = np.bincount(row + tag_ids, minlength=n_pages * _MOST_IDS)
    # Start and end tags both count, for void elements have only one of them.
    return np.log1p(cells.reshape(n_pages, _MOST_IDS)[:, [IDS[tag] for tag in _TAGS]])


def _of_heads(table: BlockTable) -> Floats:
    heads = [*table.heads]
    declared = np.array([_declared(head) for head in heads], dtype=np.float64)
    counts = declared.reshape(table.n_pages, len(_TYPES) + 6)
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


def _of_marginals(table: BlockTable, marginals: Floats) -> Floats:
    words = table.words.astype(np.float64)
    keep = np.where(words > 0, 1 - marginals[:, OTHER], 0.0)
    kept = keep * words
    columns = [kept, keep * table.free_words, marginals[:, HEADER] * words, keep]
    columns += [keep * kept, *(words * (keep >= level) for level in _LEVELS)]
    sums = _sums(table, np.array(columns))
    n_kept = np.maximum(sums[:, 0], 1)
    highest = _highest(table, np.array([keep * (words >= least) for least in _TELLING]))
    return np.column_stack([
        np.log1p(sums[:, 0]), sums[:, 0] / np.maximum(table.page_words, 1), sums[:, 1] / n_kept,
        sums[:, 2] / n_kept, np.log1p(sums[:, 3]), sums[:, 4] / n_kept, np.log1p(sums[:, 5:]),
        highest,
    ])  # fmt: skip
