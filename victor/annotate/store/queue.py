"""The pages of a store in some order, as one annotator sees them, a few at a time.

SQLite chooses and sorts: it lets other threads work meanwhile, and only what is shown is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from victor.annotate.store.database import Database
from victor.annotate.store.pages import Pages, StoredPage
from victor.annotate.store.revisions import FINISHED, STATES

_SEEN: Final = """
    FROM page
    LEFT JOIN head ON head.page = page.number AND annotator = :annotator
    LEFT JOIN score ON score.page = page.number AND name = :score
    WHERE (:state IS NULL OR ifnull(head.state, 'todo') = :state)
"""
_BY_SCORE: Final = "value IS NULL, -ifnull(value, 0.0), page.number"
"""The order by a score: pages without it last. Without a score it is that of the numbers."""


class View(NamedTuple):
    """What one annotator wants to see.

    Attributes:
        annotator: whose states they are; a page that the annotator never saved is ``todo``.
        state: of the pages; None for all.
        score: name of the score that orders them, the highest first and those without it last;
            None for the order in which they were added.
    """

    annotator: str
    state: str | None = None
    score: str | None = None


class Row(NamedTuple):
    """A page as it stands in the queue.

    Attributes:
        page: the page.
        states: by the name of every annotator who saved it, sorted by name.
    """

    page: StoredPage
    states: Mapping[str, str]


class Queue:
    """The pages of a store in the orders of annotators."""

    def __init__(self, database: Database, pages: Pages) -> None:
        self._database, self._pages = database, pages

    def count(self, view: View) -> int:
        """How many pages there are."""
        if view.state is None:
            return self._pages.count()
        ((count,),) = self._database.rows(f"SELECT count(*) {_SEEN}", **view._asdict())
        return int(count)

    def rows(self, view: View, offset: int, limit: int) -> list[Row]:
        """So many pages from the one at `offset` on."""
        query = f"SELECT page.number {_SEEN} ORDER BY {_BY_SCORE}"
        values = {**view._asdict(), "offset": offset, "limit": limit}
        rows = self._database.rows(f"{query} LIMIT :limit OFFSET :offset", **values)
        numbers = [number for (number,) in rows]
        states: dict[int, dict[str, str]] = {number: {} for number in numbers}
        for number, annotator, state in self._database.rows(
            f"SELECT page, annotator, state FROM head WHERE page IN ({_list(numbers)})"
            " ORDER BY page, annotator"
        ):
            states[number][annotator] = state
        pages = self._pages.numbered(numbers)
        return [Row(pages[number], states[number]) for number in numbers]

    def next_to_do(self, annotator: str, page: StoredPage) -> StoredPage | None:
        """The next page after one, in the order in which they were added, that is to do."""
        rows = self._database.rows(
            f"SELECT page.number {_SEEN} AND page.number > :number ORDER BY page.number LIMIT 1",
            **View(annotator, "todo")._asdict(), number=page.number,
        )  # fmt: skip
        return next(iter(self._pages.numbered(number for (number,) in rows).values()), None)

    def scores(self, name: str, pages: Iterable[StoredPage]) -> dict[int, float]:
        """The score of each of these pages that has it, by number."""
        query = f"SELECT page, value FROM score WHERE page IN ({_list(p.number for p in pages)})"
        return dict(self._database.rows(f"{query} AND name = ?", name))

    def states(self, annotator: str) -> dict[str, int]:
        """How many pages an annotator gave each state; pages that are still to do do not count."""
        query = "SELECT state, count(*) FROM head WHERE annotator = ? AND state <> 'todo'"
        counts = dict(self._database.rows(f"{query} GROUP BY state", annotator))
        return {state: counts[state] for state in STATES if state in counts}

    def finished(self) -> int:
        """How many pages somebody has finished."""
        query = "SELECT count(DISTINCT page) FROM head WHERE state IN (?, ?)"
        ((count,),) = self._database.rows(query, *FINISHED)
        return int(count)


def _list(numbers: Iterable[int]) -> str:
    """Numbers of pages, in SQL."""
    return ", ".join(map(str, numbers))
