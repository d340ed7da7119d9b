"""What is in a store: how far annotators are, what to look at again, and where two differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.annotate.agreement import Agreement, agreement, decided, differences, kappa
from victor.annotate.exchange.store_export import FINISHED, chosen, drifted, finished_labels
from victor.annotate.store.label_letters import label_values
from victor.annotate.store.page_blocks import block_table
from victor.annotate.store.pages import StoredPage
from victor.annotate.store.revisions import IMPORTED, Head
from victor.annotate.store.store import Store
from victor.arrays import Floats
from victor.labels import LABEL_NAMES, Label

DRIFT: Final = "drift"
UNLABELLED: Final = "unlabelled"
OVERLAP: Final = "overlap"
SUSPICIOUS: Final = "suspicious"
KINDS: Final = (DRIFT, UNLABELLED, OVERLAP, SUSPICIOUS)
"""Kinds of findings; only the first makes a store unfit for use."""

Counts = NDArray[np.int64]

_NAMES: Final = (*LABEL_NAMES, "unlabelled")
_HOUR: Final = 3600.0


class Amount(NamedTuple):
    """How much has a label."""

    blocks: int
    words: int


@dataclass(frozen=True, slots=True)
class Stats:
    """How far a store is.

    Attributes:
        pages: in the store.
        states: pages by state of every annotator.
        seconds: time that every annotator spent.
        labels: blocks and words by name of their label, ``unlabelled`` the last, on the pages
            whose labels would be exported.
    """

    pages: int
    states: Mapping[str, Counter[str]]
    seconds: Mapping[str, float]
    labels: Mapping[str, Amount]

    def per_hour(self, annotator: str) -> float | None:
        """Pages that an annotator put into a state other than ``todo`` per hour, if timed."""
        spent, states = self.seconds[annotator], self.states[annotator]
        pages = states.total() - states["todo"]
        return pages * _HOUR / spent if spent > 0 else None


class Finding(NamedTuple):
    """Something to look at.

    Attributes:
        kind: one of `KINDS`.
        page: id.
        message: for people.
    """

    kind: str
    page: str
    message: str


class PageAgreement(NamedTuple):
    """How two annotators agree on one page.

    Attributes:
        page: id.
        kappa: None where it is not defined.
        blocks: of the page that both decided.
        different: those of them with different labels.
        words: share of the words of the first that the second have.
    """

    page: str
    kappa: float | None
    blocks: int
    different: int
    words: float


def stats(store: Store) -> Stats:
    """How far every annotator is, and how much of the pages has which label."""
    heads = _heads_by_page(store)
    states: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: dict[str, float] = defaultdict(float)
    for head in (head for own in heads.values() for head in own):
        name = f"{head.annotator} (adjudicated)" if head.adjudicated else head.annotator
        states[name][head.state] += 1
        seconds[name] += head.seconds
    amounts = np.zeros((len(_NAMES), 2), dtype=np.int64)
    for page in store.pages.all():
        best = chosen(heads[page.id])
        if best is not None:
            amounts += _amounts(store, page, best)
    rows = zip(_NAMES, amounts.tolist(), strict=True)
    return Stats(len(heads), states, seconds, {name: Amount(*row) for name, row in rows})


def _amounts(store: Store, page: StoredPage, head: Head) -> Counts:
    """(4, 2) blocks and words by label of one page; none if its labels do not fit it any more."""
    table = block_table(store.pages.html(page.id))
    if drifted(page, table):
        return np.zeros((len(_NAMES), 2), dtype=np.int64)
    labels = label_values(finished_labels(store, head, page.n_blocks))
    places = np.minimum(labels, len(Label))
    blocks = np.bincount(places, minlength=len(_NAMES))
    words = np.bincount(places, table.words, len(_NAMES))
    return np.stack([blocks, words], axis=1).astype(np.int64)


def check(store: Store) -> Iterator[Finding]:
    """What to look at again, page by page."""
    for page_id, heads in _heads_by_page(store).items():
        page = store.pages.get(page_id)
        if drifted(page, block_table(store.pages.html(page_id))):
            yield Finding(DRIFT, page_id, "its blocks are other ones than when it was labelled")
            continue
        if all(head.state == "todo" for head in heads):
            yield Finding(UNLABELLED, page_id, "nobody has finished it")
        for head in heads:
            for message in suspicions(store.revisions.labels_at(head.revision), head.state):
                yield Finding(SUSPICIOUS, page_id, f"{head.annotator}: {message}")
        yield from _overlap(store, page, heads)


def suspicions(labels: str, state: str) -> Iterator[str]:
    """What is odd about the labels of a page in a state; unlabelled blocks may be anything."""
    counts = Counter(labels)
    if state == "no-content" and counts["h"] + counts["t"]:
        yield "no content, but blocks are labelled header or text"
    if state != "done":
        return
    if not labels:
        yield "done, but the page has no text: no content, or broken?"
    elif counts["o"] == len(labels):
        yield "done, but all is other: no content?"
    elif len(labels) > 1 and not counts["o"] + counts["?"]:
        yield "nothing is other"
    elif not counts["t"] + counts["?"]:
        yield "headers without any text"


def _overlap(store: Store, page: StoredPage, heads: Sequence[Head]) -> Iterator[Finding]:
    """Annotators of one page who differ, unless somebody has adjudicated."""
    own = [head for head in heads if head.state in FINISHED and head.annotator != IMPORTED]
    if any(head.adjudicated for head in own) or len(own) < 2:
        return
    found = {finished_labels(store, head, page.n_blocks) for head in own}
    if any(differences(*pair) for pair in combinations(found, 2)):
        names = ", ".join(head.annotator for head in own)
        yield Finding(OVERLAP, page.id, f"{names} differ; it is not adjudicated")


def agree(store: Store, a: str, b: str) -> tuple[Agreement, list[PageAgreement]]:
    """Agreement of two annotators on the pages that both have finished, and page by page.

    Returns:
        The agreement over all pages, and the pages, that with the largest share of words in
        dispute first.
    """
    pairs: list[tuple[str, str, Floats]] = []
    rows = []
    for page in store.pages.all():
        one, other = (_finished(store, page, name) for name in (a, b))
        if one is None or other is None:
            continue
        table = block_table(store.pages.html(page.id))
        if not drifted(page, table):
            words = table.words.astype(np.float64)
            pairs.append((one, other, words))
            rows.append(_compared(page.id, one, other, words))
    return agreement(pairs), sorted(rows, key=lambda row: (-row.words, -row.different))


def _compared(page_id: str, a: str, b: str, words: Floats) -> PageAgreement:
    labels = label_values(a), label_values(b)
    both = decided(*labels)
    apart = both & (labels[0] != labels[1])
    share = float(words[apart].sum() / max(words[both].sum(), 1.0))
    return PageAgreement(page_id, kappa(a, b), int(both.sum()), int(apart.sum()), share)


def _finished(store: Store, page: StoredPage, annotator: str) -> str | None:
    head = store.revisions.head(page.id, annotator)
    if head is None or head.state not in FINISHED:
        return None
    return finished_labels(store, head, page.n_blocks)


def _heads_by_page(store: Store) -> dict[str, list[Head]]:
    """The newest revisions of every page, those without any included."""
    found: dict[str, list[Head]] = {page.id: [] for page in store.pages.all()}
    for head in store.revisions.heads():
        found[head.page].append(head)
    return found
