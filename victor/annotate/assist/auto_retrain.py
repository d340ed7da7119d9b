"""Training again while people annotate: when it begins, and what becomes of the new model."""

from __future__ import annotations

import threading
import zlib
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from victor.annotate.assist.retrain_process import DONE, FAILED, RUNNING, Retrain, Status
from victor.annotate.assist.suggestion_worker import Helper, Prelabels
from victor.annotate.exchange.store_export import FINISHED, annotated_pages
from victor.annotate.store.store import Store
from victor.api import CleanerSpec
from victor.errors import ConfigError, VictorError

RETRAINED: Final = "retrained"
"""Name of the helper that was trained on the pages of the store."""
_MEASURE: Final = "word F"
_TICK: Final = 0.5
"""Seconds after which a training that ended is noticed, and the end of the server by it."""


class Learning:
    """Trainings on the finished pages of a store, one at a time, each in the background.

    A new model suggests from then on if it is not worse than the system before: their scores are
    from pages that neither has seen.

    Args:
        store: the pages.
        prelabels: who gets the new model; without helpers it stays without.
        retrain: what trains.
        every: begin by itself after so many more pages are finished; 0 for never.
    """

    def __init__(
        self, store: Store, prelabels: Prelabels, retrain: Retrain, every: int = 0
    ) -> None:
        self._store, self._prelabels, self._retrain = store, prelabels, retrain
        self.every = every
        self._others = prelabels.helpers
        self._before = self.finished()
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._own: Status | None = None

    def close(self) -> None:
        """Stop what is running."""
        self._ending.set()
        self._retrain.close()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()
        self._retrain.close()

    def finished(self) -> int:
        """How many pages can be trained on."""
        heads = self._store.revisions.heads()
        return len({head.page for head in heads if head.state in FINISHED})

    def start(self) -> None:
        """Begin; returns at once.

        Raises:
            ConfigError: a training is running, or no page is finished.
        """
        finished = self.finished()
        if not finished:
            raise ConfigError("no page is done yet; a model is trained on those that are")
        with self._lock:
            if self._ending.is_set() or (self._thread is not None and self._thread.is_alive()):
                raise ConfigError("a training is running; wait for its end")
            self._before = finished
            self._own = Status(RUNNING, pages=finished, message="collecting the pages")
            self._thread = threading.Thread(target=self._run, name="learning", daemon=True)
            self._thread.start()

    def page_finished(self) -> None:
        """Begin if enough pages were finished since the last time; called after every such save."""
        if self.every and self.finished() - self._before >= self.every:
            try:
                self.start()
            except ConfigError:
                return  # one is running, and the next page asks again

    def status(self) -> Status:
        """How far it is; it is done once the new model suggests, or is known to be worse."""
        own = self._own
        if own is not None:
            return own
        status = self._retrain.status()
        return replace(status, state=RUNNING) if status.state == DONE else status

    def _run(self) -> None:
        try:
            pages = [*annotated_pages(self._store)]
            if self._ending.is_set():
                return
            self._retrain.start(pages)
            self._own = None
            self._own = self._adopted(self._ended())
        except (OSError, VictorError) as error:  # the model file may be gone again
            self._own = Status(FAILED, message=str(error))

    def _ended(self) -> Status:
        """The status at the end of the training."""
        while (status := self._retrain.wait(_TICK)).state == RUNNING:
            if self._ending.is_set():
                return self._retrain.cancel()
        return status

    def _adopted(self, status: Status) -> Status:
        """Let the new model suggest if it is worth it; the status says so."""
        if status.state != DONE or status.model is None or not self._others:
            return status
        before, after = (scores or {} for scores in (status.before, status.after))
        if after.get(_MEASURE, 0.0) < before.get(_MEASURE, 0.0):
            said = f"{self._others[0].name} goes on suggesting: it was better on these pages"
        else:
            self._prelabels.replace([helper(status.model, RETRAINED), *self._others])
            said = "the new model suggests from now on"
        return replace(status, message="; ".join(filter(None, (status.message, said))))


def helper(source: str, name: str | None = None) -> Helper:
    """A labeler that helps, by the name of a labeler or of a shipped model, or a model's path.

    Raises:
        ModelError: there is none.
    """
    labeler = CleanerSpec.named(source).build()
    path = Path(source)
    mark = f"{zlib.crc32(path.read_bytes()):08x}" if path.is_file() else version("victor")
    shown = name or (path.stem if path.is_file() else source)
    return Helper(shown, f"{shown} {mark}", labeler)
