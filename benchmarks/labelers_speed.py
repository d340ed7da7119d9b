"""Pages per second of the default model and of every labeler, interleaved batch by batch.

    python benchmarks/labelers_speed.py HTML_DIR [--pages N]
    python benchmarks/labelers_speed.py --growth

With --growth: microseconds per block of one page of 1,000, 10,000 and 100,000 blocks. Process time
of cutting and labelling; decoding and rendering are the same for all and left out.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections import defaultdict
from pathlib import Path

from victor.api import load_cleaner
from victor.labelers import LABELERS, Labeler, build_labeler
from victor.model.extractor import batches
from victor.page.decode import utf8


def seconds(labelers: dict[str, Labeler], pages: list[bytes]) -> dict[str, float]:
    """Seconds for all pages by name; every batch is labelled by all, one after the other."""
    spent: dict[str, float] = defaultdict(float)
    marked = [(page, utf8(page)) for page in pages]
    for batch in batches(marked):
        markup = [text for _, text in batch]
        for name, labeler in labelers.items():
            start = time.process_time()
            labeler.label(labeler.table(markup))
            spent[name] += time.process_time() - start
    return spent


def page_of(blocks: int) -> bytes:
    """A page of articles, links and lists with about so many blocks."""
    parts = [
        f"<div class='c{n % 7}'><h2>Part {n}</h2><p>The bees of hive {n} flew out at {n % 24} "
        f"o'clock, and {n % 13} of them came back.</p><ul><li><a href='/{n}'>More</a></li></ul>"
        "<p>Posted by a keeper.</p></div>"
        for n in range(blocks // 4)
    ]
    return f"<html><body>{''.join(parts)}</body></html>".encode()


def growth(labelers: dict[str, Labeler]) -> None:
    """Print microseconds per block for pages of growing size."""
    sizes = (1_000, 10_000, 100_000)
    seconds(labelers, [page_of(1_000)])
    times = [seconds(labelers, [page_of(size)]) for size in sizes]
    print(" " * 12, *(f"{size:>9,}" for size in sizes))
    for name in labelers:
        row = (spent[name] / size * 1e6 for spent, size in zip(times, sizes, strict=True))
        print(f"{name:12s}", *(f"{value:9.1f}" for value in row))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path, nargs="?")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--pages", type=int, default=150)
    arguments = parser.parse_args()
    labelers: dict[str, Labeler] = {"default": load_cleaner().labeler}
    labelers |= {name: build_labeler(name) for name in LABELERS}
    if arguments.growth:
        growth(labelers)
        return
    if arguments.directory is None:
        parser.error("name a folder of pages, or --growth")
    files = sorted(arguments.directory.glob("*.html"))
    random.Random(1).shuffle(files)
    pages = [file.read_bytes() for file in files[: arguments.pages]]
    seconds(labelers, pages[:8])
    gc.disable()
    for name, spent in seconds(labelers, pages).items():
        print(f"{name:12s} {len(pages) / spent:8.1f} pages/s")


if __name__ == "__main__":
    main()
