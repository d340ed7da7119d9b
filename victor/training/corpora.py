"""Training as Python names it: configurations and annotated corpora in, models or arrays out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base.errors import ConfigError
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.config.layers import load
from victor.config.schema import Config
from victor.corpus.pages import Corpus, read
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training.dataset import analyze, label_blocks
from victor.training.training import train as train_on
from victor.training.training import trainable

Settings = str | Path | Mapping[str, Any] | Config
"""A shipped configuration's name, the path of a YAML file, what such a file would hold, or a
configuration."""
Objects = NDArray[Any]  # (P,) object: something of each page

_NAMES = np.full(UNLABELLED + 1, None, dtype=object)
_NAMES[: len(LABEL_NAMES)] = LABEL_NAMES


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
        return load(None, (*assignments(source.to_json()), *overrides)) if overrides else source
    if not isinstance(source, Mapping):
        raise ConfigError(f"a configuration is a name, a path, a table or a Config, not {source!r}")
    keys = {key: value for key, value in source.items() if key != "base"}
    return load(source.get("base"), (*assignments(keys), *overrides))


def assignments(data: Mapping[str, Any]) -> list[str]:
    """Overrides that say the same as a table; JSON is YAML.

    Raises:
        ConfigError: it holds something that JSON cannot.
    """
    try:
        return [
            f"{key}={json.dumps(value, ensure_ascii=False, default=plain)}"
            for key, value in data.items()
        ]
    except (TypeError, ValueError) as error:
        raise ConfigError(f"the configuration holds what YAML cannot: {error}") from None


def plain(value: object) -> Any:  # noqa: ANN401  (numbers and text)
    """A number of NumPy as one of Python, which searches draw; a path as text."""
    if isinstance(value, np.generic):
        return value.item()
    return str(value) if isinstance(value, Path) else value


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
