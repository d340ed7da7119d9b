"""What one annotator has done in a store, for the end of the work. It reads labels, no page."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from victor.annotate.exchange.store_export import FINISHED, finished_labels
from victor.annotate.store.store import Store
from victor.base.labels import LABEL_NAMES
from victor.corpus.label_letters import LETTERS

_NAMES: Final = (*LABEL_NAMES, "unlabelled")


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


def summarize(store: Store, annotator: str) -> Summary:
    """What an annotator has done."""
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
