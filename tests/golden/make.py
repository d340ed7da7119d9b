"""Write what golden pages are expected to give, from what the code gives now.

    python tests/golden/make.py lists tables

A golden page is a folder: ``page.html``; ``keep.txt``, whose first line is the split (``tag`` or
``block``) and whose second the numbers of the kept blocks, ``2-5 7``; and the expected outputs.
Kept blocks inside h1-h6 are headers. Without a ``keep.txt`` one is written that keeps all; the
numbers of the blocks are printed. Read the difference before committing it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from victor.base.labels import Label
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page, renderer
from victor.tables.data_tables import data_tables

EXPECTED = {
    "expected.txt": "text",
    "expected.md": "markdown",
    "expected.html": "html",
    "expected.cleaneval": "cleaneval",
    "expected.jsonl": "records",
    "expected.article.html": "article",
}
"""The output format of every file."""


def outputs(folder: Path) -> dict[str, str]:
    """What the code gives for a golden page, by file name."""
    verdict = judged(folder)
    markup = (folder / "page.html").read_bytes()
    return {
        name: renderer(form)(Page(verdict, url=f"http://example.org/{folder.name}", markup=markup))
        for name, form in EXPECTED.items()
    }


def judged(folder: Path) -> Verdict:
    """The verdict that ``keep.txt`` stands for."""
    split, numbers = (folder / "keep.txt").read_text("utf-8").splitlines()
    markup = (folder / "page.html").read_bytes()
    table = segment(record([markup]), split)
    labels = np.full(len(table), Label.OTHER, dtype=np.uint8)
    kept = kept_blocks(numbers)
    labels[kept] = np.where(table.heading_level[kept] > 0, Label.HEADER, Label.TEXT)
    marginals = np.where(labels[:, None] == np.arange(len(Label)), 0.8, 0.1)
    tables = data_tables(table, labels != Label.OTHER)
    return Verdict(table, labels, marginals, "threshold", tables=tables, markups=[markup])


def kept_blocks(numbers: str) -> list[int]:
    """Numbers and ranges of numbers, ``2-5 7``."""
    kept: list[int] = []
    for part in numbers.split():
        first, _, last = part.partition("-")
        kept += range(int(first), int(last or first) + 1)
    return kept


def write(folder: Path) -> None:
    """Write the expectations of one page and print its blocks."""
    keep = folder / "keep.txt"
    if not keep.exists():
        table = segment(record([(folder / "page.html").read_bytes()]))
        keep.write_text(f"block\n0-{len(table) - 1}\n", "utf-8", newline="\n")
    for name, output in outputs(folder).items():
        (folder / name).write_text(output, "utf-8", newline="\n")
    verdict = judged(folder)
    for number, text in enumerate(block_texts(verdict.table)):
        print(f"{number:4} {'keep' if verdict.kept[number] else '    '} {text!r}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(__file__).parent / name)
