"""Imported annotations into a store, each a revision of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from victor.annotate.exchange.received import Find, Known, Received
from victor.annotate.store.changes import changes_between
from victor.annotate.store.label_letters import UNMARKED, letters, unmarked
from victor.annotate.store.page_blocks import block_table
from victor.annotate.store.revisions import IMPORTED, STATES, State
from victor.annotate.store.store import Store
from victor.corpus.pages import AnnotatedPage, block_labels

_OWN: Final = ("annotator", "state")
"""Metadata of an exported page that say who labelled it and how far it is."""


@dataclass(frozen=True, slots=True)
class _New:
    """A page to add; its labels come as a revision."""

    id: str
    html: bytes
    url: str | None
    site: str
    metadata: Mapping[str, Any]
    file: Path | None = None
    labels: str | None = field(default=None, init=False)


def take(store: Store, received: Received, annotator: str | None = None) -> tuple[str, ...]:
    """Store one annotation; gives what was lost on the way, a line each.

    A page that the store does not have is added. Labels of segments become those of blocks.
    Importing the same again changes nothing.

    Args:
        store: where it goes.
        received: the annotation.
        annotator: whose it is to be; None takes what the source says, else `IMPORTED`.

    Raises:
        CorpusError: the store holds another page of this id, or the annotator's name is no name.
    """
    page = received.page
    labels, lost = _block_letters(page)
    store.add([_New(page.id, page.html, page.url, page.site, _metadata(page))])
    name = annotator or received.annotator or IMPORTED
    before = store.revisions.labels(page.id, name)
    head = store.revisions.head(page.id, name)
    state = _state(page, labels)
    changes = changes_between(before or unmarked(len(labels)), labels)
    if head is None or changes or head.state != state:
        store.revisions.save(
            page.id, name, changes, base=None, state=state, seconds=received.seconds, kind="import"
        )
    return (*received.problems, *lost)


def finder(store: Store) -> Find:
    """Pages of a store by id, else by address."""
    pages = store.pages.all()
    ids = {page.id for page in pages}
    by_url = {page.url: page.id for page in pages if page.url}

    def find(page_id: str | None, url: str | None) -> Known | None:
        found = page_id if page_id in ids else by_url.get(url or "")
        return None if found is None else Known(found, store.pages.html(found))

    return find


def _block_letters(page: AnnotatedPage) -> tuple[str, list[str]]:
    """One letter per block, and what it cannot say."""
    table = block_table(page.html)
    labels = block_labels(page.labels, table)
    lost = []
    mixed = np.unique(table.block_of_segment[page.labels != labels[table.block_of_segment]])
    if len(mixed):
        lost.append(f"{len(mixed)} blocks had several labels; each took that of most words")
    return letters(labels), lost


def _state(page: AnnotatedPage, labels: str) -> State:
    said = page.metadata.get("state")
    for state in STATES:
        if state == said:
            return state
    return "done" if labels.strip(UNMARKED) else "no-content"


def _metadata(page: AnnotatedPage) -> dict[str, Any]:
    known = {"language": page.language, "type": page.kind, "licence": page.licence}
    own = {key: value for key, value in page.metadata.items() if key not in _OWN}
    return own | {key: value for key, value in known.items() if value is not None}
