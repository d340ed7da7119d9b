#!/usr/bin/env python3
"""Teach the page heads of models what servers and walls say in place of a page.

    python benchmarks/train_walls.py ALIGNED... --model MODEL [--model MODEL ...]

ALIGNED are folders of annotated pages, of which those with content are what is not to be lost; the
pages of annotations/walls that are not held out are learnt, as error pages or as content. Only the
regression ``of_error`` of the page heads changes, and what the cards say of it. The marginals of
the annotated pages are those of the model itself, which may have seen them; with marginals of five
folds the same pages are lost (docs/reports/accuracy.md).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec.structs import replace
from sklearn.linear_model import LogisticRegression

from victor.api import Cleaner
from victor.base.arrays import Floats
from victor.base.labels import OTHER, UNLABELLED
from victor.corpus.pages import read_folder
from victor.labelers.crf import CrfLabeler
from victor.model.model import Model
from victor.model.page_head import MEASURES, Regression, measure_names, page_rows
from victor.page.decoding.decode import utf8

PAGES: Final = Path(__file__).parents[1] / "annotations/walls/pages.jsonl"
READ: Final = (*MEASURES, "longest", "long-10.count", "long-25.count", "kept", "count.a", "words")
"""Measures that are read. What is left out tells our pages from those of the corpora, and not walls
from content: how many fields a form has, whether the head describes the page."""
MOST_EXPECTED: Final = 150
"""Words that a page may be expected to keep to be learnt: of others nobody asks."""
STRENGTH: Final = 0.1
OWN_CONTENT: Final = 1.5
"""Weight of our pages with content, written to be hard; the best of 1, 1.5, 2 and 3 by held-out
forms that are found and annotated pages that are lost."""


class Example(NamedTuple):
    """Measures of a page, whether it gives nothing, and its weight."""

    measures: Floats
    is_error: bool
    weight: float


def own_pages(*, held_out: bool) -> list[dict[str, Any]]:
    """The rows of our pages that are held out, or the others."""
    rows = map(json.loads, PAGES.read_text("utf-8").splitlines())
    return [row for row in rows if row["held_out"] is held_out]


def measured(labeler: CrfLabeler, page: bytes) -> Floats | None:
    """The row of a page (`page_rows`); None if it is surely content or has no words."""
    table = labeler.table([page])
    marginals = labeler.label(table).marginals
    expected = float((1 - marginals[:, OTHER]) @ table.words)
    if expected >= MOST_EXPECTED or not table.words.any():
        return None
    return page_rows(table, marginals)[0]


def examples(labeler: CrfLabeler, folders: Iterable[Path]) -> Iterator[Example]:
    """What the annotated pages with content, and ours, teach."""
    for folder in folders:
        for page in read_folder(folder):
            labels = np.asarray(page.labels)
            if (page.gold or "").strip() or ((labels != OTHER) & (labels != UNLABELLED)).any():
                measures = measured(labeler, utf8(page.html))
                if measures is not None:
                    yield Example(measures, is_error=False, weight=1.0)
    for row in own_pages(held_out=False):
        measures = measured(labeler, row["html"].encode())
        is_error = row["gives"] != "content"
        if measures is not None:
            yield Example(measures, is_error, 1.0 if is_error else OWN_CONTENT)


def fitted(taught: Sequence[Example]) -> Regression:
    """The regression that examples teach."""
    names = (*measure_names(quick=True), *MEASURES)
    columns = [names.index(name) for name in READ]
    measures = np.array([example.measures[columns] for example in taught])
    mean, spread = measures.mean(axis=0), measures.std(axis=0) + 1e-3
    model = LogisticRegression(C=STRENGTH, max_iter=500)
    weights = [example.weight for example in taught]
    model.fit((measures - mean) / spread, [example.is_error for example in taught], weights)
    slopes = model.coef_[0] / spread
    return Regression(READ, np.append(slopes, model.intercept_[0] - slopes @ mean)[:, None])


def found(model: Model) -> dict[str, list[int]]:
    """How many of the held-out pages give nothing, and how many there are, by what they are."""
    counts: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    rows = own_pages(held_out=True)
    results = Cleaner(CrfLabeler(model)).clean_many([row["html"] for row in rows])
    for row, result in zip(rows, results, strict=True):
        counts[row["gives"]][not result.text] += 1
    return {name: [count[True], count.total()] for name, count in sorted(counts.items())}


def main() -> None:
    """Train the heads of the models in place."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("aligned", nargs="+", type=Path)
    parser.add_argument("--model", action="append", required=True, type=Path)
    arguments = parser.parse_args()
    for path in arguments.model:
        model = Model.load(path)
        if model.page_head is None:
            raise SystemExit(f"{path} has no page head: `victor sweep --store` gives it one")
        taught = [*examples(CrfLabeler(model), arguments.aligned)]
        model = replace(model, page_head=replace(model.page_head, of_error=fitted(taught)))
        held_out = found(model)
        said = {**model.card["page_head"], "held-out error pages that give nothing": held_out}
        model.with_card(page_head=said).save(path)
        print(f"{path}: {len(taught)} pages learnt, held out: {held_out}")


if __name__ == "__main__":
    main()
