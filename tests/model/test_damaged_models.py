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

from victor.base.files import package_folder
from victor.config.layers import load_as
from victor.errors import ConfigError, FeatureError, ModelError
from victor.labelers.crf import CrfLabeler, model_file
from victor.labelers.density.labeler import DensityModel
from victor.labelers.density.labeler import Settings as DensitySettings
from victor.labelers.density.labeler import labeler as density_labeler
from victor.labelers.density.ngrams import Alphabet, CharacterModel, Grams
from victor.model.calibration import Calibration
from victor.model.decide import Decision
from victor.model.model import Model
from victor.tables.forest import Forest

PAGES = [
    b"<title>Bees</title><h1>Bees</h1><p class=lead>Bees live in <b>colonies</b> of one queen.",
    b"<ul><li><a href=/>Home</a><li><a href=/x>More</a></ul><table><tr><td>1<td>2</table>",
    b"",
    b"<p>Another page, of one block.",
]
NASTY = [None, True, -1, 0, 10**400, 1e308, -1e308, 1.5, "", "x", "\x00", [], [None], {}, {"x": 1},
         [[1, 2, 3]], 255, 2**31, 2**63]  # fmt: skip


def nasty_arrays(array):
    """Other arrays in the place of one, by name."""
    flat = array.astype(np.float64)
    changed = {
        "0-d": np.array(1.0), "empty": array[:0], "one axis more": array[None],
        "flat": array.ravel(), "shorter": array[:-1], "longer": np.concatenate([array, array[:1]]),
        "transposed": array.T, "text": np.array(["a"] * len(array)), "as int": flat.astype("i8"),
        "big-endian": array.astype(array.dtype.newbyteorder(">")),
        "bool": array.astype(bool), "complex": array.astype("c16"), "negative": -flat - 1,
        "columns swapped": np.asfortranarray(array),
    }  # fmt: skip
    with np.errstate(over="ignore"):
        for name, value in {"nan": np.nan, "inf": np.inf, "-inf": -np.inf, "1e300": 1e300,
                            "1e38": 3e38, "2**62": 2.0**62, "256": 256.0}.items():  # fmt: skip
            one = flat.copy()
            one.flat[one.size // 2] = value
            changed[name] = one
            changed[f"all {name}"] = np.full_like(flat, value).astype(np.float32)
    for dtype in ("i8", "i4", "u8", "u1", "f2", "f4", "f8"):
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
def content(expert_model_file):
    """Function: document and arrays of a sound model of a kind."""

    def read(kind):
        if kind == "density":
            return density_model()
        file = expert_model_file if kind == "experts" else model_file(kind)
        return read_members(few_members(file.read_bytes()))

    return read


def read_members(members):
    """Document and arrays; those of the fuzz target, a few trees or weights of a shipped model."""
    arrays = {
        name.removesuffix(".npy"): np.load(io.BytesIO(data))
        for name, data in members.items()
        if name.endswith(".npy")
    }
    return json.loads(members["model.json"]), arrays


def density_model():
    text = np.frombuffer("bees live in colonies ".encode("utf-32-le"), np.uint32)
    alphabet = Alphabet.fit(text, 20)
    symbols = alphabet.layout(text, np.array([0, 4]), np.array([4, len(text)]))
    settings = load_as(DensitySettings, "density")
    grams = Grams.count(symbols, np.arange(len(symbols)) % 2 == 0, settings.ngram_order)
    identity = Calibration((-1.0, 1.0), (-1.0, 2.0))
    model = DensityModel(settings, CharacterModel(alphabet, grams), identity, identity)
    document = {
        "format": 1, "labeler": "density",
        "settings": {k: v for k, v in settings.to_data().items() if k != "model"},
        "calibration": {"all_blocks": identity.to_json(), "candidates": identity.to_json()},
        "card": {},
    }  # fmt: skip
    return document, model.characters.to_arrays()


def label_by_chain(path):
    labeler = CrfLabeler(Model.load(path))
    table = labeler.table(PAGES)
    for method in ("expected-f", "viterbi"):
        labelled = labeler.label(table, Decision(method))
        assert set(labelled.labels.tolist()) <= {0, 1, 2}
    return labelled.marginals


def label_by_density(path):
    model = DensityModel.load(path)
    found = []
    for mode in ("ngram", "both"):
        settings = load_as(DensitySettings, "density").replace(mode=mode, model=None)
        labeler = density_labeler(settings, model)
        found.append(labeler.label(labeler.table(PAGES)).marginals)
    return np.concatenate(found)


KINDS = {
    "crf": label_by_chain, "experts": label_by_chain, "density": label_by_density,
}  # fmt: skip


def outcome(path, kind, document, arrays):
    """True if the model was refused; else its probabilities are looked at."""
    members = {"model.json": json.dumps(document).encode()}
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.save(buffer, array)
        members[f"{name}.npy"] = buffer.getvalue()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            marginals = KINDS[kind](path)
        except (ModelError, FeatureError, ConfigError) as refusal:
            message = str(refusal)
        else:
            message = None
    if message is not None:
        assert len(message.encode()) < 2_000, "a message that can be read"
        return True
    assert np.isfinite(marginals).all()
    assert (marginals >= 0).all()
    assert np.allclose(marginals.sum(axis=1), 1, atol=1e-6)
    return False


def check_all(path, kind, cases):
    """Cases that are neither refused nor sound, by name; and how many were refused."""
    wrong, refused = {}, 0
    for name, document, arrays in cases:
        try:
            refused += outcome(path, kind, document, arrays)
        except Exception as error:
            wrong[name] = f"{type(error).__name__}: {str(error)[:100]}"
    return wrong, refused


@pytest.mark.parametrize("kind", KINDS)
def test_sound_models_are_sound(kind, content, tmp_path):
    assert not outcome(tmp_path / "m.victor", kind, *content(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_every_array_replaced(kind, content, tmp_path):
    document, arrays = content(kind)
    cases = [
        (f"{name}: {what}", document, {**arrays, name: other})
        for name, array in arrays.items()
        if name[-1] not in "456"  # of the density model: like the shorter n-grams
        for what, other in nasty_arrays(array).items()
    ]
    cases += [(name, document, {k: v for k, v in arrays.items() if k != name}) for name in arrays]
    wrong, refused = check_all(tmp_path / "m.victor", kind, cases)
    assert not wrong
    assert refused > len(cases) / 2


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_replaced(kind, content, tmp_path):
    document, arrays = content(kind)
    where = [path for path in places(document) if path[:1] != ("card",)]
    cases = [
        (f"{path}: {value!r:.40}", replaced(document, path, value), arrays)
        for number, path in enumerate(where)
        for value in ([..., *NASTY[number % 6 :: 6]] if len(path) < 3 else
                      [NASTY[number % len(NASTY)]])
    ]  # fmt: skip
    wrong, refused = check_all(tmp_path / "m.victor", kind, cases)
    assert not wrong
    assert refused > len(cases) / 3


def test_every_array_of_a_forest_replaced():
    """Its trees are shipped, but they are read by the compiled core as well."""
    with np.load(package_folder("victor.tables") / "forests" / "cells.npz") as read:
        arrays = {name: read[name] for name in read.files}
    rows = np.random.default_rng(1).normal(size=(5, len(arrays["features"])))
    wrong, refused, count = {}, 0, 0
    for name, array in arrays.items():
        nasty = (
            {"0-d": np.array(1.0)}
            if array.ndim == 0 or array.dtype.kind == "U"
            else (nasty_arrays(array))
        )
        for what, other in nasty.items():
            buffer = io.BytesIO()
            np.savez(buffer, **{**arrays, name: other})
            buffer.seek(0)
            count += 1
            try:
                with np.errstate(invalid="ignore"):
                    shares = Forest.read(buffer)(rows)
                if not (np.isfinite(shares).all() and shares.shape[0] == len(rows)):
                    wrong[f"{name}: {what}"] = "not finite"
            except ModelError:
                refused += 1
            except Exception as error:
                wrong[f"{name}: {what}"] = repr(error)[:100]
    assert not wrong
    assert refused > count / 2
