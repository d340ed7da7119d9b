"""One sentence for the decision about every block.

*Dropped, 84 % sure, most of all for its words (words in the block: 2) and its place on the page.*
The two groups of contributions are named that speak most for the decision
(`victor.explain.groups`), and of the first the column that says most. Where something else than the
probability of the block decided, the sentence says what: the scope, the table or list around it,
the whole page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np

from victor.base.arrays import Bools, Floats
from victor.base.labels import KIND_NAMES, OTHER
from victor.base.lazy import cached_property
from victor.config.schema import Decision, Scope
from victor.explain.contributions import Explanation, explain
from victor.explain.groups import EVERY_BLOCK, Finding, group_of, in_words, meaning_of, why
from victor.kinds.scope import blocks_selected
from victor.labelers.crf import CrfLabeler
from victor.labelers.labeler import Labeler
from victor.model.decide import decide
from victor.page.verdict.verdict import BY_SCOPE, BY_UNIT, COPY, Verdict

_EVEN: Final = 0.5
_TOLD: Final = 2  # groups that a sentence names


class Sentence(NamedTuple):
    """The decision about a block in words."""

    block: int  # number in the table
    text: str
    decided_by: str
    """``labeler``, or what changed its decision: ``scope``, ``whole``, ``copy``, or the
    whole ``page``."""
    groups: tuple[str, ...] = ()  # titles of the groups that it names, the one that says most first


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
        verdict: with whole units and in scope (`victor.kinds.finish.finish`).
        scope: which parts of the pages were kept.
        decision: how labels were chosen; None for how the labeler is configured.
        blocks: numbers of blocks of the table; None for all.

    Raises:
        ConfigError: the model reads no column.
    """
    numbers = list(range(len(verdict.table)) if blocks is None else blocks)
    decided = _Decided(labeler, verdict, scope, decision or labeler.decision)
    told = {block: sentence for block in numbers if (sentence := decided.otherwise(block))}
    by_labeler = [block for block in numbers if block not in told]
    if isinstance(labeler, CrfLabeler):
        explanation = explain(labeler.model, verdict.table, trust_code=labeler.trust_code)
        strongest = _Strongest.of(explanation, verdict.kept)
        for block in by_labeler:
            told[block] = decided.by_model(block, strongest.groups(block), strongest.words(block))
    else:
        for each in why(labeler, verdict.table, by_labeler):
            told[each.block] = decided.by_rules(each.block, each.findings)
    return [told[block] for block in numbers]


