"""How many words a block shares with the title and description of the page."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.blocks import BlockTable
from victor.page.events import Head
from victor.page.on_page import distance, first_of_page, page_maxima
from victor.page.shared_words import Words, jaccard_index, shared_words

COLUMNS = (
    Column("title.jaccard", "number", "words shared with the title over words of either"),
    Column("title.offset", "number", "blocks after the block most like the title, 999 if none"),
    Column("description.overlap", "number", "share of words that the page's description holds"),
)
_LIKE = 0.3


def build() -> Feature:
    """Likeness to title and description; they have no parameters.

    >>> from victor.page.segment import parse_pages
    >>> page = b"<title>On bees</title><meta name=description content='They fly'>"
    >>> values = build()(parse_pages([page + b"<p>Home<h1>On Bees!</h1><p>They swarm"]))
    >>> values["title.jaccard"], values["title.offset"], values["description.overlap"]
    (array([0., 1., 0.]), array([-1,  0,  1]), array([0. , 0. , 0.5]))
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    title = Words.of_texts([h.meta.get("og:title", "") or h.title for h in table.heads])
    description = Words.of_texts([_description(head) for head in table.heads])
    in_title, in_description = shared_words(table, title, description)
    jaccard = jaccard_index(table, in_title, title)
    likest = (jaccard == page_maxima(table, jaccard)) & (jaccard >= _LIKE)
    return {
        "title.jaccard": jaccard,
        "title.offset": distance(table, first_of_page(table, likest)),
        "description.overlap": in_description / np.maximum(table.words, 1),
    }


def _description(head: Head) -> str:
    return head.meta.get("description", "") or head.meta.get("og:description", "")
