"""One sentence for the decision about every block: *Dropped, 84 % sure: mostly links*.

The reasons of a model are those that a deletion confirms (`victor.explain.reasons`). Where
something else than the probability of the block decided, the sentence says what: the scope, the
table or list around it, the whole page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Floats, Ints
from victor.base.cached import cached_property
from victor.base.labels import OTHER, Kind
from victor.config import Decision, Scope
from victor.explain.contributions import explain
from victor.explain.groups import TellsClues
from victor.explain.reasons import PageReasons, Sides
from victor.kinds.selected import blocks_selected
from victor.labelers import Labeler
from victor.labelers.crf import CrfLabeler
from victor.labelers.rules import Clue
from victor.model.decide import decide
from victor.page.verdict.verdict import BY_SCOPE, BY_UNIT, Verdict

_SURE: Final = 0.8
"""Below this a sentence also says what speaks against the decision."""
_EVEN: Final = 0.5
_KINDS: Final = {
    Kind.HEADLINE: "headlines",
    Kind.STANDFIRST: "standfirsts",
    Kind.BYLINE: "bylines",
    Kind.CAPTION: "captions",
    Kind.COMMENT: "comments",
    Kind.COMMENT_META: "names, dates and buttons of comments",
    Kind.TEASER: "teasers",
}
"""Kinds that scopes keep or drop, in the plural."""
_SWITCHES: Final = {
    Kind.HEADLINE: "headline",
    Kind.CAPTION: "captions",
    Kind.COMMENT: "comments",
    Kind.COMMENT_META: "comments",
}
"""Kinds to the switch of a scope, which outranks its name."""
_UNITS: Final = (
    ("math", "formula"), ("pre", "code"), ("table", "table"), ("ul", "list"), ("ol", "list"),
    ("dl", "list"),
)  # fmt: skip
_NO_REASONS: Final = Sides((), ())


class Sentence(NamedTuple):
    """The decision about a block in words."""

    block: int
    """Number in the table."""
    text: str
    """E.g. ``Dropped, 84 % sure: mostly links, after the last longer text.``"""
    decided_by: str
    """``labeler``, or what changed its decision: ``scope``, ``whole``, ``page`` (judged empty)."""
    sides: Sides
    """The reasons of the model for both sides, whatever decided; none of labelers with rules."""


def sentences(
    labeler: Labeler,
    verdict: Verdict,
    scope: Scope,
    decision: Decision | None = None,
    blocks: Sequence[int] | None = None,
) -> list[Sentence]:
    """The decisions about the blocks of a batch of pages, one sentence each.

    Args:
        labeler: what labelled the blocks.
        verdict: as it is written: with whole units and in scope (`victor.kinds.finish.finish`).
        scope: which parts of the pages were kept.
        decision: how labels were chosen; None for how the labeler is configured.
        blocks: numbers of blocks of the table; None for all.

    Raises:
        ConfigError: the model reads no column.
    """
    numbers = range(len(verdict.table)) if blocks is None else blocks
    page = _Decided(labeler, verdict, scope, decision or labeler.decision)
    return [page.sentence(block) for block in numbers]


@dataclass(frozen=True, eq=False)
class _Decided:
    """Blocks, and what decided about them; the arguments of `sentences`."""

    labeler: Labeler
    verdict: Verdict
    scope: Scope
    decision: Decision

    def sentence(self, block: int) -> Sentence:
        """The sentence of a block."""
        reason = self._reasons[block]
        sides = self._page_reasons.of_block(block) if self._page_reasons else _NO_REASONS
        if reason in (BY_SCOPE, BY_UNIT):
            return Sentence(block, self._overruled(block, reason), reason, sides)
        if self._is_doubted[block]:
            return Sentence(block, self._doubted(block), "page", sides)
        return Sentence(block, self._labelled(block, sides), "labeler", sides)

    def _labelled(self, block: int, sides: Sides) -> str:
        """The sentence of a block about which the labeler decided."""
        kept = bool(self.verdict.kept[block])
        if self._page_reasons is None:
            return _by_rules(self._word(block), self.labeler.name, self._clues, block)
        reasons, against = sides if kept else sides[::-1]
        why = ", ".join(reason.words for reason in reasons) or "no single reason stands out"
        if against and self._p(block) < _SURE:
            why += f", although {against[0].words}"
        return f"{self._word(block)}, {self._sure(block)}: {why}."

    def _sure(self, block: int) -> str:
        """How sure the model is of its decision; why it decides so where that is less than half."""
        p = self._p(block)
        if p >= _EVEN:
            return f"{_percent(p)} sure"
        return f"though only {_percent(p)} sure ({self._rule(block)})"

    def _rule(self, block: int) -> str:
        """What made a decision against the more probable side."""
        if self.decision.method == "threshold":
            return f"the threshold keeps more than {_percent(1 - self.decision.threshold)}"
        if self.decision.method == "viterbi":
            return "the most probable sequence of labels has it so"
        most = float(self._most_other[self.verdict.table.page[block]])
        return f"this page keeps {_percent(1 - most)} or more"

    def _doubted(self, block: int) -> str:
        """The sentence of a block of a page that is judged as a whole."""
        if self.verdict.kept[block]:
            return (
                f"Kept, though only {_percent(self._p(block))} sure: on a page of so few blocks "
                "everything stays that is not surely boilerplate."
            )
        pages, page = self.verdict.pages, int(self.verdict.table.page[block])
        p = math.nan if pages is None else float(pages.p_no_content[page])
        sure = "" if math.isnan(p) else f", {_percent(p)} sure"
        return f"Dropped with the whole page, which seems to have no content{sure}."

    def _overruled(self, block: int, reason: str) -> str:
        """The sentence of a block about which something else decided than the labeler."""
        word = self._word(block)
        who = f"{'the model' if self.verdict.by_model else self.labeler.name} alone"
        p = float(self.verdict.marginals[block, OTHER])
        p = p if word == "Kept" else 1 - p
        alone = f"; {who} is {_percent(p)} sure of the opposite" if p >= _EVEN else ""
        said = self._by_scope(block) if reason == BY_SCOPE else f"whole with {self._unit(block)}"
        return f"{word} {said}{alone}."

    def _by_scope(self, block: int) -> str:
        """What of the scope decided about a block."""
        word, kind = self._word(block), Kind(int(self._kinds[block]))
        selected = self._selected[word == "Dropped"]
        if selected[block]:
            return f"by your selectors (--{'drop' if word == 'Dropped' else 'keep'})"
        if self.scope.lists == "drop" and self._is_listed[block]:
            return "because the page is a list of other pages (--lists drop)"
        table, verb = self.verdict.table, "leaves out" if word == "Dropped" else "keeps"
        is_last = block > self._last_kept[table.page[block]]
        if kind not in _KINDS and table.heading_level[block] and not is_last:
            kind = Kind.HEADLINE
        switch = _SWITCHES.get(kind, "")
        if switch and getattr(self.scope, switch) is not None:
            return f"by your option --{'no-' if word == 'Dropped' else ''}{switch}"
        if kind in _KINDS:
            return f"by the scope {self.scope.name}, which {verb} {_KINDS[kind]}"
        if table.heading_level[block]:
            return "because it is a heading with no text kept below it"
        return f"by the scope {self.scope.name}"

    def _unit(self, block: int) -> str:
        """The table, code, list or formula that a block is part of."""
        table = self.verdict.table
        element = table.container[[block]]
        around = (n for tag, n in _UNITS if table.elements.inside(frozenset({tag}), element)[0])
        return f"the {next(around, 'text')} that it is part of"

    def _word(self, block: int) -> str:
        return "Kept" if self.verdict.kept[block] else "Dropped"

    def _p(self, block: int) -> float:
        """Probability of the side that was decided for."""
        other = float(self.verdict.marginals[block, OTHER])
        return 1 - other if self.verdict.kept[block] else other

    @cached_property
    def _reasons(self) -> list[str]:
        return self.verdict.reasons()

    @cached_property
    def _page_reasons(self) -> PageReasons | None:
        labeler = self.labeler
        if not isinstance(labeler, CrfLabeler):
            return None
        return PageReasons(
            explain(labeler.model, self.verdict.table, trust_code=labeler.trust_code)
        )

    @cached_property
    def _clues(self) -> Sequence[Clue]:
        labeler = self.labeler
        return labeler.clues(self.verdict.table) if isinstance(labeler, TellsClues) else ()

    @cached_property
    def _by_f(self) -> Bools:
        """(n,) would the blocks be kept if no page were judged as a whole."""
        decision = self.decision.replace(no_content=1.0)
        labels = decide(self.verdict.marginals, self.verdict.table, decision)
        return np.asarray(labels != OTHER)

    @cached_property
    def _most_other(self) -> Floats:
        """(P,) the highest p(other) of the blocks of each page that the expected F keeps."""
        table, highest = self.verdict.table, np.zeros(self.verdict.table.n_pages)
        other = self.verdict.marginals[self._by_f, OTHER]
        np.maximum.at(highest, table.page[self._by_f], other)
        return highest

    @cached_property
    def _last_kept(self) -> Ints:
        """(P,) the last block that is kept of each page, -1 if none is."""
        table, last = self.verdict.table, np.full(self.verdict.table.n_pages, -1)
        kept = np.flatnonzero(self.verdict.kept)
        np.maximum.at(last, table.page[kept], kept)
        return last

    @cached_property
    def _is_doubted(self) -> Bools:
        """(n,) did the page as a whole decide about a block."""
        if self.verdict.method != "expected-f":
            return np.zeros(len(self.verdict.table), dtype=bool)
        return np.asarray(self._by_f != self.verdict.kept)

    @cached_property
    def _kinds(self) -> Sequence[int]:
        assert self.verdict.kinds is not None, "a finished verdict has kinds"
        return [*self.verdict.kinds.tolist()]

    @cached_property
    def _is_listed(self) -> Bools:
        assert self.verdict.block_kinds is not None, "a finished verdict has kinds"
        return self.verdict.block_kinds.in_lists

    @cached_property
    def _selected(self) -> tuple[Bools, Bools]:
        """As `blocks_selected`."""
        verdict = self.verdict
        return blocks_selected(verdict.table, verdict.markups, self.scope)


def _by_rules(word: str, name: str, clues: Sequence[Clue], block: int) -> str:
    """The decision of rules: the steps that they name, or else their numbers with the limits."""
    values = [np.asarray(clue.values)[block].item() for clue in clues]
    said = [value for value in values if isinstance(value, str) and value]
    if not said:
        said = [
            f"{clue.name} {value:.3g}, kept {clue.keeps} {float(clue.limit[block]):.3g}"
            for clue, value in zip(clues, values, strict=True)
            if clue.limit is not None
        ]
    why = "; ".join(said).removeprefix(f"{word.lower()}, ")
    return f"{word} by {name}: {why}." if why else f"{word} by {name}."


def _percent(p: float) -> str:
    """A probability for people; nothing is quite sure."""
    if p >= 0.995:
        return "more than 99 %"
    return f"{100 * p:.0f} %" if p >= 0.01 else "less than 1 %"
