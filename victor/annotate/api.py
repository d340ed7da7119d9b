"""What the server answers: every route of the front end as a method that returns plain data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from starlette.datastructures import QueryParams

from victor.annotate import bodies
from victor.annotate.queue_order import GIVEN, ORDERS
from victor.annotate.revisions import unmarked
from victor.annotate.store import STATES, Conflict, Head, Store, StoredPage, checked_name
from victor.errors import CorpusError

if TYPE_CHECKING:
    from victor.annotate.shown import Shown

ANY: Final = "all"
"""State of the filter that lets every page through."""
_MOST: Final = 1000
"""Pages of one answer, at most."""
_IN_MEMORY: Final = 4
"""Pages as they are shown: going back and forth between two makes them once."""

Answer = dict[str, Any]


class Api:
    """The routes over one store.

    Args:
        store: pages and revisions.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.shown = lru_cache(maxsize=_IN_MEMORY)(self._show)

    def session(self, _: QueryParams) -> Answer:
        """What the front end needs once."""
        return {
            "annotators": self.store.annotators(),
            "labelers": [],
            "orders": list(ORDERS),
            "pages": len(self.store.pages()),
            "states": list(STATES),
        }

    def queue(self, query: QueryParams) -> Answer:
        """The pages in some order, as one annotator sees them."""
        annotator = checked_name(query.get("annotator"))
        offset, limit = _number(query, "offset", 0), min(_number(query, "limit", 100), _MOST)
        heads = self.store.heads()
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
        page = self.store.page(page_id)
        previous, following = self._neighbours(page, annotator, query)
        return {
            **_described(page),
            **self._newest(page, annotator, adjudicated=adjudicated),
            "suggestion": None,
            "previous": previous,
            "next": following,
        }

    def save(self, page_id: str, body: Mapping[str, Any]) -> Answer:
        """Store a revision of the labels of an annotator."""
        page = self.store.page(page_id)
        asked = bodies.save(body, page.n_blocks)
        if asked.base is None:
            raise CorpusError("a save needs the revision it is made from; 0 before the first")
        if asked.labels is not None:
            raise CorpusError("a save has changes, not labels")
        revision = self.store.save(
            page_id, asked.annotator, asked.changes, base=asked.base, state=asked.state,
            seconds=asked.seconds, key=asked.key,
        )  # fmt: skip
        return {"revision": revision}

    def conflict(self, found: Conflict) -> Answer:
        """What is newer than the base of a save."""
        head = found.head
        page = self.store.page(head.page)
        newest = self._newest(page, head.annotator, adjudicated=head.adjudicated)
        return {"annotator": head.annotator, **newest}

    def _show(self, page_id: str) -> Shown:
        from victor.annotate.shown import show  # noqa: PLC0415  (needs what `serve` only needs)

        page = self.store.page(page_id)
        shown = show(self.store.html(page_id), f"/page/{quote(page_id, safe='')}/asset")
        if shown.n_blocks != page.n_blocks:
            raise CorpusError(
                f"page {page_id} has {shown.n_blocks} blocks now and had {page.n_blocks} when it "
                "was added; open this store with the Victor that made it"
            )
        return shown

    def _newest(self, page: StoredPage, annotator: str, *, adjudicated: bool) -> Answer:
        head = self.store.head(page.id, annotator, adjudicated=adjudicated)
        if head is None:
            return {"revision": 0, "state": "todo", "labels": unmarked(page.n_blocks)}
        labels = self.store.labels_at(head.revision)
        return {"revision": head.revision, "state": head.state, "labels": labels}

    def _ordered(self, query: QueryParams) -> list[StoredPage]:
        order = query.get("order", GIVEN)
        if order not in ORDERS:
            raise CorpusError(f"order has to be one of {', '.join(ORDERS)}")
        return self.store.pages()

    def _neighbours(
        self, page: StoredPage, annotator: str, query: QueryParams
    ) -> tuple[str | None, str | None]:
        """The pages before and after one, in the order and of the state that are asked for."""
        own = _states(self.store.heads(), annotator)
        pages = self._ordered(query)
        place = next(at for at, found in enumerate(pages) if found.id == page.id)
        before = (p.id for p in reversed(pages[:place]) if _passes(p, own, query))
        after = (p.id for p in pages[place + 1 :] if _passes(p, own, query))
        return next(before, None), next(after, None)

    def _rows(
        self, pages: list[StoredPage], own: Mapping[str, str], heads: list[Head]
    ) -> list[Answer]:
        by_page: dict[str, list[str]] = {}
        for head in heads:
            if not head.adjudicated:
                by_page.setdefault(head.page, []).append(head.annotator)
        return [
            {
                **_described(page),
                "state": own.get(page.id, "todo"),
                "uncertainty": None,
                "annotators": by_page.get(page.id, []),
            }
            for page in pages
        ]


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
