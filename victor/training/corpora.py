"""What training is given, as Python names it: configurations and annotated corpora."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.errors import ConfigError
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.config.layers import load
from victor.config.schema import Config, Decision
from victor.config.section import from_data
from victor.corpus.read import Corpus, read
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training.dataset import analyze, label_blocks
from victor.training.training import train as train_on
from victor.training.training import trainable

Settings = str | Path | Mapping[str, Any] | Config
"""A shipped configuration's name, the path of a YAML file, what such a file would hold, or a
configuration."""

HYPERPARAMETERS: Final = {
    "split": "split",
    "c1": "crf.c1",
    "c2": "crf.c2",
    "max_iterations": "crf.max_iterations",
    "trees": "trees.count",
    "depth": "trees.depth",
    "learning_rate": "trees.learning_rate",
    "l2": "trees.l2",
}
"""Short name to the key of the configuration that it stands for."""
DECISION: Final = ("method", "temperature", "threshold")
"""Keys of the section ``decide`` that are parameters by their own names."""

_LINEAR: Final = ("c1", "c2", "max_iterations")
_OF_TREES: Final = ("depth", "learning_rate", "l2")
_METHOD: Final = {"temperature": "expected-f", "threshold": "threshold"}
"""The method that a key belongs to."""


def configuration(source: Settings, overrides: Sequence[str] = ()) -> Config:
    """The configuration that is meant.

    Args:
        source: see `Settings`. A table may say ``base`` and may name keys by their path, e.g.
            ``{"base": "crf", "crf.c2": 5}``; its paths start at the working directory.
        overrides: ``key=value`` changes, as of `victor.config.layers.load`.

    Raises:
        ConfigError, TemplateError: a file is missing, or a key or value is wrong.
    """
    if isinstance(overrides, str):
        overrides = (overrides,)
    if isinstance(source, str | Path):
        return load(source, overrides)
    if isinstance(source, Config):
        return load(None, (*_assignments(source.to_json()), *overrides)) if overrides else source
    if not isinstance(source, Mapping):
        raise ConfigError(f"a configuration is a name, a path, a table or a Config, not {source!r}")
    keys = {key: value for key, value in source.items() if key != "base"}
    return load(source.get("base"), (*_assignments(keys), *overrides))


def with_hyperparameters(config: Config, chosen: Mapping[str, object]) -> Config:
    """A configuration with some of the `HYPERPARAMETERS` changed; None leaves one as it is.

    Raises:
        ConfigError: a value is wrong, or would change nothing.
    """
    given = {name: value for name, value in chosen.items() if value is not None}
    if not given:
        return config
    data = config.to_json()
    for name, value in given.items():
        *sections, key = HYPERPARAMETERS[name].split(".")
        table = data
        for section in sections:
            table = table[section]
        table[key] = _plain(value)
    changed = from_data(Config, data, "hyper-parameters")
    _check_potentials(given, has_trees=changed.trees.count > 0)
    return changed


def with_decision(configured: Decision, chosen: Mapping[str, object]) -> Decision:
    """A decision with some of the keys of `DECISION` changed; None leaves one as it is.

    A threshold chooses the method ``threshold``, a temperature ``expected-f``.

    Raises:
        ConfigError: a value is wrong, or would change nothing.
    """
    given = {name: _plain(value) for name, value in chosen.items() if value is not None}
    for name, method in _METHOD.items():
        if name in given and given.setdefault("method", method) != method:
            raise ConfigError(
                f"{name} is of the method {method}, not of {given['method']}: leave out one of them"
            )
    return from_data(Decision, {**configured.to_data(), **given}, "decide")


def _check_potentials(given: Mapping[str, object], *, has_trees: bool) -> None:
    """Refuse what the potentials do not read: a search over it would compare like with like."""
    idle = [name for name in (_LINEAR if has_trees else _OF_TREES) if name in given]
    if idle and has_trees:
        raise ConfigError(
            f"{idle[0]} is of linear potentials, this configuration grows trees: choose "
            f"{', '.join(('trees', *_OF_TREES))}, or config='crf'"
        )
    if idle:
        raise ConfigError(
            f"{idle[0]} is of trees, this configuration has none: choose {', '.join(_LINEAR)}, "
            "or a number of trees"
        )


def _assignments(data: Mapping[str, Any]) -> list[str]:
    """Overrides that say the same as a table; JSON is YAML."""
    try:
        return [
            f"{key}={json.dumps(value, ensure_ascii=False, default=_plain)}"
            for key, value in data.items()
        ]
    except (TypeError, ValueError) as error:
        raise ConfigError(f"the configuration holds what YAML cannot: {error}") from None


def _plain(value: object) -> Any:  # noqa: ANN401  (numbers and text)
    """A number of NumPy as one of Python; searches draw such numbers."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Path):
        return str(value)
    return value


