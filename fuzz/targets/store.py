"""Stores of annotations: damaged files are refused by one typed error, and nothing else happens."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from victor.annotate.exchange import annotated_pages
from victor.annotate.revisions import Save
from victor.annotate.store import NewPage, Store
from victor.errors import VictorError

MOST_BYTES: Final = 1 << 17
_PAGE: Final = b"<h1>Bees</h1><p>Bees live in colonies.</p><ul><li>Home<li>More</ul>"


@cache
def seeds() -> list[bytes]:
    """A store with pages, revisions of two annotators and an import."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "seed.sqlite")
        with Store(path) as store:
            store.add(
                [NewPage("a", _PAGE, "http://x.example/"), NewPage("b", _PAGE, labels="htoo")]
            )
            for annotator in ("anna", "boris"):
                store.revisions.save("a", Save(annotator, labels="htoo", state="done"))
        return [path.read_bytes()]


def one(data: bytes) -> None:
    """Open a store, read all of it, add a page, save labels, and export."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed.sqlite")
        path.write_bytes(data)
        try:
            with Store(path) as store:
                _use(store)
        except VictorError:
            return


def _use(store: Store) -> None:
    for page in store.pages.all():
        store.pages.html(page.id)
        for annotator in store.revisions.annotators():
            store.revisions.labels(page.id, annotator)
    for head in store.revisions.heads():
        store.revisions.decided(head.revision)
    for page in annotated_pages(store):
        assert len(page.html), "a page has bytes"
    store.add([NewPage("new", _PAGE)])
    store.revisions.save("new", Save("anna", labels="htoo", state="done"))
