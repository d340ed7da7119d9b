"""Import of annotated pages into a store, each as a revision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from victor.annotate.store.page_blocks import block_table
from victor.annotate.store.pages import NewPage
from victor.annotate.store.revisions import IMPORTED, STATES, Save, State
from victor.annotate.store.store import Store
from victor.corpus.label_letters import UNMARKED, to_letters
from victor.corpus.pages import AnnotatedPage, block_labels


@dataclass(frozen=True, slots=True, eq=False)
class ImportedPage:
    """A page as one annotator labelled it.

    Attributes:
        page: the page with labels of its segments.
        annotator: whose they are, None if the source does not say.
        seconds: time spent on it, as the source says.
        problems: what could not be imported, a line each.
    """

    page: AnnotatedPage
    annotator: str | None = None
    seconds: float = 0.0
    problems: tuple[str, ...] = ()


class KnownPage(NamedTuple):
    """A page that the store has already."""

    id: str
    html: bytes


FindPage = Callable[[str | None, str | None], KnownPage | None]
"""A page of the store by its id or else its address; None if it has neither."""


def find_no_page(_id: str | None, _url: str | None) -> KnownPage | None:
    """The `FindPage` without a store."""
    return None


def page_finder(store: Store) -> FindPage:
    """Finds pages of a store by id, else by address."""
    pages = store.pages.all()
    ids = {page.id for page in pages}
    by_url = {page.url: page.id for page in pages if page.url}

    def find(page_id: str | None, url: str | None) -> KnownPage | None:
        known_id = page_id if page_id in ids else by_url.get(url or "")
        return None if known_id is None else KnownPage(known_id, store.pages.html(known_id))

    return find


def import_page(
    store: Store, imported: ImportedPage, annotator: str | None = None
) -> tuple[str, ...]:
    """Store one annotation of a page, and the page if it is new; returns problems, a line each.

    Labels of segments become those of blocks. Importing the same again changes nothing.

    Args:
        store: where it goes.
        imported: the annotation.
        annotator: whose it becomes; None takes what the source says, else `IMPORTED`.

    Raises:
        CorpusError: the store holds another page of this id, or the annotator's name is not valid.
    """
    page = imported.page
    labels, problems = _block_letters(page)
    store.add([NewPage.of(page)])
    name = annotator or imported.annotator or IMPORTED
    head = store.revisions.head(page.id, name)
    state = _state(page, labels)
    is_new = head is None or head.state != state
    if is_new or store.revisions.labels(page.id, name) != labels:
        save = Save(name, labels=labels, state=state, seconds=imported.seconds)
        store.revisions.save(page.id, save, "import")
    return (*imported.problems, *problems)


def _block_letters(page: AnnotatedPage) -> tuple[str, list[str]]:
    """One letter per block, and what they cannot express."""
    table = block_table(page.html)
    labels = block_labels(page.labels, table)
    mixed = np.unique(table.block_of_segment[page.labels != labels[table.block_of_segment]])
    problem = f"{len(mixed)} blocks had several labels; each took that of most words"
    return to_letters(labels), [problem] if len(mixed) else []


def _state(page: AnnotatedPage, labels: str) -> State:
    named = page.metadata.get("state")
    guess: State = "done" if labels.strip(UNMARKED) else "no-content"
    return next((state for state in STATES if state == named), guess)
