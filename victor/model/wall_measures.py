"""Measures of whether a server or a wall speaks on a page, in place of what was asked for.

The phrases of `wall_words.yaml` are looked for in the title and in the blocks that are most
probably kept: of a page with content these are the content, of another all that it says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.base.labels import OTHER
from victor.config import compiled
from victor.model.decide import SURELY_CONTENT
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts

WORDS: Final = Path(__file__).with_name("wall_words.yaml")
_SPEAKERS: Final = ("wall", "nothing")
MEASURES: Final = (
    *(f"{who}.{what}" for who in _SPEAKERS for what in ("named", "groups", "words", "density")),
    "said-words", "other-words",
)  # fmt: skip
_MOST_BLOCKS: Final = 12
"""Blocks with words outside links that are read, the most probable ones."""
_LONGEST: Final = 400
"""Characters of each that are read."""
_MOST_GROUPS: Final = 3
_START: Final = 4
"""Characters by which phrases are looked up, for there are two thousand."""


def wall_measures(table: BlockTable, marginals: Floats, pages: Ints) -> Floats:
    """What some pages say.

    Args:
        table: the blocks.
        marginals: (n, 3) float64 of them.
        pages: (P,) which pages.

    Returns:
        (P, W) float64, a column for each of `MEASURES`: is a phrase in the title or a heading, how
        many groups of phrases are said, which share of the words their blocks have, and of the
        characters there the phrases; logarithms of words. All are 0 for a page that says none, or
        that is expected to keep `SURELY_CONTENT` words.
    """
    keep = 1 - marginals[:, OTHER]
    rows = [_of_page(table, keep, page) for page in pages.tolist()]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(MEASURES))


def _of_page(table: BlockTable, keep: Floats, page: int) -> Sequence[float]:
    start, end = table.page_starts[page : page + 2].tolist()
    filled = start + np.flatnonzero(table.free_words[start:end] > 0)
    if keep[filled] @ table.words[filled] >= SURELY_CONTENT:
        return [0.0] * len(MEASURES)
    best = np.sort(filled[np.argsort(-keep[filled], kind="stable")[:_MOST_BLOCKS]])
    texts = [_folded(block_texts(table, row)[0]) for row in best[:, None]]
    title = _folded(table.heads[page].title)
    by_speaker = _found("\n".join([title, *texts]))
    if not any(by_speaker):
        return [0.0] * len(MEASURES)
    names = [title, *(texts[row] for row in np.flatnonzero(table.heading_level[best] > 0))]
    words = table.words[best]
    measures: list[float] = []
    says = np.zeros(len(best), dtype=bool)
    for found in by_speaker:
        phrases = [*found]
        said = np.array([_is_said(phrases, text) for text in texts], dtype=bool)
        measures += [
            any(_is_said(phrases, text) for text in names),
            min(len({*found.values()}), _MOST_GROUPS),
            words[said].sum() / max(words.sum(), 1),
            _density(phrases, [texts[row] for row in np.flatnonzero(said)]),
        ]
        says |= said
    n_others = table.free_words[start:end].sum() - table.free_words[best[says]].sum()
    return [*measures, np.log1p(words[says].sum()), np.log1p(n_others)]


def _folded(text: str) -> str:
    """A text as phrases are looked for in it, with blanks around it."""
    straight = text[:_LONGEST].replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return f" {' '.join(straight.lower().split())} "


def _is_said(phrases: Sequence[str], text: str) -> bool:
    return any(phrase in text for phrase in phrases)


def _density(phrases: Sequence[str], texts: Sequence[str]) -> float:
    """Share of the characters of texts that phrases have."""
    n_said = sum(len(phrase) for text in texts for phrase in phrases if phrase in text)
    return min(n_said / max(sum(map(len, texts)), 1), 1.0)


def _found(text: str) -> tuple[dict[str, str], ...]:
    """The phrases of each speaker in a text, with their groups."""
    found: tuple[dict[str, str], ...] = tuple({} for _ in _SPEAKERS)
    starts = {text[place : place + _START] for place in range(len(text))} | {""}
    for start in _phrases().keys() & starts:
        for group, phrase in _phrases()[start]:
            if phrase in text:
                found[group == _SPEAKERS[1]][phrase] = group
    return found


@cache
def _phrases() -> dict[str, list[tuple[str, str]]]:
    """Groups and phrases by the first characters of the phrases, "" for those that are shorter."""
    phrases: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for group, rows in compiled.read(WORDS).items():
        for phrase in chain(*rows):
            phrases[phrase[:_START] if len(phrase) >= _START else ""].append((group, phrase))
    return phrases
