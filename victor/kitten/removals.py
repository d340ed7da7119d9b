"""The archive of what rules removed from a text, each with its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

_WORD: Final = re.compile(r"[^\W_]+(?:['’.,:/-]?[^\W_]+)*")
_RUN: Final = re.compile(r"[^\W_]+")


class Removal(NamedTuple):
    """One text that is not in the output.

    Attributes:
        rule: ``link-item``, ``bullet``, ``option``, ``menu``, or ``table`` with the reason that
            its reader gives.
        text: the text.
    """

    rule: str
    text: str


@dataclass
class Removals:
    """What rules removed from a page, in order of removal."""

    entries: list[Removal] = field(default_factory=list)

    def add(self, rule: str, text: str) -> None:
        """Archive a text."""
        self.entries.append(Removal(rule, text))

    @property
    def counts(self) -> Counter[str]:
        """Number of texts that each rule removed."""
        return Counter(entry.rule for entry in self.entries)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The entries as plain data, one row per text."""
        for entry in self.entries:
            yield {"rule": entry.rule, "text": entry.text, "words": count_words(entry.text)}


def count_words(text: str) -> int:
    """Number of words: letters and digits, joined by marks as in ``o'clock`` or 3.14."""
    return sum(1 for _ in _WORD.finditer(text))


def words_of(text: str) -> Counter[str]:
    """Runs of letters and digits, and how often each occurs."""
    return Counter(_RUN.findall(text))
