"""Import of annotated pages into a store, each as a revision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from victor.annotate.store.database import Unwritable
from victor.annotate.store.page_blocks import BlockSummary, block_table, summarize_blocks
from victor.annotate.store.pages import NewPage
from victor.annotate.store.revisions import IMPORTED, STATES, Save, State
from victor.annotate.store.store import BATCH, BATCH_BYTES, Store, too_large
from victor.base.errors import CorpusError
from victor.corpus.pages import UNMARKED, AnnotatedPage, block_labels, to_letters
from victor.page.table.blocks import BlockTable


@dataclass(frozen=True, slots=True, eq=False)
class ImportedPage:
    """A page as one annotator labelled it.

    Attributes:
        page: the page with labels of its segments.
        annotator: whose they are, None if the source does not say.
        problems: what could not be imported, a line each.
    """

    page: AnnotatedPage
    annotator: str | None = None
    problems: tuple[str, ...] = ()


class Result(NamedTuple):
    """What became of an annotation.

    Attributes:
        page: id of the page.
        problems: what could not be imported, a line each.
        error: why it was not taken; None if it was.
    """

    page: str
    problems: tuple[str, ...] = ()
    error: CorpusError | None = None


class _Ready(NamedTuple):
    """An annotation that only has to be written."""

    imported: ImportedPage
    labels: str
    blocks: BlockSummary
    problems: tuple[str, ...]


def import_pages(
    store: Store, pages: Iterable[ImportedPage], annotator: str | None = None
) -> Iterator[Result]:
    """Store annotations of pages, and the pages that are new; tells what became of each, in order.

    Labels of segments become those of blocks. Importing the same again changes nothing. A few pages
    are written at a time, and others who save have their turn in between.

    Args:
        store: where they go.
        pages: the annotations; if they end with an error, those before it are stored first.
        annotator: whose they become; None takes what the source says, else `IMPORTED`. If it is no
            name, or the store holds another page of an id, that page is not taken.
    """
    batch, size = list[_Ready](), 0
    try:
        for imported in pages:
            batch.append(_ready(imported))
            size += len(imported.page.html)
            if len(batch) == BATCH or size > BATCH_BYTES:
                yield from _written(store, batch, annotator)
                batch, size = [], 0
    except CorpusError:
        yield from _written(store, batch, annotator)
        raise
    yield from _written(store, batch, annotator)


def _ready(imported: ImportedPage) -> _Ready:
    """All of the work on a page for which nobody else has to wait."""
    page = imported.page
    table = block_table(page.html)
    blocks = summarize_blocks(table)
    labels, problems = _block_letters(page, table)
    return _Ready(imported, labels, blocks, (*imported.problems, *problems))


def _written(store: Store, batch: Sequence[_Ready], annotator: str | None) -> list[Result]:
    """What became of annotations that were written in one transaction."""
    results = list[Result]()
    if not batch:
        return results
    with store.turn():
        for ready in batch:
            try:
                _write(store, ready, annotator)
            except Unwritable:  # nothing can be
                raise
            except CorpusError as error:
                results.append(Result(ready.imported.page.id, error=error))
            else:
                results.append(Result(ready.imported.page.id, ready.problems))
    return results


def _write(store: Store, ready: _Ready, annotator: str | None) -> None:
    imported, labels = ready.imported, ready.labels
    page, new = imported.page, NewPage.of(imported.page)
    if problem := too_large(len(page.html), ready.blocks.n_blocks):
        raise CorpusError(f"page {page.id} has {problem}; leave it out")
    if store.pages.is_new(new):
        store.pages.insert(new, ready.blocks)
    name = annotator or imported.annotator or IMPORTED
    head = store.revisions.head(page.id, name)
    state = _state(page, labels)
    is_new = head is None or head.state != state
    if is_new or store.revisions.labels(page.id, name) != labels:
        store.revisions.save(page.id, Save(name, labels=labels, state=state))


def _block_letters(page: AnnotatedPage, table: BlockTable) -> tuple[str, list[str]]:
    """One letter per block, and what they cannot express."""
    labels = block_labels(page.labels, table)
    mixed = np.unique(table.block_of_segment[page.labels != labels[table.block_of_segment]])
    problem = f"{len(mixed)} blocks had several labels; each took that of most words"
    return to_letters(labels), [problem] if len(mixed) else []


def _state(page: AnnotatedPage, labels: str) -> State:
    stated = page.metadata.get("state")
    guess: State = "done" if labels.strip(UNMARKED) else "no-content"
    return next((state for state in STATES if state == stated), guess)
