"""Scores of a system on annotated pages: of its clean texts and of the labels of its blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np

from victor.base.arrays import Bools, Floats, Labels
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.base.lazy import cached_property
from victor.measures.averages import Summary, aligned, interval, summarize
from victor.measures.blocks import BlockScores, block_scores
from victor.measures.words import Score, edit_score, word_score
from victor.model.decide import Decision, decide
from victor.page.verdict.verdict import Verdict
from victor.render.text import plain_text
from victor.training.dataset import LabelledPages, PageInfo

Grouping = Literal["type", "language", "site", "corpus", "corpus-type"]

MEASURES: Final[Mapping[str, Callable[[str, str], Any]]] = {
    "words": word_score,
    "edits": edit_score,
}
"""Measures of the clean text of a page against its gold text, by name."""

_FEWEST: Final = 3
"""Pages of a group; a table with many smaller groups has one row for all of these."""
_MOST_SMALL: Final = 3
_GROUPS: Final = {
    "type": "types", "language": "languages", "site": "sites", "corpus": "corpora",
    "corpus-type": "corpora and types",
}  # fmt: skip

_EMPTY_GOLD: Final = frozenset({"words"})
"""Measures whose authors score pages of empty gold text, too."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The texts and block counts of a system on P annotated pages, scored on demand.

    Attributes:
        pages: (P) what the corpus says of each page.
        texts: (P) clean text of each page.
        blocks: (P) block counts of each page.
    """

    pages: tuple[PageInfo, ...]
    texts: tuple[str, ...]
    blocks: tuple[BlockScores, ...]

    @cached_property
    def words(self) -> list[Score]:
        """Word score of every page that has a gold text, an empty one included."""
        return self.page_scores("words")

    def with_content(self) -> Scores:
        """Those of the pages with content: with a gold text, or without one with blocks to keep."""

        def has_content(page: PageInfo, blocks: BlockScores) -> bool:
            if page.gold is None:
                return bool(blocks.confusion[: Label.OTHER].any())
            return bool(page.gold.strip())

        rows = zip(self.pages, self.texts, self.blocks, strict=True)
        chosen = [row for row in rows if has_content(row[0], row[2])]
        pages, texts, blocks = zip(*chosen, strict=True) if chosen else ((), (), ())
        return Scores(pages, texts, blocks)

    def scored_pages(self, measure: str) -> list[int]:
        """Indices of the pages that a measure can score."""
        wants_text = measure not in _EMPTY_GOLD
        return [
            number
            for number, page in enumerate(self.pages)
            if page.gold is not None and (page.gold.strip() or not wants_text)
        ]

    def page_scores(self, measure: str) -> list[Any]:
        """Scores of the pages that one of `MEASURES` can score."""
        score, golds = MEASURES[measure], [page.gold or "" for page in self.pages]
        return [score(self.texts[page], golds[page]) for page in self.scored_pages(measure)]

    def summaries(self, measure: str = "words", by: Grouping = "type") -> list[Summary]:
        """A measure over all pages, then over groups of them; empty without gold."""
        pages = [self.pages[page] for page in self.scored_pages(measure)]
        if not pages:
            return []
        scores = self.words if measure == "words" else self.page_scores(measure)
        sites = [page.site for page in pages]
        rows = self._rows(by)
        return summarize(scores, [rows[group_of(page, by)] for page in pages], sites=sites)

    def block_summaries(self, by: Grouping = "type") -> list[Summary]:
        """Averages over the blocks of all pages, then over those of groups of pages."""
        rows = self._rows(by)
        groups = [rows[group_of(page, by)] for page in self.pages]
        return summarize(self.blocks, groups, sites=[page.site for page in self.pages])

    @property
    def all_blocks(self) -> BlockScores:
        """Block counts summed over all pages."""
        return BlockScores(np.sum([page.confusion for page in self.blocks], axis=0))

    def _rows(self, by: Grouping) -> dict[str, str]:
        """Group to the row of tables that it stands in: its own, or that of all small groups."""
        sizes = Counter(group_of(page, by) for page in self.pages)
        small = [group for group, pages in sizes.items() if pages < _FEWEST]
        row = f"other {_GROUPS[by]} ({len(small)})"
        is_long = len(small) > _MOST_SMALL
        return {group: row if is_long and group in small else group for group in sizes}


def group_of(page: PageInfo, by: Grouping) -> str:
    """The group that a page belongs to."""
    corpus = page.corpus or "corpus"
    return {
        "type": page.kind,
        "language": page.language,
        "site": page.site,
        "corpus": corpus,
        "corpus-type": f"{corpus} {page.kind}",
    }[by]


def assess(
    pages: LabelledPages,
    marginals: Floats,
    decision: Decision,
    p_no_content: Floats | None = None,
) -> Scores:
    """Score the labels that a decision gives to blocks with these marginals.

    The text of a page is what `victor clean` would print. Blocks that nobody could label are
    don't-care: they count neither among the blocks nor, where the page has any, among the words.
    """
    labels = decide(marginals, pages, decision, p_no_content=p_no_content)
    return score_labels(pages, labels, marginals)


def score_labels(pages: LabelledPages, labels: Labels, marginals: Floats) -> Scores:
    """Score given labels of all blocks of annotated pages."""
    scored = np.where(pages.labels == UNLABELLED, np.uint8(Label.OTHER), labels)
    bounds = pairwise(pages.page_starts.tolist())
    return Scores(
        pages=pages.infos,
        texts=tuple(_texts(pages, scored, marginals)),
        blocks=tuple(block_scores(pages.labels[a:b], labels[a:b]) for a, b in bounds),
    )


def _texts(pages: LabelledPages, labels: Labels, marginals: Floats) -> Iterator[str]:
    table_start = 0
    for table in pages.tables:
        rows = slice(table_start, table_start + len(table))
        verdict = Verdict(table, labels[rows], marginals[rows], "assessed")
        for page in range(table.n_pages):
            yield plain_text(verdict, page)
        table_start += len(table)


def page_word_f(pages: LabelledPages, kept: Floats | Bools) -> Floats:
    """(P,) F of the words that are kept, by labels alone; of don't-care blocks none count.

    1 for a page of which nothing is kept and nothing should be.

    Args:
        pages: P annotated pages with n blocks.
        kept: (n,) whether each block is kept, or how probable that is.
    """
    page = np.repeat(np.arange(len(pages.pages)), np.diff(pages.page_starts))
    words = np.where(pages.labels == UNLABELLED, 0.0, pages.words)
    wanted = pages.labels != Label.OTHER
    hits, n_kept, n_wanted = (
        np.bincount(page, words * share, len(pages.pages))
        for share in (wanted * kept, kept, wanted)
    )
    total = n_kept + n_wanted
    return np.where(total > 0, 2 * hits / np.where(total > 0, total, 1), 1.0)


def expected_f(pages: LabelledPages, marginals: Floats) -> Floats:
    """(P,) word F with probabilities of being kept in place of decisions, by labels alone.

    A few pages are decided alike by models that are right about others to quite different degrees.
    """
    return page_word_f(pages, 1 - marginals[:, Label.OTHER])


def headline(scores: Scores) -> dict[str, float]:
    """The few numbers that a model card shows."""
    kept = scores.all_blocks.kept
    values = {"block precision": kept.precision, "block recall": kept.recall, "block F": kept.f1}
    if scores.words:
        means = scores.summaries()[0].means
        values |= {
            "word precision": means["precision"],
            "word recall": means["recall"],
            "word F": means["f1"],
        }
    return {name: round(value, 4) for name, value in values.items()}


def block_table(summaries: Sequence[Summary]) -> str:
    """Block measures per group, with the 95 % interval of keeping, as lines for a terminal."""
    of_keeping = ("accuracy", "unlabelled_accuracy", "precision", "recall", "f1")
    head = ["", "pages", "accuracy", "unlabelled", "P kept", "R kept", "F kept", "95 %"]
    rows = [head + [f"F {name}" for name in LABEL_NAMES]]
    for summary in summaries:
        values = [summary.means[name] for name in of_keeping]
        cells = [*(f"{value:.4f}" for value in values), interval(summary.intervals["f1"])]
        cells += [f"{summary.means[f'f1_{name}']:.4f}" for name in LABEL_NAMES]
        rows.append([summary.group, str(summary.pages), *cells])
    return aligned(rows)


def confusion_table(scores: BlockScores) -> str:
    """Blocks by gold label (rows) and predicted label (columns) as text for a terminal."""
    rows = [["gold \\ label", *LABEL_NAMES]]
    counts = scores.confusion.tolist()
    rows += [[name, *map(str, row)] for name, row in zip(LABEL_NAMES, counts, strict=True)]
    return aligned(rows)
