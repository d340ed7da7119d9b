"""Measures of whole pages, for the page head: what a page has, and what the chain says of it.

They read the block table and the marginals of the chain, and nothing that only scripts say.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Hashes, Ints
from victor.base.labels import Label
from victor.config import compiled
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE, NameGroups
from victor.page.parsing.heads import Head
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable

NAMES: Final = Path(__file__).with_name("page_names.yaml")
_LONG: Final = (10, 25, 50)
"""Words outside links that make a block a long one."""
_TAGS: Final = (
    "p", "li", "td", "tr", "img", "input", "button", "select", "form", "h1", "h2", "h3", "h4",
    "article", "section", "pre", "code", "dl", "time", "table", "a", "label",
    "figure", "blockquote", "ul", "br", "hr", "center", "font",
)  # fmt: skip
_AROUND: Final = (
    "article", "main", "nav", "aside", "header", "footer", "form", "table", "ul", "ol", "pre",
    "blockquote", "figure", "p",
)  # fmt: skip
_TYPES: Final = ("article", "website", "product", "video")
_LEVELS: Final = (0.3, 0.5, 0.7, 0.9)
_TELLING: Final = (1, 5, 15)
"""Words of blocks whose highest probability is a measure."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_SCHEME: Final = re.compile(r"https?://[^/]*")
_MOST_IDS: Final = 128
_LONGEST_TEXT: Final = 500
"""Characters of a title or an address that are read."""


@cache
def measure_names() -> tuple[str, ...]:
    """Names of the M measures, in order."""
    groups = compiled.read(NAMES)
    return (
        "words", "blocks", "link-share", "linked-blocks", "longest", "heading-words",
        "heading-blocks", "linked-headings",
        *(f"long-{size}.{what}" for size in _LONG for what in ("words", "count")),
        *(f"count.{tag}" for tag in _TAGS),
        *(f"per-block.{tag}" for tag in _TAGS),
        *(f"inside.{tag}" for tag in _AROUND),
        *(f"declared.{kind}" for kind in _TYPES),
        "title-words", "described", "addressed", "address-depth", "address-digits", "front-address",
        *(f"{place}.{group}" for place in ("element", "body", "address") for group in groups),
        "kept", "kept-share", "kept-outside-links", "kept-headers", "kept-blocks", "mean-kept",
        *(f"kept-over-{level:g}" for level in _LEVELS),
        *(f"highest-{words}" for words in _TELLING),
    )  # fmt: skip


def page_measures(table: BlockTable, marginals: Floats) -> Floats:
    """Measure whole pages.

    Args:
        table: n blocks on P pages. Names of elements count only where they were recorded.
        marginals: (n, 3) float64, columns in the order of `victor.base.labels.Label`.

    Returns:
        (P, M) float64, a column for each of `measure_names`: shares, bits, or logarithms of counts.
        Those of a page are the same alone and in any batch.
    """
    parts = (_of_blocks(table), _of_elements(table), _of_heads(table), _of_names(table))
    return np.concatenate([*parts, _of_marginals(table, marginals)], axis=1)


def _sums(table: BlockTable, values: Floats) -> Floats:
    """(P, k) sums over the blocks of each page, given (n, k)."""
    sums = np.zeros((table.n_pages, values.shape[1]))
    has_blocks = np.diff(table.page_starts) > 0
    if has_blocks.any():
        sums[has_blocks] = np.add.reduceat(values, table.page_starts[:-1][has_blocks], axis=0)
    return sums


def _highest(table: BlockTable, values: Floats) -> Floats:
    """(P, k) largest values of the blocks of each page, 0 without a block, given (n, k)."""
    highest = np.zeros((table.n_pages, values.shape[1]))
    has_blocks = np.diff(table.page_starts) > 0
    if has_blocks.any():
        highest[has_blocks] = np.maximum.reduceat(
            values, table.page_starts[:-1][has_blocks], axis=0
        )
    return highest


def _of_blocks(table: BlockTable) -> Floats:
    words, free = table.words, table.free_words
    heading, has_words = table.heading_level > 0, table.words > 0
    columns = [words, has_words, words - free, has_words & (free == 0)]
    columns += [words * heading, heading & has_words, heading & (words > free)]
    for size in _LONG:
        columns += [free * (free >= size), free >= size]
    sums = _sums(table, np.stack(columns, axis=1).astype(np.float64))
    n_words, n_blocks = np.maximum(sums[:, 0], 1), np.maximum(sums[:, 1], 1)
    longest = _highest(table, free[:, None].astype(np.float64))[:, 0]
    long = sums[:, 7:]
    long[:, 0::2] /= n_words[:, None]
    long[:, 1::2] = np.log1p(long[:, 1::2])
    return np.column_stack([
        np.log1p(sums[:, 0]), np.log1p(sums[:, 1]), sums[:, 2] / n_words, sums[:, 3] / n_blocks,
        np.log1p(longest), sums[:, 4] / n_words, sums[:, 5] / n_blocks,
        sums[:, 6] / np.maximum(sums[:, 5], 1), long,
    ])  # fmt: skip


