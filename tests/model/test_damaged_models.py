"""Models in which something was replaced: one clear error when loaded, or sound probabilities.

That is a ModelError, or what a configuration in a file of its own raises for features.

Every array and every value of the documents of all kinds of model is replaced by nasty ones, and
what still loads has to label pages: the compiled core trusts what loading let through.
"""

import io
import json
import warnings
import zipfile
from collections.abc import Iterator

import numpy as np
import pytest
from hostile.small_models import few_members
from model_files import archived, content_of

from tests.rows import tables
from victor.base.files import package_folder
from victor.errors import ConfigError, FeatureError, ModelError
from victor.labelers.crf import CrfLabeler, model_file
from victor.labelers.density.labeler import DensityModel, Settings
from victor.labelers.density.labeler import labeler as density_labeler
from victor.model.decide import Decision
from victor.model.model import Model
from victor.tables.forest import Forest
from victor.training.density import train

SMALL = Settings(ngram_order=3, ngram_alphabet=20, ngram_most_grams=100)
with np.load(package_folder("victor.tables") / "forests" / "cells.npz") as read:
    FOREST = {name: read[name] for name in read.files}
ROWS = tables(__file__)
PAGES = [page.encode() for page in ROWS["pages"]]


def nasty_arrays(array):
    """Other arrays in the place of one, by name."""
    flat = array.astype(np.float64)
    changed = {
        "0-d": np.array(1.0), "empty": array[:0], "one axis more": array[None],
        "flat": array.ravel(), "shorter": array[:-1], "longer": np.concatenate([array, array[:1]]),
        "transposed": array.T, "text": np.array(["a"] * len(array)), "negative": -flat - 1,
        "big-endian": array.astype(array.dtype.newbyteorder(">")),
        "columns swapped": np.asfortranarray(array),
    }  # fmt: skip
    with np.errstate(over="ignore"):
        for name, value in {"nan": np.nan, "inf": np.inf, "-inf": -np.inf, "1e300": 1e300,
                            "1e38": 3e38, "2**62": 2.0**62, "256": 256.0}.items():  # fmt: skip
            one = flat.copy()
            one.flat[one.size // 2] = value
            changed[name] = one
            changed[f"all {name}"] = np.full_like(flat, value).astype(np.float32)
    for dtype in ("i8", "i4", "u8", "u1", "f2", "f4", "f8", "c16", "?"):
        with np.errstate(invalid="ignore", over="ignore"):
            changed[f"as {dtype}"] = flat.astype(dtype)
        if dtype[0] in "iu":
            limits = np.iinfo(dtype)
            changed[f"lowest {dtype}"] = np.full(array.shape, limits.min, dtype)
            changed[f"highest {dtype}"] = np.full(array.shape, limits.max, dtype)
    return changed


def places(value, path=()) -> Iterator[tuple]:
    """Paths to the values of a document; of long lists and tables only some."""
    yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for number, (key, inner) in enumerate([*items]):
            if number < 12 or number % 30 == 0:
                yield from places(inner, (*path, key))


def replaced(document, path, value):
    """A copy with another value at a path; without the value at all if it is `...`."""
    copy = json.loads(json.dumps(document))
    if not path:
        return copy if value is ... else value
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return copy


@pytest.fixture(scope="module")
def content(expert_model_file, annotated, tmp_path_factory):
    """Function: document and arrays of a sound model of a kind; of shipped ones a few weights."""
    path = tmp_path_factory.mktemp("sound") / "sound.victor"

    def read(kind):
        if kind == "density":
            train(annotated[:8], SMALL).save(path)
        else:
            file = expert_model_file if kind == "experts" else model_file(kind)
            archived(path, few_members(file.read_bytes()))
        return content_of(path)

    return read


def check_probabilities(marginals):
    assert np.isfinite(marginals).all()
    assert (marginals >= 0).all()
    assert np.allclose(marginals.sum(axis=1), 1, atol=1e-6)


def label_by_chain(path):
    labeler = CrfLabeler(Model.load(path))
    table = labeler.table(PAGES)
    for method in ("expected-f", "viterbi"):
        labelled = labeler.label(table, Decision(method))
        assert set(labelled.labels.tolist()) <= {0, 1, 2}
    check_probabilities(labelled.marginals)


def label_by_density(path):
    model = DensityModel.load(path)
    for mode in ("ngram", "both"):
        labeler = density_labeler(SMALL.replace(mode=mode), model)
        check_probabilities(labeler.label(labeler.table(PAGES)).marginals)


def classify_by_forest(path):
    """Its trees are shipped, but they are read by the compiled core as well."""
    rows = np.random.default_rng(1).normal(size=(5, len(FOREST["features"])))
    with np.errstate(invalid="ignore"):
        shares = Forest.read(io.BytesIO(path.read_bytes()))(rows)
    assert np.isfinite(shares).all()
    assert len(shares) == len(rows)


KINDS = {"crf": label_by_chain, "experts": label_by_chain, "density": label_by_density}


def is_refused(path, use, members):
    """Is a model of these members refused; what is done with others has to end well."""
    archived(path, members, zipfile.ZIP_STORED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            use(path)
        except (ModelError, FeatureError, ConfigError) as refusal:
            message = str(refusal)
        else:
            return False
    assert len(message.encode()) < 2_000, "a message that can be read"
    return True


def check_all(path, use, cases, least):
    """No case is neither refused nor sound, and enough are refused."""
    wrong, refused = {}, 0
    for name, members in cases:
        try:
            refused += is_refused(path, use, members)
        except Exception as error:
            wrong[name] = f"{type(error).__name__}: {str(error)[:100]}"
    assert not wrong
    assert refused > len(cases) * least


def named(arrays):
    return {f"{name}.npy": array for name, array in arrays.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_sound_models_are_sound(kind, content, tmp_path):
    document, arrays = content(kind)
    members = {"model.json": document, **named(arrays)}
    assert not is_refused(tmp_path / "m.victor", KINDS[kind], members)


@pytest.mark.parametrize("kind", KINDS)
def test_every_array_replaced(kind, content, tmp_path):
    document, arrays = content(kind)
    members = {"model.json": document, **named(arrays)}
    cases = [
        (f"{name}: {what}", {**members, f"{name}.npy": other})
        for name, array in arrays.items()
        for what, other in {**nasty_arrays(array), "missing": None}.items()
    ]
    check_all(tmp_path / "m.victor", KINDS[kind], cases, 1 / 2)


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_replaced(kind, content, tmp_path):
    document, arrays = content(kind)
    where = [path for path in places(document) if path[:1] != ("card",)]
    cases = [
        (f"{path}: {value!r:.40}", {"model.json": json.dumps(replaced(document, path, value)),
                                    **named(arrays)})
        for number, path in enumerate(where)
        for value in ([..., *ROWS["nasty"][number % 6 :: 6]] if len(path) < 3 else
                      [ROWS["nasty"][number % len(ROWS["nasty"])]])
    ]  # fmt: skip
    check_all(tmp_path / "m.victor", KINDS[kind], cases, 1 / 3)


def test_every_array_of_a_forest_replaced(tmp_path):
    cases = [
        (f"{name}: {what}", {**named(FOREST), f"{name}.npy": other})
        for name, array in FOREST.items()
        for what, other in (nasty_arrays(array) if array.ndim and array.dtype.kind != "U" else
                            {"0-d": np.array(1.0)}).items()
    ]  # fmt: skip
    check_all(tmp_path / "m.npz", classify_by_forest, cases, 1 / 2)
