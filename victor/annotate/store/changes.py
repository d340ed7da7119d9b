"""Changes of labels: ranges of blocks that take a label, checked, replayed and undone."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from operator import and_
from typing import Annotated, Final, Literal, NamedTuple, cast

import msgspec

from victor.base.errors import CorpusError
from victor.corpus.pages import LETTERS, UNMARKED

_MOST_LABELLED: Final = 1_000_000_000
"""Blocks that the changes of one revision label, each as often as it is: a second of work."""
_IS_UNMARKED: Final = bytes(letter == ord(UNMARKED) for letter in range(256))
_DECIDED: Final = re.compile(b"\1+")
_RUNS: Final = re.compile("|".join(f"{re.escape(letter)}+" for letter in LETTERS))


Letter = Literal["h", "t", "o", "?"]
"""One of `victor.corpus.pages.LETTERS`."""
PlainChange = tuple[Annotated[int, msgspec.Meta(ge=0)], int, Letter]
"""A `Change` as it is read: of these, a million a second can be made."""


class Change(NamedTuple):
    """Blocks from `first` to `last`, both included, take a label.

    Attributes:
        first, last: numbers of blocks of the page, from 0.
        label: one of `victor.corpus.pages.LETTERS`.
    """

    first: int
    last: int
    label: Letter


def parsed_changes(text: str) -> list[PlainChange]:
    """Changes from JSON.

    Raises:
        msgspec.MsgspecError: it is not a list of changes.
    """
    return msgspec.json.decode(text, type=list[PlainChange])


def check_ranges(changes: Iterable[PlainChange], n_blocks: int) -> None:
    """Check changes of a page.

    Raises:
        CorpusError: one is not within the page, or together they label every block very often.
    """
    total = 0
    for first, last, _ in changes:
        if not 0 <= first <= last < n_blocks:
            raise CorpusError(f"blocks {first} to {last} are not a range of the {n_blocks} blocks")
        total += last + 1 - first
    if total > _MOST_LABELLED:
        raise CorpusError(f"these changes label {total} blocks, at most {_MOST_LABELLED} at once")


def checked_labels(letters: object, n_blocks: int) -> str:
    """Labels of all blocks of a page from plain data.

    Raises:
        CorpusError: they are not one letter of `LETTERS` per block.
    """
    if not isinstance(letters, str) or set(letters) - set(LETTERS):
        raise CorpusError(f"labels have to be a text of the letters {' '.join(LETTERS)}")
    if len(letters) != n_blocks:
        raise CorpusError(f"{len(letters)} labels for {n_blocks} blocks; one letter per block")
    return letters


def unpacked(packed: bytes, size: int) -> bytes:
    """So many bytes, however many a damaged store would unpack to.

    Raises:
        zlib.error: it is not packed, or holds another number of bytes.
    """
    content = zlib.decompressobj().decompress(packed, size + 1)
    if len(content) != size:
        raise zlib.error(f"there are other than {size} labels")
    return content


def replay(labels: str, changes: Iterable[PlainChange]) -> str:
    """The labels after changes, made in their order."""
    letters = bytearray(labels, "ascii")
    for first, last, label in changes:
        letters[first : last + 1] = label.encode() * (last + 1 - first)
    return letters.decode("ascii")


def decided_other(labels: str, changes: Iterable[PlainChange]) -> list[tuple[int, int]]:
    """Ranges of blocks that are *other* because somebody said so, not because nobody did.

    Args:
        labels: after all changes, one letter per block.
        changes: all that led to them, in any order.

    Returns:
        First and last block of each range, in order.
    """
    left = bytearray(len(labels))
    for first, last, _ in changes:
        left[first : last + 1] = b"\1" * (last + 1 - first)
    mine = bytes(map(and_, left, labels.encode("ascii").translate(_IS_UNMARKED)))
    return [(run.start(), run.end() - 1) for run in _DECIDED.finditer(mine)]


def changes_between(before: str, after: str) -> tuple[Change, ...]:
    """The fewest changes, in order and without overlap, that turn `before` into `after`.

    With the arguments swapped they undo a change. Blocks that have the label already do not split
    a range: labelling a passage where some blocks had the label is one change.
    """
    assert len(before) == len(after), "one label per block"
    return tuple(
        Change(run.start(), run.end() - 1, cast(Letter, run[0][0]))
        for run in _RUNS.finditer(after)
        if before[run.start() : run.end()] != run[0]
    )
