"""Adapting while people annotate: when it starts, and what happens to the adapted model."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from victor.annotate.assist.adapt_process import (
    DONE,
    FAILED,
    RUNNING,
    AdaptProcess,
    Status,
)
from victor.annotate.assist.suggestion_worker import SuggestionWorker, load_suggester
from victor.annotate.exchange.store_export import read_annotated
from victor.annotate.page_processes import PageProcesses
from victor.annotate.store.store import Store
from victor.base.errors import ConfigError, VictorError

ADAPTED: Final = "adapted"
"""Name of the suggester that was adapted to the pages of the store."""
_TICK: Final = 0.5
"""Seconds between two looks at the process, to notice its end or that of the server."""


class AutoAdapt:
    """Adaptations to the finished pages of a store, one at a time, each in the background.

    An adapted model starts to suggest if pages that were left out gain by it.

    Args:
        store: the pages.
        worker: gets the new model, unless it has no suggesters.
        process: adapts.
        every: adapt by itself after so many more finished pages; 0 for never.
        processes: the new model works in them.
    """

    def __init__(
        self,
        store: Store,
        worker: SuggestionWorker,
        process: AdaptProcess,
        every: int = 0,
        *,
        processes: PageProcesses,
    ) -> None:
        self._store, self._worker, self._process = store, worker, process
        self._processes = processes
        self.every = every
        self._first_suggesters = worker.suggesters
        self.curve: list[tuple[int, float, float]] = []
        """Pages, expected word F before and after, of every adaptation so far."""
        self._pages_before = store.queue.finished()
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._status: Status | None = None
        """The status while no process runs; None for that of the process."""

    def close(self) -> None:
        """Stop what is running."""
        self._ending.set()
        self._process.close()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()
        self._process.close()

    @property
    def base(self) -> str:
        """Name of the model that is adapted."""
        return self._process.plan.base

    def start(self) -> None:
        """Start to adapt; returns at once.

        Raises:
            ConfigError: it is running, or no page is finished.
        """
        finished = self._store.queue.finished()
        if not finished:
            raise ConfigError("no page is done yet; a model is adapted to those that are")
        with self._lock:
            if self._ending.is_set() or (self._thread is not None and self._thread.is_alive()):
                raise ConfigError("the model is being adapted; wait for its end")
            self._pages_before = finished
            self._status = Status(RUNNING, pages=finished, message="collecting the pages")
            self._thread = threading.Thread(target=self._run, name="adapting", daemon=True)
            self._thread.start()

    def page_finished(self) -> None:
        """Start if enough pages were finished since the last time; called after every such save."""
        if self.every and self._store.queue.finished() - self._pages_before >= self.every:
            with suppress(ConfigError):  # one is running; the next page tries again
                self.start()

    def status(self) -> Status:
        """The progress; it is done once the adapted model suggests or is known not to."""
        status = self._status
        if status is not None:
            return status
        status = self._process.status()
        return replace(status, state=RUNNING) if status.state == DONE else status

    def _run(self) -> None:
        try:
            if self._ending.is_set():
                return
            # Whoever waits for an answer of this process does not wait for pages to be read.
            self._process.start(partial(read_annotated, self._store.path), self._pages_before)
            self._status = None
            self._status = self._adopted(self._ended())
        except (OSError, VictorError) as error:  # the model file may be gone again
            self._status = Status(FAILED, message=str(error))

    def _ended(self) -> Status:
        """The status at the end."""
        while (status := self._process.wait(_TICK)).state == RUNNING:
            if self._ending.is_set():
                return self._process.cancel()
        return status

    def _adopted(self, status: Status) -> Status:
        """Let the adapted model suggest if it is better; the message of the status says so."""
        if status.state == DONE and status.before is not None and status.after is not None:
            self.curve.append((status.pages, status.before, status.after))
        if status.state != DONE or status.model is None or not self._first_suggesters:
            return status
        if (status.after or 0.0) <= (status.before or 0.0):
            self._worker.replace(self._first_suggesters)
            name = self._first_suggesters[0].name
            message = f"{name} goes on suggesting: adapting it gained nothing on pages left out"
        else:
            trust_code = self._process.plan.trust_code
            adapted = load_suggester(status.model, self._processes, ADAPTED, trust_code=trust_code)
            self._worker.replace([adapted, *self._first_suggesters])
            message = "the adapted model suggests from now on"
        return replace(status, message="; ".join(filter(None, (status.message, message))))
