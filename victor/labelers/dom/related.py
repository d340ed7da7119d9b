"""Text blocks of an article that are not about it: they name others than the rest of it does.

Source: Agarwal, Chheda, Shah, Narvekar: Content extraction using document object model and natural
language processing for web. IJCSE 3(2), 2014, which compares the named entities of "various text
blocks as well as image captions".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.labelers.dom.entities import Recogniser
from victor.labelers.dom.findings import Findings
from victor.labelers.dom.images import LONGEST_CAPTION
from victor.labelers.dom.settings import Settings
from victor.page.table.texts import block_texts
from victor.page.verdict.removed_parts import STAYS


def unrelated(findings: Findings, recogniser: Recogniser, settings: Settings) -> Bools:
    """(n,) bool; which blocks of the articles have no named entity of the rest of theirs.

    A text block is compared if it is no heading, if it has more words than a short caption, if its
    entities are many and a large share of its words, and if the article names one again and again:
    texts that name little say little about what they are on. The caption of an advertisement goes
    with it unless it fits the article as those of other images have to.

    Args:
        findings: of the other steps on the batch.
        recogniser: finds named entities.
        settings: the constants.
    """
    result = np.zeros(len(findings.table), dtype=bool)
    if settings.texts.compare:
        for page in np.flatnonzero(findings.article >= 0).tolist():
            blocks = slice(*findings.table.page_starts[page : page + 2].tolist())
            rows = blocks.start + np.flatnonzero(findings.cut.blocks[blocks] == STAYS)
            texts = block_texts(findings.cut.reduced, rows)
            article = _Article(findings, settings, rows, texts, recogniser.counts(texts))
            captions = [*article.unrelated_captions(page)]
            result[captions] = True
            result[[*article.without(captions).unrelated_texts()]] = True
    return result


class _Article:
    """Blocks of one article, their texts, and the entities that each of them names."""

    def __init__(
        self,
        findings: Findings,
        settings: Settings,
        rows: Ints,
        texts: Sequence[str],
        entities: Sequence[Counter[str]],
    ) -> None:
        self._findings, self._settings = findings, settings
        self._rows, self._texts, self._entities = rows, texts, entities
        self._length = sum(map(len, texts))
        self._all = _sum(self._entities)
        self._by_frequency = [name for name, _ in self._all.most_common()]
        self._square = sum(count * count for count in self._all.values())

    def without(self, rows: Sequence[int]) -> _Article:
        """The article without some blocks."""
        if not rows:
            return self
        rest = np.flatnonzero(~np.isin(self._rows, rows)).tolist()
        texts = [self._texts[index] for index in rest]
        entities = [self._entities[index] for index in rest]
        return _Article(self._findings, self._settings, self._rows[rest], texts, entities)

    def unrelated_texts(self) -> Iterator[int]:
        """Blocks whose entities the rest of the article does not name."""
        is_heading = self._findings.table.heading_level[self._rows] > 0
        columns = (self._rows, self._texts, self._entities, is_heading)
        rows = zip(*columns, strict=True)
        for row, text, names, heading in self._findings.table.allowance.over(rows):
            is_compared = not heading and self._are_comparable(len(text.split()), names)
            if is_compared and self._similarity(names) <= self._settings.texts.relevance:
                yield int(row)

    def unrelated_captions(self, page: int) -> Iterator[int]:
        """Blocks of the captions of advertisements."""
        findings, table = self._findings, self._findings.table
        span = slice(*np.searchsorted(findings.images, findings.article_tags(page)))
        captions = findings.captions[span][findings.removal.ads[findings.images[span]]]
        tags = table.tag[self._rows]
        for element in np.unique(captions).tolist():
            bounds = (table.elements.open[element], table.elements.close[element])
            inside = slice(*np.searchsorted(tags, bounds).tolist())
            rows = self._rows[inside]
            if self._is_caption(inside) and not table.heading_level[rows].any():
                yield from rows[: 0 if self._fits(inside) else None].tolist()

    def _are_comparable(self, n_words: int, names: Counter[str]) -> bool:
        """Do a block and the rest of the article name enough to be compared."""
        limits = self._settings.texts
        return (
            n_words > self._settings.images.short
            and len(names) >= limits.entities
            and len(names) >= limits.share * n_words
            and any(self._all[name] - names[name] >= limits.main for name in self._main(names))
        )

    def _is_caption(self, inside: slice) -> bool:
        """Are blocks short enough for a caption, beside an article that is longer."""
        length = sum(map(len, self._texts[inside]))
        return length <= min(LONGEST_CAPTION, self._length / 2)

    def _fits(self, inside: slice) -> bool:
        """Is a caption, some blocks of the article, about the rest of it; as `images.relevance`."""
        names, limits = _sum(self._entities[inside]), self._settings.images
        if len(" ".join(self._texts[inside]).split()) > limits.short:
            return self._similarity(names) > limits.relevance
        main = self._by_frequency[: limits.representatives]
        return any(name in names and self._all[name] > names[name] for name in main)

    def _main(self, names: Counter[str]) -> list[str]:
        """The most frequent entities of the article, one more than a block names."""
        return self._by_frequency[: len(names) + 1]

    def _similarity(self, names: Counter[str]) -> float:
        """Cosine of the entities of some blocks and of the rest of the article.

        It takes a time that grows with the entities of these blocks, not with those of the article.
        """
        rest = {name: self._all[name] - count for name, count in names.items()}
        product = sum(count * rest[name] for name, count in names.items())
        square = self._square - sum(self._all[name] ** 2 - rest[name] ** 2 for name in names)
        norms = math.hypot(*names.values()) * math.sqrt(square)
        return product / norms if norms else 0.0


def _sum(counters: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total
