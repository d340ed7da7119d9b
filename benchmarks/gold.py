"""Bring a published layout into `gold.jsonl` beside `html/`, which `victor align` reads.

    python benchmarks/gold.py wcxb SPLIT -o GOLD      ground-truth/ID.json, html/ID.html.gz
    python benchmarks/gold.py markers FOLDER -o GOLD [--begin TEXT --end TEXT [--discard]]

`markers` reads pages whose template has comments or tags around the content, by default Google's
`googleoff` and `googleon` around what is none. A page that gives no gold standard is named.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from layouts import GoldPage, UnusableError, markers, wcxb


def main() -> None:
    """Write what a source holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("layout", choices=["wcxb", "markers"])
    parser.add_argument("source", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="GOLD")
    parser.add_argument("--begin", default="googleoff", metavar="TEXT")
    parser.add_argument("--end", default="googleon", metavar="TEXT")
    parser.add_argument("--discard", action="store_true", help="what they enclose is no content")
    given = parser.parse_args()
    is_discarded = given.discard or given.begin == parser.get_default("begin")
    readers = {
        "wcxb": wcxb.pages,
        "markers": partial(
            markers.pages, begin=given.begin, end=given.end, is_discarded=is_discarded
        ),
    }
    written = write(given.output, readers[given.layout](given.source))
    print(f"{written} pages written to {given.output}", file=sys.stderr)


def write(folder: Path, pages: Iterator[GoldPage | UnusableError]) -> int:
    """Write pages as a corpus of gold standards, and return their number; others are named."""
    (folder / "html").mkdir(parents=True)
    written = 0
    with (folder / "gold.jsonl").open("x", encoding="utf-8") as rows:
        for page in pages:
            if isinstance(page, UnusableError):
                print(page, file=sys.stderr)
                continue
            written += 1
            (folder / "html" / f"{page.row['id']}.html").write_bytes(page.html)
            rows.write(json.dumps(page.row) + "\n")
            if page.blocks is not None:
                blocks = (json.dumps({"label": label, "text": text}) for label, text in page.blocks)
                path = folder / "blocks" / f"{page.row['id']}.blocks.jsonl"
                path.parent.mkdir(exist_ok=True)
                path.write_text("\n".join(blocks), encoding="utf-8")
    return written


if __name__ == "__main__":
    main()
