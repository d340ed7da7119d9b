"""Write a WARC of any size from a folder of pages, a part of its records damaged.

    python benchmarks/make_warc.py FOLDER OUT.warc.gz [--records 20000] [--damaged 0.02] [--seed 1]

FOLDER holds HTML files, as ``html`` of a corpus does. They are repeated under changed URLs until
there are enough; the same arguments write the same bytes. Damages are of the kinds that
``tests/hostile/archives`` has, drawn at random, without those that unpack to more than 60 MB.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hostile.archives.damages import RECORDS
from hostile.archives.records import packed, record, taken


def make(folder: Path, out: Path, n_records: int, damaged: float, seed: int) -> Counter[str]:
    """Write the WARC.

    Args:
        folder: of the HTML files.
        out: the file.
        n_records: how many responses it gets.
        damaged: share of them that are damaged; no two neighbours are.
        seed: of the random draws.

    Returns:
        How many records have each damage.
    """
    luck = random.Random(seed)
    kinds = [name for name in RECORDS if "bomb" not in name]
    numbers = {
        2 * number for number in luck.sample(range(n_records // 2), int(n_records * damaged))
    }
    counts: Counter[str] = Counter()
    with out.open("wb") as file:
        for page in taken(folder, n_records):
            if page.number in numbers:
                kind = luck.choice(kinds)
                counts[kind] += 1
                file.write(RECORDS[kind](page, luck))
            else:
                file.write(packed(record(page)))
    return counts


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--damaged", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counts = make(given.folder, given.out, given.records, given.damaged, given.seed)
    print(f"{given.out}: {given.records} responses, {counts.total()} damaged")
    for kind, count in sorted(counts.items()):
        print(f"{count:6} {kind}")


if __name__ == "__main__":
    main()