def _of_elements(table: BlockTable) -> Floats:
    tags, n_pages = table.tags, table.n_pages
    starts = tags.step >= 0  # void elements are tags without an element
    first_tag = table.elements.open[table.page_roots]
    page = np.searchsorted(first_tag, np.flatnonzero(starts), side="right") - 1
    cells = np.bincount(page * _MOST_IDS + tags.id[starts], minlength=n_pages * _MOST_IDS)
    counts = cells.reshape(n_pages, _MOST_IDS)[:, [IDS[tag] for tag in _TAGS]]
    logs = np.log1p(counts)
    n_blocks = np.log1p(np.diff(table.page_starts))
    bits = np.stack([table.blocks_inside(frozenset({tag})) for tag in _AROUND], axis=1)
    inside = _sums(table, np.where(bits, table.words[:, None], 0).astype(np.float64))
    shares = inside / np.maximum(table.page_words, 1)[:, None]
    return np.concatenate([logs, logs - n_blocks[:, None], shares], axis=1)


def _of_heads(table: BlockTable) -> Floats:
    rows = [_declared(head) for head in table.heads]
    return np.array(rows, dtype=np.float64).reshape(table.n_pages, len(_TYPES) + 6)


def _declared(head: Head) -> tuple[float, ...]:
    kind = head.meta.get("og:type", "").lower()
    path = _path(head)
    title = len(head.title[:_LONGEST_TEXT].split())
    return (
        *(name in kind for name in _TYPES),
        np.log1p(title),
        "description" in head.meta or "og:description" in head.meta,
        path is not None,
        np.log1p(0 if path is None else sum(map(bool, path.split("/")))),
        np.log1p(0 if path is None else sum(map(str.isdigit, path))),
        path is not None and not path.strip("/"),
    )


def _path(head: Head) -> str | None:
    """The path of the address that a page declares, with its query; None if it declares none."""
    address = (head.canonical or head.meta.get("og:url", "")).strip()[:_LONGEST_TEXT]
    return _SCHEME.sub("", address, count=1) if address else None


def _of_names(table: BlockTable) -> Floats:
    """(P, 3 G) does the page say a word of each group: an element, its body, title or address."""
    n_groups = len(_groups())
    bits = np.zeros((3, table.n_pages), dtype=np.uint64)
    if {*ATTRIBUTES} <= {*table.attributes}:
        of_element = _names().masks(table)[table.elements.bundle]
        is_whole = member_mask(WHOLE_PAGE)[table.elements.tag]
        roots = table.page_roots
        bits[0] = _any(np.where(is_whole, np.uint64(0), of_element), roots)
        bits[1] = _any(np.where(is_whole, of_element, np.uint64(0)), roots)
    bits[2] = [_said(head) for head in table.heads]
    groups = np.arange(n_groups, dtype=np.uint64)
    return np.concatenate(
        [(row[:, None] >> groups & np.uint64(1)).astype(np.float64) for row in bits], axis=1
    )


def _any(bits: Hashes, roots: Ints) -> Hashes:
    """(P,) the bits of all elements of each page."""
    return np.bitwise_or.reduceat(bits, roots) if len(roots) else np.zeros(0, dtype=np.uint64)


def _said(head: Head) -> int:
    """The bits of the groups of the words of a title and an address."""
    words = _bit_of_word()
    text = f"{head.title[:_LONGEST_TEXT]} {_path(head) or ''}".lower()
    bits = 0
    for word in _WORD.findall(text):
        bits |= words.get(word, 0)
    return bits


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
    keep = np.where(words > 0, 1 - marginals[:, Label.OTHER], 0.0)
    columns = [keep * words, keep * table.free_words, marginals[:, Label.HEADER] * words, keep]
    columns += [keep * keep * words]
    columns += [words * (keep >= level) for level in _LEVELS]
    sums = _sums(table, np.stack(columns, axis=1))
    kept = np.maximum(sums[:, 0], 1)
    highest = np.stack([np.where(words >= least, keep, 0.0) for least in _TELLING], axis=1)
    return np.column_stack([
        np.log1p(sums[:, 0]), sums[:, 0] / np.maximum(table.page_words, 1), sums[:, 1] / kept,
        sums[:, 2] / kept, np.log1p(sums[:, 3]), sums[:, 4] / kept, np.log1p(sums[:, 5:]),
        _highest(table, highest),
    ])  # fmt: skip
