"""Places on a page that are the same however it is cut into blocks and whatever is recorded."""

from __future__ import annotations

import numpy as np

from victor.base.arrays import Ints
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable


def positions(table: BlockTable) -> Ints:
    """(T,) start and end tags up to each tag, without those that depend on the reader.

    Void elements may be missing, and images with a text are two tags.
    """
    tags = table.tags
    return np.cumsum((tags.step != 0) & (tags.id != IDS["img"]))
