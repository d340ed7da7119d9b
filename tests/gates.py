"""What a gate weighs, by trees that have it."""

import numpy as np

from victor.model.discretize import Category, Codebook
from victor.model.trees import Trees


def weigh(gate, codes, starts):
    """What the experts of trees weigh that read nothing but the first column."""
    names = [f"c{number}" for number in range(len(codes))]
    none, leaves = np.zeros(1, dtype=np.int64), np.zeros((len(gate.experts), 1, 2), np.float32)
    trees = Trees(
        codebook=Codebook({name: Category(255) for name in names}),
        inputs=((names[0], 0),),
        asked=none,
        border=none.astype(np.uint8),
        questions=none[:, None],
        leaves=leaves,
        cover=leaves,
        n_text=1,
        bias=(0.0, 0.0),
        gate=gate,
    )
    return trees.weights(codes, starts)
