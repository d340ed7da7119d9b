"""Whether a server or a wall speaks on a page, in place of what was asked for.

The phrases of `wall_words.yaml` are looked for in the title and in the blocks that are most
probably kept (``core/model/walls.c``).
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.config import plain_yaml
from victor.page.parsing.characters import lower_table
from victor.page.table.texts import char_codes

WORDS: Final = Path(__file__).with_name("wall_words.yaml")
_SPEAKERS: Final = ("wall", "nothing")
MEASURES: Final = (
    *(f"{who}.{what}" for who in _SPEAKERS for what in ("named", "groups", "words", "density")),
    "said-words", "other-words",
)  # fmt: skip
"""Is a phrase in the title or a heading, how many groups of phrases are said, which share of the
words their blocks have, and of the characters there the phrases; logarithms of words. All are 0 for
a page that says none, or that surely has content."""
_CASED: Final = 0x2200
"""Code points beyond which no letter of a phrase has upper case."""


def phrases() -> tuple[NDArray[Any], ...]:
    """The phrases as the core looks for them.

    Returns:
        (N,) uint32 their characters, one after the other, sorted; (F,) int64 where each ends, (F,)
        uint8 its group, 64 more for the second speaker; (L,) uint32 how characters are read.
    """
    groups = plain_yaml.read_compiled(WORDS)
    group_of = {
        (phrase, int(name == _SPEAKERS[1])): number
        for number, (name, rows) in enumerate(groups.items())
        for phrase in chain(*rows)
    }
    found = sorted(group_of)
    lower = lower_table()[:_CASED].copy()
    lower[ord("\N{RIGHT SINGLE QUOTATION MARK}")] = ord("'")
    return (
        char_codes("".join(phrase for phrase, _ in found)),
        np.cumsum([len(phrase) for phrase, _ in found]),
        np.array([group_of[each] + 64 * each[1] for each in found], dtype=np.uint8),
        lower,
    )
