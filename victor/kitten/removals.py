"""The archive of what rules removed from a text: nothing goes without a reason."""

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
        rule: why: ``link-item``, ``bullet``, ``option``, ``menu``, or ``table`` with the reason of
            its reader.
        text: what.
    """

    rule: str
    text: str


@dataclass
class Removals:
    """What rules removed from a page, in the order in which they did."""

    entries: list[Removal] = field(default_factory=list)

    def add(self, rule: str, text: str) -> None:
        """Archive a text."""
        self.entries.append(Removal(rule, text))

    @property
    def counts(self) -> Counter[str]:
        """How many texts went by each rule."""
        return Counter(entry.rule for entry in self.entries)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Plain data, one row for each text."""
        for entry in self.entries:
            yield {"rule": entry.rule, "text": entry.text, "words": count_words(entry.text)}


def count_words(text: str) -> int:
    """Words of a text: letters and digits, with what stands inside as in ``o'clock`` or 3.14."""
    return sum(1 for _ in _WORD.finditer(text))


def words_of(text: str) -> Counter[str]:
    """Runs of letters and digits, and how often each occurs."""
    return Counter(_RUN.findall(text))
