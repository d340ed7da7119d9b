"""Runs of a target on random mutations of its seeds, where there is no atheris to guide them."""

from __future__ import annotations

import random
import time
from typing import Final

from fuzz.run import Options, Run

_MOST_BYTES: Final = 1 << 16
_NASTY: Final = (b"", b"\0", b"\xff" * 8, b"-1", b"0", b"NaN", b"1e999", b"null", b"[]", b"{}",
                 b"9" * 400, b"<", b"]]>", b"\r\n", "\u2028".encode(), b"\xed\xa0\x80")  # fmt: skip


def fuzz(options: Options) -> Run:
    """Run it; what was done."""
    target = options.load()
    seeds = target.seeds()
    options.prepare(seeds)
    most = getattr(target, "MOST_BYTES", _MOST_BYTES)
    draw = random.Random(options.seed)
    began, runs = time.monotonic(), 0
    while not (options.runs and runs >= options.runs):
        if options.seconds and time.monotonic() - began >= options.seconds:
            break
        data = mutated(draw.choice(seeds), draw.choice(seeds), draw)[:most]
        runs += 1
        try:
            target.one(data)
        except Exception as error:  # a finding, and the run goes on
            options.keep(data, error)
    return Run(runs, time.monotonic() - began, "blind mutations (no atheris here)")


def mutated(data: bytes, other: bytes, draw: random.Random) -> bytes:
    """An input with one to eight changes; `other` is another one, to take parts from."""
    for _ in range(draw.randint(1, 8)):
        start = draw.randint(0, len(data))
        end = min(len(data), start + draw.choice((0, 1, 1, 2, 8, 64)))
        cut = draw.randint(0, len(other))
        new = draw.choice(
            (
                draw.randbytes(end - start),
                draw.choice(_NASTY),
                data[start:end] * draw.choice((2, 3, 20)),
                other[cut : cut + draw.choice((1, 8, 64, 512))],
            )
        )
        data = data[:start] + new + data[end:]
    return data
