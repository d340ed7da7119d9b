"""Units of pages that a system keeps whole: lists, tables, listings, recipe cards; and recipes.

    python benchmarks/units.py CORPUS... [--model NAME]

CORPUS is a folder that `victor align` wrote of a corpus whose gold decides on every block. Counted
are the units that gold keeps whole and whose neighbours on the page the system keeps: how many of
them it keeps whole, how many have holes, and how many are dropped. Where the corpus has the
ingredients and instructions of recipes, the second table says how many of these are in the text: a
line counts if all its words stand in one line, and is left out if that is not so of the whole page.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools, Codes, Ints, prefix_sums
from victor.base.labels import UNLABELLED, Label
from victor.config.schema import Scope
from victor.corpus.pages import read
from victor.kinds.scope import finish
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.measures.averages import aligned
from victor.page.names.name_groups import NameGroups
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import last_until, next_from
from victor.page.verdict.verdict import Verdict
from victor.render.text import plain_text
from victor.training.dataset import LabelledPages, label_blocks

KINDS: Final = {
    "list": frozenset({"ul", "ol", "menu"}),
    "dl": frozenset({"dl"}),
    "table": frozenset({"table"}),
    "pre": frozenset({"pre", "listing"}),
    "figure": frozenset({"figure"}),
    "details": frozenset({"details"}),
}
NAMES: Final = {
    "recipe card": ["ingredient", "ingredients"],
    "callout": ["callout", "admonition", "=note", "=warning", "=tip", "infobox"],
}
RECIPES: Final = ("ingredients", "instructions")
_WORD: Final = re.compile(r"\w+")


def units(table: BlockTable) -> dict[str, Ints]:
    """The elements of each kind of unit, none inside another of its kind."""
    elements = table.elements
    masks = NameGroups([*NAMES.values()]).masks(table)[elements.bundle]
    chosen = {kind: member_mask(tags)[elements.tag] for kind, tags in KINDS.items()}
    for bit, name in enumerate(NAMES):
        chosen[name] = masks & np.uint64(1 << bit) != 0
    inside = {kind: elements.gathered(mask)[elements.parent] for kind, mask in chosen.items()}
    is_root = elements.depth == 0
    return {kind: np.flatnonzero(mask & (~inside[kind] | is_root)) for kind, mask in chosen.items()}


def outcomes(table: BlockTable, kept: Bools, gold: Codes) -> Counter[tuple[str, str]]:
    """How many units of each kind stay whole, have holes and are dropped.

    Args:
        table: of some pages.
        kept: (n,) by the system.
        gold: (n,) labels of the corpus.
    """
    is_read = (table.words > 0) & (gold != UNLABELLED)
    before, after = last_until(table, is_read), next_from(table, is_read)
    beside = [np.append(np.where(rows >= 0, kept[rows], False), False) for rows in (before, after)]
    n_read = prefix_sums(is_read)
    n_gold = prefix_sums(is_read & (gold != Label.OTHER))
    n_kept = prefix_sums(is_read & kept)
    counts: Counter[tuple[str, str]] = Counter()
    for kind, elements in units(table).items():
        starts = np.searchsorted(table.tag, table.elements.open[elements])
        stops = np.searchsorted(table.tag, table.elements.close[elements])
        size = n_read[stops] - n_read[starts]
        is_island = beside[0][starts - 1] & beside[1][stops] & (starts > 0)
        page = table.page_of_element[elements]
        is_island &= (starts > table.page_starts[page]) & (stops < table.page_starts[page + 1])
        is_counted = (size > 0) & (n_gold[stops] - n_gold[starts] == size) & is_island
        left = (n_kept[stops] - n_kept[starts])[is_counted]
        size = size[is_counted]
        counts[kind, "whole"] += int((left == size).sum())
        counts[kind, "torn"] += int(((left > 0) & (left < size)).sum())
        counts[kind, "dropped"] += int((left == 0).sum())
    return counts


def lines_found(wanted: Iterable[str], text: str, page: str) -> tuple[int, int]:
    """How many lines stand in a text, of how many that stand in the page."""
    in_text, in_page = ([words(line) for line in each.split("\n")] for each in (text, page))
    possible = [line for line in map(words, wanted) if line and any(line <= one for one in in_page)]
    return sum(any(line <= one for one in in_text) for line in possible), len(possible)


def words(line: str) -> Counter[str]:
    """The words of a line."""
    return Counter(_WORD.findall(line.lower()))


def recipes(pages: LabelledPages, verdicts: Sequence[Verdict]) -> dict[str, list[tuple[int, int]]]:
    """For each recipe the lines found and possible, of its ingredients and of its instructions."""
    shares: dict[str, list[tuple[int, int]]] = {name: [] for name in RECIPES}
    places = ((verdict, page) for verdict in verdicts for page in range(verdict.table.n_pages))
    for page, (verdict, number) in zip(pages.pages, places, strict=True):
        lines = {name: page.metadata.get(name) or () for name in RECIPES}
        if not lines["ingredients"]:
            continue
        every = np.full(len(verdict.table), Label.TEXT, dtype=np.uint8)
        whole = plain_text(replace(verdict, labels=every), number)
        text = plain_text(verdict, number)
        for name in RECIPES:
            found, possible = lines_found(lines[name], text, whole)
            if possible:
                shares[name].append((found, possible))
    return shares


def main() -> None:
    """Label the corpora and print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--model", default="default", metavar="NAME")
    arguments = parser.parse_args()
    labeler = CrfLabeler(load_model(arguments.model))
    for corpus in arguments.corpora:
        pages = label_blocks(read(corpus), labeler)
        markups = iter([page.html for page in pages.pages])
        verdicts = []
        for table in pages.tables:
            batch = [next(markups) for _ in range(table.n_pages)]
            verdicts.append(finish(labeler.label(table), batch, Scope()))
        print(f"{corpus.name}\n{report(pages, verdicts)}\n")


def report(pages: LabelledPages, verdicts: Sequence[Verdict]) -> str:
    """Both tables."""
    counts: Counter[tuple[str, str]] = Counter()
    row = 0
    for verdict in verdicts:
        gold = pages.labels[row : row + len(verdict.table)]
        counts += outcomes(verdict.table, verdict.kept, gold)
        row += len(gold)
    rows = [["between kept blocks", "whole", "torn", "dropped"]]
    for kind in [*KINDS, *NAMES]:
        rows.append([kind, *(str(counts[kind, way]) for way in ("whole", "torn", "dropped"))])
    for name, shares in recipes(pages, verdicts).items():
        if shares:
            mean = np.mean([found / possible for found, possible in shares])
            rows.append([f"{name} of {len(shares)} pages", f"{mean:.3f}", "", ""])
    return aligned(rows)


if __name__ == "__main__":
    main()
