"""Scores of every system's texts on one corpus, without don't-care text."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from peers.pages import Page
from peers.runs import Run
from peers.systems import VICTOR
from victor.measures.words import word_score, words

_WORD: Final = re.compile(r"\w+")
TRAINED_ON: Final = frozenset(
    "canola harvest-dev kinds-dev more-dev news424-dev sites-dev wcxb-dev".split()
)
"""Corpora the shipped model learned from (docs/reports/model-card.md)."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one system on one corpus.

    Attributes:
        words: page means of precision, recall and F of words.
        with_content: mean of the word F over the pages whose gold text has words.
        nothing: pages without gold text for which the output has no words, and all such pages.
        kinds: page mean of the word F of each page type.
        empty: pages whose gold text has words and the output has none.
        failed: pages that raised or gave no answer in time; their output is empty.
    """

    words: tuple[float, float, float]
    with_content: float
    nothing: tuple[int, int]
    kinds: dict[str, float]
    empty: int
    failed: int


def score(corpus: str, pages: Sequence[Page], runs: Mapping[str, Run]) -> dict[str, Scores]:
    """Scores by the name a table shows; Victor is named so where it learned from the pages."""
    remark = " (trained on these pages)" if corpus in TRAINED_ON else ""
    return {
        name + (remark if name.startswith(VICTOR) else ""): score_run(pages, run)
        for name, run in runs.items()
    }


def score_run(pages: Sequence[Page], run: Run) -> Scores:
    """Scores of one system."""
    texts = [without_dont_care(run.texts[page.id], page.gold, page.dont_care) for page in pages]
    pairs = [(text, page.gold) for text, page in zip(texts, pages, strict=True)]
    word_scores = [word_score(*pair) for pair in pairs]
    has_content = [bool(words(page.gold)) for page in pages]
    with_content = list(compress(pairs, has_content))
    without = [text for text, gold in pairs if not words(gold)]
    kinds: dict[str, list[float]] = defaultdict(list)
    for page, one in zip(pages, word_scores, strict=True):
        kinds[page.kind].append(one.f1)
    return Scores(
        words=(
            _mean(one.precision for one in word_scores),
            _mean(one.recall for one in word_scores),
            _mean(one.f1 for one in word_scores),
        ),
        with_content=_mean(one.f1 for one in compress(word_scores, has_content)),
        nothing=(sum(not words(text) for text in without), len(without)),
        kinds={kind: _mean(values) for kind, values in kinds.items()},
        empty=sum(not words(text) for text, _ in with_content),
        failed=sum(page.id in run.failures for page in pages),
    )


def _mean(values: Iterable[float]) -> float:
    """Mean, nan of nothing."""
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else math.nan


def without_dont_care(text: str, gold: str, dont_care: Sequence[str]) -> str:
    """A system's output without the words that only don't-care blocks account for.

    A word is taken out as often as the output has it more often than the gold text, and at most as
    often as the don't-care blocks have it. So nothing that the gold text has is ever lost, and
    keeping or dropping such a block changes no score of words. Whole blocks are taken out where
    they stand in the output, single words from the end.
    """
    if not dont_care:
        return text
    matches = list(_WORD.finditer(text))
    words_of_text = [match.group().lower() for match in matches]
    spare = Counter(word for block in dont_care for word in words(block))
    removable = (Counter(words_of_text) - Counter(words(gold))) & spare
    gone = np.zeros(len(words_of_text), dtype=bool)
    for block in sorted(dont_care, key=len, reverse=True):
        _take_block(words(block), words_of_text, removable, gone)
    for index in reversed(range(len(words_of_text))):
        if not gone[index] and removable[words_of_text[index]]:
            removable[words_of_text[index]] -= 1
            gone[index] = True
    return _cut(text, [match.span() for match, cut in zip(matches, gone, strict=True) if cut])


def _take_block(
    block: list[str], words_of_text: list[str], removable: Counter[str], gone: NDArray[np.bool_]
) -> None:
    """Mark the first whole occurrence of a block, if all of its words may be removed."""
    counts = Counter(block)
    if not block or not counts <= removable:
        return
    for first, word in enumerate(words_of_text):
        run = slice(first, first + len(block))
        if word == block[0] and words_of_text[run] == block and not gone[run].any():
            gone[run] = True
            removable.subtract(counts)
            return


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without some spans."""
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(text)]
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))
