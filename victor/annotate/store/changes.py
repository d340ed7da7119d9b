"""Changes of labels: ranges of blocks that take a label, checked, replayed and undone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from victor.annotate.store.label_letters import LETTERS
from victor.errors import CorpusError

_RUNS: Final = re.compile("|".join(f"{re.escape(letter)}+" for letter in LETTERS))


class Change(NamedTuple):
    """Blocks from `first` to `last`, both included, take a label.

    Attributes:
        first, last: numbers of blocks of the page, from 0.
        label: one of `victor.annotate.store.label_letters.LETTERS`.
    """

    first: int
    last: int
    label: str


def checked_changes(changes: object, n_blocks: int) -> tuple[Change, ...]:
    """Changes from plain data, e.g. parsed JSON.

    Raises:
        CorpusError: it is no list of ``[first, last, letter]`` within the page.
    """
    if not isinstance(changes, list | tuple):
        raise CorpusError("changes have to be a list of [first, last, label]")
    return tuple(_checked(change, n_blocks) for change in changes)


def _checked(change: object, n_blocks: int) -> Change:
    if not (isinstance(change, list | tuple) and len(change) == 3):
        raise CorpusError(f"a change is [first, last, label], not {_short(change)}")
    first, last, label = change
    # A bool is an int to Python, and a label could be an unhashable list.
    if type(first) is not int or type(last) is not int or not isinstance(label, str):
        raise CorpusError(f"a change is [first, last, label], not {_short(change)}")
    if not 0 <= first <= last < n_blocks:
        raise CorpusError(f"blocks {first} to {last} are no range of the {n_blocks} blocks here")
    if label not in tuple(LETTERS):
        raise CorpusError(f"label {_short(label)} is not one of {' '.join(LETTERS)}")
    return Change(first, last, label)


def checked_labels(letters: object, n_blocks: int) -> str:
    """Labels of all blocks of a page from plain data.

    Raises:
        CorpusError: they are not one letter of `LETTERS` a block.
    """
    if not isinstance(letters, str) or set(letters) - set(LETTERS):
        raise CorpusError(f"labels have to be a text of the letters {' '.join(LETTERS)}")
    if len(letters) != n_blocks:
        raise CorpusError(f"{len(letters)} labels for {n_blocks} blocks; one letter a block")
    return letters


def _short(value: object) -> str:
    """A value for a message, however large it is."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def replay(labels: str, changes: Iterable[Change]) -> str:
    """The labels after changes, made in their order."""
    letters = bytearray(labels, "ascii")
    for first, last, label in changes:
        letters[first : last + 1] = label.encode() * (last + 1 - first)
    return letters.decode("ascii")


def changes_between(before: str, after: str) -> tuple[Change, ...]:
    """The fewest changes, in order and without overlap, that make `after` of `before`.

    With the arguments swapped they undo a change. A range is not cut by blocks that have its label
    already, so labelling a passage where some blocks had the label is one change.
    """
    assert len(before) == len(after), "one label a block"
    runs = (Change(m.start(), m.end() - 1, m[0][0]) for m in _RUNS.finditer(after))
    return tuple(run for run in runs if before[run.first : run.last + 1] != _text(run))


def _text(run: Change) -> str:
    return run.label * (run.last + 1 - run.first)


def plain(changes: Sequence[Change]) -> list[list[int | str]]:
    """Changes as JSON has them."""
    return [list(change) for change in changes]
