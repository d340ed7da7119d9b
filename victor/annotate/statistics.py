"""Statistics of a store: progress of annotators, pages to review, agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final, NamedTuple

import numpy as np

from victor.annotate.agreement import Agreement, agreement, decided, differences, kappa
from victor.annotate.exchange.store_export import (
    chosen,
    drifted,
    finished_labels,
    heads_by_page,
)
from victor.annotate.store.page_blocks import block_table
from victor.annotate.store.pages import StoredPage
from victor.annotate.store.revisions import FINISHED, IMPORTED, Head
from victor.annotate.store.store import Store
from victor.base.arrays import Floats, Ints
from victor.base.labels import LABEL_NAMES, Label
from victor.corpus.label_letters import LETTERS, from_letters

DRIFT: Final = "drift"
UNLABELLED: Final = "unlabelled"
OVERLAP: Final = "overlap"
SUSPICIOUS: Final = "suspicious"
KINDS: Final = (DRIFT, UNLABELLED, OVERLAP, SUSPICIOUS)
"""Kinds of findings; only drift makes a page unfit for use."""

_NAMES: Final = (*LABEL_NAMES, "unlabelled")
_HOUR: Final = 3600.0


class Amount(NamedTuple):
    """How many blocks and words have a label."""

    blocks: int
    words: int


@dataclass(frozen=True, slots=True)
class Stats:
    """Progress in a store.

    Attributes:
        pages: number of pages in the store.
        states: pages by state, of every annotator.
        seconds: time spent, of every annotator.
        labels: blocks and words by name of their label, ``unlabelled`` last, on the pages whose
            labels would be exported.
    """

    pages: int
    states: Mapping[str, Counter[str]]
    seconds: Mapping[str, float]
    labels: Mapping[str, Amount]

    def per_hour(self, annotator: str) -> float | None:
        """Pages per hour that an annotator gave a state other than ``todo``; None without times."""
        seconds, states = self.seconds[annotator], self.states[annotator]
        pages = states.total() - states["todo"]
        return pages * _HOUR / seconds if seconds > 0 else None


class Summary(NamedTuple):
    """What one annotator has done, without adjudications.

    Attributes:
        states: pages by state; those that the annotator never saved are not counted.
        blocks: blocks by name of their label, on the pages that are done or without content.
        seconds: time spent on all pages.
    """

    states: dict[str, int]
    blocks: dict[str, int]
    seconds: float


class Finding(NamedTuple):
    """A page to review, and why.

    Attributes:
        kind: one of `KINDS`.
        page: id.
        message: for people.
    """

    kind: str
    page: str
    message: str


class PageAgreement(NamedTuple):
    """Agreement of two annotators on one page.

    Attributes:
        page: id.
        kappa: None where it is not defined.
        blocks: number of blocks that both decided.
        different: number of these with different labels.
        words: share of the words in the latter among those in the former.
    """

    page: str
    kappa: float | None
    blocks: int
    different: int
    words: float


def stats(store: Store) -> Stats:
    """Progress of every annotator, and blocks and words per label."""
    heads = heads_by_page(store)
    states: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: dict[str, float] = defaultdict(float)
    for head in chain.from_iterable(heads.values()):
        name = f"{head.annotator} (adjudicated)" if head.adjudicated else head.annotator
        states[name][head.state] += 1
        seconds[name] += head.seconds
    amounts = np.zeros((len(_NAMES), 2), dtype=np.int64)
    for page in store.pages.all():
        exported = chosen(heads[page.id])
        if exported is not None:
            amounts += _amounts(store, page, exported)
    rows = zip(_NAMES, amounts.tolist(), strict=True)
    return Stats(len(heads), states, seconds, {name: Amount(*row) for name, row in rows})


def _amounts(store: Store, page: StoredPage, head: Head) -> Ints:
    """(4, 2) blocks and words by label of one page; none if its labels do not fit it any more."""
    table = block_table(store.pages.html(page.id))
    if drifted(page, table):
        return np.zeros((len(_NAMES), 2), dtype=np.int64)
    labels = from_letters(finished_labels(store, head, page.n_blocks))
    indexes = np.minimum(labels, len(Label))
    blocks = np.bincount(indexes, minlength=len(_NAMES))
    words = np.bincount(indexes, table.words, len(_NAMES))
    return np.stack([blocks, words], axis=1).astype(np.int64)


def summarize(store: Store, annotator: str) -> Summary:
    """What an annotator has done, for the end of the work; only labels are read, no page."""
    heads = [
        head
        for head in store.revisions.heads()
        if head.annotator == annotator and not head.adjudicated
    ]
    letters: Counter[str] = Counter()
    for head in heads:
        if head.state in FINISHED:
            n_blocks = store.pages.get(head.page).n_blocks
            labels = finished_labels(store, head, n_blocks)
            letters.update({letter: labels.count(letter) for letter in LETTERS})
    blocks = {name: letters[letter] for name, letter in zip(_NAMES, LETTERS, strict=True)}
    states: Counter[str] = Counter(head.state for head in heads)
    return Summary(dict(states), blocks, sum(head.seconds for head in heads))


def check(store: Store) -> Iterator[Finding]:
    """Findings, page by page."""
    for page_id, heads in heads_by_page(store).items():
        page = store.pages.get(page_id)
        if drifted(page, block_table(store.pages.html(page_id))):
            yield Finding(DRIFT, page_id, "its blocks are not those that were labelled")
            continue
        if all(head.state == "todo" for head in heads):
            yield Finding(UNLABELLED, page_id, "nobody has finished it")
        for head in heads:
            for message in suspicions(store.revisions.labels_at(head.revision), head.state):
                yield Finding(SUSPICIOUS, page_id, f"{head.annotator}: {message}")
        yield from _overlap(store, page, heads)


def suspicions(labels: str, state: str) -> Iterator[str]:
    """What is odd about the labels of a page in a state; unlabelled blocks never are."""
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
    finished = [head for head in heads if head.state in FINISHED and head.annotator != IMPORTED]
    if any(head.adjudicated for head in finished) or len(finished) < 2:
        return
    labels = {finished_labels(store, head, page.n_blocks) for head in finished}
    if any(differences(*pair) for pair in combinations(labels, 2)):
        names = ", ".join(head.annotator for head in finished)
        yield Finding(OVERLAP, page.id, f"{names} differ; it is not adjudicated")


def agree(store: Store, a: str, b: str) -> tuple[Agreement, list[PageAgreement]]:
    """Agreement of two annotators on the pages that both have finished, and page by page.

    Returns:
        The agreement over all pages, and that on each page; the page with the largest share of
        words in dispute is first.
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
    labels = from_letters(a), from_letters(b)
    both = decided(*labels)
    differ = both & (labels[0] != labels[1])
    share = float(words[differ].sum() / max(words[both].sum(), 1.0))
    return PageAgreement(page_id, kappa(a, b), int(both.sum()), int(differ.sum()), share)


def _finished(store: Store, page: StoredPage, annotator: str) -> str | None:
    head = store.revisions.head(page.id, annotator)
    if head is None or head.state not in FINISHED:
        return None
    return finished_labels(store, head, page.n_blocks)
