"""Largest difference between our marginals and those of python-crfsuite on real pages.

    python benchmarks/crfsuite_equality.py CORPUS [--pages 100] [--iterations 20]

CORPUS is an annotated corpus (`victor align`). A model is trained on its first pages through
sklearn-crfsuite; then the same pages are tagged by CRFsuite with the very estimator, and by the
compiled tables.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import numpy as np

from victor.config import load
from victor.corpus.pages import read_corpus
from victor.labels import LABEL_NAMES
from victor.model.crf.emission import Emission
from victor.model.crf.marginals import marginals, viterbi
from victor.model.crf.sequences import Pages
from victor.model.crf.train import collect, estimate, prepare
from victor.model.discretize import Codebook
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template
from victor.training.dataset import analyze


def main() -> None:
    """Train, tag twice, compare."""
    arguments = _arguments()
    config = load("crf", [f"crf.max_iterations={arguments.iterations}"])
    dataset = analyze(
        islice(read_corpus(arguments.corpus), arguments.pages), FeatureExtractor(config)
    )
    template = Template.from_config(
        config.template, columns=list(dataset.columns), page_edge=config.page_edge
    )
    codebook = Codebook.fit(dataset.columns, {name: {"quantiles": 10} for name in template.names})
    pages = Pages(
        codebook.codes(dataset.columns), codebook.names, {}, dataset.page_starts,
        dataset.labels, np.arange(len(dataset.pages)),
    )  # fmt: skip
    options = config.crf
    sequences = prepare(pages, template, sizes=codebook.sizes, options=options)
    estimator = estimate(sequences, options)
    weights = collect(sequences.attributes, estimator)
    scores = Emission.compile(weights, codebook.names)(pages.codes, {}, dataset.page_starts)
    ours = marginals(scores, weights.transitions, dataset.page_starts)
    paths = viterbi(scores, weights.transitions, dataset.page_starts)
    items = sequences.attributes.items(pages)
    worst, unlike = 0.0, 0
    for start, end in zip(dataset.page_starts[:-1], dataset.page_starts[1:], strict=True):
        (blocks,) = estimator.predict_marginals([items[start:end]])
        theirs = np.array([[block[name] for name in LABEL_NAMES] for block in blocks])
        worst = max(worst, float(np.abs(theirs - ours[start:end]).max(initial=0)))
        (path,) = estimator.predict([items[start:end]])
        unlike += sum(
            a != LABEL_NAMES[b] for a, b in zip(path, paths[start:end].tolist(), strict=True)
        )
    print(
        f"{len(dataset.pages)} pages, {len(ours)} blocks: largest difference of a marginal "
        f"{worst:.1e}, labels of best paths that differ {unlike}"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=20)
    return parser.parse_args()


if __name__ == "__main__":
    main()
