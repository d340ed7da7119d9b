"""Spread work over processes and give the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from victor.base.errors import VictorError

if TYPE_CHECKING:
    from concurrent.futures import Future

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
        VictorError: a process was killed.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ProcessPoolExecutor  # 20 ms to load
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    waiting: deque[Future[Result]] = deque()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > 2 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise VictorError(
                "a process was killed, probably for its memory: use fewer --jobs, or `victor crawl`"
            ) from None
        finally:  # whoever reads only the first results (`| head`) waits for no others
            for future in waiting:
                future.cancel()
