"""Processor time and memory of a step on pages of growing size, and how fast they grow.

Everything is measured in forked children, so that a step which takes hours or all memory ends the
child alone. A step is made ready before the clock starts: a form needs a page that is cleaned.
"""

from __future__ import annotations

import ctypes
import gc
import json
import math
import os
import resource
import signal
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

Action = Callable[[], object]

LEAST_SECONDS: Final = 0.05
LEAST_BYTES: Final = 8 << 20
"""What is below these is noise, and no figure to fit an exponent to."""
PART: Final = 16
"""A smaller page counts as at least this part of them."""
CPU_SECONDS: Final = 60
ADDRESS_SPACE: Final = 12 << 30


class Cost(NamedTuple):
    """What a step took.

    Attributes:
        seconds: of the processor.
        bytes: peak of resident memory above what was there when the step began.
        error: why there are no figures, "" if there are: the limit that stopped the child, or the
            exception.
    """

    seconds: float = math.inf
    bytes: float = math.inf
    error: str = ""


def costs(steps: Mapping[str, Action], *, rounds: int = 1) -> dict[str, Cost]:
    """What steps take, each in a child of its own; of several rounds the least."""
    gc.collect()
    _return_free_memory()
    gc.freeze()  # a collection in a child would copy all pages of memory
    spent: dict[str, Cost] = {}
    for name, action in steps.items():
        tries = [_in_child(action) for _ in range(rounds)]
        good = [cost for cost in tries if not cost.error]
        if not good:
            spent[name] = tries[0]
            continue
        spent[name] = Cost(min(c.seconds for c in good), min(c.bytes for c in good))
    return spent


def _return_free_memory() -> None:
    """Give to the system what is free, which a child would take without any growth of memory."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
    if trim is not None:
        trim(0)


def exponent(sizes: Sequence[int], values: Sequence[float], least: float) -> float | None:
    """How a value grows between the two largest sizes: 1 is in proportion, 2 is quadratic.

    None if the value of the largest is below the least that can be measured.
    """
    if len(sizes) < 2 or values[-1] < least:
        return None
    smaller = max(values[-2], least / PART)
    return math.log(values[-1] / smaller) / math.log(sizes[-1] / sizes[-2])


def _in_child(action: Action) -> Cost:
    """What an action takes in a forked child; its result is thrown away."""
    read, write = os.pipe()
    with warnings.catch_warnings():  # libraries have threads, which the child does without
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        os.close(read)
        _measure(action, write)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        line = answer.read()
    _, status = os.waitpid(child, 0)
    if line:
        return Cost(*json.loads(line))
    return Cost(error=_end(status))


def _measure(action: Action, write: int) -> None:
    """Run the action, write what it took, and end this process."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        before, start = _resident(), time.process_time()
        action()
        seconds = time.process_time() - start
        cost = Cost(seconds, max(_peak() - before, 0))
    except BaseException as error:
        cost = Cost(error=f"{type(error).__name__}: {error}"[:200])
    try:
        os.write(write, json.dumps(cost).encode())
    finally:
        os._exit(0)


def _end(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number in (signal.SIGXCPU, signal.SIGKILL):
            return f"more than {CPU_SECONDS} s"
        return signal.Signals(number).name
    return f"exit {os.WEXITSTATUS(status)}"


def _resident() -> int:
    """Bytes of memory that this process has now."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


def _peak() -> int:
    """The most that it had; a forked process begins with what it has then."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
