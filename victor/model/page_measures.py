"""Measures of whole pages, for the page head: what a page has, and what the chain says of it.

They read the block table and the marginals of the chain, and nothing that only scripts say.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Floats, Hashes, Ints
from victor.config import plain_yaml
from victor.model.wall_measures import MEASURES, phrases
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE, NameGroups
from victor.page.parsing.heads import Head
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import char_codes

NAMES: Final = Path(__file__).with_name("page_names.yaml")
_TAGS: Final = (
    "p", "li", "td", "img", "input", "form", "h1", "h2", "h3", "a", "article", "button", "select",
    "pre", "code", "br", "hr", "time", "table", "font", "dl", "ol", "figure",
)  # fmt: skip
_TYPES: Final = ("article", "website", "product", "video")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_DIGIT: Final = re.compile(r"\d")
_SCHEME: Final = re.compile(r"https?://[^/]*")
_OUTLINE_TAGS: Final = ("main", "article", "li", "dd")
"""Main parts of pages, and the items of their lists, as `core/model/page_head.h` counts them."""
N_JUDGEMENTS: Final = 3
_LONGEST_TEXT: Final = 500
"""Characters of a title or an address that are read."""


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
        together; `victor.model.wall_measures.MEASURES`; and the judgements of the head, or 0: the
        probabilities that the page has no content and that a server or a wall speaks on it, and
        whether that is why it gives nothing.
    """
    pages = np.arange(table.n_pages) if pages is None else pages
    heads = [table.heads[page] for page in pages.tolist()]
    titles = [each.title[:_LONGEST_TEXT] for each in heads]
    memory = core.compiled.page_measures(
        table.batch,
        np.ascontiguousarray(marginals, dtype=np.float64),
        pages,
        np.array([_of_head(each) for each in heads], dtype=np.float64).ravel(),
        char_codes("".join(titles)),
        np.cumsum([len(title) for title in titles], dtype=np.int64),
        head,
        _words(),
    )
    width = len(measure_names(quick=True)) + len(MEASURES) + N_JUDGEMENTS
    return core.array(memory, np.float64).reshape(-1, width)


@cache
def _words() -> object:
    """What the core counts and looks for on pages."""
    tags = (np.array([IDS[name] for name in names]) for names in (_TAGS, _OUTLINE_TAGS))
    return core.compiled.page_words((*tags, *phrases()))


def measured(tables: Sequence[BlockTable], marginals: Floats) -> Floats:
    """(P, M) measures of the pages of several tables, given the marginals of all their blocks."""
    ends = np.cumsum([len(table) for table in tables])[:-1]
    parts = zip(tables, np.split(marginals, ends), strict=True)
    return np.concatenate([page_measures(table, own_marginals) for table, own_marginals in parts])


def _of_head(head: Head) -> list[float]:
    """Type, counts and flags of a title and an address, and the groups that their words are of."""
    title, path = head.title[:_LONGEST_TEXT], _path(head)
    kind, address = head.meta.get("og:type", "").lower(), path or ""
    said = [0.0] * len(_groups())
    for word in _WORD.findall(f"{title} {address}".lower()):
        for group in _groups_of_word().get(word, ()):
            said[group] = 1.0
    return [
        *(name in kind for name in _TYPES),
        math.log1p(title.count(" ") + bool(title)),
        math.log1p(len([part for part in address.split("/") if part])),
        math.log1p(len(_DIGIT.findall(address))),
        "description" in head.meta or "og:description" in head.meta,
        path is not None,
        path is not None and not path.strip("/"),
        *said,
    ]


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
    return tuple(map(tuple, plain_yaml.read_compiled(NAMES).values()))


@cache
def _names() -> NameGroups:
    return NameGroups(_groups())


@cache
def _groups_of_word() -> dict[str, list[int]]:
    groups = defaultdict[str, list[int]](list)
    for number, words in enumerate(_groups()):
        for word in words:
            groups[word].append(number)
    return dict(groups)
