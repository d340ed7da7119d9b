"""Cut finished units of work into parts: a part holds so many items, wherever units end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from victor.crawl.workers.batching import Cursor
from victor.crawl.workers.pool import Done
from victor.crawl.workers.readings import Reading
from victor.documents.outcome import Outcome


class Piece(NamedTuple):
    """Outcomes that belong to one part.

    Attributes:
        outcomes: in the order of their items.
        sizes: bytes of each item.
        after: cursor where a run goes on after them.
        position: bytes of the input of `after` that had been read by then, 0 if unknown.
        ends_part: are they the last ones of a part.
        readings: what was read for them, and for the rest of their unit; with its first piece.
    """

    outcomes: Sequence[Outcome]
    sizes: Sequence[int]
    after: Cursor
    position: int
    ends_part: bool
    readings: Sequence[Reading] = ()


def pieces(units: Iterable[Done], part_records: int, skip: int) -> Iterator[Piece]:
    """Units of work, cut where parts end.

    Args:
        units: in order.
        part_records: items of a part.
        skip: so many items of the first unit are left out.
    """
    room = part_records
    for unit in units:
        first, skip = skip, 0
        while first < len(unit.outcomes):
            last = min(first + room, len(unit.outcomes))
            room -= last - first
            is_whole = last == len(unit.outcomes)
            yield Piece(
                unit.outcomes[first:last],
                unit.sizes[first:last],
                unit.after if is_whole else unit.start._replace(done=last),
                unit.position if is_whole else 0,
                ends_part=not room,
                readings=() if first else unit.readings,
            )
            first, room = last, room or part_records
