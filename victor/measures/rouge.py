"""ROUGE-LSum: words of the gold text that lines of the prediction have in the same order.

The reference implementation fills a table for every pair of lines in Python. Here one table holds
a gold line against all lines of the prediction side by side, filled and read row by row.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.measures.words import Score, prf, words

_START = 0
"""Word number of the empty column before each line of the prediction."""


def rouge_lsum(predicted: str, gold: str) -> Score:
    r"""ROUGE-LSum of one page, every line being a sentence.

    Of each gold line the union of its longest common subsequences with the predicted lines is
    counted, no word more often than the prediction has it. Words are lower-cased runs of ``\w``.
    An empty text scores 0, whatever the other. Equals the package ``rouge-score`` with these
    words, even where several longest subsequences exist.

    Source: Lin (2004), ROUGE, section 3.2.
    """
    numbers: dict[str, int] = {}
    predicted_lines, gold_lines = (_lines(text, numbers) for text in (predicted, gold))
    n_predicted, n_gold = (sum(map(len, lines)) for lines in (predicted_lines, gold_lines))
    if not n_predicted or not n_gold:
        return Score(0.0, 0.0, 0.0)
    columns = _side_by_side(predicted_lines)
    whole = {tuple(line) for line in predicted_lines}
    matched = [
        np.array(line, dtype=np.int64) if tuple(line) in whole else _union(line, columns, numbers)
        for line in gold_lines
    ]
    size = len(numbers) + 1
    hits = np.bincount(np.concatenate(matched), minlength=size)
    most = np.bincount(columns[columns != _START], minlength=size)
    return Score(*prf(int(np.minimum(hits, most).sum()), n_predicted, n_gold))


def _lines(text: str, numbers: dict[str, int]) -> list[list[int]]:
    """Word numbers, from 1, of every line that has words."""
    lines = (words(line) for line in text.split("\n"))
    return [[numbers.setdefault(word, len(numbers) + 1) for word in line] for line in lines if line]


def _side_by_side(lines: Sequence[Sequence[int]]) -> Ints:
    """All lines one after the other, an empty column before each."""
    return np.array([word for line in lines for word in (_START, *line)], dtype=np.int64)


def _union(line: Sequence[int], columns: Ints, numbers: dict[str, int]) -> Ints:
    """Words of a gold line in the union of its longest common subsequences with each line."""
    columns = _relevant(line, columns, len(numbers) + 1)
    present = np.zeros(len(numbers) + 1, dtype=bool)
    present[columns] = True
    # A word that no line has only repeats the row above it, and reading skips that row.
    rows = np.array([word for word in line if present[word]], dtype=np.int64)
    if not len(rows):
        return rows
    return rows[_taken(rows, columns, _stops(rows, columns))]


def _relevant(line: Sequence[int], columns: Ints, size: int) -> Ints:
    """Columns without lines that share no word, and one for each run of words not shared.

    Such a run cannot be left out: it decides between longest subsequences. But all its columns
    are equal, so that reading passes either all of them or none.
    """
    shared = np.zeros(size, dtype=bool)
    shared[line] = True
    matching, start = shared[columns], columns == _START
    firsts = np.flatnonzero(start)
    lengths = np.diff(firsts, append=len(columns))
    useful = np.repeat(np.logical_or.reduceat(matching, firsts), lengths)
    breaks = matching | start
    breaks[1:] |= breaks[:-1].copy()
    relevant: Ints = columns[useful & breaks]
    return relevant


def _stops(rows: Ints, columns: Ints) -> list[NDArray[np.uint8]]:
    """Where reading a row of the tables leftward ends: packed bits of every column, per row.

    It ends at a common word, and where the row above has as long a subsequence as the column to
    the left: the reference goes up then.
    """
    # Every table starts above all that the one to its left can reach, so the running maximum of
    # a row never passes from one to the next.
    above: Ints = np.cumsum(columns == _START) * (len(rows) + 1)
    stops = []
    for word in rows:
        common = columns == word
        row = above.copy()
        row[1:] = np.maximum(above[1:], above[:-1] + common[1:])
        np.maximum.accumulate(row, out=row)
        common[0] = True
        common[1:] |= row[:-1] <= above[1:]
        stops.append(np.packbits(common))
        above = row
    return stops


def _taken(rows: Ints, columns: Ints, stops: Sequence[NDArray[np.uint8]]) -> NDArray[np.bool_]:
    """Rows in the subsequence of any line, all read at once from their last columns upward."""
    positions = np.arange(len(columns))
    ends = np.append(np.flatnonzero(columns == _START)[1:], len(columns)) - 1
    taken = np.zeros(len(rows), dtype=bool)
    for row in range(len(rows) - 1, -1, -1):
        stop = np.unpackbits(stops[row], count=len(columns)).view(bool)
        ends = np.maximum.accumulate(np.where(stop, positions, 0))[ends]
        common = columns[ends] == rows[row]
        taken[row] = common.any()
        ends = ends - common
    return taken
