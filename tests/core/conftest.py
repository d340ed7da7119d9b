"""Where the core was built for it, its calls run out of memory before they are answered."""

import ctypes
import os
from collections import Counter
from collections.abc import Callable, Iterator
from threading import RLock
from types import ModuleType
from typing import Any

import pytest

from victor.base import core

MOST_CALLS = 2
"""So many calls of each function run out of memory in one test."""
EVERY = 64
"""So many allocations of a call fail one by one; of those after them some."""


COLUMNS = "chars", "page_starts", "tags.id", "elements.parent", "tokens.kind", "words", "outer"


def plain(result: object) -> object:
    """What a call returned, its memory as bytes; what belongs to a model has nothing to compare."""
    if isinstance(result, tuple | list):
        return [plain(part) for part in result]
    if type(result).__name__ == "Memory":
        return bytes(result)
    if type(result).__name__ == "Batch":
        return [bytes(result.array(name)) for name in COLUMNS]
    return None if type(result).__name__ == "PyCapsule" else result


class OutOfMemory:
    """The compiled core, each of whose calls fails for want of memory before it succeeds.

    The first allocation of a call fails, then the second of another try, and so on until a try
    needs no more. Each try raises MemoryError, or gives what the call gives with all its memory.
    """

    def __init__(self, compiled: ModuleType) -> None:
        self._compiled = compiled
        self._left = ctypes.c_long.in_dll(ctypes.CDLL(compiled.__file__), "vt_allocations_left")
        self._n_calls = Counter[tuple[str, str]]()
        self._lock = lock = RLock()  # the count is one for all threads
        # A child would wait for a thread that it has not.
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
        self._is_failing = False
        self.n_failures = Counter[str]()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._compiled, name)

        def call(*arguments: object, **named: object) -> object:
            with self._lock:
                test = os.environ["PYTEST_CURRENT_TEST"], name
                self._n_calls[test] += not self._is_failing  # a call may make another one
                if not self._is_failing and self._n_calls[test] <= MOST_CALLS:
                    self._exhaust(name, lambda: method(*arguments, **named))
                return method(*arguments, **named)

        return call

    def _exhaust(self, name: str, call: Callable[[], object]) -> None:
        outcomes, allocation, failed = [], 0, True
        while failed:
            allocation += 1 if allocation < EVERY else allocation // 4
            self._is_failing, self._left.value = True, allocation
            try:
                outcomes.append(plain(call()))
            except MemoryError:
                assert self._left.value <= 0, f"{name} had all its memory"
            except Exception as error:
                outcomes.append(repr(error))
            failed = self._left.value <= 0
            self._is_failing, self._left.value = False, 0
            self.n_failures[name] += failed
        assert all(outcome == outcomes[-1] for outcome in outcomes), f"{name} is wrong"


def can_fail(compiled: ModuleType) -> bool:
    """Was the core built with `failing_allocations.h`."""
    return hasattr(ctypes.CDLL(compiled.__file__), "vt_allocations_left")


@pytest.fixture(autouse=True, scope="session")
def out_of_memory() -> Iterator[None]:
    """Let calls of the core fail, where it was built for that."""
    if not can_fail(core.compiled):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", OutOfMemory(core.compiled))
        yield
