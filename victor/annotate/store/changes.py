"""Changes of labels: ranges of blocks that take a label, checked, replayed and undone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple

import msgspec

from victor.corpus.label_letters import LETTERS
from victor.errors import CorpusError

_RUNS: Final = re.compile("|".join(f"{re.escape(letter)}+" for letter in LETTERS))


class Change(NamedTuple):
    """Blocks from `first` to `last`, both included, take a label.

    Attributes:
        first, last: numbers of blocks of the page, from 0.
        label: one of `victor.corpus.label_letters.LETTERS`.
    """

    first: Annotated[int, msgspec.Meta(ge=0)]
    last: int
    label: Annotated[str, msgspec.Meta(pattern=rf"\A[{LETTERS}]\Z")]


def checked_changes(changes: object, n_blocks: int) -> tuple[Change, ...]:
    """Changes from plain data, e.g. parsed JSON.

    Raises:
        CorpusError: it is not a list of ``[first, last, letter]`` within the page.
    """
    try:
        checked = msgspec.convert(changes, tuple[Change, ...])
    except msgspec.ValidationError as error:
        raise CorpusError(f"changes have to be a list of [first, last, label]: {error}") from None
    for first, last, _ in checked:
        if not first <= last < n_blocks:
            raise CorpusError(f"blocks {first} to {last} are not a range of the {n_blocks} blocks")
    return checked


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


def replay(labels: str, changes: Iterable[Change]) -> str:
    """The labels after changes, made in their order."""
    letters = bytearray(labels, "ascii")
    for first, last, label in changes:
        letters[first : last + 1] = label.encode() * (last + 1 - first)
    return letters.decode("ascii")


def changes_between(before: str, after: str) -> tuple[Change, ...]:
    """The fewest changes, in order and without overlap, that turn `before` into `after`.

    With the arguments swapped they undo a change. Blocks that have the label already do not split
    a range: labelling a passage where some blocks had the label is one change.
    """
    assert len(before) == len(after), "one label per block"
    return tuple(
        Change(run.start(), run.end() - 1, run[0][0])
        for run in _RUNS.finditer(after)
        if before[run.start() : run.end()] != run[0]
    )
