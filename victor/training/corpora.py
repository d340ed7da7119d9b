"""Annotated corpora by the names of their folders: a model of one, or samples for scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.corpus.read import Corpus, read
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training.dataset import analyze, label_blocks
from victor.training.settings import Settings, configuration
from victor.training.training import train as train_on
from victor.training.training import trainable

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
            `victor.config.Config`. ``default`` grows trees, which takes minutes for some thousand
            pages; ``crf`` takes seconds.
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
