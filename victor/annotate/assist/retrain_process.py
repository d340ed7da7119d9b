"""Train a model on the annotated pages in a process of its own, and say whether it is better.

Before: what the model at hand, which has seen none of the pages, makes of them. After: what models
of the new kind make of them in cross-validation, each page labelled by one that has not seen
its site. Both are scored alike, so that they can be compared.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import inf, isnan
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.corpus.pages import AnnotatedPage
from victor.errors import ConfigError, VictorError
from victor.files import remove, unfinished_path
from victor.labels import UNLABELLED, Label

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from victor.model.extractor import Analyzer
    from victor.training.dataset import Dataset, LabelledPages

IDLE: Final = "idle"
RUNNING: Final = "running"
DONE: Final = "done"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"

_FEW: Final = 20
"""Below so many pages a score may well change by a tenth with one more page."""
_GRACE: Final = 5.0
"""Seconds for a process to end when it is told to."""
_LOOK: Final = 0.05
"""Seconds between two looks at a training that is waited for."""
_POLITE: Final = 5
"""What is added to the niceness: whoever is labelling pages comes first."""

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Status:
    """How far a training is.

    Attributes:
        state: ``idle``, ``running``, ``done``, ``failed`` or ``cancelled``.
        done: steps done of `total`; a fold is one, and so are measuring the pages, scoring the
            model at hand and the last training.
        total: 0 before the number is known.
        pages: annotated pages that take part.
        before: scores of the model at hand; None until they are known.
        after: cross-validated scores of the new one; None until they are known, and where the
            pages are too few.
        message: what is being done, or why it failed; for people.
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
        model: file to write; one that is there is replaced when the new one is complete.
        config: configuration of the new model, by shipped name or path.
        base: system at hand, by the name of a labeler or of a shipped model, or a model's path.
        folds: of the cross-validation at most.
    """

    model: Path
    config: str = "crf"
    base: str = "default"
    folds: int = 5


class Retrain:
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

    def start(self, pages: Sequence[AnnotatedPage]) -> None:
        """Begin with these pages; returns at once.

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
                target=_work, args=(theirs, tuple(pages), self.plan), daemon=True
            )
            self._status = Status(RUNNING, pages=len(pages), message="starting")
            self._process.start()
            theirs.close()

    def status(self) -> Status:
        """How far it is now."""
        with self._lock:
            self._read()
            return self._status

    def wait(self, seconds: float | None = None) -> Status:
        """The status at the end, or when this time is over."""
        until = inf if seconds is None else monotonic() + seconds
        status = self.status()
        # Two threads that join a process take its end from each other: only `_end` does.
        while self._process is not None and monotonic() < until:
            sleep(_LOOK)
            status = self.status()
        return status

    def cancel(self) -> Status:
        """Stop a training that is running; the model file stays as it was."""
        with self._lock:
            self._read()
            if self._process is not None:
                self._end(terminate=True)
                self._status = replace(self._status, state=CANCELLED, message="cancelled")
                remove(unfinished_path(self.plan.model))
            return self._status

    def close(self) -> None:
        """Stop whatever is running."""
        self.cancel()

    def _read(self) -> None:
        """Take in what the process has said since the last time."""
        while self._messages is not None and self._messages.poll():
            try:
                self._status = replace(self._status, **self._messages.recv())
            except (EOFError, OSError):
                code = self._end()
                if self._status.state == RUNNING:
                    said = f"the training process ended early (exit status {code}); try again"
                    self._status = replace(self._status, state=FAILED, message=said)

    def _end(self, *, terminate: bool = False) -> int | None:
        """Wait for the end of the process, and forget it; gives its exit status."""
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


Say = Callable[..., None]
"""Sends fields of `Status`."""


def _work(messages: Connection, pages: Sequence[AnnotatedPage], plan: Plan) -> None:
    """The process: whatever goes wrong becomes a message."""
    if hasattr(os, "nice"):
        os.nice(_POLITE)

    def say(**fields: object) -> None:
        messages.send(fields)

    with suppress(BrokenPipeError):  # nobody listens any more
        try:
            train_and_compare(pages, plan, say)
        except VictorError as error:
            say(state=FAILED, message=str(error))
        except Exception as error:
            say(state=FAILED, message=f"the training failed: {type(error).__name__}: {error}")
    messages.close()


