"""Pages per second of the default model and of every labeler, interleaved batch by batch.

    python benchmarks/labelers_speed.py HTML_DIR [--pages N]

Process time of cutting and labelling; decoding and rendering are the same for all and left out.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections import defaultdict
from pathlib import Path

from victor.analysis import batches
from victor.api import load_cleaner
from victor.decode import decode, utf8
from victor.labelers import LABELERS, Labeler, build_labeler


def seconds(labelers: dict[str, Labeler], pages: list[bytes]) -> dict[str, float]:
    """Seconds for all pages by name; every batch is labelled by all, one after the other."""
    spent: dict[str, float] = defaultdict(float)
    marked = [(page, utf8(page, decode(page))) for page in pages]
    for batch in batches(marked):
        markup = [text for _, text in batch]
        for name, labeler in labelers.items():
            start = time.process_time()
            labeler.label(labeler.table(markup))
            spent[name] += time.process_time() - start
    return spent


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--pages", type=int, default=150)
    given = parser.parse_args()
    files = sorted(given.directory.glob("*.html"))
    random.Random(1).shuffle(files)
    pages = [file.read_bytes() for file in files[: given.pages]]
    labelers: dict[str, Labeler] = {"default": load_cleaner().labeler}
    labelers |= {name: build_labeler(name) for name in LABELERS}
    seconds(labelers, pages[:8])
    gc.disable()
    for name, spent in seconds(labelers, pages).items():
        print(f"{name:12s} {len(pages) / spent:8.1f} pages/s")


if __name__ == "__main__":
    main()
