"""Inline content as elements that nest: where marks and links open and close."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from victor.page.allowance import Allowance
from victor.render.tree.nodes import UNSET, Break, Inline, Mark, Math, NoteMark, Picture, Text


class Wrapper(NamedTuple):
    """What stands around inline content: one mark, or a link.

    Attributes:
        mark: PLAIN for a link.
        link: its number in `Tree.links`, -1 for a mark.
    """

    mark: Mark = Mark.PLAIN
    link: int = -1


_MARKS: Final = tuple(mark for mark in Mark if mark)
_CODE: Final = Wrapper(Mark.CODE)


def written(
    inlines: Sequence[Inline],
    write: Callable[[Inline], str],
    start: Callable[[Wrapper], str],
    end: Callable[[Wrapper], str],
    allowance: Allowance,
) -> str:
    """Inline content with the tags of its marks and links, properly nested.

    What reaches further opens first. Code is always the innermost; breaks of lines, formulas,
    images and marks of notes never stand in it, and marks of notes stand in no link.

    Args:
        inlines: the content.
        write: gives a piece of it without its marks and its link.
        start: gives the start tag of a mark or link.
        end: gives its end tag.
        allowance: what the form may take.
    """
    allowance.ask()
    if len(inlines) == 1 and isinstance(inlines[0], Text) and inlines[0][1:] == UNSET:
        return write(inlines[0])
    wrappers_of = [_own(inline) for inline in allowance.over(inlines)]
    if not any(wrappers_of):
        return "".join(map(write, allowance.over(inlines)))
    around = _around(inlines, wrappers_of, allowance)
    is_nested = max(map(len, around)) > 1
    reach = _reach(around, allowance) if is_nested else [dict[Wrapper, int]()] * len(around)
    stack: list[Wrapper] = []
    parts: list[str] = []
    for inline, wanted, ends in zip(allowance.over(inlines), around, reach, strict=True):
        stays = _staying(stack, wanted)
        while len(stack) > stays:
            parts.append(end(stack.pop()))
        missing = [wrapper for wrapper in wanted if wrapper not in stack]
        if len(missing) > 1:
            missing.sort(key=lambda each, ends=ends: (each == _CODE, -ends[each]))  # type: ignore[misc]
        stack += missing
        parts += [*map(start, missing), write(inline)]
    return "".join((*parts, *map(end, reversed(stack))))


def _staying(stack: Sequence[Wrapper], wanted: Sequence[Wrapper]) -> int:
    """How many of the open wrappers stay open; nothing opens within code."""
    stays = 0
    while stays < len(stack) and stack[stays] in wanted:
        stays += 1
    is_code = stays > 0 and stack[stays - 1] == _CODE
    return stays - 1 if is_code and stays < len(wanted) else stays


def _around(
    inlines: Sequence[Inline], wrappers_of: Sequence[tuple[Wrapper, ...]], allowance: Allowance
) -> list[tuple[Wrapper, ...]]:
    """The wrappers of each piece; what has no marks has those of both neighbours."""
    before: list[tuple[Wrapper, ...]] = []
    last: tuple[Wrapper, ...] = ()
    for inline, wrappers in zip(inlines, wrappers_of, strict=True):
        before.append(last)
        last = wrappers if isinstance(inline, Text) else last
    around: list[tuple[Wrapper, ...]] = []
    after: tuple[Wrapper, ...] = ()
    for number in allowance.over(range(len(inlines) - 1, -1, -1)):
        inline = inlines[number]
        if isinstance(inline, Text):
            after = wrappers_of[number]
            around.append(after)
            continue
        shared = tuple(
            wrapper for wrapper in before[number] if wrapper in after and wrapper != _CODE
        )
        around.append(_between(inline, wrappers_of[number], shared))
    return around[::-1]


def _own(inline: Inline) -> tuple[Wrapper, ...]:
    """The wrappers of a piece alone, its link first."""
    if isinstance(inline, Text):
        marks = _wrappers(inline.marks._value_)
        return marks if inline.link < 0 else (Wrapper(link=inline.link), *marks)
    if isinstance(inline, Picture) and inline.link >= 0:
        return (Wrapper(link=inline.link),)
    return ()


@lru_cache(maxsize=64)
def _wrappers(marks: int) -> tuple[Wrapper, ...]:
    """The wrappers of some marks, given their value."""
    return tuple(Wrapper(mark) for mark in _MARKS if marks & mark)


def _between(
    inline: Inline, wrappers: tuple[Wrapper, ...], shared: tuple[Wrapper, ...]
) -> tuple[Wrapper, ...]:
    """Wrappers of a piece that is no text."""
    if isinstance(inline, Break | Math):
        return shared
    marks = tuple(wrapper for wrapper in shared if wrapper.link < 0)
    return marks if isinstance(inline, NoteMark) else (*wrappers, *marks)


def _reach(around: Sequence[tuple[Wrapper, ...]], allowance: Allowance) -> list[dict[Wrapper, int]]:
    """For each piece and each of its wrappers, where the run of pieces that have it ends."""
    reach: list[dict[Wrapper, int]] = []
    after: dict[Wrapper, int] = {}
    for number in allowance.over(range(len(around) - 1, -1, -1)):
        after = {wrapper: after.get(wrapper, number + 1) for wrapper in around[number]}
        reach.append(after)
    return reach[::-1]
