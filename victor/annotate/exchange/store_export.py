"""Annotated pages of a store: whose labels count, and how they become labels of segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from victor.annotate.store.page_blocks import block_table, summarize_blocks
from victor.annotate.store.pages import StoredPage
from victor.annotate.store.revisions import FINISHED, IMPORTED, Head
from victor.annotate.store.store import Store
from victor.base.arrays import Labels
from victor.corpus.pages import AnnotatedPage, annotate, from_letters, unmarked
from victor.page.table.blocks import BlockTable

_FIELDS: Final = {"language": "language", "type": "kind", "kind": "kind", "licence": "licence"}
"""Attributes of `AnnotatedPage` by the keys that metadata have for them."""

Complain = Callable[[str], None]


def annotated_pages(
    store: Store, annotator: str | None = None, *, complain: Complain = lambda _: None
) -> Iterator[AnnotatedPage]:
    """The finished pages of a store, in the order in which they were added.

    Args:
        store: the pages and what was saved about them.
        annotator: whose labels; None takes those saved last, else what was imported.
        complain: called with a message for every finished page that is left out because its
            labels do not fit it any more.
    """
    heads = heads_by_page(store)
    for page in store.pages.all():
        head = chosen(heads[page.id], annotator)
        if head is not None:
            html = store.pages.html(page.id)
            table = block_table(html)
            if drifted(page, table):
                complain(f"page {page.id}: its labels do not fit its blocks any more; left out")
            else:
                labels = from_letters(finished_labels(store, head, page.n_blocks))
                metadata = store.pages.metadata(page.id)
                yield _annotated(page, html, labels[table.block_of_segment], head, metadata)


def read_annotated(path: Path) -> list[AnnotatedPage]:
    """The finished pages of the store in a file, without those that `annotated_pages` leaves out.

    Raises:
        CorpusError: it is not a store, or cannot be read.
    """
    with Store(path) as store:
        return [*annotated_pages(store)]


def heads_by_page(store: Store) -> dict[str, list[Head]]:
    """The newest revisions of every page, also of pages without any, by id."""
    heads: dict[str, list[Head]] = {page.id: [] for page in store.pages.all()}
    for head in store.revisions.heads():
        heads[head.page].append(head)
    return heads


def chosen(heads: Sequence[Head], annotator: str | None = None) -> Head | None:
    """Of the newest revisions of one page, the one whose labels count; None if none is finished."""
    finished = [head for head in heads if head.state in FINISHED]
    if annotator is not None:
        finished = [head for head in finished if head.annotator == annotator]
    return max(finished, key=_rank, default=None)


def _rank(head: Head) -> tuple[bool, int]:
    return head.annotator != IMPORTED, head.revision


def finished_labels(store: Store, head: Head, n_blocks: int) -> str:
    """The labels of a finished page, one letter per block."""
    if head.state == "no-content":
        return unmarked(n_blocks)
    return store.revisions.labels_at(head.revision)


def drifted(page: StoredPage, table: BlockTable) -> bool:
    """Has a page, given its `block_table`, other blocks than when it was added."""
    blocks = summarize_blocks(table)
    return (blocks.n_blocks, blocks.checksum) != (page.n_blocks, page.cut)


def _annotated(
    page: StoredPage, html: bytes, labels: Labels, head: Head, metadata: dict[str, Any]
) -> AnnotatedPage:
    """The page with the labels of its segments."""
    fields = {
        name: str(metadata.pop(key))
        for key, name in _FIELDS.items()
        if metadata.get(key) is not None
    }
    metadata |= {"annotator": head.annotator, "state": head.state}
    return annotate(
        page.id, html, labels, url=page.url, site=page.site, metadata=metadata, **fields
    )
