"""How marks and links stand around inline content, for forms with delimiters or elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from victor.render.tree.nodes import STRONG, Break, Inline, Mark, Math, Picture, Text, merged

TAGS: Final = {
    STRONG: ("<strong>", "</strong>"),
    Mark.EMPHASIS.value: ("<em>", "</em>"),
    Mark.DELETED.value: ("<del>", "</del>"),
    Mark.SUBSCRIPT.value: ("<sub>", "</sub>"),
    Mark.SUPERSCRIPT.value: ("<sup>", "</sup>"),
}
"""Start and end of the elements in HTML that marks are which can stand around one another."""
_NESTED: Final = sum(TAGS)
_WITHIN: Final = 1 << 40  # stands for marks or a link of what can stand within those of others
Step = tuple[int, Inline | None]
"""What stands around a piece alone, the value of a `Mark` or ~n for link n, and the piece; 0 for
nothing. With None for the piece, what opens here; or 0, where the one that opened last ends."""
_END: Final[Step] = 0, None


def steps(inlines: Sequence[Inline], *, for_markdown: bool = False) -> Iterator[Step]:
    """Some content in order, adjacent texts that are set alike as one; code is the innermost.

    Args:
        inlines: the content.
        for_markdown: every link opens before marks do, and these end before images, formulas and
            notes; else what reaches further opens first, and marks go on.
    """
    pieces = merged(inlines)
    marks, links = _settings(pieces, for_markdown=for_markdown)
    open_marks, open_link = 0, -1
    opened = [(0, len(pieces))]  # what is open, and where it ends
    for at, piece in enumerate(pieces):
        while at == opened[-1][1]:
            around, _ = opened.pop()
            open_marks -= max(around, 0)
            open_link = open_link if around > 0 else -1
            yield _END
        own, link = marks[at] & _NESTED, links[at]
        while (missing := own & ~open_marks) or link not in (-1, open_link, _WITHIN):
            around, end, stop = 0, 0, opened[-1][1]
            is_linked = link not in (-1, open_link, _WITHIN)
            if is_linked:
                around, end = ~link, _end(links, at, stop, -1)
            if missing and not (is_linked and for_markdown):
                for mark in TAGS:
                    if missing & mark and (reach := _end(marks, at, stop, mark)) > end:
                        around, end = mark, reach
            if end == at + 1 and (missing, is_linked) in ((0, True), (around, False)):
                yield around, piece
                break
            opened.append((around, end))
            open_marks += max(around, 0)
            open_link = open_link if around > 0 else link
            yield around, None
        else:
            yield 0, piece
    yield from [_END] * (len(opened) - 1)


def _settings(pieces: Sequence[Inline], *, for_markdown: bool) -> tuple[list[int], list[int]]:
    """The marks of each piece, and the number of its link, -1 for none."""
    marks: list[int] = []
    links: list[int] = []
    for each in pieces:
        if isinstance(each, Text):  # nearly all are
            marks.append(each.marks)
            links.append(each.link)
        else:
            is_within = isinstance(each, Break) or (isinstance(each, Math) and not for_markdown)
            own = each.link if isinstance(each, Picture) else -1
            marks.append(0 if for_markdown and not is_within else _WITHIN)
            links.append(_WITHIN if is_within else own)
    return marks, links


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
