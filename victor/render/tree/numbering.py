"""Numbers that documents in markup need: of notes, and of items of lists."""

from __future__ import annotations

from collections.abc import Sequence

from victor.render.tree.nodes import Block, Item, Note


def note_numbers(children: Sequence[Block]) -> dict[str, int]:
    """Numbers from 1 of the notes that some blocks hold, by label."""
    pending: list[object] = [*reversed(children)]
    numbers: dict[str, int] = {}
    while pending:
        node = pending.pop()
        if isinstance(node, Note):
            numbers.setdefault(node.label, len(numbers) + 1)
        pending += reversed(getattr(node, "children", ()))
    return numbers


def counts_down(items: Sequence[Item]) -> bool:
    """Do the numbers of some items go down by one from item to item."""
    numbers = [item.number for item in items]
    return len(numbers) > 1 and numbers == [*range(numbers[0], numbers[0] - len(numbers), -1)]


def odd_numbers(items: Sequence[Item], step: int) -> list[int | None]:
    """The number of each item that does not follow on the item before it, None for the others."""
    expected = items[0].number if items else 0
    odd: list[int | None] = []
    for item in items:
        odd.append(None if item.number == expected else item.number)
        expected = item.number + step
    return odd
