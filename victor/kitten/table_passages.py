"""Data tables among the passages of a page: clauses replace the passages of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from victor.kitten.passages import Passage
from victor.kitten.removals import Removals, words_of
from victor.kitten.table_clauses import Reading, read
from victor.page.allowance import Allowance
from victor.page.markup.full_record import Markup
from victor.tables.known_tables import KnownTables
from victor.tables.leaf_tables import leaf_tables

TABLE: Final = "table"


def read_tables(
    passages: Sequence[Passage],
    full: Markup,
    texts: Sequence[str],
    removals: Removals,
    allowance: Allowance,
) -> list[Passage]:
    """Passages in which every leaf table with data is replaced by its clauses.

    A table and its cells are classified by their whole content, dropped or not.

    Args:
        passages: of a page.
        full: the page.
        texts: what each of its items adds to the text.
        removals: receives the texts that are in no clause.
        allowance: what all clauses together may take.

    Raises:
        PageError: they take more.
    """
    present = {passage.table for passage in passages}
    known = KnownTables()
    readings: dict[int, Reading] = {}
    length = 0
    for complete, visible in zip(leaf_tables(full), leaf_tables(full, texts), strict=True):
        if complete.first in present and (types := known.types(complete)) is not None:
            reading = readings[visible.first] = read(visible, types)
            length += sum(map(len, reading.clauses))
        allowance.check(length)
    return replaced(passages, readings, removals)


def replaced(
    passages: Sequence[Passage], readings: Mapping[int, Reading], removals: Removals
) -> list[Passage]:
    """Passages in which the clauses of some tables stand where their first passages were.

    Args:
        passages: of a page.
        readings: of tables, by their start tags.
        removals: receives the texts that the clauses leave out.
    """
    out: list[Passage] = []
    left = {table: _words(reading) for table, reading in readings.items()}
    begun: set[int] = set()
    for passage in passages:
        table = passage.table
        if table not in readings:
            out.append(passage)
            continue
        if table not in begun:
            begun.add(table)
            for text, reason in readings[table].removed:
                removals.add(f"{TABLE}: {reason}", text)
            texts = readings[table].clauses
            out += [Passage(text, table=table, is_finished=True) for text in texts]
        words, unread = words_of(passage.text), left[table]
        # Only the words of the passage are looked at: the table may hold as many as the page.
        if all(unread[word] >= count for word, count in words.items()):
            unread.subtract(words)
        else:  # the table reader assigned it elsewhere; every removal is recorded
            removals.add(TABLE, passage.text)
    return out


def _words(reading: Reading) -> Counter[str]:
    """Words in the clauses of a reading and in what it leaves out."""
    return words_of(" ".join((*reading.clauses, *(text for text, _ in reading.removed))))
