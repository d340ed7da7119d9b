"""The labels of a text block."""

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


LABEL_NAMES: tuple[str, ...] = tuple(label.lower_name for label in Label)
