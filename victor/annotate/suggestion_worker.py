"""Suggestions of labelers, asked for by a background thread and kept in the store."""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from victor import __version__
from victor.annotate.store import Store, StoredSuggestion
from victor.annotate.suggestions import (
    DISAGREEMENT,
    ORDERS,
    UNCERTAINTY,
    LabelerFile,
    Suggestion,
    check_labeler,
    disagreement,
    suggest_as,
    uncertainty,
)
from victor.base.errors import PageError
from victor.base.processes import Calls

_LOG: Final = logging.getLogger(__name__)


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
    source: str, processes: Calls, name: str | None = None, *, trust_code: bool = False
) -> Suggester:
    """A labeler that suggests, by the name of a labeler or a shipped model, or by a model's path.

    It works in the processes, and is called as its source unless it has another name.

    Raises:
        ModelError: there is none.
        FeatureError: it brings code, and `trust_code` does not allow it.
    """
    path = Path(source)
    version_of = f"{zlib.crc32(path.read_bytes()):08x}" if path.is_file() else __version__
    name = name or (path.stem if path.is_file() else source)
    chosen = LabelerFile(source, version_of, trust_code)
    processes.call(check_labeler, chosen)
    suggest = partial(suggest_as, chosen)
    return Suggester(name, f"{name} {version_of}", lambda html: processes.call(suggest, html))


class _Task(NamedTuple):
    page: str
    suggester: Suggester


class SuggestionWorker:
    """Suggestions for the pages of a store, one after the other.

    The labels of the first suggester are the suggestion. Pages that somebody looks at come first.

    Args:
        store: pages and stored suggestions.
        suggesters: the second one serves the order by disagreement; there may be none.

    Attributes:
        suggesters: the labelers that suggest now.
    """

    def __init__(self, store: Store, suggesters: Sequence[Suggester] = ()) -> None:
        self._store = store
        self.suggesters = tuple(suggesters)
        self._waited_for: list[_Task] = []
        """Pages that somebody looks at, or is likely to open next; the last one comes first."""
        self._others: list[_Task] = []
        self._current: _Task | None = None
        self._failed: set[_Task] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="suggestions", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop after the page that is being worked on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def replace(self, suggesters: Sequence[Suggester]) -> None:
        """Use other suggesters from now on, and drop the waiting tasks."""
        with self._changed:
            self.suggesters = tuple(suggesters)
            self._waited_for, self._others = [], []
            self._changed.notify_all()

    @property
    def orders(self) -> list[str]:
        """The orders of the queue that so many suggesters allow."""
        return [*ORDERS[: 1 + len(self.suggesters)]]

    def score_name(self, order: str) -> str | None:
        """The name in the store of the scores of an order; None if it has none."""
        return _score_name(order, self.suggesters)

    def suggestion(self, page_id: str, seconds: float) -> tuple[str, StoredSuggestion] | None:
        """The first suggester's name and suggestion, waiting for it at most so many seconds."""
        known = self.known(page_id)
        if known is not None or not self.suggesters:
            return known
        task = _Task(page_id, self.suggesters[0])
        self._ask(task)
        with self._changed:
            self._changed.wait_for(
                lambda: task != self._current and task not in self._waited_for, seconds
            )
        return self.known(page_id)

    def known(self, page_id: str) -> tuple[str, StoredSuggestion] | None:
        """The first suggester's name and suggestion, if it has been made."""
        for suggester in self.suggesters[:1]:
            suggestion = self._store.suggestions.get(page_id, suggester.key)
            return None if suggestion is None else (suggester.name, suggestion)
        return None

    def is_coming(self, page_id: str) -> bool:
        """Will there be a suggestion for a page that has none yet."""
        return any(_Task(page_id, first) not in self._failed for first in self.suggesters[:1])

    def prepare(self, page_id: str) -> None:
        """Compute the suggestion for the page that somebody is likely to open next."""
        if self.suggesters and self.known(page_id) is None:
            self._ask(_Task(page_id, self.suggesters[0]))

    def prepare_all(self) -> None:
        """Compute the missing suggestions for all pages, in their order, unless some are waiting.

        Suggestions that were made in separate runs have no disagreement yet.
        """
        if self._others:
            return
        missing = []
        for rank, one in enumerate(self.suggesters):
            score = self.score_name(DISAGREEMENT) if rank == 1 else None
            pages = self._store.suggestions.missing(one.key, score)
            missing += [(number, rank, _Task(page_id, one)) for number, page_id in pages]
        missing.sort(key=lambda ranked: ranked[:2], reverse=True)
        with self._changed:
            known = {*self._failed, *self._waited_for, self._current}
            self._others = [task for *_, task in missing if task not in known]
            self._changed.notify_all()

    def _ask(self, task: _Task) -> None:
        """Compute a suggestion next, unless it is being computed or has failed."""
        with self._changed:
            for tasks in (self._waited_for, self._others):
                if task in tasks:
                    tasks.remove(task)
            if task != self._current and task not in self._failed and not self._closed:
                self._waited_for.append(task)
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waited_for or self._others)
                if self._closed:
                    return
                task = self._current = (self._waited_for or self._others).pop()
            done = self._try(task)
            with self._changed:
                self._current = None
                if not done:
                    self._failed.add(task)
                self._changed.notify_all()

    def _try(self, task: _Task) -> bool:
        """Compute one suggestion; a page that fails does not stop the others."""
        try:
            suggestion = task.suggester.suggest(self._store.pages.html(task.page))
            stored = {
                task.suggester.key: StoredSuggestion(suggestion.labels, suggestion.confidence)
            }
            self._store.suggestions.keep(task.page, stored, self._page_scores(task, suggestion))
        except PageError as error:
            _LOG.warning("no suggestion of %s for %s: %s", task.suggester.name, task.page, error)
        except Exception:  # the thread has to go on with other pages
            _LOG.exception("no suggestion of %s for %s", task.suggester.name, task.page)
        else:
            return True
        return False

    def _page_scores(self, task: _Task, suggestion: Suggestion) -> dict[str, float]:
        scores = {f"{UNCERTAINTY} {task.suggester.key}": uncertainty(suggestion)}
        pair = self.suggesters[:2]
        name = _score_name(DISAGREEMENT, pair)
        if name is not None and task.suggester in pair:
            other = self._store.suggestions.get(task.page, pair[pair.index(task.suggester) - 1].key)
            if other is not None:
                scores[name] = disagreement(suggestion.labels, other.labels, suggestion.words)
        return scores


def _score_name(order: str, suggesters: Sequence[Suggester]) -> str | None:
    """The name in the store of the scores of an order; None if there are too few suggesters."""
    if order == UNCERTAINTY and suggesters:
        return f"{UNCERTAINTY} {suggesters[0].key}"
    if order == DISAGREEMENT and len(suggesters) > 1:
        return f"{DISAGREEMENT} {' '.join(sorted(one.key for one in suggesters[:2]))}"
    return None
