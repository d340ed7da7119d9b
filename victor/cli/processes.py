"""Spread work over processes and give the results in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import inf
from typing import TypeVar

from victor.base.errors import PageError, VictorError

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
    for result in supervised(function, items, jobs, seconds=inf):
        if isinstance(result, PageError):
            raise VictorError(f"{result}: use fewer --jobs, or `victor crawl`")
        yield result


def supervised(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int, *, seconds: float
) -> Iterator[Result | PageError]:
    """The same in processes with limits; an error in place of a result for which one was lost.

    Args:
        function: see `parallel_map`.
        items: see `parallel_map`.
        jobs: number of processes.
        seconds: that a call may take.
    """
    from victor.base.processes import MEMORY, ordered  # 20 ms to load

    memory = None if seconds == inf else MEMORY
    return ordered(partial(_itself, function), items, jobs, seconds=seconds, memory=memory)


def _itself(function: Callable[[Item], Result]) -> Callable[[Item], Result]:
    return function
