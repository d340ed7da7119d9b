"""Spread work over processes and give the results in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import inf
from typing import TypeVar

from victor.base.errors import VictorError

Item = TypeVar("Item")
Result = TypeVar("Result")


def parallel_map(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Iterator[Result]:
    """Results of a function in the order of the items, which are read as they are needed.

    Args:
        function: one that other processes can import.
        items: its arguments, one a call.
        jobs: number of processes; 1 calls it in this process.

    Raises:
        VictorError: a process was lost.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from victor.base.processes import Lost, ordered  # 20 ms to load

    try:
        setup = partial(_itself, function)
        yield from ordered(setup, iter(items), jobs, seconds=inf, memory=None)
    except Lost as lost:
        raise VictorError(
            f"{lost}, perhaps for its memory: use fewer --jobs, or `victor crawl`"
        ) from None


def _itself(function: Callable[[Item], Result]) -> Callable[[Item], Result]:
    return function