def train_and_compare(pages: Sequence[AnnotatedPage], plan: Plan, say: Say) -> None:
    """Score the model at hand, cross-validate the configuration, train on all pages and save.

    Args:
        pages: annotated pages; without sites, or of one only, each counts as a site of its own.
        plan: what is trained and compared.
        say: called with fields of `Status` as they become known.

    Raises:
        CorpusError: no page, or none with labels.
        ConfigError, ModelError: the plan names what does not exist.
        OSError: the model file cannot be written.
    """
    from victor.api import CleanerSpec  # noqa: PLC0415     this process needs them
    from victor.config import load  # noqa: PLC0415
    from victor.evaluation.evaluation import by_labeler  # noqa: PLC0415
    from victor.model.extractor import Analyzer  # noqa: PLC0415  (these are slow to import, and only
    from victor.training.dataset import analyze  # noqa: PLC0415
    from victor.training.training import train  # noqa: PLC0415

    own = _prepared(pages)
    k = min(plan.folds, len({page.site for page in own}))
    steps = _Steps(say, total=3 + (k if k > 1 else 0))
    steps.next("measuring the pages", 0)
    analyzer = Analyzer(load(plan.config))
    dataset = analyze(own, analyzer)
    steps.next("scoring the model at hand")
    found = by_labeler(own, CleanerSpec.named(plan.base).build(), system="before")
    assert found.labels is not None, "a labeler gives labels"
    before = scores(found.pages, found.labels)
    say(before=before)
    after = _cross_validated(dataset, analyzer, k, steps) if k > 1 else None
    say(after=after)
    steps.say("training on all pages")
    model = train(dataset, analyzer).with_card(before=dict(before), after=dict(after or {}))
    model.save(plan.model)
    steps.next("")
    say(state=DONE, model=str(plan.model), message=_summary(len(own), k))


class _Steps:
    """Counts what is done."""

    def __init__(self, say: Say, total: int) -> None:
        self._say, self._total, self._done = say, total, 0

    def next(self, message: str, count: int = 1) -> None:
        self._done += count
        self._say(done=self._done, total=self._total, message=message)

    def say(self, message: str) -> None:
        self.next(message, 0)


def _prepared(pages: Sequence[AnnotatedPage]) -> list[AnnotatedPage]:
    """The pages by their labels alone, each of some site.

    Whoever labelled a page saw it: one without content is an example, whatever its gold text.
    """
    own = [replace(page, gold=None, site=page.site or page.id) for page in pages]
    if len({page.site for page in own}) < 2:
        own = [replace(page, site=page.id) for page in own]
    return own


def _cross_validated(dataset: Dataset, analyzer: Analyzer, k: int, steps: _Steps) -> Scores:
    from victor.model.decide import decide  # noqa: PLC0415
    from victor.training.training import cross_validate  # noqa: PLC0415

    message = f"cross-validating in {k} folds"
    steps.next(message)
    marginals = cross_validate(
        dataset,
        analyzer.config,
        kinds=analyzer.kinds,
        k=k,
        progress=lambda count: steps.next(message, count),
    )
    decision = analyzer.config.decide.on_marginals
    return scores(dataset, decide(marginals, dataset, decision))


def _summary(n_pages: int, k: int) -> str:
    if k < 2:
        return "one page cannot be cross-validated: label another one to see a score"
    few = "; with so few pages the scores are rough" if n_pages < _FEW else ""
    return f"{n_pages} pages, {k} folds{few}"


def scores(pages: LabelledPages, labels: NDArray[np.uint8]) -> Scores:
    """What labels of all blocks are worth against those of the annotators.

    Args:
        pages: the annotated pages.
        labels: (n,) uint8.

    Returns:
        ``word F`` the mean over pages of the F-measure of the words kept (1 where nothing is kept
        and nothing was to be), ``block F`` that of the blocks kept of all pages together,
        ``accuracy`` the share of blocks with the right one of three labels. Blocks that nobody
        could label do not count; a score that is not defined is left out.
    """
    from victor.measures.blocks import block_scores  # noqa: PLC0415  (with the others)

    counts = block_scores(pages.labels, labels)
    weights = np.where(pages.labels == UNLABELLED, 0, pages.words)
    bounds = pairwise(pages.page_starts.tolist())
    f = [_word_f(pages.labels[a:b], labels[a:b], weights[a:b]) for a, b in bounds]
    mean = float(np.mean(f))
    found = {"word F": mean, "block F": counts.kept.f1, "accuracy": counts.accuracy}
    return {name: round(value, 4) for name, value in found.items() if not isnan(value)}


def _word_f(gold: NDArray[np.uint8], found: NDArray[np.uint8], words: NDArray[np.int64]) -> float:
    """F-measure of the words of the blocks kept on one page."""
    wanted, kept = gold != Label.OTHER, found != Label.OTHER
    both = words[wanted].sum() + words[kept].sum()
    return float(2 * words[wanted & kept].sum() / both) if both else 1.0