@dataclass(frozen=True, eq=False)
class _Decided:
    """What decided about blocks; the arguments of `sentences`."""

    labeler: Labeler
    verdict: Verdict
    scope: Scope
    decision: Decision

    def by_model(self, block: int, groups: tuple[str, ...], because: str) -> Sentence:
        text = f"{self._word(block)}, {self._sure(block)}, {because}."
        return Sentence(block, text, "labeler", groups)

    def by_rules(self, block: int, findings: Sequence[Finding]) -> Sentence:
        """The steps that rules name, or else their numbers with the limits."""
        word = self._word(block)
        steps = [each.value for each in findings if isinstance(each.value, str) and each.value]
        said = steps or [each.words for each in findings if each.limit is not None]
        because = "; ".join(said).removeprefix(word.lower()).removeprefix(", ")
        text = f"{word} by {self.labeler.name}{f': {because}' if because else ''}."
        return Sentence(block, text, "labeler")

    def otherwise(self, block: int) -> Sentence | None:
        reason, word = self._reasons[block], self._word(block)
        if reason == BY_SCOPE:
            said = f"{word} by {self._chooser(block)}{self._alone(block)}."
        elif reason == BY_UNIT:
            unit = "table, list, code or formula"
            said = f"{word} whole with the {unit} that it is part of{self._alone(block)}."
        elif reason == COPY and not self.verdict.kept[block]:
            said = f"{word}: it also stands elsewhere on the page{self._alone(block)}."
        elif self._is_doubted[block]:
            reason = "page"
            few = "has so few blocks that all stay but those that are surely boilerplate"
            page = few if self.verdict.kept[block] else "seems to have no content"
            said = f"{word} with the whole page, which {page}."
        else:
            return None
        return Sentence(block, said, reason)

    def _sure(self, block: int) -> str:
        """How sure the model is of its decision; if less than half, which rule decided."""
        p = self._p(block)
        sure = f"{_percent(p)} sure"
        return sure if p >= _EVEN else f"though only {sure} (decided by {self.decision.method})"

    def _alone(self, block: int) -> str:
        """How sure the labeler is of the opposite, if it is."""
        p = 1 - self._p(block)
        name = "model" if self.verdict.by_model else f"labeler {self.labeler.name}"
        return f"; the {name} alone is {_percent(p)} sure of the opposite" if p >= _EVEN else ""

    def _chooser(self, block: int) -> str:
        kept = bool(self.verdict.kept[block])
        if self._selected[not kept][block]:
            return f"your selectors (--{'keep' if kept else 'drop'})"
        assert self.verdict.kinds is not None, "a finished verdict has kinds"
        kind = KIND_NAMES[self.verdict.kinds[block]]
        return f"the scope {self.scope.name} (kind: {kind})"

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
    def _selected(self) -> tuple[Bools, Bools]:
        return blocks_selected(self.verdict.table, self.verdict.markups, self.scope)

    @cached_property
    def _is_doubted(self) -> Bools:
        """(n,) did the page as a whole decide about a block."""
        if self.verdict.method != "expected-f":
            return np.zeros(len(self.verdict.table), dtype=bool)
        decision = self.decision.replace(no_content=1.0)
        labels = decide(self.verdict.marginals, self.verdict.table, decision)
        return np.asarray((labels != OTHER) != self.verdict.kept)


@dataclass(frozen=True, eq=False)
class _Strongest:
    """The groups that say most for the sides of n blocks."""

    explanation: Explanation
    weights: Floats  # (n, M) what every term adds to the log-odds of the side
    members: Mapping[str, list[int]]  # the terms of each group, by its title
    sums: Floats  # (n, groups) the weights of each group

    @classmethod
    def of(cls, explanation: Explanation, kept: Bools) -> Self:
        weights = explanation.contributions() * np.where(kept, 1.0, -1.0)[:, None]
        members: dict[str, list[int]] = defaultdict(list)
        for term, (name, columns) in enumerate(
            zip(explanation.names, explanation.inputs, strict=True)
        ):
            title, _ = group_of(name, columns, explanation.features)
            if title != EVERY_BLOCK:  # which says nothing of the block
                members[title].append(term)
        sums = [weights[:, terms].sum(axis=1) for terms in members.values()]
        return cls(explanation, weights, members, np.stack(sums, axis=1))

    def groups(self, block: int) -> tuple[str, ...]:
        """Titles of the groups that say most for a block, the first of them most."""
        titles, sums = list(self.members), self.sums[block]
        order = np.argsort(-sums, kind="stable")[:_TOLD].tolist()
        return tuple(titles[number] for number in order if sums[number] > 0)

    def words(self, block: int) -> str:
        """E.g. ``most of all for its words (words in the block: 2) and its place on the page``."""
        titles = [*self.groups(block)]
        if not titles:
            return "though nothing that the model reads of it speaks for that"
        for number, title in enumerate(titles):
            measured = self._measured(block, title)
            if measured:
                titles[number] = f"{title} ({measured})"
                break
        return f"most of all for {' and '.join(titles)}"

    def _measured(self, block: int, title: str) -> str:
        """The column of a group that says most for a block, with its value; empty without one."""
        terms = self.members[title]
        term = terms[int(self.weights[block, terms].argmax())]
        columns = self.explanation.inputs[term]
        if not columns:
            return ""
        meaning, whose = meaning_of(columns, self.explanation.features)
        return in_words(meaning, whose, self.explanation.nodes.value(term, block).shown)


def _percent(p: float) -> str:
    """A probability for people; nothing is quite sure."""
    if p >= 0.995:
        return "more than 99 %"
    return f"{100 * p:.0f} %" if p >= 0.01 else "less than 1 %"
