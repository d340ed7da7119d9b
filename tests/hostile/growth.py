"""Processor time and memory of steps on pages of growing size, and how fast they grow.

The steps of a page run in a forked child, so that one which takes hours or all memory ends the
child alone; another child goes on with the rest. A step is made ready before the clock starts: a
form needs a page that is cleaned.
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
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

Make = Callable[[bytes], Callable[[], object]]
"""Of a page, the step."""

LEAST_SECONDS: Final = 0.06
LEAST_BYTES: Final = 48 << 20
"""What is below these on the larger page is noise, and no figure to fit an exponent to."""
PART: Final = 64
"""The smaller page counts as at least this part of them."""
CPU_SECONDS: Final = 40
ADDRESS_SPACE: Final = 12 << 30


class Cost(NamedTuple):
    """What a step took: of the processor, and of resident memory above what was there before."""

    seconds: float = math.inf
    bytes: float = math.inf
    error: str = ""
    """Why there are no figures, "" if there are: the limit that was met, or the exception."""


class Growth(NamedTuple):
    """Exponents between two pages: 1 is in proportion, 2 quadratic; 0 if there is too little."""

    time: float
    memory: float
    error: str = ""

    @property
    def worst(self) -> float:
        """The larger one."""
        return max(self.time, self.memory)


def costs(steps: Mapping[str, Make], page: bytes) -> dict[str, Cost]:
    """What steps take of a page."""
    gc.collect()
    spent: dict[str, Cost] = {}
    while waiting := [name for name in steps if name not in spent]:
        lines, end = _in_child(partial(_measure, steps, waiting, page))
        spent |= {name: Cost(*cost) for name, *cost in lines}
        if len(lines) < len(waiting):
            spent[waiting[len(lines)]] = Cost(error=end)
    return spent


def exponent(smaller: float, larger: float, least: float, ratio: float) -> float:
    """How a value grows; 0 if that of the larger page is below the least that can be measured."""
    if larger < least:
        return 0.0
    return math.log(larger / max(smaller, least / PART)) / math.log(ratio)


def grown(steps: Mapping[str, Make], pages: Sequence[bytes], rounds: int = 1) -> dict[str, Growth]:
    """How steps grow between two pages; of several rounds the least cost counts."""
    larger = _least([costs(steps, pages[1]) for _ in range(rounds)])
    weighty = {name: steps[name] for name, cost in larger.items() if _is_weighty(cost)}
    smaller = _least([costs(weighty, pages[0]) for _ in range(rounds)])
    ratio = len(pages[1]) / len(pages[0])
    return {name: _growth(smaller.get(name), cost, ratio) for name, cost in larger.items()}


def _is_weighty(cost: Cost) -> bool:
    """Is there something that an exponent can be fitted to."""
    return not cost.error and (cost.seconds >= LEAST_SECONDS or cost.bytes >= LEAST_BYTES)


def _growth(smaller: Cost | None, larger: Cost, ratio: float) -> Growth:
    if larger.error:
        return Growth(math.inf, math.inf, larger.error)
    if smaller is None:
        return Growth(0.0, 0.0)
    values = zip(smaller[:2], larger[:2], (LEAST_SECONDS, LEAST_BYTES), strict=True)
    return Growth(*(exponent(*pair, least, ratio) for *pair, least in values))


def _least(tries: Sequence[Mapping[str, Cost]]) -> dict[str, Cost]:
    return {name: min(each[name] for each in tries) for name in tries[0]}


def _in_child(action: Callable[[int], object]) -> tuple[list[list[object]], str]:
    """The lines of JSON that a forked child writes, and how it ends."""
    read, write = os.pipe()
    with warnings.catch_warnings():  # libraries have threads, which the child does without
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        try:
            os.close(read)
            action(write)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        lines = [*map(json.loads, answer)]
    _, status = os.waitpid(child, 0)
    return lines, _end(status)


def _measure(steps: Mapping[str, Make], names: Iterable[str], page: bytes, write: int) -> None:
    """Take steps one after another, and write what each took."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    gc.freeze()  # what was there before is none of the page's
    for name in names:
        limit = math.ceil(time.process_time()) + CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        cost = _cost(steps[name], page)
        os.write(write, json.dumps([name, *cost]).encode() + b"\n")


def _cost(make: Make, page: bytes) -> Cost:
    try:
        action = make(page)
        _return_free_memory()
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before, start = _memory("VmRSS:"), time.process_time()
        action()
        seconds = time.process_time() - start
        return Cost(seconds, max(_memory("VmHWM:") - before, 0))
    except BaseException as error:  # whatever it is, it is what the step gave
        return Cost(error=f"{type(error).__name__}: {error}"[:200])


def _return_free_memory() -> None:
    """Give to the system what is free, which a step would take without any growth of memory."""
    with suppress(AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def _memory(key: str) -> int:
    """Bytes of memory that this process has now, or had at most."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) << 10
    raise KeyError(key)


def _end(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return f"more than {CPU_SECONDS} s"
        return signal.Signals(number).name
    return f"exit {os.WEXITSTATUS(status)}"
