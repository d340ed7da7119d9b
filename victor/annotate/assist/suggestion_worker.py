"""Suggestions of labelers, asked for by a background thread and kept in the store."""

from __future__ import annotations

import logging
import threading
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from victor import __version__
from victor.annotate.assist.queue_order import (
    DISAGREEMENT,
    ORDERS,
    UNCERTAINTY,
    disagreement,
    uncertainty,
)
from victor.annotate.assist.suggest import LabelerFile, Suggestion, check_labeler, suggest_as
from victor.annotate.store.store import Store
from victor.annotate.store.suggestions import StoredSuggestion
from victor.base.errors import PageError
from victor.base.processes import Calls

_LOG: Final = logging.getLogger(__name__)

_BACKLOG: Final = 1000
"""Tasks that wait; with more, nobody looks for further ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Suggester:
    """A labeler that suggests labels.

    Attributes:
        name: as people read it.
        key: as the store knows it; another model of the same name has another key.
        suggest: the suggestion for the bytes of a page; may raise a `PageError`.
    """

    name: str
    key: str
    suggest: Callable[[bytes], Suggestion]


def load_suggester(
    source: str,
    processes: Calls,
    name: str | None = None,
    *,
    trust_code: bool = False,
) -> Suggester:
    """A labeler that suggests, by the name of a labeler or a shipped model, or by a model's path.

    Args:
        source: that name or path.
        processes: the labeler works in them.
        name: how the suggester is called; by default as the source.
        trust_code: run the code that the model brings: feature modules that are files.

    Raises:
        ModelError: there is none.
        FeatureError: it brings code, and `trust_code` does not allow it.
    """
    path = Path(source)
    version_of = f"{zlib.crc32(path.read_bytes()):08x}" if path.is_file() else __version__
    name = name or (path.stem if path.is_file() else source)
    chosen = LabelerFile(source, version_of, trust_code)
    processes.call(check_labeler, chosen)

    def ask(html: bytes) -> Suggestion:
        return processes.call(suggest_as, chosen, name, html)

    return Suggester(name, f"{name} {version_of}", ask)


class SuggestionWorker:
    """Suggestions for the pages of a store, one after the other.

    The labels of the first suggester are the suggestion. Pages that somebody looks at come first.

    Args:
        store: pages and stored suggestions.
        suggesters: the second one serves the order by disagreement; there may be none.
    """

    def __init__(self, store: Store, suggesters: Sequence[Suggester] = ()) -> None:
        self._store = store
        self._suggesters = tuple(suggesters)
        self._waiting: deque[_Task] = deque()
        self._pending: set[_Task] = set()
        self._failed: set[_Task] = set()
        self._current: _Task | None = None
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="suggestions", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop after the page that is being worked on."""
        with self._changed:
            self._closed = True
            self._drop()
        self._thread.join()

    def _drop(self) -> None:
        self._waiting.clear()
        self._pending = set() if self._current is None else {self._current}
        self._changed.notify_all()

    @property
    def suggesters(self) -> tuple[Suggester, ...]:
        """The labelers that suggest."""
        return self._suggesters

    def replace(self, suggesters: Sequence[Suggester]) -> None:
        """Use other suggesters from now on, and drop the waiting tasks."""
        with self._changed:
            self._suggesters = tuple(suggesters)
            self._drop()

    @property
    def orders(self) -> list[str]:
        """The orders of the queue that so many suggesters allow."""
        return [*ORDERS[: 1 + len(self._suggesters)]]

    def score_name(self, order: str) -> str | None:
        """The name in the store of the scores of an order; None if it has none."""
        return _score_name(order, self._suggesters)

    def suggestion(self, page_id: str, seconds: float) -> tuple[str, StoredSuggestion] | None:
        """The first suggester's name and suggestion, waiting for it at most so many seconds."""
        known = self.known(page_id)
        if known is not None or not self._suggesters:
            return known
        task = _Task(page_id, self._suggesters[0])
        self._enqueue([task], first=True)
        with self._changed:
            self._changed.wait_for(lambda: task not in self._pending, seconds)
        return self.known(page_id)

    def known(self, page_id: str) -> tuple[str, StoredSuggestion] | None:
        """The first suggester's name and suggestion, if it has been made."""
        for suggester in self._suggesters[:1]:
            suggestion = self._store.suggestions.get(page_id, suggester.key)
            return None if suggestion is None else (suggester.name, suggestion)
        return None

    def is_coming(self, page_id: str) -> bool:
        """Will there be a suggestion for a page that has none yet."""
        return any(_Task(page_id, first) not in self._failed for first in self._suggesters[:1])

    def prepare(self, page_id: str) -> None:
        """Compute the suggestion for the page that somebody is likely to open next."""
        for suggester in self._suggesters[:1]:
            if self._store.suggestions.get(page_id, suggester.key) is None:
                self._enqueue([_Task(page_id, suggester)], first=True)

    def prepare_all(self) -> None:
        """Compute the missing suggestions for all pages, in their order, unless much is waiting."""
        if len(self._waiting) >= _BACKLOG:
            return
        suggesters = self._suggesters
        missing = []
        for rank, one in enumerate(suggesters):
            # Suggestions made in separate runs have no disagreement yet.
            score = _score_name(DISAGREEMENT, suggesters) if rank == 1 else None
            pages = self._store.suggestions.missing(one.key, score)
            missing += [(number, rank, page_id) for number, page_id in pages]
        tasks = [_Task(page_id, suggesters[rank]) for _, rank, page_id in sorted(missing)]
        self._enqueue(tasks, first=False)

    def _enqueue(self, tasks: Sequence[_Task], *, first: bool) -> None:
        """Put tasks to the front or the end, unless they are in the queue already or failed."""
        with self._changed:
            for task in () if self._closed else tasks:
                if first and task in self._pending and task != self._current:
                    self._waiting.remove(task)
                elif task in self._pending or task in self._failed:
                    continue
                (self._waiting.appendleft if first else self._waiting.append)(task)
                self._pending.add(task)
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                task = self._current = self._waiting.popleft()
            done = self._try(task)
            with self._changed:
                self._current = None
                self._pending.discard(task)
                if not done:
                    self._failed.add(task)
                self._changed.notify_all()

    def _try(self, task: _Task) -> bool:
        """Compute one suggestion; a page that fails does not stop the others."""
        try:
            self._compute(task)
        except PageError as error:
            _LOG.warning("no suggestion of %s for %s: %s", task.suggester.name, task.page, error)
        except Exception:  # the thread has to go on with other pages
            _LOG.exception("no suggestion of %s for %s", task.suggester.name, task.page)
        else:
            return True
        return False

    def _compute(self, task: _Task) -> None:
        suggester = task.suggester
        html = self._store.pages.html(task.page)
        suggestion = suggester.suggest(html)
        stored = {suggester.key: StoredSuggestion(suggestion.labels, suggestion.confidence)}
        self._store.suggestions.keep(task.page, stored, self._page_scores(task, suggestion))

    def _page_scores(self, task: _Task, suggestion: Suggestion) -> dict[str, float]:
        scores = {f"{UNCERTAINTY} {task.suggester.key}": uncertainty(suggestion)}
        pair = self._suggesters[:2]
        name = _score_name(DISAGREEMENT, pair)
        if name is not None and task.suggester in pair:
            other = self._store.suggestions.get(task.page, pair[pair.index(task.suggester) - 1].key)
            if other is not None:
                scores[name] = disagreement(suggestion.labels, other.labels, suggestion.words)
        return scores


@dataclass(frozen=True, slots=True)
class _Task:
    page: str
    suggester: Suggester


def _score_name(order: str, suggesters: Sequence[Suggester]) -> str | None:
    """The name in the store of the scores of an order; None if there are too few suggesters."""
    if order == UNCERTAINTY and suggesters:
        return f"{UNCERTAINTY} {suggesters[0].key}"
    if order == DISAGREEMENT and len(suggesters) > 1:
        return f"{DISAGREEMENT} {' '.join(sorted(one.key for one in suggesters[:2]))}"
    return None
