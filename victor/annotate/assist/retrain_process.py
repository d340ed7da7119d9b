"""Training on the annotated pages in a separate process, with scores before and after.

*Before* is the score of the present model, which has seen none of the pages. *After* is that of the
new configuration in cross-validation: each page is labelled by a model that has not seen its site.
Both are computed alike, so that they can be compared.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from math import inf, isnan
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from victor.base.arrays import Labels, window_sums
from victor.base.errors import ConfigError, VictorError
from victor.base.files import remove, unfinished_path
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import AnnotatedPage

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import Dataset, LabelledPages

IDLE: Final = "idle"
RUNNING: Final = "running"
DONE: Final = "done"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"

WORD_F: Final = "word F"
"""Name of the score that decides whether the new model is better."""
_FEW: Final = 20
"""Below so many pages, one more page may well change a score by a tenth."""
_GRACE: Final = 5.0
"""Seconds in which a terminated process has to end."""
_LOOK: Final = 0.05
"""Seconds between two looks at a training in `wait`."""
_NICENESS: Final = 5
"""Added to the niceness of the process: people who label pages come first."""

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Status:
    """Progress of a training.

    Attributes:
        state: ``idle``, ``running``, ``done``, ``failed`` or ``cancelled``.
        done: steps done of `total`: each fold, measuring the pages, scoring the present model and
            the last training are one step each.
        total: 0 before the number is known.
        pages: number of annotated pages.
        before: scores of the present model; None until they are known.
        after: cross-validated scores of the new one; None until they are known, and if there are
            too few pages.
        message: the present step or the reason of a failure, for people.
        model: path of the model file once it is written.
    """

    state: str = IDLE
    done: int = 0
    total: int = 0
    pages: int = 0
    before: Scores | None = None
    after: Scores | None = None
    message: str = ""
    model: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is trained and compared.

    Attributes:
        model: file to write; an existing one is replaced when the new one is complete.
        config: configuration of the new model, by shipped name or path.
        base: the present system, by the name of a labeler or a shipped model, or a model's path.
        folds: of the cross-validation, at most.
        trust_code: run the code that the configuration or the present model brings.
    """

    model: Path
    config: str = "crf"
    base: str = "default"
    folds: int = 5
    trust_code: bool = False


class RetrainProcess:
    """One training at a time, in the background.

    Args:
        plan: what is trained.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._status = Status()
        self._lock = Lock()
        self._process: SpawnProcess | None = None
        self._messages: Connection | None = None

    def start(self, read: Callable[[], Sequence[AnnotatedPage]], count: int) -> None:
        """Start a training; returns at once.

        Args:
            read: reads the pages in the other process; it is pickled.
            count: how many there seem to be, until they have been read.

        Raises:
            ConfigError: a training is running.
        """
        with self._lock:
            self._read()
            if self._status.state == RUNNING:
                raise ConfigError("a training is running; wait for it or cancel it")
            context = get_context("spawn")  # a server has threads, which a fork would not survive
            self._messages, theirs = context.Pipe(duplex=False)
            self._process = context.Process(
                target=_work, args=(theirs, read, self.plan), daemon=True
            )
            self._status = Status(RUNNING, pages=count, message="collecting the pages")
            self._process.start()
            theirs.close()

    def status(self) -> Status:
        """The present status."""
        with self._lock:
            self._read()
            return self._status

    def wait(self, seconds: float | None = None) -> Status:
        """The status at the end of the training, or after so many seconds."""
        deadline = inf if seconds is None else monotonic() + seconds
        status = self.status()
        # Only `_end` joins the process: of two threads that join it, one would miss its end.
        while self._process is not None and monotonic() < deadline:
            sleep(_LOOK)
            status = self.status()
        return status

    def cancel(self) -> Status:
        """Stop a running training; the model file stays as it was."""
        with self._lock:
            self._read()
            if self._process is not None:
                self._end(terminate=True)
                self._status = replace(self._status, state=CANCELLED, message="cancelled")
                remove(unfinished_path(self.plan.model))
            return self._status

    def close(self) -> None:
        """Stop a running training."""
        self.cancel()

    def _read(self) -> None:
        """Read the messages that the process has sent since the last time."""
        while self._messages is not None and self._messages.poll():
            try:
                self._status = replace(self._status, **self._messages.recv())
            except (EOFError, OSError):
                code = self._end()
                if self._status.state == RUNNING:
                    message = f"the training process ended early (exit status {code}); try again"
                    self._status = replace(self._status, state=FAILED, message=message)

    def _end(self, *, terminate: bool = False) -> int | None:
        """Wait for the end of the process and release it; returns its exit status."""
        assert self._process is not None, "a training was started"
        assert self._messages is not None, "a training was started"
        if terminate:
            self._process.terminate()
        self._process.join(_GRACE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        code = self._process.exitcode
        self._process.close()
        self._messages.close()
        self._process = self._messages = None
        return code


Report = Callable[..., None]
"""Takes fields of `Status` that have changed."""


def _work(messages: Connection, read: Callable[[], Sequence[AnnotatedPage]], plan: Plan) -> None:
    """The work of the process; whatever goes wrong becomes a message."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)

    def report(**fields: object) -> None:
        messages.send(fields)

    with suppress(BrokenPipeError):  # nobody listens any more
        try:
            pages = read()
            report(pages=len(pages))
            train_and_compare(pages, plan, report)
        except VictorError as error:
            report(state=FAILED, message=str(error))
        except Exception as error:
            report(state=FAILED, message=f"the training failed: {type(error).__name__}: {error}")
    messages.close()


