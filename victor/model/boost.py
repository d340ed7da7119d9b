"""Grow oblivious trees by gradient boosting, and score the training pages out of fold."""

from __future__ import annotations

import json
import tempfile
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor import optional
from victor.arrays import Codes, Floats32
from victor.config import Trees as TreeOptions
from victor.errors import CorpusError
from victor.model.discretize import Codebook, Edges
from victor.model.trees import Input, Trees

_SEED: Final = 20081
_THREADS: Final = 1
"""Sums over threads would depend on how many there are."""


def grow(
    codes: Codes,
    kept: NDArray[np.bool_],
    weights: NDArray[np.float64],
    *,
    codebook: Codebook,
    inputs: Sequence[Input],
    options: TreeOptions,
) -> Trees:
    """Learn the log-odds of being kept.

    Args:
        codes: (I, n) code of every input of the training blocks (`victor.model.trees.input_codes`).
        kept: (n,) is the block to be kept.
        weights: (n,) what each block weighs, above 0.
        codebook: fitted discretisers of the columns that the inputs read.
        inputs: columns and offsets.
        options: how.

    Raises:
        ConfigError: the optional package catboost is not installed.
        CorpusError: the blocks are all kept or all dropped, or all alike.
    """
    if kept.all() or not kept.any():
        raise CorpusError("growing trees needs kept and dropped blocks: label more pages")
    if (codes == codes[:, :1]).all():
        raise CorpusError("all training blocks look alike to the trees: set other trees.inputs")
    return narrowed(_trees(_boosted(codes, kept, weights, options), codebook, tuple(inputs)))


def _boosted(
    codes: Codes, kept: NDArray[np.bool_], weights: NDArray[np.float64], options: TreeOptions
) -> dict[str, Any]:
    """The grown trees as CatBoost describes them."""
    catboost = optional.load("catboost", extra="train", task="growing trees")
    booster = catboost.CatBoostClassifier(
        iterations=options.count,
        depth=options.depth,
        learning_rate=options.learning_rate,
        l2_leaf_reg=options.l2,
        rsm=options.share,
        loss_function="Logloss",
        boosting_type="Plain",
        bootstrap_type="No",
        random_strength=0,
        border_count=254,
        random_seed=_SEED,
        thread_count=_THREADS,
        allow_writing_files=False,
        verbose=False,
    )
    booster.fit(catboost.Pool(codes.T.astype(np.float32), kept.astype(np.int8), weight=weights))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        booster.save_model(str(path), format="json")
        return dict(json.loads(path.read_text()))


def _trees(document: Mapping[str, Any], codebook: Codebook, inputs: tuple[Input, ...]) -> Trees:
    """The trees that CatBoost describes; inputs that no tree asks about are left out."""
    grown = [tree for tree in document["oblivious_trees"] if tree["splits"]]
    if not grown:
        raise CorpusError("the training pages give no tree: raise trees.share or label more pages")
    scale, (bias,) = document["scale_and_bias"]
    # A tree that found nothing to ask has one leaf, which every block gets.
    bias += scale * sum(t["leaf_values"][0] for t in document["oblivious_trees"] if not t["splits"])
    paths = [[_question(split) for split in tree["splits"]] for tree in grown]
    depth = max(1, *map(len, paths))
    asked = sorted({question for path in paths for question in path})
    number = {question: place for place, question in enumerate(asked)}
    used = sorted({feature for feature, _ in asked})
    return Trees(
        codebook=codebook,
        inputs=tuple(inputs[feature] for feature in used),
        asked=np.array([used.index(feature) for feature, _ in asked], dtype=np.int64),
        border=np.array([border for _, border in asked], dtype=np.uint8),
        questions=np.array([_deep([number[q] for q in path], depth) for path in paths]),
        leaves=np.stack([_wide(tree["leaf_values"], depth) for tree in grown]) * np.float32(scale),
        cover=_cover(grown, depth),
        bias=float(bias),
    )


def narrowed(trees: Trees) -> Trees:
    """The same trees with a codebook of nothing but the edges that some question is about.

    Discretising costs as much as there are edges, and most of the bins that trees were grown
    from are never told apart.
    """
    edges: dict[str, set[int]] = {name: set() for name, _ in trees.inputs}
    for asked, border in zip(trees.asked.tolist(), trees.border.tolist(), strict=True):
        edges[trees.inputs[asked][0]].add(border)
    own = {name: trees.codebook.discretizers[name] for name in edges}
    kept = {
        name: [code for code in sorted(edges[name]) if code < len(discretizer.edges)]
        for name, discretizer in own.items()
        if isinstance(discretizer, Edges)
    }
    border = [
        # Beyond the last edge only places outside the page answer with yes.
        bisect_left(kept[name], code) if name in kept else code
        for name, code in (
            (trees.inputs[asked][0], code)
            for asked, code in zip(trees.asked.tolist(), trees.border.tolist(), strict=True)
        )
    ]
    discretizers = {
        name: Edges(tuple(discretizer.edges[code] for code in kept[name]))
        if isinstance(discretizer, Edges)
        else discretizer
        for name, discretizer in own.items()
    }
    return replace(trees, codebook=Codebook(discretizers), border=np.array(border, dtype=np.uint8))


def _cover(grown: Sequence[Mapping[str, Any]], depth: int) -> Floats32:
    """Share of the training weight that came to each leaf, as exact as a model file has it."""
    weights = np.stack([_wide(tree["leaf_weights"], depth) for tree in grown])
    share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
    return np.asarray(share.astype(np.float16).astype(np.float32))


def _question(split: Mapping[str, Any]) -> tuple[int, int]:
    """The feature and the highest code that is not above the border."""
    return split["float_feature_index"], int(np.floor(split["border"]))


def _deep(path: Sequence[int], depth: int) -> list[int]:
    """Questions in the order they were grown in, so that the first one is asked at the root.

    A tree with fewer levels asks its first question again, which leaves half of the leaves below
    out of reach.
    """
    return [*path, *[path[0]] * (depth - len(path))]


def _wide(values: Sequence[float], depth: int) -> Floats32:
    """Leaves of a tree, as often as its repeated question asks for.

    CatBoost has the answer of the first question in the lowest bit of a leaf's number.
    """
    leaves = np.array(values, dtype=np.float32)
    own = len(values).bit_length() - 1
    rooted: Floats32 = leaves.reshape((2,) * own).T.ravel()
    return rooted.repeat(2 ** (depth - own))
