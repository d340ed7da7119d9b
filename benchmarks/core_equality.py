"""Do the compiled core and the Python path give the same, on pages and on random inputs.

    python benchmarks/core_equality.py [--layer NAME ...] [--random N] [--seed N] [FOLDER ...]

A folder holds pages as `*.html` files, directly or in `html/`. Every layer is run both ways on
every page and on N random inputs; the first few pages that differ are printed as they are, made
as short as still shows it. The exit code is 1 if any does.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import islice
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from markup_strategies import random_page

from victor import core
from victor.page.decode import decode, utf8
from victor.page.events import prepared, record
from victor.page.segment import segment
from victor.page.unclosed import marks

BATCH = 16
SHOWN = 10
SAMPLES = 100
"""Pages that random inputs are cut out of."""

LAYERS: dict[str, Callable[[list[bytes]], object]] = {
    "marks": lambda pages: [(*marks(page), prepared(page)) for page in pages],
    "events": record,
    "events with alternative texts": lambda pages: record(pages, alt_text=True),
    "table": lambda pages: segment(record(pages)),
}
"""What is compared: results of a batch of pages given as UTF-8 bytes."""


def same(ours: object, wanted: object) -> bool:
    """Are two results the same: equal arrays of equal types, equal fields, equal objects."""
    if isinstance(wanted, np.ndarray):
        if not isinstance(ours, np.ndarray) or ours.dtype != wanted.dtype:
            return False
        return ours.shape == wanted.shape and ours.tobytes() == wanted.tobytes()
    if is_dataclass(wanted):
        return type(ours) is type(wanted) and all(
            same(getattr(ours, field.name), getattr(wanted, field.name)) for field in fields(wanted)
        )
    if isinstance(wanted, list | tuple) and isinstance(ours, list | tuple):
        return len(ours) == len(wanted) and all(map(same, ours, wanted))
    return bool(ours == wanted)


def differs(layer: str, pages: list[bytes]) -> bool:
    """Does a layer give other results without the compiled core."""
    function, compiled = LAYERS[layer], core.compiled
    ours = function(pages)
    core.compiled = None
    try:
        wanted = function(pages)
    finally:
        core.compiled = compiled
    return not same(ours, wanted)


def shortened(layer: str, page: bytes) -> bytes:
    """The page with all taken out that does not matter."""
    size = len(page) // 2
    while size:
        at = 0
        while at < len(page):
            shorter = (page[:at] + page[at + size :]).decode("utf-8", "ignore").encode()
            if len(shorter) < len(page) and differs(layer, [shorter]):
                page = shorter
            else:
                at += size
        size //= 2
    return page


def compare(pages: Iterator[bytes], layers: list[str], what: str) -> int:
    """Run layers on pages; returns how many differ."""
    n_pages, n_different = 0, dict.fromkeys(layers, 0)
    while batch := list(islice(pages, BATCH)):
        n_pages += len(batch)
        for layer in layers:
            if not differs(layer, batch):
                continue
            wrong = [page for page in batch if differs(layer, [page])]
            n_different[layer] += max(len(wrong), 1)
            for page in wrong[: max(SHOWN - n_different[layer] + len(wrong), 0)]:
                print(f"{layer}: {shortened(layer, page)!r}", flush=True)
    counts = ", ".join(f"{layer} {count}" for layer, count in n_different.items())
    print(f"{what}: {n_pages} pages; differ: {counts}", flush=True)
    return sum(n_different.values())


def pages_of(folder: Path) -> Iterator[bytes]:
    """Pages of a folder as UTF-8 bytes."""
    for path in sorted([*folder.glob("*.html"), *folder.glob("html/*.html")]):
        page = path.read_bytes()
        yield utf8(page, decode(page))


def main() -> int:
    """Compare, and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--layer", action="append", choices=[*LAYERS], help="default: all")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if core.compiled is None:
        parser.error("there is no compiled core")
    layers = options.layer or [*LAYERS]
    total = sum(compare(pages_of(folder), layers, str(folder)) for folder in options.folders)
    if options.random:
        generator = random.Random(options.seed)
        paths = [path for folder in options.folders for path in sorted(folder.rglob("*.html"))]
        chosen = generator.sample(paths, min(SAMPLES, len(paths)))
        samples = [path.read_bytes() for path in chosen]
        inputs = (random_page(generator, samples) for _ in range(options.random))
        total += compare(inputs, layers, f"random, seed {options.seed}")
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
