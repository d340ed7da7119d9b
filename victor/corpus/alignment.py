"""Gold text to block labels, by a global alignment of the words of a page with the gold words.

Starting or stopping a match is cheap at a block boundary and expensive inside a block, so that
whole blocks match and stray words do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.labels import UNLABELLED, Label
from victor.measures.words import Score, word_score, word_spans, words

_Value = TypeVar("_Value", np.bool_, np.uint8)
_Int32s = NDArray[np.int32]

_UNIT = 10_000
"""Score of one matched word. Scores are integers: in float32 the tiny cost of a skipped word would
vanish next to the score of thousands of words, and ties have to be exact."""
_FAR = 1 << 30  # more than any score: about 100,000 matched words
_ZERO = np.int32(0)
"""Zero in the type of the scores: searching for a Python int would copy the row to int64."""
_UP, _LEFT, _MATCH = 0, 1, 2


class Pass(NamedTuple):
    """Costs and limits of one alignment pass, in units of one matched word.

    Attributes:
        boundary: cost of starting or stopping a match where a block begins or ends.
        inside: the same in the middle of a block.
        skip: cost of every page word passed over after the first match and while gold words are
            left; it draws repeated strings to the dense region.
        known: a block takes part if this share of its words occurs in the gold text ...
        words: ... and it has at least this many words.
        accept: it becomes content if this share of its words is matched ...
        matched: ... and at least this many of them.
    """

    boundary: float
    inside: float
    skip: float
    known: float
    words: int
    accept: float
    matched: int


_AGAIN: Final = Pass(1.0, 1.5, 0.0, known=0.5, words=2, accept=0.6, matched=3)
PASSES: Final = (Pass(0.3, 1.2, 0.0002, known=0.3, words=1, accept=0.5, matched=1), _AGAIN, _AGAIN)
"""The first is over all blocks and all gold words, the others over those that are still free: they
find gold text whose order differs from that of the page."""
MAX_CELLS: Final = 300_000_000
"""Page words x gold words in one pass, and so time and memory: one byte per cell in the worst case.
Above it the blocks with the smallest share of gold vocabulary are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Where the gold text is on a page.

    Attributes:
        content: (n_blocks,) bool, the block is part of the gold text.
        source: (n_gold_words,) int64, the block that holds each gold word, -1 if none does.
    """

    content: Bools
    source: Ints


def align(
    block_texts: Sequence[str],
    gold: str,
    *,
    passes: Sequence[Pass] = PASSES,
    max_cells: int = MAX_CELLS,
) -> Alignment:
    r"""Find the blocks that make up a gold text.

    Words are lower-cased runs of ``\w``, as in `victor.measures.words`. Of several copies of a
    text the earliest one is content. A block without any word is content if its nearest
    neighbours with words on both sides are.

    Args:
        block_texts: texts of the n blocks of one page in page order.
        gold: the main content as plain text; markup in it would count as words.
        passes: costs and limits of each pass.
        max_cells: as `MAX_CELLS`.
    """
    page, wanted = _page_and_gold(block_texts, words(gold))
    source = np.full(len(wanted), -1, dtype=np.int64)
    for step in passes:
        positions, blocks = _pass(page, _Gold.of(wanted, source), step, max_cells)
        if not len(positions):
            break
        source[positions] = blocks
    content = np.bincount(source[source >= 0], minlength=len(block_texts)) > 0
    return Alignment(_bridge(content, page.lengths > 0, False), source)


def labels(alignment: Alignment, heading: Bools) -> Labels:
    """(n,) labels: content is header where `heading` (inside h1 to h6), else text; else other."""
    kept = np.where(heading, np.uint8(Label.HEADER), np.uint8(Label.TEXT))
    return np.where(alignment.content, kept, np.uint8(Label.OTHER))


def align_segments(block_texts: Sequence[str], segments: Sequence[tuple[str, str]]) -> Labels:
    """Labels from gold text in marked segments, such as CleanEval's.

    Args:
        block_texts: texts of the n blocks of one page in page order.
        segments: (marker, text) in order; marker ``h`` is a headline, all others are text.

    Returns:
        (n,) uint8: header for content that lies mostly in headlines, text for other content,
        other for the rest.
    """
    alignment, votes = _voted(block_texts, [(marker == "h", text) for marker, text in segments], 2)
    heading = votes[:, 1] * 2 > votes.sum(axis=1)
    return labels(alignment, _bridge(heading, _have_words(block_texts), False))


def align_labelled(block_texts: Sequence[str], parts: Sequence[tuple[int, str]]) -> Labels:
    """Labels carried over from another segmentation of the same page.

    Args:
        block_texts: texts of the n blocks of one page in page order.
        parts: (label, text) of every annotated block in order; a label is a `Label` or
            `UNLABELLED`.

    Returns:
        (n,) uint8: the label that most of a block's words carry (a tie goes to the first of
        header, text, other, unlabelled); `UNLABELLED` for blocks that were not annotated and
        for blocks without words unless their neighbours agree.
    """
    values = np.array([*Label, UNLABELLED], dtype=np.uint8)
    columns = [(min(label, len(Label)), text) for label, text in parts]
    alignment, votes = _voted(block_texts, columns, len(values))
    block_labels = np.where(alignment.content, values[votes.argmax(axis=1)], np.uint8(UNLABELLED))
    return _bridge(block_labels, _have_words(block_texts), UNLABELLED)


def align_kinds(block_texts: Sequence[str], parts: Sequence[tuple[str, str]]) -> list[str]:
    """Kinds of blocks carried over from another segmentation of the same page.

    Args:
        block_texts: texts of the n blocks of one page in page order.
        parts: (kind, text) of every annotated block in order.

    Returns:
        (n,) the kind that most of a block's words carry; "" for blocks that were not annotated and
        for blocks without words.
    """
    names = sorted({kind for kind, _ in parts})
    columns = [(names.index(kind), text) for kind, text in parts]
    _, votes = _voted(block_texts, columns, len(names) or 1)
    winners = np.where(votes.any(axis=1), votes.argmax(axis=1), len(names))
    return [[*names, ""][winner] for winner in winners.tolist()]


def without_blocks(block_texts: Sequence[str], dropped: Bools, gold: str) -> str:
    """A gold text without the words that are in some of the blocks; lines left empty go.

    Args:
        block_texts: texts of the n blocks of one page in page order.
        dropped: (n,) bool, the blocks whose words are taken out.
        gold: the main content as plain text.
    """
    alignment = align(block_texts, gold)
    is_out = (alignment.source >= 0) & dropped[alignment.source]
    if not is_out.any():
        return gold
    spans = word_spans(gold)
    if len(spans) != len(is_out):  # a few letters become two in lower case
        gold = gold.lower()
        spans = word_spans(gold)
    pieces, end = [], 0
    for (start, stop), out in zip(spans, is_out.tolist(), strict=True):
        pieces.append(gold[end : start if out else stop])
        end = stop
    kept = "".join([*pieces, gold[end:]])
    return "\n".join(line for line in kept.split("\n") if words(line))


def oracle(block_texts: Sequence[str], kept: Bools, gold: str) -> Score:
    """Word score of the text of the kept blocks: the best that perfect labels could reach.

    Args:
        block_texts: texts of the n blocks.
        kept: (n,) bool, usually ``align(...).content``.
        gold: the gold text.
    """
    text = "\n".join(block_texts[position] for position in np.flatnonzero(kept).tolist())
    return word_score(text, gold)


class _Page(NamedTuple):
    """Words of a page as numbers of the gold vocabulary, the block of each, and words per block."""

    ids: _Int32s
    block: Ints
    lengths: Ints


class _Gold(NamedTuple):
    """Gold words that are not matched yet, and the blocks that are content already.

    -1 is a barrier between words that are not neighbours.
    """

    ids: _Int32s
    positions: Ints
    taken: Ints

    @classmethod
    def of(cls, wanted: _Int32s, source: Ints) -> _Gold:
        free = np.flatnonzero(source < 0)
        breaks = np.flatnonzero(np.diff(free) > 1) + 1
        ids, positions = np.insert(wanted[free], breaks, -1), np.insert(free, breaks, -1)
        return cls(ids, positions, np.unique(source[source >= 0]))


class _Line(NamedTuple):
    """The page words of one pass, and the costs of starting a match there and of stopping after."""

    ids: _Int32s
    opening: list[int]
    closing: list[int]


class _Row(NamedTuple):
    """How the scores of one page word, a row of the table, came about.

    Attributes:
        word: position of the word in the line.
        stayed: per occurrence of the word in the gold text, 1 if its match continues that of the
            words before; empty if none does.
        start: first column whose score did not simply come down from the row above ...
        moves: ... and the moves of the columns from there on.
    """

    word: int
    stayed: bytes
    start: int
    moves: bytes


def _page_and_gold(block_texts: Sequence[str], gold_words: Sequence[str]) -> tuple[_Page, _Int32s]:
    vocabulary: dict[str, int] = {}
    wanted = [vocabulary.setdefault(word, len(vocabulary)) for word in gold_words]
    split = [words(text) for text in block_texts]
    lengths = np.array([len(block) for block in split], dtype=np.int64)
    ids = np.array([vocabulary.get(word, -1) for block in split for word in block], dtype=np.int32)
    page = _Page(ids, np.repeat(np.arange(len(split)), lengths), lengths)
    return page, np.array(wanted, dtype=np.int32)


def _pass(page: _Page, gold: _Gold, step: Pass, max_cells: int) -> tuple[Ints, Ints]:
    """Positions of the gold words matched in accepted blocks, and the block of each."""
    ids, chosen = _candidates(page, gold, step, max_cells)
    block = page.block[chosen]
    words_matched, columns = _chain(_line(ids[chosen], block, step), gold.ids, _units(step.skip))
    matched_block = block[words_matched]
    hits = np.bincount(matched_block, minlength=len(page.lengths))
    shares = hits / page.lengths.clip(1)
    good = ((shares >= step.accept) & (hits >= step.matched))[matched_block]
    return gold.positions[columns[good]], matched_block[good]


def _candidates(page: _Page, gold: _Gold, step: Pass, max_cells: int) -> tuple[_Int32s, Ints]:
    """Page words, -1 for what is not in the free gold text, and positions of those in the pass."""
    vocabulary = np.zeros(page.ids.max(initial=0) + gold.ids.max(initial=0) + 2, dtype=bool)
    vocabulary[gold.ids] = True
    vocabulary[-1] = False  # where the -1 of barriers and of unknown words points to
    is_known = vocabulary[page.ids]
    counts = np.bincount(page.block[is_known], minlength=len(page.lengths))
    shares = counts / page.lengths.clip(1)
    free = (counts > 0) & (page.lengths >= step.words) & (shares >= step.known)
    free[gold.taken] = False
    limit = max(max_cells // max(len(gold.ids), 1), 1)
    blocks = _within(limit, np.flatnonzero(free), shares, counts)
    chosen = np.flatnonzero(np.isin(page.block, blocks))
    # A single block may still be too long: the last of its known words are left out.
    beyond = np.flatnonzero(is_known[chosen])[limit:]
    if len(beyond):
        chosen = chosen[: beyond[0]]
    return np.where(is_known, page.ids, np.int32(-1)), chosen


def _within(limit: int, blocks: Ints, shares: Floats, counts: Ints) -> Ints:
    """As many blocks as have `limit` known words together (at least one), by share of these."""
    order = blocks[np.argsort(-shares[blocks], kind="stable")]
    fitting = int(np.searchsorted(np.cumsum(counts[order]), limit, side="right"))
    return order[: max(fitting, 1)]


def _line(ids: _Int32s, block: Ints, step: Pass) -> _Line:
    """Words with what it costs to start and to stop a match at each."""
    edge = np.diff(block, prepend=-1, append=-1) != 0
    costs = np.where(edge, _units(step.boundary), _units(step.inside))
    return _Line(ids, costs[:-1].tolist(), costs[1:].tolist())


def _units(cost: float) -> int:
    return round(cost * _UNIT)


def _chain(line: _Line, gold: _Int32s, skip: int) -> tuple[Ints, Ints]:
    """Best order-keeping matches: positions in the line and the gold columns matched to them."""
    columns, rank = _occurrences(gold)
    pairs = list(_trace(_fill(line, columns, len(gold), skip), rank))
    matches = np.array(pairs[::-1], dtype=np.int64).reshape(-1, 2)
    return matches[:, 0], matches[:, 1] - 1


def _occurrences(gold: _Int32s) -> tuple[list[Ints], list[int]]:
    """Columns (positions from 1) of each word number in the gold text, and the rank of every one.

    The rank is how many occurrences of the same number come before it.
    """
    order = np.argsort(gold, kind="stable")
    order = order[gold[order] >= 0]
    bounds = np.cumsum(np.bincount(gold[order])) if len(order) else np.zeros(0, dtype=np.int64)
    rank = np.zeros(len(gold) + 1, dtype=np.int64)
    starts = np.concatenate([[0], bounds])[gold[order]]
    rank[order + 1] = np.arange(len(order)) - starts
    return np.split(order + 1, bounds[:-1]), rank.tolist()


def _fill(line: _Line, columns: Sequence[Ints], n_gold: int, skip: int) -> list[_Row]:
    """Fill the score table row by row and note how each row came about.

    With page words i and gold words j, both from 1, M the best score with i matched to j, X the
    best score of the first i and j words with no match open, X[0][*] = X[*][0] = 0::

        M[i][j] = 1 + max(M[i-1][j-1], X[i-1][j-1] - opening[i])   where the words are equal
        X[i][j] = max(X[i-1][j] - (skip if X[i-1][j] > 0 and j < n_gold else 0),    up
                      X[i][j-1],                                                    left
                      M[i][j] - closing[i])                                         match

    Ties prefer up, then left, so that the earliest copy of a repeated text wins. Rows of X do
    not decrease. So M is only computed where it exists, a row of X is touched only between the
    first improved column and the first that is as good already, and a run of words that match
    nothing is one subtraction.
    """
    score = np.zeros(n_gold + 1, dtype=np.int32)
    match = np.full(n_gold + 1, -_FAR, dtype=np.int32)
    rows: list[_Row] = []
    before, filled = -1, np.zeros(0, dtype=np.int64)
    known = np.flatnonzero(line.ids >= 0)
    for word, number in zip(known.tolist(), line.ids[known].tolist(), strict=True):
        at, passed, stayed = columns[number], word - before - 1, b""
        best = score[at - 1]
        if passed:  # the score of the row above, had it been filled
            best = np.maximum(best - min(passed * skip, _FAR), 0)
        best -= line.opening[word]
        if not passed:
            running = match[at - 1]
            stays = running >= best
            stayed = stays.tobytes()
            np.maximum(best, running, out=best)
        best += _UNIT
        match[filled] = -_FAR
        match[at] = best
        before, filled = word, at
        moves = _settle(score, at, best - line.closing[word], min((passed + 1) * skip, _FAR))
        rows.append(_Row(word, stayed, *moves))
    return rows


def _settle(score: _Int32s, at: Ints, closed: _Int32s, cost: int) -> tuple[int, bytes]:
    """Turn the (n + 1,) row of X above into the next in place, for the cost of coming down.

    A match may be closed `at` these ascending columns for the scores `closed`. Returns the first
    column that did not come down unchanged (but for the cost), and the moves from there on.
    """
    start = end = len(score)
    if cost:
        positive = int(score.searchsorted(_ZERO, side="right"))
        score[positive:-1] -= cost
        if positive < len(score) - 1 and score[positive] < 0:
            start, end = positive, positive + int(score[positive:].searchsorted(_ZERO))
    better = closed > score[at]
    if np.count_nonzero(better):
        at, closed = at[better], closed[better]
        last = int(at[-1]) + 1
        enough = last + int(score[last:].searchsorted(closed[closed.argmax()]))
        end = max(end, enough) if start < len(score) else enough
        start = min(start, int(at[0]))
    elif start < len(score):
        at, closed = at[:0], closed[:0]
    else:
        return start, b""
    # The column before is final; it bounds the row from below by the move to the left.
    row = score[start - 1 : end].copy()
    row[at - start + 1] = closed
    np.maximum.accumulate(row, out=row)
    changed = row[1:] != score[start:end]
    moves = changed.astype(np.uint8)
    moves += changed & (row[1:] != row[:-1])
    score[start:end] = row[1:]
    return start, moves.tobytes()


def _trace(rows: Sequence[_Row], rank: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Walk back from the last cell and give (page word, gold column) of every match."""
    column, row, matching = len(rank) - 1, len(rows) - 1, False
    while row >= 0 and column > 0:
        word, stayed, start, moves = rows[row]
        if not matching:
            offset = column - start
            move = moves[offset] if 0 <= offset < len(moves) else _UP
            row -= move == _UP
            column -= move == _LEFT
            matching = move == _MATCH
            continue
        yield word, column
        matching = bool(stayed and stayed[rank[column]])
        row, column = row - 1, column - 1


