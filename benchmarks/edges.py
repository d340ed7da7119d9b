"""What the edges of a model decide: its labels with and without them, and its best paths.

    python benchmarks/edges.py CORPUS [CORPUS ...] [--model MODEL]

CORPUS is a folder that `victor align` wrote, best of pages that the model did not learn from.
Prints for every corpus how many labels change where all edges are set to zero, and page-mean word F
of the decision that the model is configured with, of the threshold 0.5 and of the most probable
sequence, with edges and without.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from victor.corpus.read import read_folder
from victor.evaluation.evaluation import Outcome, by_labeler
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.model.crf.edges import Edges
from victor.model.decide import Decision
from victor.model.model import Model


def main() -> None:
    """Score every corpus and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--model", default="default")
    arguments = parser.parse_args()
    model = load_model(arguments.model)
    free = replace(model, edges=Edges(np.zeros_like(model.edges.values), model.edges.column))
    print(
        "| | labels that change | configured | without | threshold | without | viterbi | without |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for corpus in arguments.corpora:
        (labels, scores), (free_labels, free_scores) = (
            _decided(each, corpus) for each in (model, free)
        )
        changed = f"{int((labels != free_labels).sum()):,} of {len(labels):,}"
        cells = [f"{score:.4f}" for pair in zip(scores, free_scores, strict=True) for score in pair]
        print(f"| {corpus.name} | {changed} |", " | ".join(cells), "|", flush=True)


def _decided(model: Model, corpus: Path) -> tuple[np.ndarray, list[float]]:
    """Labels as configured, and the word scores of the three decisions."""
    decisions = (model.config.decide, Decision("threshold", 0.5), Decision("viterbi"))
    outcomes = [_outcome(model, decision, corpus) for decision in decisions]
    labels = outcomes[0].labels
    assert labels is not None, "a labeler decides"
    return labels, [outcome.assess().summaries()[0].means["f1"] for outcome in outcomes]


def _outcome(model: Model, decision: Decision, corpus: Path) -> Outcome:
    deciding = replace(model, config=model.config.replace(decide=decision))
    return by_labeler(read_folder(corpus), CrfLabeler(deciding), system="model")


if __name__ == "__main__":
    main()
