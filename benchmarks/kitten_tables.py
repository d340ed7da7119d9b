"""Train the forests of Kitten's tables and cross-validate them by site.

    python benchmarks/kitten_tables.py TABLES [--pages PAGES ...] [--write]

TABLES is a folder of JSON lines, a leaf table each (keys page_id, table_index, corpus, url, label,
cells, key_column, html). PAGES are folders <corpus>/html/<page_id>.html where the tables come
from: only there can be seen whether a table stands inside another. With --write the forests grown
on all tables replace the shipped ones; the same input gives the same bytes.

Tables of pages that also stand in a test corpus (also_in_wcxb_test) are scored but never trained
on. Scores stand beside those of Falco, Moriceau, Vilnat (2012), tables 1 and 2.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from victor.corpus.pages import folds, site
from victor.measures.averages import bootstrap_sums, site_sums, spread
from victor.page.decoding.decode import decode
from victor.page.markup.full_record import record_full
from victor.page.table.segment import read_pages
from victor.tables.cells import TYPES, Contents, Measures, measure_cells, repair
from victor.tables.data_tables import DATA, LAYOUT, measured_tables
from victor.tables.forest import Forest, shipped
from victor.tables.leaf_tables import LeafTable, leaf_tables

FOLDS = 10
SEED = 2012
KINDS = (DATA, LAYOUT)
TABLE_TREES, CELL_TREES = 200, 100
FORESTS = Path(__file__).parents[1] / "victor" / "tables" / "forests"
PAPER_TABLES = {DATA: (0.917, 0.965, 0.951), LAYOUT: (0.979, 0.933, 0.947)}
PAPER_WANG = ("data (Wang)", (0.942, 0.973, 0.957))
"""Another row of table 1: what the paper quotes of Wang and Hu (2002)."""
PRINTED_CELLS = {
    "header": (0.975, 0.967, 0.971),
    "data": (0.995, 0.997, 0.996),
    "neutral": (0.975, 0.966, 0.971),
    "finalImportant": (0.897, 0.732, 0.806),
    "finalNonImportant": (0.889, 1.0, 0.941),
    "thema": (0.874, 0.867, 0.871),
}
PAPER_CELLS = {name: PRINTED_CELLS[name] for name in TYPES}
"""Precision, recall and F as the paper prints them, tables 1 and 2."""


@dataclass(frozen=True)
class Example:
    """An annotated table.

    `cells` are numbers in TYPES, None if unknown; `lenient` says of each whether it could as well
    be a header; `nested` is None where the page is not at hand. `measures` are None of a table so
    small that it serves the layout.
    """

    table: LeafTable
    measures: NDArray[np.float32] | None
    site: str
    label: int
    nested: bool | None
    trained: bool
    cells: np.ndarray | None
    lenient: np.ndarray | None


def examples(folder: Path, pages: Sequence[Path]) -> list[Example]:
    rows = [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    folders = {path.name: path / "html" for path in pages}
    by_key: dict[tuple[str, str, int], Example] = {}
    for row in rows:
        key = (row["corpus"], row["page_id"], row["table_index"])
        if key not in by_key or row["cells"] is not None:
            by_key[key] = example(row, folders.get(row["corpus"]))
    return [*by_key.values()]


def example(row: dict[str, Any], folder: Path | None) -> Example:
    (table,) = leaf_tables(record_full(row["html"].encode()))
    cells = lenient = None
    shape = [len(row_cells.cells) for row_cells in table.rows]
    if row["cells"] is not None and [len(row_cells) for row_cells in row["cells"]] == shape:
        cells = np.array(
            [TYPES.index(kind) for row_cells in row["cells"] for kind in row_cells], dtype=int
        )
        is_key = [
            row["key_column"] == column
            for row_cells in row["cells"]
            for column in range(len(row_cells))
        ]
        lenient = np.array(is_key, dtype=bool) & (cells == TYPES.index("data"))
    nested = is_nested(row, folder)
    return Example(
        table,
        _measures(row["html"], bool(nested)),
        site(row["url"] or "") or f"{row['corpus']} {row['page_id']}",
        KINDS.index(row["label"]),
        nested,
        not row.get("also_in_wcxb_test"),
        cells,
        lenient,
    )


def _measures(html: str, nested: bool) -> NDArray[np.float32] | None:
    """(F,) what the forest reads of a table that is cut out of its page."""
    _, measures = measured_tables(read_pages([html.encode()]))
    return _nested(measures[0], nested) if len(measures) else None


def _nested(measures: NDArray[np.float32], nested: bool) -> NDArray[np.float32]:
    """The same measures of a table that stands in another one, or does not."""
    place = shipped("tables").features.index("is_nested")
    return np.where(np.arange(len(measures)) == place, np.float32(nested), measures)


def is_nested(row: dict[str, Any], folder: Path | None) -> bool | None:
    page = folder / f"{row['page_id']}.html" if folder else None
    if page is None or not page.exists():
        return None
    markup = record_full(decode(page.read_bytes()).text.encode("utf-8", "replace"))
    tables = [table for table in leaf_tables(markup) if table.index == row["table_index"]]
    return tables[0].is_nested if tables else None


def grow_tables(chosen: Sequence[Example]) -> Forest:
    """A table of which nobody knows whether it is nested counts half as one and half as other."""
    chosen = [example for example in chosen if example.measures is not None]
    unknown = [example for example in chosen if example.nested is None]
    measured = [example.measures for example in chosen]
    measured += [_nested(example.measures, True) for example in unknown]
    labels = [example.label for example in [*chosen, *unknown]]
    weights = [0.5 if example.nested is None else 1.0 for example in [*chosen, *unknown]]
    grower = ExtraTreesClassifier(TABLE_TREES, random_state=SEED, n_jobs=2)
    return forest(
        grower.fit(np.stack(measured), labels, weights), KINDS, shipped("tables").features
    )


def grow_cells(chosen: Sequence[Example]) -> Forest:
    """Every table weighs the same: those of one site may be long."""
    of_tables = [measure_cells(Contents.of(example.table)) for example in chosen]
    measured = np.concatenate([_rows(of_table) for of_table in of_tables])
    labels = np.concatenate([example.cells for example in chosen])
    weights = np.concatenate(
        [np.full(len(example.cells), 1 / len(example.cells)) for example in chosen]
    )
    grower = RandomForestClassifier(
        CELL_TREES, min_samples_leaf=3, max_features=0.3, random_state=SEED, n_jobs=2
    )
    return forest(grower.fit(measured, labels, weights), TYPES, [*of_tables[0]])


def _rows(measured: Measures) -> NDArray[np.float32]:
    """(n, F) float32 measures of cells."""
    return np.stack([*measured.values()], axis=1).astype(np.float32)


def forest(grown: Any, classes: Sequence[str], features: Sequence[str]) -> Forest:
    """Trees one after the other; a leaf is its own child."""
    trees = [tree.tree_ for tree in grown.estimators_]
    starts = np.cumsum([0] + [tree.node_count for tree in trees])
    parts = [one_tree(tree, start) for tree, start in zip(trees, starts, strict=False)]
    feature, threshold, yes, no, values = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    shares = np.zeros((len(feature), len(classes)), dtype=np.float32)
    shares[:, grown.classes_] = values
    return Forest(
        tuple(classes),
        tuple(features),
        starts[:-1].astype(np.int32),
        feature.astype(np.int16),
        threshold.astype(np.float32),
        yes.astype(np.int32),
        no.astype(np.int32),
        shares,
        max(tree.max_depth for tree in trees),
    )


def one_tree(tree: Any, start: int) -> tuple[np.ndarray, ...]:
    is_leaf = tree.children_left < 0
    itself = np.arange(tree.node_count)
    values = tree.value[:, 0, :]
    # Rounded down, so that a value of 32 bits is on the side where 64 bits had it.
    threshold = tree.threshold.astype(np.float32)
    threshold = np.where(threshold > tree.threshold, np.nextafter(threshold, -np.inf), threshold)
    return (
        np.where(is_leaf, 0, tree.feature),
        np.where(is_leaf, 0.0, threshold),
        np.where(is_leaf, itself, tree.children_left) + start,
        np.where(is_leaf, itself, tree.children_right) + start,
        values * is_leaf[:, None] / values.sum(axis=1, keepdims=True),
    )


def cross_validate(chosen: Sequence[Example]) -> Iterator[tuple[list[Example], list[Example]]]:
    fold = folds([example.site for example in chosen], FOLDS)
    for number in range(FOLDS):
        train = [
            example
            for example, at in zip(chosen, fold, strict=True)
            if at != number and example.trained
        ]
        yield train, [example for example, at in zip(chosen, fold, strict=True) if at == number]


def tally(gold: np.ndarray, predicted: np.ndarray, n_classes: int) -> np.ndarray:
    """True positives, found and gold numbers of each class."""
    hits, n_predicted, n_gold = (
        np.bincount(values, minlength=n_classes)
        for values in (gold[gold == predicted], predicted, gold)
    )
    return np.concatenate((hits, n_predicted, n_gold)).astype(float)


def scores(sums: np.ndarray) -> np.ndarray:
    """(..., 3, k) precision, recall, F of (..., 3 k) sums."""
    hits, n_predicted, n_gold = np.moveaxis(sums.reshape(*sums.shape[:-1], 3, -1), -2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(
            (hits / n_predicted, hits / n_gold, 2 * hits / (n_predicted + n_gold)), axis=-2
        )


def report(title: str, paper: dict[str, tuple[float, ...]], tallies: Sequence[np.ndarray], sites):
    names = [*paper]  # in the order of the columns of the tallies
    units = site_sums(np.stack(tallies), sites)
    whole, drawn = scores(units.sum(axis=0)), scores(bootstrap_sums(units))
    print(f"\n{title}\n{'':18}   P     R     F    95 % of F      gold  paper: P, R, F")
    for number, name in enumerate(names):
        _, low, high = spread(drawn[:, 2, number])
        p, r, f = whole[:, number]
        n_gold = int(units[:, 2 * len(names) + number].sum())
        print(
            f"{name:18} {p:.3f} {r:.3f} {f:.3f} {low:.3f}-{high:.3f} {n_gold:9}  "
            + written(paper[name])
        )


def written(figures: Sequence[float]) -> str:
    return " ".join(f"{figure:.3f}" for figure in figures)


def report_tables(chosen: Sequence[Example]) -> None:
    tallies, sites = [], []
    for train, test in cross_validate(chosen):
        grown = grow_tables(train)
        for example in test:
            layout = KINDS.index(LAYOUT)
            measures = example.measures
            predicted = layout if measures is None else int(grown(measures[None])[0].argmax())
            tallies.append(tally(np.array([example.label]), np.array([predicted]), len(KINDS)))
            sites.append(example.site)
    report(f"Tables ({len(sites)}, {len(set(sites))} sites)", PAPER_TABLES, tallies, sites)
    name, figures = PAPER_WANG
    print(f"{name:57}{written(figures)}")


def report_cells(chosen: Sequence[Example]) -> None:
    lenient, strict, raw, sites = [], [], [], []
    header = TYPES.index("header")
    for train, test in cross_validate(chosen):
        grown = grow_cells(train)
        for example in test:
            contents = Contents.of(example.table)
            shares = grown(_rows(measure_cells(contents)))
            predicted = repair(contents, shares)
            strict.append(tally(example.cells, predicted, len(TYPES)))
            for kept, types in ((lenient, predicted), (raw, shares.argmax(axis=1))):
                either = example.lenient & (types == header)
                kept.append(tally(np.where(either, header, example.cells), types, len(TYPES)))
            sites.append(example.site)
    report(f"Cells ({len(sites)} tables), key columns may be headers", PAPER_CELLS, lenient, sites)
    report("The same without repairs", PAPER_CELLS, raw, sites)
    report("Key columns are data", PAPER_CELLS, strict, sites)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path)
    parser.add_argument("--pages", type=Path, nargs="*", default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    annotated = [
        example for example in examples(options.tables, options.pages) if example.table.cells
    ]
    with_cells = [example for example in annotated if example.cells is not None]
    if options.write:
        for name, grow, chosen in (
            ("tables", grow_tables, annotated),
            ("cells", grow_cells, with_cells),
        ):
            grown = grow([example for example in chosen if example.trained])
            with (FORESTS / f"{name}.npz").open("wb") as file:
                grown.write(file)
    report_tables(annotated)
    report_cells(with_cells)


if __name__ == "__main__":
    main()
