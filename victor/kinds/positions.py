"""Places on a page that are the same however it is cut into blocks and whatever is recorded."""

from __future__ import annotations

import numpy as np

from victor.arrays import Ints
from victor.page.blocks import BlockTable
from victor.page.tags import IDS


def positions(table: BlockTable) -> Ints:
    """(T,) start and end tags up to each tag, without those that depend on the reader.

    Void elements may be missing, and images with a text are two tags.
    """
    tags = table.tags
    return np.cumsum((tags.step != 0) & (tags.id != IDS["img"]))
