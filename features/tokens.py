"""Kinds of tokens in a block and what the original derived from them (Victor 2008: token.*)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.arrays import Bools, Ints, span_indices, window_sums
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.blocks import BlockTable
from victor.page.tokens import ALPHA, MIXED, N_TOKEN_CLASSES, NUMERIC, OTHER, PUNCTUATION

_KINDS: Final = {
    "alpha": (ALPHA, "tokens of letters"),
    "num": (NUMERIC, "tokens of digits"),
    "mix": (MIXED, "tokens of letters and digits"),
    "other": (OTHER, "tokens that are neither words, numbers nor punctuation"),
}
N_BULLETS: Final = 13
"""Codes of looks-like-bullet, 0 included."""
COLUMNS: Final = (
    *(
        column
        for kind, (_, meaning) in _KINDS.items()
        for column in (
            Column(f"token.{kind}-rel", "number", f"{meaning}: share of all but punctuation"),
            Column(f"token.{kind}-abs", "count", f"{meaning}: how many"),
        )
    ),
    Column("avg-word-length", "number", "letters per token of letters, 0 if there is none"),
    Column("avg-word-run", "number", "tokens but punctuation per run of tokens of letters"),
    Column(
        "looks-like-bullet",
        "category",
        "starts like a list item: 4 x (0 digits, 1 lower, 2 upper case) + (1 . 2 ) 3 / 4 -)",
    ),
)
_DELIMITERS: Final = {".": 1, ")": 2, "/": 3}
_DASHED: Final = 4


def build() -> Feature:
    """The token counts, average lengths and the bullet code; they have no parameters.

    The bullet code is 0, or the kind of the ASCII letters or digits that the block starts with and
    the delimiter that follows them: ``1.`` is 1, ``1)`` is 2, ``b -`` is 8, ``IV.`` is 9.

    >>> from victor.page.segment import parse_pages
    >>> values = build()(parse_pages(["<p>b) see A4, 12 °C</p>".encode()], "tag"))
    >>> [int(values[f"token.{kind}-abs"][0]) for kind in ("alpha", "num", "mix", "other")]
    [3, 1, 1, 2]
    >>> values["avg-word-length"].round(2), values["looks-like-bullet"]
    (array([1.67]), array([6]))
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    tokens = table.tokens
    counts = _counts(table)
    counted = counts.sum(axis=1) - counts[:, PUNCTUATION]
    values: dict[str, ColumnValues] = {}
    for name, (kind, _) in _KINDS.items():
        values[f"token.{name}-abs"] = counts[:, kind]
        values[f"token.{name}-rel"] = counts[:, kind] / np.maximum(counted, 1)
    alpha = tokens.kind == ALPHA
    letters = window_sums((tokens.end - tokens.start) * alpha, tokens.block_offsets)
    runs = tokens.per_block(_run_starts(table, alpha))
    values["avg-word-length"] = letters / np.maximum(counts[:, ALPHA], 1)
    values["avg-word-run"] = np.where(runs > 0, counted, 0) / np.maximum(runs, 1)
    values["looks-like-bullet"] = _bullets(table)
    return values


def _counts(table: BlockTable) -> Ints:
    """(n, classes) tokens of each class in each block."""
    tokens, n = table.tokens, len(table)
    row = np.repeat(
        np.arange(0, n * N_TOKEN_CLASSES, N_TOKEN_CLASSES), np.diff(tokens.block_offsets)
    )
    counts = np.bincount(row + tokens.kind, minlength=n * N_TOKEN_CLASSES)
    return counts.reshape(n, N_TOKEN_CLASSES)


def _run_starts(table: BlockTable, alpha: Bools) -> Bools:
    """(K,) tokens of letters that no token of letters of the same block precedes at once."""
    begins = alpha.copy()
    begins[1:] &= ~alpha[:-1]
    first = table.tokens.block_offsets[:-1]
    begins[first] = alpha[first]
    return begins


def _bullets(table: BlockTable) -> Ints:
    """(n,) code of the bullet that a block starts with."""
    first = table.tokens.block_offsets[:-1]
    end = table.tokens.end[first]
    delimiter = _delimiters(table, end)
    blocks = np.flatnonzero((delimiter > 0) & table.tokens.word[first])
    kind = _kinds_of_spans(table, table.start[blocks], end[blocks])
    codes = np.zeros(len(table), dtype=np.int64)
    codes[blocks] = np.where(kind > 0, _DASHED * (kind - 1) + delimiter[blocks], 0)
    return codes


def _delimiters(table: BlockTable, at: Ints) -> Ints:
    """(n,) code of the delimiter at one position inside each block, 0 if there is none."""
    following = table.chars.take(at, mode="clip")
    codes = np.zeros(len(table), dtype=np.int64)
    for character, code in _DELIMITERS.items():
        codes[(following == ord(character)) & (at < table.end)] = code
    dash = table.chars.take(at + 1, mode="clip") == ord("-")
    codes[(following == ord(" ")) & dash & (at + 1 < table.end)] = _DASHED
    return codes


def _kinds_of_spans(table: BlockTable, start: Ints, end: Ints) -> Ints:
    """1 for spans of ASCII digits only, 2 of lower-case letters, 3 of upper-case, else 0."""
    if not len(start):
        return start
    length = end - start
    chars = table.chars[span_indices(start, length)]
    flags = np.full(len(chars), 8)
    for flag, low, high in ((1, "0", "9"), (2, "a", "z"), (4, "A", "Z")):
        flags[(chars >= ord(low)) & (chars <= ord(high))] = flag
    joined = np.bitwise_or.reduceat(flags, np.cumsum(length) - length)
    return np.select([joined == 1, joined == 2, joined == 4], [1, 2, 3], 0)
