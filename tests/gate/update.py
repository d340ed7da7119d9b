"""Measure the default configuration on our own pages and raise the floors that tests hold it to.

    python tests/gate/update.py [--allow-lower]

A floor rises to what is measured and never falls, unless it is said that it may.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.corpus.pages import read_marked_corpus
from victor.evaluation.scores import score_labels
from victor.model.decide import decide
from victor.model.extractor import FeatureExtractor
from victor.page.verdict.verdict import Verdict
from victor.render.text import plain_text
from victor.training.dataset import analyze
from victor.training.training import cross_validate

ROOT = Path(__file__).parents[2]
ANNOTATIONS = ROOT / "annotations"
FLOORS = Path(__file__).with_name("floors.json")
TOLERANCE = 0.005
"""Another processor or library sums in another order; a few blocks may then change sides."""
FOLDS = 4


def digest(folder=ANNOTATIONS):
    """Hash of the pages, their marks and what is said of them."""
    found = hashlib.sha256()
    for path in (folder / "pages.jsonl", *sorted((folder / "pages").glob("*.html"))):
        found.update(f"{path.name}\n".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def measure(folder=ANNOTATIONS, overrides=()):
    """Scores of the default configuration on each set of pages, cross-validated by site: 0 to 1."""
    config = load("crf", overrides)
    extractor = FeatureExtractor(config)
    dataset = analyze(read_marked_corpus(folder), extractor)
    marginals = cross_validate(dataset, config, kinds=extractor.kinds, k=FOLDS)
    labels = decide(marginals, dataset, config.decide)
    scores = score_labels(dataset, labels, marginals)
    known = zip(scores.pages, gold_texts(dataset), sets(folder), strict=True)
    pages = tuple(replace(page, gold=gold, corpus=name) for page, gold, name in known)
    scores = replace(scores, pages=pages)
    _, *words = scores.summaries(by="corpus")
    blocks = {group.group: group.means for group in scores.block_summaries(by="corpus")}
    return {
        f"{group.group}: {name}": round(score, 4)
        for group in words
        for name, score in (
            ("blocks kept, F", blocks[group.group]["f1"]),
            ("blocks, accuracy", blocks[group.group]["accuracy"]),
            ("words, mean F", group.means["f1"]),
        )
    }


def sets(folder):
    """The set of every page, general or hard: new pages must not move the floors of old ones."""
    rows = (folder / "pages.jsonl").read_text("utf-8").splitlines()
    return [json.loads(row)["set"] for row in rows]


def gold_texts(dataset):
    """The text of every page as it would be with all labels right."""
    gold = np.where(dataset.labels == UNLABELLED, np.uint8(Label.OTHER), dataset.labels)
    first = 0
    for table in dataset.tables:
        rows = gold[first : first + len(table)]
        verdict = Verdict(table, rows, np.eye(len(Label))[rows], "gold")
        yield from (plain_text(verdict, page) for page in range(table.n_pages))
        first += len(table)


def fallen(floors, measured):
    """Scores that are clearly below their floors, as lines of text."""
    return [
        f"{name}: {measured.get(name, 0):.4f}, the floor is {floor:.4f}"
        for name, floor in floors.items()
        if measured.get(name, 0) < floor - TOLERANCE
    ]


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--allow-lower", action="store_true", help="floors may fall")
    allow_lower = parser.parse_args().allow_lower
    floors, measured = json.loads(FLOORS.read_text())["floors"], measure()
    refused = [] if allow_lower else fallen(floors, measured)
    if refused:
        sys.exit("\n".join(f"refused: {line}" for line in refused))
    if not allow_lower:
        measured = {name: max(score, floors.get(name, 0)) for name, score in measured.items()}
    FLOORS.write_text(json.dumps({"digest": digest(), "floors": measured}, indent=2) + "\n")


if __name__ == "__main__":
    main()
