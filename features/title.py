"""How many words a block shares with the title and description of the page."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.names.shared_words import Words, jaccard_index, joined_texts, shared_words
from victor.page.parsing.heads import Head
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import distance, first_of_page, page_maxima

COLUMNS = (
    Column("title.jaccard", "number", "words shared with the title over words of either"),
    Column("title.offset", "number", "blocks after the block most like the title, 999 if none"),
    Column("description.overlap", "number", "share of words that the page's description holds"),
)
_LIKE = 0.3


def _inputs(table: BlockTable) -> tuple[NDArray[np.generic], ...]:
    """What the compiled twin reads of titles and descriptions."""
    heads = [*table.heads]
    return joined_texts([*map(_title, heads), *map(_description, heads)])


def _title(head: Head) -> str:
    return head.meta.get("og:title", "") or head.title


def _description(head: Head) -> str:
    return head.meta.get("description", "") or head.meta.get("og:description", "")


_KERNEL = Kernel("title", inputs=_inputs)


def build() -> Feature:
    """Likeness to title and description; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<title>On bees</title><meta name=description content='They fly'>"
    >>> values = build()(parse_pages([page + b"<p>Home<h1>On Bees!</h1><p>They swarm"]))
    >>> values["title.jaccard"], values["title.offset"], values["description.overlap"]
    (array([0., 1., 0.]), array([-1,  0,  1]), array([0. , 0. , 0.5]))
    """
    return Measure(COLUMNS, _compute, kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    title = Words.of_texts([_title(head) for head in table.heads])
    description = Words.of_texts([_description(head) for head in table.heads])
    in_title, in_description = shared_words(table, title, description)
    jaccard = jaccard_index(table, in_title, title)
    likest = (jaccard == page_maxima(table, jaccard)) & (jaccard >= _LIKE)
    return {
        "title.jaccard": jaccard,
        "title.offset": distance(table, first_of_page(table, likest)),
        "description.overlap": in_description / np.maximum(table.words, 1),
    }
