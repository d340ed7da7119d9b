"""Adapting a model to the annotated pages in a separate process, with scores before and after.

*Before* is the score of the model that comes in. *After* is that of models adapted to other sites
than the page that is scored, or to other pages where all are of one site
(`victor.evaluation.adapting`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

from victor.base.errors import ConfigError, VictorError
from victor.base.files import remove, unfinished_path
from victor.corpus.pages import AnnotatedPage

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

IDLE: Final = "idle"
RUNNING: Final = "running"
DONE: Final = "done"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"

_FEW: Final = 20
"""Below so many pages, one more page may well change a score by a tenth."""
_GRACE: Final = 5.0
"""Seconds in which a terminated process has to end."""
_LOOK: Final = 0.05
"""Seconds between two looks at the process in `wait`."""
_NICENESS: Final = 5
"""Added to the niceness of the process: people who label pages come first."""


@dataclass(frozen=True, slots=True)
class Status:
    """Progress of an adaptation.

    Attributes:
        state: ``idle``, ``running``, ``done``, ``failed`` or ``cancelled``.
        done: steps done of `total`, of all models that are tried.
        total: 0 before the number is known.
        pages: number of annotated pages.
        before: expected word F of the model that comes in; None until it is known.
        after: that of the adapted model, of pages left out; not below `before`.
        message: the present step or the reason of a failure, for people.
        model: path of the model file once it is written.
    """

    state: str = IDLE
    done: int = 0
    total: int = 0
    pages: int = 0
    before: float | None = None
    after: float | None = None
    message: str = ""
    model: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is adapted.

    Attributes:
        model: file to write; an existing one is replaced when the new one is complete.
        base: the model that comes in, by shipped name or path; it has trees.
        trust_code: run the code that the model brings.
    """

    model: Path
    base: str = "default"
    trust_code: bool = False


class AdaptProcess:
    """One adaptation at a time, in the background.

    Args:
        plan: what is adapted.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._status = Status()
        self._lock = Lock()
        self._process: SpawnProcess | None = None
        self._messages: Connection | None = None

    def start(self, read: Callable[[], Sequence[AnnotatedPage]], count: int) -> None:
        """Start to adapt; returns at once.

        Args:
            read: reads the pages in the other process; it is pickled.
            count: how many there seem to be, until they have been read.

        Raises:
            ConfigError: it is running.
        """
        with self._lock:
            self._read()
            if self._status.state == RUNNING:
                raise ConfigError("the model is being adapted; wait for it or cancel it")
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
        """The status at the end, or after so many seconds."""
        deadline = inf if seconds is None else monotonic() + seconds
        status = self.status()
        # Only `_end` joins the process: of two threads that join it, one would miss its end.
        while self._process is not None and monotonic() < deadline:
            sleep(_LOOK)
            status = self.status()
        return status

    def cancel(self) -> Status:
        """Stop what is running; the model file stays as it was."""
        with self._lock:
            self._read()
            if self._process is not None:
                self._end(terminate=True)
                self._status = replace(self._status, state=CANCELLED, message="cancelled")
                remove(unfinished_path(self.plan.model))
            return self._status

    def close(self) -> None:
        """Stop what is running."""
        self.cancel()

    def _read(self) -> None:
        """Read the messages that the process has sent since the last time."""
        while self._messages is not None and self._messages.poll():
            try:
                self._status = replace(self._status, **self._messages.recv())
            except (EOFError, OSError):
                code = self._end()
                if self._status.state == RUNNING:
                    message = f"the process ended early (exit status {code}); try again"
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
            adapt_and_compare(pages, plan, report)
        except VictorError as error:
            report(state=FAILED, message=str(error))
        except Exception as error:
            report(state=FAILED, message=f"adapting failed: {type(error).__name__}: {error}")
    messages.close()


def adapt_and_compare(pages: Sequence[AnnotatedPage], plan: Plan, report: Report) -> None:
    """Adapt the model of a plan to pages as far as pages left out gain by it, and save it.

    An annotator has seen every page: one without content is an example whatever its gold text.

    Args:
        pages: annotated pages; one without a site counts as a site of its own.
        plan: what is adapted.
        report: called with fields of `Status` as they become known.

    Raises:
        CorpusError: fewer than two pages have labels.
        ConfigError, ModelError: the model has no trees, is missing or damaged.
        OSError: the model file cannot be written.
    """
    from victor.evaluation.adapting import adapted, total_steps  # slow to import, and only this
    from victor.labelers.load import load_model  # process needs them
    from victor.model.extractor import FeatureExtractor
    from victor.training import leaves
    from victor.training.dataset import analyze

    model = load_model(plan.base)
    leaves.check(model)
    report(message="measuring the pages")
    prepared = [replace(page, gold=None, site=page.site or page.id) for page in pages]
    dataset = analyze(prepared, FeatureExtractor(model.config, trust_code=plan.trust_code))
    steps = _Steps(report, total_steps(dataset))
    outcome = adapted(model, dataset, steps.advance)
    outcome.model.save(plan.model)
    few = "; with so few pages the scores are rough" if len(prepared) < _FEW else ""
    report(
        state=DONE,
        model=str(plan.model),
        before=round(outcome.before, 4),
        after=round(outcome.after, 4),
        message=f"{len(prepared)} pages, {outcome.protocol}{few}",
    )


class _Steps:
    """Counts the steps done, and reports them."""

    def __init__(self, report: Report, total: int) -> None:
        self._report, self._total, self._done = report, total, 0
        self.advance(0)

    def advance(self, count: int) -> None:
        """Add to the steps done."""
        self._done += count
        self._report(done=self._done, total=self._total, message="adapting")
