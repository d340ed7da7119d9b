"""Spread work over processes and give the results in order."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

_TRACKER: Final = "ignore::UserWarning:joblib.externals.loky.backend.resource_tracker"
"""Silences the process that tracks semaphores: it reports those of workers that were still busy
when the reader of the results left."""

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
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from joblib import Parallel, delayed  # noqa: PLC0415  (only with more than one process)

    # If only the first results are read (`| head`), warnings about the others do not matter.
    warnings.filterwarnings("ignore", r"\d+ tasks (which were|have been) ", UserWarning)
    filters = os.environ.get("PYTHONWARNINGS", "")
    if _TRACKER not in filters:
        os.environ["PYTHONWARNINGS"] = f"{filters},{_TRACKER}".lstrip(",")
    yield from Parallel(n_jobs=jobs, return_as="generator")(map(delayed(function), items))
