"""The labels of a text block, and its kinds."""

from __future__ import annotations

from enum import IntEnum

UNLABELLED = 255
"""Value in label arrays for a block that nobody labelled or that is ambiguous: never scored."""


class Label(IntEnum):
    """Label of a block; the values index the label axis of every marginal array.

    header: a headline of kept content; text: kept content; other: boilerplate.
    """

    HEADER = 0
    TEXT = 1
    OTHER = 2

    @property
    def lower_name(self) -> str:
        """Name as written in files and on screen, e.g. ``"header"``."""
        return self.name.lower()


HEADER, TEXT, OTHER = map(int, Label)
"""The labels as plain numbers: arrays are compared with them ten times as fast as with members."""

LABEL_NAMES: tuple[str, ...] = tuple(label.lower_name for label in Label)


class Kind(IntEnum):
    """What a block is to the reader of its page; the values are codes of columns.

    paragraph and heading: what the labeler keeps and is nothing more special; item, cell, code and
    quote: the same in a list, a data table, preformatted or quoted; post: the same in a thread.
    comment: what readers write, reviews included; comment-meta: their names and dates, buttons and
    forms. teaser: the lead of another page. other: all that has no kind of its own.
    """

    OTHER = 0
    PARAGRAPH = 1
    HEADING = 2
    HEADLINE = 3
    STANDFIRST = 4
    BYLINE = 5
    CAPTION = 6
    COMMENT = 7
    COMMENT_META = 8
    TEASER = 9
    ITEM = 10
    CELL = 11
    CODE = 12
    QUOTE = 13
    POST = 14

    @property
    def lower_name(self) -> str:
        """Name as written in files and on screen, e.g. ``"comment-meta"``."""
        return self.name.lower().replace("_", "-")


KIND_NAMES: tuple[str, ...] = tuple(kind.lower_name for kind in Kind)
