"""How time and memory of all that is asked grow with the page: ``python -m tests.hostile.growth``.

Takes every step (`asked`) of every page of the zoo at two sizes, the second four times the first.
Prints what grows faster than ``--most``, and its exponent (1 is in proportion, 2 quadratic); the
exit status is 1 if there is anything. The steps of a page run in a forked child, so that one which
takes hours or all memory ends the child alone.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import math
import os
import re
import resource
import signal
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from tests.hostile.asked import STEPS, Step, warm
from tests.hostile.zoo import ALL, Input
from victor import PageError, Source

MOST: Final = 1.3
LEAST: Final = (0.06, float(48 << 20))
"""Seconds and bytes below which a figure is noise, and no exponent is fitted to it."""
_CPU_SECONDS: Final = 40
_ADDRESS_SPACE: Final = 12 << 30
_BYTES: Final = 150_000
"""Of the smaller page, about."""
_TIMES: Final = 4
URL: Final = "https://bees.test/path/page.html"

Cost = tuple[float, float] | str
"""Seconds of the processor and bytes of memory of a step, or why there are none."""


def exponent(smaller: float, larger: float, least: float, ratio: float) -> float:
    """How a value grows with a page that is so many times as large; 0 if there is too little."""
    if larger < least:
        return 0.0
    return math.log(larger / max(smaller, least / 64)) / math.log(ratio)


def findings(steps: Mapping[str, Step], pages: Sequence[bytes], most: float) -> dict[str, str]:
    """The steps that grow too fast from the first page to the second, and by how much.

    What does so is measured again: the least of three counts.
    """
    ratio = len(pages[1]) / len(pages[0])
    found: dict[str, str] = {}
    for rounds in (1, 3):
        again = {name: steps[name] for name in (steps if rounds == 1 else found)}
        small, large = ([_costs(again, page) for _ in range(rounds)] for page in pages)
        worst = {
            name: _worst([s[name] for s in small], [c[name] for c in large], ratio)
            for name in again
        }
        found = {
            name: f"{power}"
            for name, power in worst.items()
            if isinstance(power, str) or power > most
        }
    return found


def _worst(small: list[Cost], large: list[Cost], ratio: float) -> float | str:
    for cost in large:
        if isinstance(cost, str):
            return cost
    least = [[min(each) for each in zip(*costs, strict=True)] for costs in (small, large)]
    powers = [exponent(*both, limit, ratio) for *both, limit in zip(*least, LEAST, strict=True)]
    return round(max(powers), 2)


def _costs(steps: Mapping[str, Step], page: bytes) -> dict[str, Cost]:
    """What steps take of a page; after a step that ends the child another child goes on."""
    gc.collect()
    spent: dict[str, Cost] = {}
    while waiting := [name for name in steps if name not in spent]:
        lines, end = _in_child(partial(_measure, steps, waiting, page))
        spent |= lines
        if len(lines) < len(waiting):
            spent[waiting[len(lines)]] = end
    return spent


def _in_child(action: Callable[[int], object]) -> tuple[dict[str, Cost], str]:
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
        lines = dict(map(json.loads, answer))
    _, status = os.waitpid(child, 0)
    name = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "its end"
    return lines, f"ended by {name}"


def _measure(steps: Mapping[str, Step], names: list[str], page: bytes, write: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    gc.freeze()  # what was there before is none of the page's
    for name in names:
        limit = math.ceil(time.process_time()) + _CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        os.write(write, json.dumps([name, _cost(steps[name], page)]).encode() + b"\n")


def _cost(make: Step, page: bytes) -> Cost:
    try:
        action = make(Source(page, URL))
        with suppress(AttributeError):  # only glibc has it
            ctypes.CDLL(None).malloc_trim(0)  # what is free is given back, and so counts again
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before, start = _memory("VmRSS:"), time.process_time()
        action()
        return time.process_time() - start, max(_memory("VmHWM:") - before, 0)
    except PageError:  # a limit of the page itself
        return 0.0, 0.0
    except BaseException as error:  # whatever it is, it is what the step gave
        return f"{type(error).__name__}: {error}"[:200]


def _memory(key: str) -> int:
    """Bytes of memory that this process has now, or had at most."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{key}\s+(\d+)", status)[1]) << 10  # type: ignore[index]


def sized(entry: Input, size: int) -> bytes:
    """A page of about so many bytes, or its only size."""
    unit = (len(entry.page(21)) - len(entry.page(1))) / 20
    return entry.page(max(1, round(size / unit)) if unit else 1)


PAGES: Final = [entry for entry in ALL.values() if "binaries" not in entry.name]


def _of_page(number: int, chosen: list[str], most: float) -> dict[str, str]:
    entry = PAGES[number]
    pages = [sized(entry, _BYTES), sized(entry, _TIMES * _BYTES)]
    if len(pages[1]) < 2 * len(pages[0]):
        return {}
    return findings({name: STEPS[name] for name in chosen}, pages, most)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--pages", default="", help="expression that names of pages match")
    parser.add_argument("--steps", default="", help="expression that names of steps match")
    parser.add_argument("--most", type=float, default=MOST, help="largest exponent")
    given = parser.parse_args()
    chosen = [name for name in STEPS if re.search(given.steps, name)]
    numbers = [n for n, entry in enumerate(PAGES) if re.search(given.pages, entry.name)]
    warm(chosen)
    n_found = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        measure = partial(_of_page, chosen=chosen, most=given.most)
        for number, found in zip(numbers, pool.map(measure, numbers), strict=True):
            for name, power in found.items():
                print(f"{name} · {PAGES[number].name}: {power}", flush=True)
            n_found += len(found)
    print(f"{n_found} findings on {len(numbers)} pages")
    raise SystemExit(bool(n_found))


if __name__ == "__main__":
    main()
