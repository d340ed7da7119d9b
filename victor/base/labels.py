"""The labels of a text block, and its kinds."""

from __future__ import annotations

from enum import IntEnum

UNLABELLED = 255
"""Value in label arrays for a block that nobody labelled or that is ambiguous: never scored."""


class _Code(IntEnum):
    @property
    def lower_name(self) -> str:
        """Name as written in files and on screen, e.g. ``"header"``."""
        return self.name.lower()


class Label(_Code):
    """Label of a block; the values index the label axis of every marginal array.

    header: a headline of kept content; text: kept content; other: boilerplate.
    """

    HEADER = 0
    TEXT = 1
    OTHER = 2


HEADER, TEXT, OTHER = map(int, Label)
"""The labels as plain numbers: arrays are compared with them ten times as fast as with members."""

N_LABELS = len(Label)
LABEL_NAMES: tuple[str, ...] = tuple(label.lower_name for label in Label)


class Kind(_Code):
    """What a block is to the reader of its page; the values are codes of columns.

    text and heading: what the labeler keeps and is nothing more special; item, cell, code and
    quote: text in a list, in a data table, preformatted or quoted. headline: that of the page.
    comment: what readers write, reviews included. other: all that has no kind of its own.
    """

    OTHER = 0
    TEXT = 1
    HEADING = 2
    HEADLINE = 3
    COMMENT = 4
    ITEM = 5
    CELL = 6
    CODE = 7
    QUOTE = 8


KIND_NAMES: tuple[str, ...] = tuple(kind.lower_name for kind in Kind)
