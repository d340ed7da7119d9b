"""What an input of the zoo is, and how its size is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from hostile.zoo.texts import KEY

Times = Callable[[int], int]
"""A count at full size to the count at the size that is asked for; at least 1."""

LIMITS: Final = frozenset({"too-many-bytes", "too-many-blocks"})
"""Reasons that only the full size of an input deserves."""
CONTENT: Final = "content"
ANY: Final = "any"
_SMALLEST: Final = 1 / 4096


@dataclass(frozen=True, slots=True)
class Input:
    """One input that was made to break something.

    Attributes:
        name: unique, and begins with its group: ``nesting/div``.
        build: makes it, given a function that scales counts.
        key: a sentence that the page holds and everybody can see; None if there is none, or if
            what a reader sees of it is a matter of opinion.
        encoding: what a browser reads the page as (Encoding Standard); None where it can only
            guess, or guesses wrong: garbled text is nobody's fault then.
        expected: ``content``; the reason of the `PageError` that the full size deserves, whatever
            asks for it; or ``any``.
        url: where it comes from.
        charset: encoding that its server declares.
        language: of the article, ISO 639-1.
    """

    name: str
    build: Callable[[Times], bytes]
    key: str | None = KEY
    encoding: str | None = "utf-8"
    expected: str = CONTENT
    url: str | None = None
    charset: str | None = None
    language: str = "en"

    @property
    def group(self) -> str:
        """The file that holds it."""
        return self.name.partition("/")[0]

    def make(self, scale: float = 1) -> bytes:
        """The input; counts of what it repeats are multiplied by the scale, 1 is full size."""
        return self.build(lambda count: max(1, round(count * scale)))

    def small(self, most: int) -> bytes:
        """The largest of a series of sizes that has at most so many bytes, or the smallest."""
        scale, chosen = _SMALLEST, self.make(_SMALLEST)
        while scale < 1:
            scale = min(1, 2 * scale)
            larger = self.make(scale)
            if len(larger) > most:
                break
            chosen = larger
        return chosen

    def refusal(self, *, full: bool) -> str | None:
        """The reason with which the input has to be refused, None if it must not or may be."""
        if self.expected in {CONTENT, ANY} or (self.expected in LIMITS and not full):
            return None
        return self.expected


class Group:
    """Collects the inputs of one file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._inputs: dict[str, Input] = {}

    def add(self, name: str, build: Callable[[Times], bytes], **more: object) -> None:
        """One input; the fields of `Input` that are not the usual ones follow."""
        full = f"{self.name}/{name}"
        assert full not in self._inputs, full
        self._inputs[full] = Input(full, build, **more)

    def __iter__(self) -> Iterator[Input]:
        return iter(self._inputs.values())