def train_and_compare(pages: Sequence[AnnotatedPage], plan: Plan, report: Report) -> None:
    """Score the present model, cross-validate the configuration, train on all pages and save.

    Args:
        pages: annotated pages; without sites, or of one only, each counts as a site of its own.
        plan: what is trained and compared.
        report: called with fields of `Status` as they become known.

    Raises:
        CorpusError: no page, or none with labels.
        ConfigError, ModelError: the plan names what does not exist.
        OSError: the model file cannot be written.
    """
    from victor.api import CleanerSpec  # these are slow to import, and only this process needs them
    from victor.config import load
    from victor.evaluation.evaluation import by_labeler
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    prepared = _prepared(pages)
    k = min(plan.folds, len({page.site for page in prepared}))
    steps = _Steps(report, total=3 + (k if k > 1 else 0))
    steps.next("measuring the pages", 0)
    extractor = FeatureExtractor(load(plan.config), trust_code=plan.trust_code)
    dataset = analyze(prepared, extractor)
    steps.next("scoring the present model")
    present = replace(CleanerSpec.named(plan.base), trust_code=plan.trust_code)
    outcome = by_labeler(prepared, present.build(), system="before")
    assert outcome.labels is not None, "a labeler gives labels"
    before = scores(outcome.pages, outcome.labels)
    report(before=before)
    after = _cross_validated(dataset, extractor, k, steps) if k > 1 else None
    report(after=after)
    steps.next("training on all pages", 0)
    model = train(dataset, extractor).with_card(before=dict(before), after=dict(after or {}))
    model.save(plan.model)
    steps.next("")
    report(state=DONE, model=str(plan.model), message=_summary(len(prepared), k))


class _Steps:
    """Counts the steps done, and reports each."""

    def __init__(self, report: Report, total: int) -> None:
        self._report, self._total, self._done = report, total, 0

    def next(self, message: str, count: int = 1) -> None:
        self._done += count
        self._report(done=self._done, total=self._total, message=message)


def _prepared(pages: Sequence[AnnotatedPage]) -> list[AnnotatedPage]:
    """The pages without gold texts, each with a site.

    An annotator has seen every page, so one without content is an example whatever its gold text.
    """
    prepared = [replace(page, gold=None, site=page.site or page.id) for page in pages]
    if len({page.site for page in prepared}) < 2:
        prepared = [replace(page, site=page.id) for page in prepared]
    return prepared


def _cross_validated(
    dataset: Dataset, extractor: FeatureExtractor, k: int, steps: _Steps
) -> Scores:
    from victor.model.decide import decide
    from victor.training.training import cross_validate

    message = f"cross-validating in {k} folds"
    steps.next(message)
    marginals = cross_validate(
        dataset,
        extractor.config,
        kinds=extractor.kinds,
        k=k,
        progress=lambda count: steps.next(message, count),
    )
    decision = extractor.config.decide.on_marginals
    return scores(dataset, decide(marginals, dataset, decision))


def _summary(n_pages: int, k: int) -> str:
    if k < 2:
        return "one page cannot be cross-validated: label another one to see a score"
    few = "; with so few pages the scores are rough" if n_pages < _FEW else ""
    return f"{n_pages} pages, {k} folds{few}"


def scores(pages: LabelledPages, labels: Labels) -> Scores:
    """Scores of labels of all blocks against those of the annotators.

    Args:
        pages: the annotated pages.
        labels: (n,) uint8.

    Returns:
        ``word F``: the mean over pages of the F-measure of the words kept (1 where nothing is kept
        and nothing should be). ``block F``: that of the blocks kept of all pages together.
        ``accuracy``: the share of blocks with the right one of three labels. Unlabelled blocks do
        not count. A score that is not defined is left out.
    """
    from victor.measures.aggregates import ratios  # with the others
    from victor.measures.blocks import block_scores

    counts = block_scores(pages.labels, labels)
    weights = np.where(pages.labels == UNLABELLED, 0, pages.words)
    wanted, kept = pages.labels != Label.OTHER, labels != Label.OTHER
    right, n_kept, n_wanted = (
        window_sums(weights * mask, pages.page_starts).astype(np.float64)
        for mask in (wanted & kept, kept, wanted)
    )
    word_f = np.where(n_kept + n_wanted > 0, ratios(right, n_kept, n_wanted)[:, 2], 1.0)
    result = {
        WORD_F: float(word_f.mean()), "block F": counts.kept.f1, "accuracy": counts.accuracy
    }  # fmt: skip
    return {name: round(value, 4) for name, value in result.items() if not isnan(value)}
