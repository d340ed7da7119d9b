"""Data tables among the passages of a page: each is read as clauses at its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from victor.kitten.cell_types import cell_types
from victor.kitten.data_tables import is_data
from victor.kitten.passages import Passage
from victor.kitten.removals import Removals, words_of
from victor.kitten.table_clauses import Reading, read
from victor.kitten.tables import leaf_tables
from victor.page.full_record import Markup

TABLE: Final = "table"


def read_tables(
    passages: Sequence[Passage], full: Markup, texts: Sequence[str], removals: Removals
) -> list[Passage]:
    """Passages in which every leaf table with data is replaced by its clauses.

    What kind a table and its cells are of is told by all that is in it, dropped or not.

    Args:
        passages: of a page.
        full: the page.
        texts: what each of its items adds to the text.
        removals: where the texts go that no clause holds.
    """
    present = {passage.table for passage in passages}
    readings = {
        shown.first: read(shown, cell_types(whole))
        for whole, shown in zip(leaf_tables(full), leaf_tables(full, texts), strict=True)
        if whole.first in present and is_data(whole)
    }
    return replaced(passages, readings, removals)


def replaced(
    passages: Sequence[Passage], readings: Mapping[int, Reading], removals: Removals
) -> list[Passage]:
    """Passages in which some tables are read as clauses, where the first passage of each stood.

    Args:
        passages: of a page.
        readings: of tables, by their start tags.
        removals: where the texts go that the clauses leave out.
    """
    found: list[Passage] = []
    left = {table: _words(reading) for table, reading in readings.items()}
    begun: set[int] = set()
    for passage in passages:
        table = passage.table
        if table not in readings:
            found.append(passage)
            continue
        if table not in begun:
            begun.add(table)
            for text, reason in readings[table].removed:
                removals.add(f"{TABLE}: {reason}", text)
            texts = readings[table].clauses
            found += [Passage(text, table=table, is_finished=True) for text in texts]
        wanted = words_of(passage.text)
        if wanted <= left[table]:
            left[table] -= wanted
        else:  # the reader of tables saw it otherwise; nothing goes without a trace
            removals.add(TABLE, passage.text)
    return found


def _words(reading: Reading) -> Counter[str]:
    """Words that a reading gives or tells to leave out."""
    return words_of(" ".join((*reading.clauses, *(text for text, _ in reading.removed))))
