"""Pages whose blocks are annotated by kind, for the benchmarks of kinds and scopes."""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HALVES = {"all": (0, 1), "rules": (0,), "unseen": (1,)}
"""The rules were chosen by looking at pages of the first half of the sites only."""


@dataclass(frozen=True)
class KindPage:
    """One page.

    Attributes:
        id: unique in its corpus.
        html: its bytes.
        gold: its row of gold.jsonl.
        blocks: text and kind of every block, in order.
    """

    id: str
    html: bytes
    gold: dict[str, Any]
    blocks: tuple[tuple[str, str], ...]


def options(description: str | None) -> argparse.ArgumentParser:
    """The options that both benchmarks have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--sites", choices=HALVES, default="unseen")
    return parser


def read_kind_pages(corpus: Path, sites: str) -> Iterator[KindPage]:
    """Pages of a folder with gold.jsonl, html/ and blocks/, of some sites."""
    with (corpus / "gold.jsonl").open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            if zlib.crc32(row["site"].encode()) % 2 not in HALVES[sites]:
                continue
            yield KindPage(
                id=row["id"],
                html=next((corpus / "html").glob(f"{row['id']}.html*")).read_bytes(),
                gold=row,
                blocks=tuple(_blocks(corpus / "blocks" / f"{row['id']}.blocks.jsonl")),
            )


def _blocks(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for block in map(json.loads, lines):
            yield block["text"], block["kind"]
