"""Adapting the model while people annotate: when it starts, and what becomes of the adapted model.

It is adapted in another process, and starts to suggest if pages that were left out gain by it
(`victor.evaluation.adapting`).
"""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from victor.annotate.exchange import read_annotated
from victor.annotate.store import Store
from victor.annotate.suggestions import SuggestionWorker, load_suggester
from victor.base.errors import ConfigError, PageError, VictorError
from victor.base.files import sweep
from victor.base.processes import Calls

IDLE: Final = "idle"
RUNNING: Final = "running"
DONE: Final = "done"
FAILED: Final = "failed"

ADAPTED: Final = "adapted"  # name of the suggester that was adapted to the pages of the store
_FEW: Final = 20  # below so many pages, one more page may well change a score by a tenth
_LONGEST: Final = 86_400.0  # seconds after which an adaptation is given up
_NICENESS: Final = 5  # added to the niceness of the process: people who label pages come first


class Plan(NamedTuple):
    """What is adapted.

    Attributes:
        model: file to write; an existing one is replaced when the new one is complete.
        base: the model that comes in, by shipped name or path; it has trees.
        trust_code: run the code that the model brings.
    """

    model: Path
    base: str = "default"
    trust_code: bool = False


class Outcome(NamedTuple):
    """What an adaptation came to.

    Attributes:
        before: expected word F of the model that came in.
        after: that of models adapted to other sites than the page that is scored, or to other pages
            where all are of one site; not below `before`.
    """

    pages: int
    before: float
    after: float


class Status(NamedTuple):
    """How far adapting is, and what came of it, in one sentence."""

    state: str = IDLE
    message: str = ""


class Adapting:
    """Adaptations to the finished pages of a store, one at a time, each in the background.

    Args:
        store: the pages.
        worker: gets the new model, unless it has no suggester.
        plan: what is adapted.
        every: adapt by itself after so many more finished pages; 0 for never.
        processes: the new model works in them.

    Attributes:
        status: how far the last one is. It is done once the model suggests or is known not to.
    """

    def __init__(
        self,
        store: Store,
        worker: SuggestionWorker,
        plan: Plan,
        every: int = 0,
        *,
        processes: Calls,
    ) -> None:
        self._store, self._worker, self._plan, self._every = store, worker, plan, every
        self._processes = processes
        self._first_suggester = worker.suggester
        self._pages_before = store.queue.finished()
        self._lock, self._is_closed = threading.Lock(), False
        self._running: tuple[threading.Thread, Calls] | None = None
        self.status = Status()

    def close(self) -> None:
        """Stop what is running; the model file stays as it was."""
        with self._lock:
            self._is_closed = True
        if self._running is not None:
            thread, process = self._running
            process.close()
            thread.join()

    def start(self) -> None:
        """Start to adapt, unless it is running; returns at once.

        Raises:
            ConfigError: no page is finished.
        """
        finished = self._store.queue.finished()
        if not finished:
            raise ConfigError("no page is done yet; a model is adapted to those that are")
        with self._lock:
            if self._is_closed or self.status.state == RUNNING:
                return
            self._pages_before, self.status = finished, Status(RUNNING)
            process = Calls(1, seconds=_LONGEST, memory=None, niceness=_NICENESS)
            thread = threading.Thread(
                target=self._run, args=[process], name="adapting", daemon=True
            )
            self._running = thread, process
            thread.start()

    def page_finished(self) -> None:
        """Start if enough pages were finished since the last time; called after every such save."""
        if self._every and self._store.queue.finished() - self._pages_before >= self._every:
            self.start()

    def _run(self, process: Calls) -> None:
        try:
            with closing(process):
                outcome = process.call(adapt, self._store.path, self._plan)
            self.status = Status(DONE, self._adopted(outcome))
        except PageError as error:  # of the process; whatever it has written is no model
            sweep(self._plan.model.resolve().parent)
            message = f"Adapting came to an early end ({error.reason}); try again"
            self.status = Status(FAILED, message)
        except (OSError, VictorError) as error:
            self.status = Status(FAILED, f"The model is not adapted: {error}")

    def _adopted(self, outcome: Outcome) -> str:
        """Let the adapted model suggest if it is better; says what came of it."""
        pages, plan, first = outcome.pages, self._plan, self._first_suggester
        if outcome.after <= outcome.before:
            self._worker.replace(first)
            goes_on = f", so {first.name} goes on suggesting" if first else ""
            return f"Adapting to {pages} pages gains nothing on pages left out{goes_on}"
        if first:
            file = str(plan.model)
            new = load_suggester(file, self._processes, ADAPTED, trust_code=plan.trust_code)
            self._worker.replace(new)
        suggests = " and suggests from now on" if first else ""
        rough = " (few pages, so this is rough)" if pages < _FEW else ""
        return (
            f"Adapted to {pages} pages, the model has an expected word F of {outcome.after:.3f} in "
            f"place of {outcome.before:.3f} on pages left out{rough}{suggests}; it is saved as "
            f"{plan.model.name}"
        )


def adapt(store: Path, plan: Plan) -> Outcome:
    """Adapt the model of a plan to the finished pages of a store, and save it: a job of a process.

    An annotator has seen every page: one without content is an example whatever its gold text.

    Raises:
        CorpusError: fewer than two pages have labels.
        ConfigError, ModelError: the model has no trees, is missing or damaged.
    """
    from victor.evaluation.adapting import adapted  # slow to import, and only this process
    from victor.labelers.crf import load_model  # needs them
    from victor.model.extractor import FeatureExtractor
    from victor.training import leaves
    from victor.training.dataset import analyze

    model = load_model(plan.base)
    leaves.check(model)
    pages = [replace(page, gold=None, site=page.site or page.id) for page in read_annotated(store)]
    extractor = FeatureExtractor(model.config, trust_code=plan.trust_code)
    outcome = adapted(model, analyze(pages, extractor))
    outcome.model.save(plan.model)
    return Outcome(len(pages), round(outcome.before, 4), round(outcome.after, 4))