_NAMES = np.full(UNLABELLED + 1, None, dtype=object)
_NAMES[: len(LABEL_NAMES)] = LABEL_NAMES

Objects = NDArray[Any]
"""(P,) object: something of each page."""


def train(
    corpus: Corpus,
    config: Settings = "default",
    *,
    overrides: Sequence[str] = (),
    trust_code: bool = False,
) -> Model:
    """Train a model on annotated pages; `Model.save` writes it.

    Pages whose gold text is empty are left out, see `victor.training.training.trainable`.

    Args:
        corpus: a folder (`load_corpus` says which), several, or annotated pages.
        config: name or path of a configuration, what such a file would hold as a table, or a
            `victor.config.schema.Config`. ``default`` grows trees, which takes minutes for some
            thousand pages; ``crf`` takes seconds.
        overrides: ``key=value`` changes of the configuration, e.g. ``["crf.c2=1"]``.
        trust_code: run the code that the configuration brings: feature modules that are files.

    Raises:
        CorpusError: a corpus is missing, damaged or without labels.
        ConfigError, TemplateError, FeatureError: the configuration is wrong.
    """
    extractor = FeatureExtractor(configuration(config, overrides), trust_code=trust_code)
    dataset = analyze(read(corpus), extractor, lean=True)
    dataset.warn_of_drift()
    return train_on(dataset, extractor)


def load_corpus(
    corpus: Corpus, config: Settings = "crf", *, overrides: Sequence[str] = ()
) -> tuple[Objects, Objects, NDArray[np.str_]]:
    """Pages, labels and sites of a corpus, as `victor.VictorCRF` and scikit-learn take them.

    >>> X, y, groups = load_corpus("my-corpus")  # doctest: +SKIP

    Args:
        corpus: a folder that `victor align` or `victor annotate export` wrote, or that holds
            marked pages like ``annotations``; several folders; or annotated pages.
        config: as of `train`. It says how pages are cut into blocks (``split`` and ``segment``)
            and has to cut them as that of the estimator does; nothing else of it is used.
        overrides: as of `train`.

    Returns:
        Three arrays of P pages, which may be indexed by arrays of numbers: X, (P,) object, the
        bytes of every page; y, (P,) object, for every page an array of the labels of its blocks,
        (n_blocks,) object: ``header``, ``text``, ``other``, or None where nobody can tell; and
        groups, (P,) str, the site of every page, for ``GroupKFold``. All blocks of a page whose
        gold text is empty have None: a script may have loaded what it shows, so that its blocks
        are no examples (`victor.training.training.trainable`).

    Raises:
        CorpusError: a corpus is missing, damaged or empty.
        ConfigError, TemplateError: the configuration is wrong.
    """
    cutting = configuration(config, overrides).replace(features=())
    pages = label_blocks(read(corpus), FeatureExtractor(cutting))
    pages.warn_of_drift()
    is_trainable = np.repeat(trainable(pages), np.diff(pages.page_starts))
    names = _NAMES[np.where(is_trainable, pages.labels, np.uint8(UNLABELLED))]
    return (
        objects([page.html for page in pages.pages]),
        objects(np.split(names, pages.page_starts[1:-1])),
        np.array(pages.sites),
    )


def objects(items: Sequence[object]) -> Objects:
    """(P,) object array of one item for each page, whatever their lengths."""
    array = np.empty(len(items), dtype=object)
    for row, item in enumerate(items):  # NumPy would make a matrix of items of one length
        array[row] = item
    return array
