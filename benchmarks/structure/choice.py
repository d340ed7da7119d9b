"""The pages of a corpus, and those that are rich in structure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from structure.gold import Gold, gold_of
from structure.items import KINDS
from structure.systems import Page
from victor.page.decode import decode

LISTS: Final = Path(__file__).parent
"""Where the chosen pages of a corpus are listed, as ``<corpus>.txt``."""
_OF_A_SITE: Final = 2
_LEAST: Final = 2
"""Items from which a page has a kind."""
_MOST: Final = 20
"""Items of a kind that count, so that no long list of links outweighs all else."""


def read_pages(corpus: Path, chosen: Sequence[str] | None = None) -> list[Page]:
    """Pages of a corpus that have an address and a gold text; only some, in the order given."""
    pages = {}
    with (corpus / "gold.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if chosen is not None and row["id"] not in chosen:
                continue
            if row.get("text") and row.get("url"):
                html = (corpus / "html" / f"{row['id']}.html").read_bytes()
                pages[row["id"]] = Page(row["id"], row["url"], html, decode(html).text, row["text"])
    return list(pages.values()) if chosen is None else [pages[each] for each in chosen]


def listed(corpus: Path) -> list[str]:
    """Identifiers of the chosen pages of a corpus.

    Raises:
        SystemExit: none were chosen.
    """
    file = LISTS / f"{corpus.resolve().name}.txt"
    if not file.exists():
        raise SystemExit(f"no pages of {corpus} are chosen: run with --choose")
    return file.read_text(encoding="utf-8").split()


def choose(corpus: Path, count: int) -> list[str]:
    """The pages with the most kinds of structure, then the most items; ties by identifier.

    A page has a kind if its gold text has two items of it; at most 20 of a kind count. At most two
    pages of a site are taken.
    """
    ranks = sorted(
        (*_rank(gold_of(page.markup, page.url, page.text)), page.id, urlsplit(page.url).netloc)
        for page in read_pages(corpus)
    )
    chosen: list[str] = []
    sites: Counter[str] = Counter()
    for _, _, identifier, site in ranks:
        if sites[site] < _OF_A_SITE and len(chosen) < count:
            sites[site] += 1
            chosen.append(identifier)
    return sorted(chosen)


def _rank(gold: Gold) -> tuple[int, int]:
    counts = Counter(item.kind for item in gold.items)
    n_kinds = sum(counts[kind] >= _LEAST for kind in KINDS)
    return -n_kinds, -sum(min(counts[kind], _MOST) for kind in KINDS)
