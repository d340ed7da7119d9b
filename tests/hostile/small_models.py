"""Shipped models made small, for whoever damages them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np

from victor.features import from_config
from victor.model.chain import Pooling


def few_members(model: bytes) -> dict[str, bytes]:
    """The members of a model with four trees, or as many entries of its template."""
    with zipfile.ZipFile(io.BytesIO(model)) as archive:
        document = json.loads(archive.read("model.json"))
        arrays = {
            name: np.load(io.BytesIO(archive.read(name)))
            for name in archive.namelist()
            if name.endswith(".npy")
        }
    document["card"] = {}
    document["config"] |= {"template": [], "discretize": {}}
    if "trees" in document:
        _keep_trees(document, arrays)
    else:
        _keep_entries(document, arrays)
    pooling = Pooling(document["config"]["crf"].get("pooling", 0.0))
    read = {*document.get("trees", document)["codebook"], *document["edges"]["codebook"]}
    read |= {*pooling.columns}
    document["config"]["features"] = [
        entry for entry in document["config"]["features"] if _columns(entry) & read
    ]
    members = {"model.json": json.dumps(document).encode()}
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.save(buffer, array)
        members[name] = buffer.getvalue()
    return members


def _columns(entry: Any) -> set[str]:
    """Names of the columns of a feature module."""
    return {column.name for column in from_config([entry]).columns}


def _keep_trees(document: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Two trees of three levels for each of the potentials, and what they ask."""
    trees = document["trees"]
    rows = [0, 1, trees["n_text"], trees["n_text"] + 1]
    arrays["trees.questions.npy"] = arrays["trees.questions.npy"][rows, :3]
    for name in ("leaves", "cover"):
        arrays[f"trees.{name}.npy"] = arrays[f"trees.{name}.npy"][:, rows, :8]
    arrays["trees.questions.npy"], questions = _renumbered(arrays["trees.questions.npy"])
    arrays["trees.border.npy"] = arrays["trees.border.npy"][questions]
    arrays["trees.asked.npy"], inputs = _renumbered(arrays["trees.asked.npy"][questions])
    trees["inputs"] = [trees["inputs"][number] for number in inputs]
    names = sorted({name for name, _ in trees["inputs"]})
    if trees["experts"]:
        means = np.flatnonzero(np.isin([*trees["codebook"]], names))
        weights, n_means = arrays["trees.gate.npy"], len(trees["codebook"])
        arrays["trees.gate.npy"] = weights[[*means, *means + n_means, -1]]
    trees["codebook"] = {name: trees["codebook"][name] for name in names}
    trees["n_text"] = 2


def _renumbered(numbers: Any) -> tuple[Any, Any]:
    """The numbers without gaps, and what they were."""
    old, new = np.unique(numbers, return_inverse=True)
    return new.reshape(numbers.shape).astype(np.int16), old


def _keep_entries(document: dict[str, Any], arrays: dict[str, Any]) -> None:
    """The first four entries of the template with their weights."""
    template, sizes = document["weights"]["template"], document["weights"]["sizes"]
    template["entries"] = template["entries"][:4]
    names = sorted({name for entry in template["entries"] for name, _ in entry})
    document["weights"]["sizes"] = {name: sizes[name] for name in names}
    document["codebook"] = {name: document["codebook"][name] for name in names}
    far = template["page_edge"] == "distance"
    n_weights = 0
    for entry in template["entries"]:
        counts = [sizes[name] + (abs(at) if far else min(abs(at), 1)) for name, at in entry]
        n_weights += int(np.prod(counts))
    arrays["entries.npy"] = arrays["entries.npy"][:n_weights]
