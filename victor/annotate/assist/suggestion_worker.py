"""Suggestions of labelers, computed in a thread of their own and kept in the store."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.annotate.assist.queue_order import (
    DISAGREEMENT,
    GIVEN,
    UNCERTAINTY,
    disagreement,
    uncertainty,
)
from victor.annotate.assist.suggest import Suggestion, suggest
from victor.annotate.store.store import Store
from victor.annotate.store.suggestions import Suggested
from victor.errors import PageError
from victor.labelers import Labeler

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Helper:
    """A labeler that helps.

    Attributes:
        name: as people read it.
        key: as the store knows it: another model under the same name has another key.
        labeler: the system.
    """

    name: str
    key: str
    labeler: Labeler


class Prelabels:
    """What helpers say of the pages of a store; the first one's labels are the suggestion.

    One thread computes, pages somebody looks at before all others.

    Args:
        store: pages, and what is known of them.
        helpers: the second one is there for the order by disagreement; there may be none.
    """

    def __init__(self, store: Store, helpers: Sequence[Helper] = ()) -> None:
        self._store = store
        self._helpers = tuple(helpers)
        self._waiting: deque[_Task] = deque()
        self._open: set[_Task] = set()
        self._failed: set[_Task] = set()
        self._now: _Task | None = None
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="suggestions", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; the page in work is finished."""
        with self._changed:
            self._closed = True
            self._drop()
        self._thread.join()

    def _drop(self) -> None:
        self._waiting.clear()
        self._open = set() if self._now is None else {self._now}
        self._changed.notify_all()

    @property
    def helpers(self) -> tuple[Helper, ...]:
        """Who helps."""
        return self._helpers

    def replace(self, helpers: Sequence[Helper]) -> None:
        """Others help from now on; what is waiting is dropped."""
        with self._changed:
            self._helpers = tuple(helpers)
            self._drop()

    @property
    def orders(self) -> list[str]:
        """The orders of the queue that so many helpers allow."""
        return [GIVEN, UNCERTAINTY, DISAGREEMENT][: 1 + len(self._helpers)]

    def scores(self, order: str) -> dict[str, float]:
        """The score of every page by which an order goes, by id, as far as it is known."""
        name = _score_name(order, self._helpers)
        return self._store.suggestions.scores(name) if name is not None else {}

    def suggestion(self, page_id: str, patience: float) -> tuple[str, Suggested] | None:
        """The first helper's name and suggestion, waiting for it at most so many seconds."""
        known = self.known(page_id)
        if known is not None or not self._helpers:
            return known
        self._wait(_Task(page_id, self._helpers[0]), patience)
        return self.known(page_id)

    def known(self, page_id: str) -> tuple[str, Suggested] | None:
        """The first helper's name and suggestion if it has been made."""
        for helper in self._helpers[:1]:
            found = self._store.suggestions.get(page_id, helper.key)
            return None if found is None else (helper.name, found)
        return None

    def is_coming(self, page_id: str) -> bool:
        """Will there be a suggestion for a page that has none, as far as is known."""
        return any(_Task(page_id, helper) not in self._failed for helper in self._helpers[:1])

    def prepare(self, page_id: str) -> None:
        """Compute the suggestion for the page that somebody is likely to open next."""
        for helper in self._helpers[:1]:
            if self._store.suggestions.get(page_id, helper.key) is None:
                self._ask([_Task(page_id, helper)], first=True)

    def prepare_all(self) -> None:
        """Compute what is missing of all pages, in their order."""
        helpers = self._helpers
        known = {helper: self._store.suggestions.pages(helper.key) for helper in helpers}
        for second in helpers[1:2]:  # both may have been asked, but not one after the other
            known[second] &= self.scores(DISAGREEMENT).keys()
        pages = [page.id for page in self._store.pages.all()]
        missing = ((page, helper) for page in pages for helper in helpers)
        self._ask([_Task(*pair) for pair in missing if pair[0] not in known[pair[1]]], first=False)

    def _wait(self, task: _Task, patience: float) -> None:
        """Have a task done, or tried, within so many seconds."""
        self._ask([task], first=True)
        with self._changed:
            self._changed.wait_for(lambda: task not in self._open, patience)

    def _ask(self, tasks: Sequence[_Task], *, first: bool) -> None:
        """Put tasks to the front or the end; those that are there already or failed stay."""
        with self._changed:
            for task in () if self._closed else tasks:
                if first and task in self._open and task != self._now:
                    self._waiting.remove(task)
                elif task in self._open or task in self._failed:
                    continue
                (self._waiting.appendleft if first else self._waiting.append)(task)
                self._open.add(task)
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                task = self._now = self._waiting.popleft()
            done = self._try(task)
            with self._changed:
                self._now = None
                self._open.discard(task)
                if not done:
                    self._failed.add(task)
                self._changed.notify_all()

    def _try(self, task: _Task) -> bool:
        """Compute one suggestion; a page that no labeler can do costs itself only."""
        try:
            self._compute(task)
        except PageError as error:
            _LOG.warning("no suggestion of %s for %s: %s", task.helper.name, task.page, error)
        except Exception:  # the thread has to go on with other pages
            _LOG.exception("no suggestion of %s for %s", task.helper.name, task.page)
        else:
            return True
        return False

    def _compute(self, task: _Task) -> None:
        helper = task.helper
        found = suggest(helper.labeler, self._store.pages.html(task.page), name=helper.name)
        kept = {helper.key: Suggested(found.labels, found.confidence)}
        self._store.suggestions.keep(task.page, kept, self._page_scores(task, found))

    def _page_scores(self, task: _Task, found: Suggestion) -> dict[str, float]:
        scores = {f"{UNCERTAINTY} {task.helper.key}": uncertainty(found)}
        pair = self._helpers[:2]
        name = _score_name(DISAGREEMENT, pair)
        if name is not None and task.helper in pair:
            other = self._store.suggestions.get(task.page, pair[pair.index(task.helper) - 1].key)
            if other is not None:
                scores[name] = disagreement(found, _of_same_page(other, found))
        return scores


@dataclass(frozen=True, slots=True)
class _Task:
    page: str
    helper: Helper


def _score_name(order: str, helpers: Sequence[Helper]) -> str | None:
    """The name in the store of what an order goes by; None if there are too few helpers."""
    if order == UNCERTAINTY and helpers:
        return f"{UNCERTAINTY} {helpers[0].key}"
    if order == DISAGREEMENT and len(helpers) > 1:
        return f"{DISAGREEMENT} {' '.join(sorted(helper.key for helper in helpers[:2]))}"
    return None


def _of_same_page(stored: Suggested, other: Suggestion) -> Suggestion:
    """A stored suggestion with the words of another one for the same page."""
    nothing = np.zeros((len(stored.labels), 0))
    return Suggestion("", stored.labels, stored.confidence, nothing, other.words)
