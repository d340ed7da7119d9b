"""Work spread over processes, results in order."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

_TRACKER: Final = "ignore::UserWarning:joblib.externals.loky.backend.resource_tracker"
"""The process that watches the semaphores of the others reports those of which a reader that left
early did not await the end."""

Item = TypeVar("Item")
Found = TypeVar("Found")


def spread(function: Callable[[Item], Found], items: Iterable[Item], jobs: int) -> Iterator[Found]:
    """Results of a function in the order of the items, which are read as they are needed.

    Args:
        function: of a module, so that other processes find it.
        items: what it is called with.
        jobs: processes; 1 is this one.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from joblib import Parallel, delayed  # noqa: PLC0415  (only with more than one process)

    # Whoever reads only the first results (`| head`) need not hear of the others.
    warnings.filterwarnings("ignore", r"\d+ tasks (which were|have been) ", UserWarning)
    said = os.environ.get("PYTHONWARNINGS", "")
    if _TRACKER not in said:
        os.environ["PYTHONWARNINGS"] = f"{said},{_TRACKER}".lstrip(",")
    yield from Parallel(n_jobs=jobs, return_as="generator")(map(delayed(function), items))
