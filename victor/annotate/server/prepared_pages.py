"""Pages of a store as browsers show them: each is prepared once, in another process."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future
from threading import Lock
from typing import Final
from urllib.parse import quote

from victor.annotate.page_processes import PageProcesses
from victor.annotate.prepare import prepare_page
from victor.annotate.store.store import Store
from victor.base.errors import CorpusError

_IN_MEMORY: Final = 4
"""Pages that are kept, so that going back and forth prepares each of them once."""


class PreparedPages:
    """The last pages that were asked for. Threads that ask for the same one wait together.

    Args:
        store: the pages.
        processes: prepare them.
    """

    def __init__(self, store: Store, processes: PageProcesses) -> None:
        self._store, self._processes = store, processes
        self._lock = Lock()
        self._pages: OrderedDict[str, Future[bytes]] = OrderedDict()

    def get(self, page_id: str) -> bytes:
        """A page without anything alive, in UTF-8.

        Raises:
            NoSuchPage: the store has no such page.
            PageError: it cannot be prepared within the limits of the processes.
            CorpusError: its blocks are not those that were labelled.
        """
        with self._lock:
            page = self._pages.get(page_id)
            is_first = page is None
            if page is None:
                page = self._pages[page_id] = Future()
            self._pages.move_to_end(page_id)
            while len(self._pages) > _IN_MEMORY:
                self._pages.popitem(last=False)
        if is_first:
            self._prepare(page_id, page)
        return page.result()

    def _prepare(self, page_id: str, page: Future[bytes]) -> None:
        try:
            page.set_result(self._prepared(page_id))
        except BaseException as error:
            with self._lock:
                if self._pages.get(page_id) is page:  # else it has been pushed out meanwhile
                    del self._pages[page_id]
            page.set_exception(error)

    def _prepared(self, page_id: str) -> bytes:
        page = self._store.pages.get(page_id)
        asset_base = f"/page/{quote(page_id, safe='')}/asset"
        html = self._store.pages.html(page_id)
        prepared = self._processes.call(prepare_page, html, asset_base)
        if (prepared.n_blocks, prepared.checksum) != (page.n_blocks, page.cut):
            raise CorpusError(
                f"page {page_id} has other blocks now than when it was added, its labels would "
                "shift; open this store with the Victor that made it"
            )
        return prepared.content