def _voted(
    block_texts: Sequence[str], parts: Sequence[tuple[int, str]], width: int
) -> tuple[Alignment, Ints]:
    """Align the texts of (column, text) parts; (n_blocks, width) matched words of each column."""
    alignment = align(block_texts, "\n".join(text for _, text in parts))
    lengths = [len(words(text)) for _, text in parts]
    column = np.repeat(np.array([number for number, _ in parts], dtype=np.int64), lengths)
    is_matched = alignment.source >= 0
    cells = alignment.source[is_matched] * width + column[is_matched]
    votes = np.bincount(cells, minlength=len(block_texts) * width)
    return alignment, votes.reshape(len(block_texts), width)


def _have_words(block_texts: Sequence[str]) -> Bools:
    return np.array([bool(words(text)) for text in block_texts], dtype=bool)


def _bridge(values: NDArray[_Value], with_words: Bools, default: int) -> NDArray[_Value]:
    """Give blocks without words the value of their neighbours with words.

    Where the nearest ones on both sides differ or one is missing, it is the default.
    """
    worded = np.flatnonzero(with_words)
    if not len(worded):
        return np.full_like(values, default)
    following = np.searchsorted(worded, np.arange(len(values)))
    before = values[worded[(following - 1).clip(0)]]
    after = values[worded[following.clip(max=len(worded) - 1)]]
    agree = (before == after) & (following > 0) & (following < len(worded))
    filled = np.where(agree, before, np.full_like(values, default))
    return np.where(with_words, values, filled)
