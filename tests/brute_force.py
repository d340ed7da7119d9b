"""Chains by their definition: every sequence of labels of a short page, one after the other."""

from itertools import product

import numpy as np


def sequences_of(scores, edges, kinds):
    """(sequences, their total scores) of one short page; S = 3^n.

    Args:
        scores: (n, 3) log potentials of the blocks.
        edges: (K, 3, 3) log potentials by kind of edge.
        kinds: (n,) kind of the edge to the block before; the first is not read.

    Returns:
        (S, n) labels and (S,) sums.
    """
    sequences = np.array(list(product(range(3), repeat=len(scores))), dtype=np.int64)
    totals = scores[np.arange(len(scores)), sequences].sum(axis=1)
    for block in range(1, len(scores)):
        totals += edges[kinds[block], sequences[:, block - 1], sequences[:, block]]
    return sequences, totals


def marginals_of(scores, edges, kinds):
    """(n, 3) marginals of one short page."""
    sequences, totals = sequences_of(scores, edges, kinds)
    weights = np.exp(totals - totals.max())
    weights /= weights.sum()
    found = [[weights[sequences[:, t] == y].sum() for y in range(3)] for t in range(len(scores))]
    return np.array(found).reshape(-1, 3)
