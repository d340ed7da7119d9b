"""What the server answers: every route of the front end as a method that returns plain data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import quote

from starlette.datastructures import QueryParams

from victor.annotate.agreement import agreement, differences, together
from victor.annotate.assist.auto_retrain import Learning
from victor.annotate.assist.queue_order import GIVEN, UNCERTAINTY, by_score
from victor.annotate.assist.suggestion_worker import Prelabels
from victor.annotate.display.assets import asset
from victor.annotate.display.safe_page import Shown, show
from victor.annotate.exchange.store_export import FINISHED
from victor.annotate.server import request_body
from victor.annotate.store.label_letters import unmarked
from victor.annotate.store.page_blocks import checksum
from victor.annotate.store.pages import StoredPage
from victor.annotate.store.revisions import STATES, Conflict, Head, checked_name
from victor.annotate.store.store import Store
from victor.errors import CorpusError, PageError

ANY: Final = "all"
"""State of the filter that lets every page through."""
_MOST: Final = 1000
"""Pages of one answer, at most."""
_MOST_PAGES: Final = 1_000_000
_AT_ONCE: Final = 0.5
"""Seconds that a page waits for its suggestion; the front end asks again for a later one."""
_PATIENCE: Final = 10.0
_LARGE: Final = 10_000
"""Blocks from which on a page is shown before its suggestion is computed."""
_IN_MEMORY: Final = 4
"""Pages as they are shown: going back and forth between two makes them once."""

Answer = dict[str, Any]


class Api:
    """The routes over one store.

    Args:
        store: pages and revisions.
        prelabels: who suggests labels.
        learning: what trains on the pages that are done.
    """

    def __init__(self, store: Store, prelabels: Prelabels, learning: Learning) -> None:
        self.store, self._prelabels, self._learning = store, prelabels, learning
        self.shown = lru_cache(maxsize=_IN_MEMORY)(self._show)

    def session(self, _: QueryParams) -> Answer:
        """What the front end needs once."""
        return {
            "annotators": self.store.revisions.annotators(),
            "labelers": [helper.name for helper in self._prelabels.helpers],
            "orders": self._prelabels.orders,
            "pages": len(self.store.pages.all()),
            "states": list(STATES),
        }

    def queue(self, query: QueryParams) -> Answer:
        """The pages in some order, as one annotator sees them."""
        annotator = checked_name(query.get("annotator"))
        offset, limit = _number(query, "offset", 0), min(_number(query, "limit", 100), _MOST)
        heads = self.store.revisions.heads()
        own = _states(heads, annotator)
        pages = [page for page in self._ordered(query) if _passes(page, own, query)]
        return {
            "pages": self._rows(pages[offset : offset + limit], own, heads),
            "total": len(pages),
            "done": sum(state != "todo" for state in own.values()),
            "per_hour": _per_hour(heads, annotator),
        }

    def page(self, page_id: str, query: QueryParams) -> Answer:
        """Labels of a page and what is suggested for it."""
        annotator = checked_name(query.get("annotator"))
        adjudicated = query.get("kind") == "adjudication"
        page = self.store.pages.get(page_id)
        suggestion = self._suggestion(page_id, None if _is_large(page) else _AT_ONCE)
        previous, following = self._neighbours(page, annotator, query)
        if following is not None and not (_is_large(page) or _is_large(following)):
            self._prelabels.prepare(following.id)
        return {
            **_described(page),
            **self._newest(page, annotator, adjudicated=adjudicated),
            **suggestion,
            "previous": None if previous is None else previous.id,
            "next": None if following is None else following.id,
        }

    def suggestion(self, page_id: str) -> Answer:
        """What is suggested for a page, once it is known."""
        self.store.pages.get(page_id)
        return self._suggestion(page_id, _PATIENCE)

    def save(self, page_id: str, body: Mapping[str, Any]) -> Answer:
        """Store a revision of the labels of an annotator."""
        page = self.store.pages.get(page_id)
        asked = request_body.save(body, page.n_blocks)
        if asked.base is None:
            raise CorpusError("a save needs the revision it is made from; 0 before the first")
        if asked.labels is not None:
            raise CorpusError("a save has changes, not labels")
        revision = self.store.revisions.save(
            page_id, asked.annotator, asked.changes, base=asked.base, state=asked.state,
            seconds=asked.seconds, key=asked.key,
        )  # fmt: skip
        if asked.state in FINISHED:
            self._learning.page_finished()
        return {"revision": revision}

    def differences(self, page_id: str, query: QueryParams) -> Answer:
        """Where two annotators differ on a page, how far they agree, and what to begin with."""
        names = [checked_name(query.get(side)) for side in ("a", "b")]
        a, b = (self._labels_of(page_id, name) for name in names)
        found = agreement([(a, b, None)])
        return {
            "a": names[0],
            "b": names[1],
            "kappa": found.kappa,
            "observed": found.observed,
            "per_label": dict(found.per_label),
            "ranges": [list(difference) for difference in differences(a, b)],
            "labels": together(a, b),
        }

    def adjudicate(self, page_id: str, body: Mapping[str, Any]) -> Answer:
        """Store a revision of what somebody decides about the annotations of others."""
        page = self.store.pages.get(page_id)
        asked = request_body.save(body, page.n_blocks)
        before = self._newest(page, asked.annotator, adjudicated=True)
        base = before["revision"] if asked.base is None else asked.base
        revision = self.store.revisions.save(
            page_id, asked.annotator, asked.over(before["labels"]), base=base, state=asked.state,
            seconds=asked.seconds, kind="adjudication", key=asked.key,
        )  # fmt: skip
        return {"revision": revision}

    def retrain(self, body: Mapping[str, Any]) -> Answer:
        """Train now, or after so many pages from now on."""
        if "after" in body:
            self._learning.every = request_body.count(body["after"], "after", _MOST_PAGES)
        else:
            self._learning.start()
        return self.retraining()

    def retraining(self) -> Answer:
        """How far a training is."""
        return {**self._learning.status().to_json(), "every": self._learning.every}

    def conflict(self, found: Conflict) -> Answer:
        """What is newer than the base of a save."""
        head = found.head
        page = self.store.pages.get(head.page)
        newest = self._newest(page, head.annotator, adjudicated=head.adjudicated)
        return {"annotator": head.annotator, **newest}

    def asset(self, page_id: str, path: str) -> tuple[bytes, str]:
        """A file beside the page, and its media type.

        Raises:
            PageError: there is none that may be shown.
        """
        page = self.store.pages.get(page_id)
        if page.file is None:
            raise PageError("no-asset", f"page {page_id} came without a file")
        return asset(page.file, path)

    def _show(self, page_id: str) -> Shown:
        page = self.store.pages.get(page_id)
        shown = show(self.store.pages.html(page_id), f"/page/{quote(page_id, safe='')}/asset")
        if (shown.n_blocks, checksum(shown.texts)) != (page.n_blocks, page.cut):
            raise CorpusError(
                f"page {page_id} has other blocks now than when it was added, its labels would "
                "shift; open this store with the Victor that made it"
            )
        return shown

    def _suggestion(self, page_id: str, patience: float | None) -> Answer:
        if patience is None:
            found = self._prelabels.known(page_id)
        else:
            found = self._prelabels.suggestion(page_id, patience)
        if found is None:
            return {"suggestion": None, "suggesting": self._prelabels.is_coming(page_id)}
        name, (labels, confidence) = found
        suggestion = {"labeler": name, "labels": labels, "confidence": confidence.tolist()}
        return {"suggestion": suggestion, "suggesting": False}

    def _labels_of(self, page_id: str, annotator: str) -> str:
        self.store.pages.get(page_id)
        labels = self.store.revisions.labels(page_id, annotator)
        if labels is None:
            raise CorpusError(f"{annotator} has no labels on page {page_id}")
        return labels

    def _newest(self, page: StoredPage, annotator: str, *, adjudicated: bool) -> Answer:
        head = self.store.revisions.head(page.id, annotator, adjudicated=adjudicated)
        if head is None:
            return {"revision": 0, "state": "todo", "labels": unmarked(page.n_blocks)}
        labels = self.store.revisions.labels_at(head.revision)
        return {"revision": head.revision, "state": head.state, "labels": labels}

    def _ordered(self, query: QueryParams) -> list[StoredPage]:
        order = query.get("order", GIVEN)
        if order not in self._prelabels.orders:
            raise CorpusError(f"order has to be one of {', '.join(self._prelabels.orders)}")
        pages = self.store.pages.all()
        if order == GIVEN:
            return pages
        self._prelabels.prepare_all()
        scores = self._prelabels.scores(order)
        return [pages[at] for at in by_score([scores.get(page.id) for page in pages])]

    def _neighbours(
        self, page: StoredPage, annotator: str, query: QueryParams
    ) -> tuple[StoredPage | None, StoredPage | None]:
        """The pages before and after one, in the order and of the state that are asked for."""
        own = _states(self.store.revisions.heads(), annotator)
        pages = self._ordered(query)
        place = next(at for at, found in enumerate(pages) if found.id == page.id)
        earlier = (found for found in reversed(pages[:place]) if _passes(found, own, query))
        later = (found for found in pages[place + 1 :] if _passes(found, own, query))
        return next(earlier, None), next(later, None)

    def _rows(
        self, pages: list[StoredPage], own: Mapping[str, str], heads: list[Head]
    ) -> list[Answer]:
        uncertain = self._prelabels.scores(UNCERTAINTY)
        by_page: dict[str, list[str]] = {}
        for head in heads:
            if not head.adjudicated:
                by_page.setdefault(head.page, []).append(head.annotator)
        return [
            {
                **_described(page),
                "state": own.get(page.id, "todo"),
                "uncertainty": uncertain.get(page.id),
                "annotators": by_page.get(page.id, []),
            }
            for page in pages
        ]


def _is_large(page: StoredPage) -> bool:
    return page.n_blocks > _LARGE


def _described(page: StoredPage) -> Answer:
    name = PurePosixPath(page.file).name if page.file is not None else page.id
    return {
        "id": page.id,
        "number": page.number,
        "title": page.title or name,
        "url": page.url,
        "n_blocks": page.n_blocks,
    }


def _states(heads: list[Head], annotator: str) -> dict[str, str]:
    """State of every page an annotator saved, by id."""
    own = (head for head in heads if head.annotator == annotator and not head.adjudicated)
    return {head.page: head.state for head in own}


def _passes(page: StoredPage, own: Mapping[str, str], query: QueryParams) -> bool:
    state = query.get("state") or ANY
    if state not in (ANY, *STATES):
        raise CorpusError(f"state has to be {ANY} or one of {', '.join(STATES)}")
    return state in (ANY, own.get(page.id, "todo"))


def _per_hour(heads: list[Head], annotator: str) -> float | None:
    """Pages that an annotator finished in an hour of work, None before the first."""
    own = [h for h in heads if h.annotator == annotator and not h.adjudicated and h.seconds]
    finished = [head for head in own if head.state != "todo"]
    seconds = sum(head.seconds for head in own)
    return round(3600 * len(finished) / seconds, 1) if finished else None


def _number(query: QueryParams, name: str, default: int) -> int:
    value = query.get(name, str(default))
    if not value.isdecimal() or len(value) > 9:
        raise CorpusError(f"{name} has to be a number")
    return int(value)
