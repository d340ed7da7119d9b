"""Comments that a model keeps below a text: what it knows of one block, the page knows better."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Labels
from victor.base.labels import Label
from victor.kinds.extent import Extent
from victor.kinds.headline import kept_headlines
from victor.kinds.names import Signs
from victor.kinds.regions import Regions
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.attributes import BundleColumns
from victor.page.table.blocks import BlockTable

_STEMS: Final = (b"omment", b"oment")
"""What names of comments hold in most languages. Looking for more takes more time than it is worth:
the scope `article` knows all names."""


def kept_comments(table: BlockTable, labels: Labels) -> Bools:
    """(n,) is a block kept that is a comment on the text of its page, and no post of a thread.

    Pages without such names, and tables without their attributes, take hardly any time.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
    """
    kept = labels != Label.OTHER
    none = np.zeros(len(table), dtype=bool)
    if not _has_names(table):
        return none
    signs = Signs(table)
    named = kept & signs.inside("comment", "review")
    if not (named & ~signs.is_thread[table.page]).any():
        return none
    headline = np.full(table.n_pages, -1, dtype=np.int64)
    headlines = kept_headlines(table, labels)
    headline[table.page[headlines]] = headlines
    return np.asarray(kept & Regions(signs, Extent(table, labels), headline).comments)


def _has_names(table: BlockTable) -> bool:
    """May an element of the table be called a comment."""
    bundles = table.bundles
    if not {*ATTRIBUTES} <= {*table.attributes}:
        return False
    if not isinstance(bundles, BundleColumns):
        return True
    values = bundles.values.tobytes()
    return any(stem in values for stem in _STEMS)
