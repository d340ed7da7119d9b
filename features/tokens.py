"""Kinds of tokens in a block and what the original derived from them (Victor 2008: token.*)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints, window_sums
from victor.base.errors import ConfigError
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing import characters as ch
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts
from victor.page.table.tokens import ALPHA, MIXED, N_TOKEN_CLASSES, NUMERIC, OTHER, PUNCTUATION

Cut = Literal["word", "space"]
_KINDS: Final = {"alpha": ALPHA, "num": NUMERIC, "mix": MIXED, "other": OTHER}
_MEANINGS: Final[Mapping[Cut, Mapping[str, str]]] = {
    "word": {
        "alpha": "tokens of letters",
        "num": "tokens of digits",
        "mix": "tokens of letters and digits",
        "other": "tokens that are neither words, numbers nor punctuation",
    },
    "space": {
        "alpha": "tokens between white space with letters and no digit",
        "num": "tokens between white space with digits and no letter",
        "mix": "tokens between white space with letters and digits",
        "other": "tokens between white space with neither letter nor digit",
    },
}
_WHOLES: Final[Mapping[Cut, str]] = {"word": "all but punctuation", "space": "all"}
_LETTER, _DIGIT = 1, 2
_LAYOUT: Final = (
    Column("avg-word-length", "number", "letters per token of letters, 0 if there is none"),
    Column("avg-word-run", "number", "tokens but punctuation per run of tokens of letters"),
    Column(
        "looks-like-bullet",
        "category",
        "starts like a list item: 4 x (0 digits, 1 lower, 2 upper case) + (1 . 2 ) 3 / 4 -)",
    ),
)
_BULLET: Final = re.compile(r"(?:([0-9]+)|([a-z]+)|([A-Z]+))(?:(\.)|(\))|(/)|( -))")
_N_DELIMITERS: Final = 4


def build(*, cut: Cut = "word") -> Feature:
    """The token counts, average lengths and the bullet code.

    Args:
        cut: what token.* counts: ``word``: runs of word or of other characters, those of
            punctuation left out (the program of 2007); ``space``: all that stands between white
            space, punctuation included (the paper of 2008, footnote 7). The other columns are the
            program's and do not change.

    Raises:
        ConfigError: `cut` is neither.

    The bullet code is 0, or the kind of the ASCII letters or digits that the block starts with and
    the delimiter that follows them: ``1.`` is 1, ``1)`` is 2, ``b -`` is 8, ``IV.`` is 9.

    >>> from victor.page.table.segment import parse_pages
    >>> values = build()(parse_pages(["<p>b) see A4, 12 °C</p>".encode()], "tag"))
    >>> [int(values[f"token.{kind}-abs"][0]) for kind in ("alpha", "num", "mix", "other")]
    [3, 1, 1, 2]
    >>> values["avg-word-length"].round(2), values["looks-like-bullet"]
    (array([1.67]), array([6]))
    >>> values = build(cut="space")(parse_pages(["<p>b) see A4, 12 °C</p>".encode()], "tag"))
    >>> [int(values[f"token.{kind}-abs"][0]) for kind in ("alpha", "num", "mix", "other")]
    [3, 1, 1, 0]
    """
    if cut not in get_args(Cut):
        raise ConfigError(f"tokens: cut is word or space, got {cut!r}")
    return Measure(_columns(cut), partial(_compute, cut=cut))


def _columns(cut: Cut) -> tuple[Column, ...]:
    counts = tuple(
        column
        for kind, meaning in _MEANINGS[cut].items()
        for column in (
            Column(f"token.{kind}-rel", "number", f"{meaning}: share of {_WHOLES[cut]}"),
            Column(f"token.{kind}-abs", "count", f"{meaning}: how many"),
        )
    )
    return (*counts, *_LAYOUT)


def _compute(table: BlockTable, *, cut: Cut) -> Mapping[str, ColumnValues]:
    tokens = table.tokens
    counts = _counts(tokens.kind, tokens.block_offsets)
    counted = counts.sum(axis=1) - counts[:, PUNCTUATION]
    kinds = counts if cut == "word" else _spaced_counts(table)
    whole = counted if cut == "word" else kinds.sum(axis=1)
    values: dict[str, ColumnValues] = {}
    for name, kind in _KINDS.items():
        values[f"token.{name}-abs"] = kinds[:, kind]
        values[f"token.{name}-rel"] = kinds[:, kind] / np.maximum(whole, 1)
    alpha = tokens.kind == ALPHA
    letters = window_sums((tokens.end - tokens.start) * alpha, tokens.block_offsets)
    runs = tokens.per_block(_run_starts(table, alpha))
    values["avg-word-length"] = letters / np.maximum(counts[:, ALPHA], 1)
    values["avg-word-run"] = np.where(runs > 0, counted, 0) / np.maximum(runs, 1)
    values["looks-like-bullet"] = _bullets(table)
    return values


def _counts(kinds: NDArray[np.uint8], block_offsets: Ints) -> Ints:
    """(n, classes) tokens of each class in each block."""
    n = len(block_offsets) - 1
    row = np.repeat(np.arange(0, n * N_TOKEN_CLASSES, N_TOKEN_CLASSES), np.diff(block_offsets))
    counts = np.bincount(row + kinds, minlength=n * N_TOKEN_CLASSES)
    return counts.reshape(n, N_TOKEN_CLASSES)


def _spaced_counts(table: BlockTable) -> Ints:
    """(n, classes) tokens between white space, classed by the letters and digits they hold."""
    tokens = table.tokens
    # Runs that touch inside a block make up one token.
    begins = np.ones(len(tokens.start), dtype=bool)
    begins[1:] = tokens.start[1:] > tokens.end[:-1]
    begins[tokens.block_offsets[:-1]] = True
    start = tokens.start[begins]
    bits = _bits_of_classes()[ch.class_table().take(table.chars)]
    joined = np.bitwise_or.reduceat(bits, start) if len(start) else bits[:0]
    offsets = np.append(np.searchsorted(start, table.start), len(start))
    return _counts(_kinds_of_bits()[joined], offsets)


@cache
def _bits_of_classes() -> NDArray[np.uint8]:
    """Whether characters of every class are letters, digits or neither, as bits."""
    bits = np.zeros(ch.N_CLASSES, dtype=np.uint8)
    bits[[ch.LOWER, ch.UPPER, ch.CASELESS, ch.IDEOGRAPH]] = _LETTER
    bits[ch.DIGIT] = _DIGIT
    return bits


@cache
def _kinds_of_bits() -> NDArray[np.uint8]:
    """Token class of the union of its characters' bits."""
    kinds = np.full(_LETTER + _DIGIT + 1, OTHER, dtype=np.uint8)
    kinds[[_LETTER, _DIGIT, _LETTER | _DIGIT]] = ALPHA, NUMERIC, MIXED
    return kinds


def _run_starts(table: BlockTable, alpha: Bools) -> Bools:
    """(K,) tokens of letters that no token of letters of the same block precedes at once."""
    begins = alpha.copy()
    begins[1:] &= ~alpha[:-1]
    first_tokens = table.tokens.block_offsets[:-1]
    begins[first_tokens] = alpha[first_tokens]
    return begins


def _bullets(table: BlockTable) -> Ints:
    """(n,) code of the bullet that a block starts with."""
    found = map(_BULLET.match, block_texts(table))
    return np.array([0 if match is None else _code(match) for match in found], dtype=np.int64)


def _code(bullet: re.Match[str]) -> int:
    kind = next(kind for kind in range(3) if bullet[kind + 1])
    delimiter = (bullet.lastindex or 0) - 3
    return _N_DELIMITERS * kind + delimiter
