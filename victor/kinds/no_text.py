"""Blocks that the labeler keeps and that are no text: JSON, a copy of the rest, labels of code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from victor.base.arrays import Ints, window_sums
from victor.page.parsing.patterns import pattern
from victor.page.table.texts import block_texts
from victor.page.verdict.preformatted import PRE
from victor.page.verdict.verdict import COPY, DATA, LABEL, Verdict

_CODE: Final = frozenset({"pre", "listing", "code", "samp", "kbd"})
FEWEST_WORDS: Final = 20
_PAIR: Final = pattern(r"""["']\s*:|:\s*["']""")
_FEWEST_PAIRS: Final = 3
COPY_WORDS: Final = 100
COPY_SHARE: Final = (1 / 3, 2 / 3)
"""Share of the kept words in a block that may repeat all others."""
_LEAST_REPEATED: Final = 0.75
"""Share of the pieces of either side that the other side has."""
_PIECES: Final = 64
_PIECE: Final = 12
"""Letters and digits of a piece."""
_LETTERS: Final = pattern(r"\w+")


def without_no_text(verdict: Verdict) -> Verdict:
    """The verdict of a model without kept blocks that are JSON, labels of code, or copies.

    JSON in an element for code is text. The probabilities stay what the model thinks.
    """
    if not verdict.by_model:
        return verdict
    for find, reason in ((_data, DATA), (_copies, COPY), (_labels, LABEL)):
        if found := [*find(verdict)]:
            verdict = verdict.with_no_text(found, reason)
    return verdict


def _data(verdict: Verdict) -> Iterator[int]:
    """The kept blocks that read as JSON or as an object literal of JavaScript."""
    table = verdict.table
    chosen = np.flatnonzero(verdict.kept & (table.words >= FEWEST_WORDS))
    opening = table.chars[table.start[chosen]]
    chosen = chosen[(opening == ord("{")) | (opening == ord("["))]
    if not len(chosen):
        return
    chosen = chosen[~table.blocks_inside(_CODE)[chosen]]
    for block, text in zip(chosen.tolist(), block_texts(table, chosen), strict=True):
        if text.endswith(("}", "]")) and len(_PAIR.findall(text)) >= _FEWEST_PAIRS:
            yield block


def _labels(verdict: Verdict) -> Iterator[int]:
    """The kept blocks that only label code or serve it."""
    if verdict.table.elements.have(PRE):
        from victor.page.verdict.code_labels import label_blocks  # few pages need it

        yield from label_blocks(verdict.table, verdict.kept)


def _copies(verdict: Verdict) -> Iterator[int]:
    """The kept blocks each of which repeats nearly all other kept text of its page; one a page."""
    table = verdict.table
    words = table.words * verdict.kept
    long = np.flatnonzero(words >= COPY_WORDS)[::-1]
    share = words[long] / window_sums(words, table.page_starts)[table.page[long]]
    low, high = COPY_SHARE
    last_page = -1
    for block in long[(low <= share) & (share <= high)].tolist():
        number = int(table.page[block])
        page = verdict.page(number)
        others = page.start + np.flatnonzero(words[page])
        if number != last_page and _repeat_each_other(verdict, block, others[others != block]):
            last_page = number
            yield block


def _repeat_each_other(verdict: Verdict, block: int, others: Ints) -> bool:
    """Does a block hold most of what others hold, and they most of what it holds."""
    of_block, of_others = (
        "".join(_LETTERS.findall(" ".join(block_texts(verdict.table, blocks))))
        for blocks in (slice(block, block + 1), others)
    )
    return _repeats(of_block, of_others) and _repeats(of_others, of_block)


def _repeats(text: str, other: str) -> bool:
    """Are most of some pieces of a text, evenly spaced, in another one."""
    starts = range(0, len(text), max(len(text) // _PIECES, 1))
    return sum(text[at : at + _PIECE] in other for at in starts) >= _LEAST_REPEATED * len(starts)
