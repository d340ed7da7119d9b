"""The model as a scikit-learn estimator: clone, fit, predict, cross-validate and search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from victor.base import lazy
from victor.base.errors import ConfigError, CorpusError, PageError
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.config.schema import Config, Decision, from_data
from victor.labelers.crf import CrfLabeler
from victor.measures.blocks import block_scores
from victor.model.extractor import FeatureExtractor, batches
from victor.model.model import Model
from victor.page.decoding.decode import utf8
from victor.page.source import read_file, refuse_names
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict
from victor.training.corpora import (
    Objects,
    Settings,
    assignments,
    configuration,
    objects,
    plain,
)
from victor.training.dataset import Selection, single
from victor.training.training import counts_of_labels, fit

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
"""Parameter to the key of the configuration that it stands for."""
DECISION: Final = ("method", "temperature", "threshold")
"""Keys of the section ``decide`` that are parameters by their own names."""
_LINEAR: Final = ("c1", "c2", "max_iterations")
_OF_TREES: Final = ("depth", "learning_rate", "l2")
_METHOD: Final = {"temperature": "expected-f", "threshold": "threshold"}
"""The method that a key belongs to."""

_SKLEARN: Any = lazy.load("sklearn.base", extra="train")

Pages = Sequence[bytes | str | Path] | NDArray[Any]
"""Pages: their markup, or the paths of their files."""
Targets = Sequence[Sequence[Any]] | NDArray[Any]  # labels of the blocks of each page


class VictorCRF(_SKLEARN.BaseEstimator):  # type: ignore[misc]  # the base has no types
    """A CRF over the text blocks of pages, for scikit-learn.

    Every sample is a page (bytes, str of markup, or the `Path` of a file), every target the
    sequence of the labels of its blocks: names (``header``, ``text``, ``other``), `Label` values,
    or None for blocks that nobody could label. `victor.load_corpus` gives both. X and y may be
    lists or arrays of P pages; `blocks` gives the blocks of a page. Split pages by site:
    ``cross_val_score(estimator, X, y, groups=groups, cv=GroupKFold(5))``.

    For scikit-learn this is neither a classifier nor a regressor: those have one target for each
    sample. So a number of folds is plain folds, and metrics such as ``scoring="accuracy"`` cannot
    be named. `check_estimator` does not apply, and ``cross_val_predict`` gives labels but no
    probabilities, for it would sort classes.

    Parameters:
        config: name or path of a configuration, what such a file would hold as a table, or a
            `victor.config.schema.Config`.
        split: ``split``, what ends a block; labels must be those of such blocks.
        c1: ``crf.c1``, strength of L1 regularisation; of configurations without trees.
        c2: ``crf.c2``, strength of L2 regularisation; of configurations without trees.
        max_iterations: ``crf.max_iterations``; of configurations without trees.
        trees: ``trees.count``; with 0 potentials are linear.
        depth: ``trees.depth``, questions that a tree asks.
        learning_rate: ``trees.learning_rate``.
        l2: ``trees.l2``, strength of L2 regularisation of leaves.
        method: ``decide.method``, how labels are chosen.
        temperature: ``decide.temperature``, above 1 keeps more; chooses the method expected-f.
        threshold: ``decide.threshold``, keep a block while p(other) is below it; chooses the
            method threshold.
        overrides: ``key=value`` changes of any other key, e.g. ``("crf.transitions=false",)``.
        trust_code: run the code that the configuration brings: feature modules that are files.

    What is None is as configured. `method`, `temperature` and `threshold` may be changed after
    fitting. The methods raise ConfigError for parameters that are wrong or would change nothing,
    PageError for what is no page, and CorpusError for labels that do not fit the blocks.

    Attributes:
        model_: the fitted `victor.model.model.Model`; it decides as configured.
        classes_: (3,) label names in the order of the columns of `predict_proba`.
    """

    def __init__(  # noqa: PLR0913  (what people search over)
        self,
        config: Settings = "crf",
        *,
        split: str | None = None,
        c1: float | None = None,
        c2: float | None = None,
        max_iterations: int | None = None,
        trees: int | None = None,
        depth: int | None = None,
        learning_rate: float | None = None,
        l2: float | None = None,
        method: str | None = None,
        temperature: float | None = None,
        threshold: float | None = None,
        overrides: Sequence[str] = (),
        trust_code: bool = False,
    ) -> None:
        parameters = dict(locals())  # scikit-learn wants each as an attribute of its name
        del parameters["self"]
        self.__dict__.update(parameters)

    def fit(self, X: Pages, y: Targets, groups: Sequence[str] | None = None) -> VictorCRF:  # noqa: N803
        """Train.

        Args:
            X: (P,) pages.
            y: (P,) labels of the blocks of each page; one without any label is left out.
            groups: (P,) site of each page, by which rare name tokens are counted; None treats
                every page as a site of its own.
        """
        extractor = self._extractor()
        self._decision(extractor.config.decide)
        selection = _selection(extractor, X, y, groups)
        model = fit(selection, extractor.config, kinds=extractor.kinds)
        counts = counts_of_labels(selection.labels)
        n_pages, n_sites = len(selection.sites), len({*selection.sites})
        self.model_: Model = model.with_card(
            training={"pages": n_pages, "sites": n_sites, "blocks": counts}
        )
        self.classes_ = np.array(LABEL_NAMES)
        return self

    def predict(self, X: Pages) -> Objects:  # noqa: N803
        """Label names of blocks: (P,) object array of one (n_blocks,) str array for each page."""
        self._check_fitted()
        verdicts = self._verdicts(X, self._decision(self.model_.config.decide))
        return objects([self.classes_[verdict.labels[page]] for verdict, page in verdicts])

    def predict_proba(self, X: Pages) -> Objects:  # noqa: N803
        """Probabilities of labels: (P,) object array of one (n_blocks, 3) float64 array for each.

        Columns are in the order of `classes_`.
        """
        self._check_fitted()
        verdicts = self._verdicts(X, Decision())
        return objects([verdict.marginals[page] for verdict, page in verdicts])

    def score(self, X: Pages, y: Targets) -> float:  # noqa: N803
        """F-measure of keeping blocks, over all blocks of the pages that have a label, 0 to 1."""
        predicted = self.predict(X)
        lengths = [len(labels) for labels in predicted]
        return block_scores(label_codes(y, lengths), label_codes(predicted, lengths)).kept.f1

    def blocks(self, X: Pages) -> list[list[str]]:  # noqa: N803
        """Texts of the blocks of each page, in the order that labels refer to; needs no fitting."""
        extractor = self._extractor()
        return [block_texts(extractor.table([markup])) for markup in _markup(X)]

    def save(self, path: str | Path) -> None:
        """Write the model, which decides as this estimator does, for ``victor clean -m``.

        Raises:
            OutputError: the file cannot be written.
        """
        self._check_fitted()
        config = self.model_.config
        decided = config.replace(decide=self._decision(config.decide))
        replace(self.model_, config=decided).save(Path(path))

    def _extractor(self) -> FeatureExtractor:
        config = configuration(self.config, self.overrides)
        given = self._given(HYPERPARAMETERS)
        if given:
            keys = assignments({HYPERPARAMETERS[name]: value for name, value in given.items()})
            config = configuration(config, keys)
            _check_potentials(given, config)
        return FeatureExtractor(config, trust_code=self.trust_code)

    def _decision(self, configured: Decision) -> Decision:
        """How labels are chosen, given how the configuration chooses them."""
        given = self._given(DECISION)
        for name, method in _METHOD.items():
            if name in given and given.setdefault("method", method) != method:
                raise ConfigError(
                    f"{name} is of the method {method}, not of {given['method']}: "
                    "leave out one of them"
                )
        return from_data(Decision, {**configured.to_data(), **given}, "decide")

    def _given(self, names: Iterable[str]) -> dict[str, Any]:
        values = {name: plain(getattr(self, name)) for name in names}
        return {name: value for name, value in values.items() if value is not None}

    def _verdicts(self, X: Pages, decision: Decision) -> Iterator[tuple[Verdict, slice]]:  # noqa: N803
        """The verdict on every page, and its rows there."""
        labeler = CrfLabeler(self.model_, trust_code=self.trust_code)
        for batch in batches((None, markup) for markup in _markup(X)):
            verdict = labeler.label(labeler.table([markup for _, markup in batch]), decision)
            yield from ((verdict, verdict.page(page)) for page in range(verdict.table.n_pages))

    def _check_fitted(self) -> None:
        lazy.load("sklearn.utils.validation", extra="train").check_is_fitted(self, "model_")


def _check_potentials(given: dict[str, object], config: Config) -> None:
    """Refuse what the potentials do not read: a search over it would compare like with like."""
    has_trees = config.trees.count > 0
    read = ("trees", *_OF_TREES) if has_trees else (*_LINEAR, "trees")
    for name in _LINEAR if has_trees else _OF_TREES:
        if name in given:
            kind = "trees" if has_trees else "linear potentials"
            raise ConfigError(
                f"{name} changes nothing, this configuration is of {kind}: choose one of "
                f"{', '.join(read)}, or another configuration"
            )


def _markup(pages: Pages) -> Iterator[bytes]:
    """The markup of pages as UTF-8, one after the other."""
    if isinstance(pages, str | bytes | Path):
        raise ConfigError("X is a list of pages; put a single page into a list: [page]")
    return (_read(page, page_index) for page_index, page in enumerate(pages))


def _read(page: object, page_index: int) -> bytes:
    if not isinstance(page, bytes | str | Path):
        kind = type(page).__name__
        what = "a page is bytes, text or the Path of a file"
        raise PageError("not-a-page", f"page {page_index} is {kind}; {what}")
    try:
        if isinstance(page, str):
            refuse_names(page)
        return utf8(read_file(page) if isinstance(page, Path) else page)
    except PageError as error:
        name = f" {page}" if isinstance(page, Path) else ""
        raise PageError(error.reason, f"page {page_index}:{name} {error}") from None


def _selection(
    extractor: FeatureExtractor, pages: Pages, targets: Targets, groups: Sequence[str] | None
) -> Selection:
    """Columns and labels of the blocks of all pages that have a label."""
    parts, lengths, words = [], [], [np.zeros(0, dtype=np.int64)]
    for batch in batches((None, markup) for markup in _markup(pages)):
        table = extractor.table([markup for _, markup in batch])
        parts.append({name: single(part) for name, part in extractor.columns(table).items()})
        lengths += np.diff(table.page_starts).tolist()
        words.append(table.words)
    if not parts:
        raise CorpusError("there are no pages; give at least one")
    sites = [str(page) for page in range(len(pages))] if groups is None else list(groups)
    if len(sites) != len(pages):
        raise CorpusError(f"there are {len(sites)} groups for {len(pages)} pages; give one each")
    labels, starts = label_codes(targets, lengths), np.cumsum([0, *lengths], dtype=np.int64)
    # A page without any label would still have a say in how columns are cut into codes.
    page_of_block = np.repeat(np.arange(len(lengths)), lengths)
    learnt = np.unique(page_of_block[labels != UNLABELLED])
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Selection.of(columns, starts, labels, np.concatenate(words), sites, learnt)


def label_codes(targets: Targets, lengths: Sequence[int]) -> NDArray[np.uint8]:
    """(n,) `Label` values and UNLABELLED of P pages, given the number of blocks of each.

    Raises:
        CorpusError: they are not labels, or not those of so many blocks.
    """
    if targets is None or isinstance(targets, str | bytes):
        raise CorpusError("y is a list with the labels of the blocks of each page")
    if len(targets) != len(lengths):
        raise CorpusError(f"there are labels for {len(targets)} pages but {len(lengths)} pages")
    for page, (labels, blocks) in enumerate(zip(targets, lengths, strict=True)):
        if isinstance(labels, str | bytes) or not hasattr(labels, "__len__"):
            raise CorpusError(
                f"page {page} has {labels!r} for labels; give a list, one for each block"
            )
        if len(labels) != blocks:
            raise CorpusError(
                f"page {page} has {blocks} blocks but {len(labels)} labels; "
                "`blocks` shows how it is split"
            )
    return np.array([_code(label) for labels in targets for label in labels], dtype=np.uint8)


def _code(label: object) -> int:
    if label is None or label == UNLABELLED:
        return UNLABELLED
    if isinstance(label, str) and label in LABEL_NAMES:
        return LABEL_NAMES.index(label)
    if isinstance(label, int | np.integer) and label in [*Label]:
        return int(label)
    raise CorpusError(f"{label!r} is not a label; use {', '.join(LABEL_NAMES)} or None")
