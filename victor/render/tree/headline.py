"""The headline of a page that is not part of its kept text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from victor.base.labels import Label
from victor.metadata.texts import letters
from victor.metadata.titles import says
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

_LONGEST: Final = 500
"""Characters of a headline; what is longer is none."""
_PROSE: Final = 10
"""Words of a block that is a paragraph rather than a line above the text, such as a byline."""


def missing_headline(verdict: Verdict, page: int, title: Callable[[], str]) -> str:
    """What is to stand above the kept text: the headline of the page, "" if the text has it.

    It is the text of the block that is the headline, if it is not kept; if the page has no such
    block, its title, unless a kept heading above the first paragraph says it.

    Args:
        verdict: what is kept; a page of which nothing is has no headline.
        page: number of the page in the batch.
        title: gives the title of the page, "" for none.
    """
    blocks = verdict.page(page)
    kept = verdict.kept[blocks]
    if not kept.any():
        return ""
    if verdict.block_kinds is None:
        headline = np.zeros(0, dtype=np.int64)
    else:
        headline = blocks.start + np.flatnonzero(verdict.block_kinds.is_headline[blocks])
    if len(headline):
        if verdict.kept[headline].any():
            return ""
        text = _line(block_texts(verdict.reduced, headline[:1])[0])
    else:
        declared = title()
        text = _line(declared) if len(declared) <= 4 * _LONGEST else ""
    return "" if len(text) > _LONGEST or _stands_in(verdict, page, text) else text


def _line(text: str) -> str:
    return " ".join(text.split())


def _stands_in(verdict: Verdict, page: int, text: str) -> bool:
    """Is one of the kept headings of a page above its first paragraph what a headline says.

    A heading with the letters of the headline among others ("How bees live" for "Bees") is another.
    """
    if not letters(text):
        return True
    table, blocks = verdict.reduced, verdict.page(page)
    is_heading = (table.heading_level[blocks] > 0) | (verdict.labels[blocks] == Label.HEADER)
    kept = verdict.kept[blocks]
    is_short = table.end[blocks] - table.start[blocks] <= 4 * _LONGEST
    chosen = np.flatnonzero(kept & is_heading & is_short)
    texts = block_texts(table, chosen + blocks.start)
    pairs = zip(chosen.tolist(), texts, strict=True)
    is_same = says(text)
    row = next((row for row, heading in pairs if is_same(_line(heading))), None)
    if row is None:
        return False
    is_prose = (kept & ~is_heading)[:row] & (verdict.shown_words(page)[:row] >= _PROSE)
    return not is_prose.any()
