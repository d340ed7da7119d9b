"""The headline of a page that is not part of its kept text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from victor.base.labels import Kind, Label
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

_LONGEST: Final = 500
"""Characters of a headline; what is longer is none."""
_LEAST: Final = 5
"""Letters of a heading that tell that a title which has more is the same."""


def missing_headline(verdict: Verdict, page: int, title: Callable[[], object]) -> str:
    """What is to stand above the kept text: the headline of the page, "" if the text has it.

    It is the text of the block that is the headline, if it is not kept; if the page has no such
    block, its title, unless a kept heading is or has the same words, or is part of it.

    Args:
        verdict: what is kept; a page of which nothing is has no headline.
        page: number of the page in the batch.
        title: gives the title of the page; what is no string is none.
    """
    blocks = verdict.page(page)
    kept = verdict.kept[blocks]
    if not kept.any():
        return ""
    if verdict.kinds is None:
        headline = np.zeros(0, dtype=np.int64)
    else:
        headline = blocks.start + np.flatnonzero(verdict.kinds[blocks] == Kind.HEADLINE)
    if len(headline):
        if verdict.kept[headline].any():
            return ""
        text = _line(block_texts(verdict.reduced, headline[:1])[0])
    else:
        declared = title()
        text = (
            _line(declared) if isinstance(declared, str) and len(declared) <= 4 * _LONGEST else ""
        )
    return "" if len(text) > _LONGEST or _stands_in(verdict, blocks, text) else text


def _line(text: str) -> str:
    return " ".join(text.split())


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _stands_in(verdict: Verdict, blocks: slice, text: str) -> bool:
    """Is one of the kept headings of a page what a headline says, or nearly."""
    wanted = _letters(text)
    if not wanted:
        return True
    table = verdict.reduced
    is_heading = (table.heading_level[blocks] > 0) | (verdict.labels[blocks] == Label.HEADER)
    is_short = table.end[blocks] - table.start[blocks] <= 4 * _LONGEST
    chosen = np.flatnonzero(verdict.kept[blocks] & is_heading & is_short) + blocks.start
    headings = [_letters(heading) for heading in block_texts(table, chosen)]
    return any(
        heading == wanted or wanted in heading or (len(heading) >= _LEAST and heading in wanted)
        for heading in headings
    )
