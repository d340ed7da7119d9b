"""Inline content nested as it is written: stretches in one link or one mark, and single pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import and_
from typing import Final, NamedTuple

from victor.render.tree.nodes import Break, Inline, Mark, Math, Picture, Text

# Operations on plain numbers are many times as fast as those on flags.
CODE: Final = Mark.CODE.value
_MARKS: Final = tuple(mark.value for mark in Mark if mark and mark != Mark.CODE)
NESTED: Final = sum(_MARKS)  # all marks that can stand around one another
_WITHIN: Final = 1 << 40  # stands for marks or a link of what can stand within those of others


class Part(NamedTuple):
    """A stretch of inline content."""

    around: int  # value of the mark around it, ~n for link n; 0 for one piece as it is
    start: int
    stop: int
    marks: int  # that are open within it
    link: int  # likewise, -1 for none


class Run(NamedTuple):
    """Inline content, adjacent texts that are set alike as one; code is always the innermost."""

    inlines: Sequence[Inline]
    marks: list[int]  # value of the marks of each piece
    links: list[int]  # number of its link, -1 for none
    for_markdown: bool

    @classmethod
    def of(cls, inlines: Sequence[Inline], *, for_markdown: bool = False) -> Run:
        """Some content.

        Args:
            inlines: the content.
            for_markdown: every link opens before marks do, and these end before images, formulas
                and notes; else what reaches further opens first, and marks go on.
        """
        pieces, marks, links = merged(inlines), list[int](), list[int]()
        for each in pieces:
            if isinstance(each, Text):  # nearly all are
                marks.append(each.marks._value_)
                links.append(each.link)
            else:
                is_within = isinstance(each, Break) or (isinstance(each, Math) and not for_markdown)
                own = each.link if isinstance(each, Picture) else -1
                marks.append(0 if for_markdown and not is_within else _WITHIN)
                links.append(_WITHIN if is_within else own)
        return cls(pieces, marks, links, for_markdown)

    @property
    def whole(self) -> Part:
        """All of it."""
        return Part(0, 0, len(self.inlines), 0, -1)

    def parts(self, part: Part) -> Iterator[Part]:
        """What stands in a stretch, in order."""
        at, (_, _, stop, marks, link) = part.start, part
        while at < stop:
            ends = dict[int, int]()
            if (own := self.links[at]) not in (-1, link, _WITHIN):
                ends[~own] = _end(self.links, at, stop, -1)
            missing = self.marks[at] & NESTED & ~marks
            if missing and not (ends and self.for_markdown):
                for mark in _MARKS:
                    if missing & mark:
                        ends[mark] = _end(self.marks, at, stop, mark)
            around = max(ends, key=ends.__getitem__) if ends else 0
            end = ends.get(around, at + 1)
            inner = ~around if around < 0 else link
            yield Part(around, at, end, marks | max(around, 0), inner)
            at = end


def merged(inlines: Sequence[Inline]) -> list[Inline]:
    """Adjacent texts of the same kind as one; code is one whatever is marked in it."""
    merged: list[Inline] = []
    for _, group in groupby(inlines, _kind):
        alike = [*group]
        texts = [each for each in alike if isinstance(each, Text)]
        merged += alike if len(texts) < 2 else [_as_one(texts)]
    return merged


def _as_one(texts: Sequence[Text]) -> Text:
    marks = reduce(and_, [each.marks for each in texts])
    return Text("".join([each.text for each in texts]), marks, texts[0].link)


def _kind(inline: Inline) -> tuple[int, int] | None:
    """What texts have in common that can be one; None for all else."""
    if not isinstance(inline, Text):
        return None
    marks = inline.marks._value_
    return CODE if marks & CODE else marks, inline.link


def _end(values: Sequence[int], at: int, stop: int, mask: int) -> int:
    """Where the pieces end that belong together: some bits of their values are the same."""
    end, wanted = at + 1, values[at] & mask
    for position in range(end, stop):
        value = values[position]
        if value & mask == wanted:
            end = position + 1
        elif value != _WITHIN:
            break
    return end
