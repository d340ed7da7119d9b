"""The blocks of a page and why they were kept or dropped, for people or as lines of JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from victor.api import Block, Cleaner, CleanerSpec, Result
from victor.base.errors import ConfigError
from victor.base.labels import OTHER
from victor.cli.explained_records import block_record
from victor.cli.inputs import cleaned
from victor.cli.messages import complain
from victor.cli.screen import INDENT, LABEL_COLOURS, Screen, cut, system_name, tame, write_record
from victor.explain import Finding, Group, Grouped, Part, Sentence, Why, sentences, why
from victor.explain.groups import least_sure
from victor.model.decide import Decision
from victor.page.verdict.verdict import KEPT, Verdict

_FEW: Final = 8
"""Decisions of a page that have a line by default."""
_OVERRULED: Final = 3
"""Of these, decisions that were not the labeler's."""
_MOST_FOUND: Final = 20
"""Blocks that words on the command line may name."""
_NAMED: Final = 3
"""Reasons that the summary counts."""
_BEGINNING: Final = 26
"""Columns of the text of a block beside its sentence."""
_GROUPS: Final = 6
"""Groups of a block whose parts are shown."""
_TEXT_LINES: Final = 2
_MORE: Final = (
    "More: --block N, or words of a block, for everything about it; --all for all blocks."
)
_OF_SCORES: Final = (
    "Scores are log-odds: above 0 they speak for keeping, +1 makes it 2.7 times as likely, +3 20 "
    "times. The groups add up to the score of the block."
)
_OVERRULED_BY: Final = {
    "scope": "left out by the scope",
    "whole": "part of a table, list or code that goes",
    "page": "on a page without content",
}
_NUMBER: Final = re.compile(r"(?<!<h)\d[\d,]*")
"""What differs between blocks with the same reason; <h1> is no number."""


class Chosen(NamedTuple):
    """What is shown of a page: the options of the command."""

    blocks: Sequence[str]
    all_: bool
    top: int
    form: str
    file: Path | None


def explain_page(name: str, spec: CleanerSpec, cleaner: Cleaner, chosen: Chosen) -> None:
    """Write why blocks of a page were kept or dropped, or the file that shows it of all.

    Raises:
        ConfigError: the name is that of several pages, or there is no such block.
    """
    _, result = cleaned(name, cleaner)
    if not result.blocks:
        complain(f"{name}: the page has no text")
    page = _Page(name, system_name(spec), cleaner, result)
    if chosen.file is not None:
        html = result.demo(title=f"{name} · {page.system}")
        chosen.file.write_text(html, encoding="utf-8")
    if result.blocks and (chosen.file is None or chosen.blocks or chosen.all_):
        page.write(chosen)


class _Page(NamedTuple):
    """A page that was cleaned, and by what."""

    name: str
    system: str
    cleaner: Cleaner
    result: Result

    @property
    def _verdict(self) -> Verdict:
        """On the page alone."""
        assert self.result.in_batch is not None, "a page without an error has a verdict"
        return self.result.in_batch[0]

    @property
    def decision(self) -> Decision:
        """How labels were chosen."""
        return self.cleaner.decision or self.cleaner.labeler.decision

    def sentences(self, numbers: Sequence[int]) -> list[Sentence]:
        """What is said of blocks."""
        cleaner = self.cleaner
        return sentences(cleaner.labeler, self._verdict, cleaner.scope, cleaner.decision, numbers)

    def write(self, chosen: Chosen) -> None:
        """The chosen blocks with all reasons, or the summary of the page."""
        blocks = self.result.blocks
        everything = range(len(blocks))
        if chosen.form == "json":
            self._write_records(_named(chosen.blocks, blocks) or everything, chosen.top)
            return
        screen = Screen.stdout()
        if chosen.blocks or chosen.all_:
            self._write_blocks(screen, _named(chosen.blocks, blocks) or everything, chosen.top)
        else:
            self._write_summary(screen, self.sentences(everything))

    def _write_records(self, numbers: Sequence[int], top: int) -> None:
        about = {"page": self.name, "system": self.system, "decision": _data(self.decision)}
        reasons = why(self.cleaner.labeler, self._verdict.table, numbers, top)
        for sentence, each in zip(self.sentences(numbers), reasons, strict=True):
            block = self.result.blocks[sentence.block]
            write_record({**about, **block_record(block, sentence, each)})

    def _write_summary(self, screen: Screen, said: Sequence[Sentence]) -> None:
        """How much was kept, why most was dropped, the threshold, and the least sure decisions."""
        self._write_title(screen)
        verdict, blocks = self._verdict, self.result.blocks
        n_kept, n_words = int(verdict.kept.sum()), int(verdict.table.words.sum())
        screen.text(
            f"Kept {n_kept} of {len(blocks)} blocks ({verdict.n_words(0):,} of {n_words:,} words), "
            f"dropped {len(blocks) - n_kept}."
        )
        reasons = _counted(s for s in said if not blocks[s.block].kept)
        if reasons:
            screen.text(f"Dropped most often: {reasons}.")
        screen.text(self._threshold())
        chosen = _telling(verdict, said)
        if len(chosen) < len(said):
            screen.text(f"Below are the {len(chosen)} least certain decisions. {_MORE}")
        screen.write()
        for sentence in chosen:
            _write_sentence(screen, blocks[sentence.block], sentence)

    def _write_title(self, screen: Screen) -> None:
        screen.text(f"{tame(self.name)}, by {self.system}", bold=True)
        recovered = self.result.metadata.get("recovered")
        if recovered:
            screen.text(f"The page has next to no text; these are the blocks of its {recovered}.")

    def _threshold(self) -> str:
        """How labels were chosen, in a sentence."""
        meaning = "p(other), the probability that a block is boilerplate,"
        decision = self.decision
        if decision.method == "threshold":
            return f"Threshold {decision.threshold:g}: blocks are kept if {meaning} is below it."
        if decision.method == "viterbi":
            return "No threshold: the labels are the most probable sequence (viterbi)."
        blocks = self.result.blocks
        kept = [block.marginals["other"] for block in blocks if block.reason == KEPT]
        if not kept:
            return "No fixed threshold (expected-f): nothing of this page is kept."
        return (
            f"No fixed threshold (expected-f): this page keeps blocks if {meaning} is at most "
            f"{max(kept):.2f}."
        )

    def _write_blocks(self, screen: Screen, numbers: Sequence[int], top: int) -> None:
        """Blocks with all that spoke for and against them."""
        self._write_title(screen)
        screen.text(self._threshold())
        reasons = why(self.cleaner.labeler, self._verdict.table, numbers, top)
        if any(each.grouped for each in reasons):
            screen.text(_OF_SCORES)
        for sentence, each in zip(self.sentences(numbers), reasons, strict=True):
            screen.write()
            _write_block(screen, self.result.blocks[sentence.block], sentence, each)


def _named(wanted: Sequence[str], blocks: Sequence[Block]) -> list[int]:
    """The blocks that are named by their numbers or by words in them.

    Raises:
        ConfigError: there is none, or words name too many.
    """
    return sorted({number for words in wanted for number in _found(words, blocks)})


def _found(words: str, blocks: Sequence[Block]) -> list[int]:
    if words.isdecimal() and int(words) < len(blocks):
        return [int(words)]
    wanted = tame(words).casefold()
    found = [block.number for block in blocks if wanted in tame(block.text).casefold()]
    if len(found) > _MOST_FOUND:
        raise ConfigError(f"{len(found)} blocks hold {words!r}: give more words, or a number")
    if found:
        return found
    if words.isdecimal():
        raise ConfigError(f"no block {words}: the page has {len(blocks)} blocks, numbered from 0")
    raise ConfigError(f"no block holds {words!r}: --block takes a number, or words of the block")


def _telling(verdict: Verdict, said: Sequence[Sentence]) -> list[Sentence]:
    """The least certain decisions, among them a few that the labeler did not make."""
    other = verdict.marginals[:, OTHER]
    overruled = np.array([s.block for s in said if s.decided_by != "labeler"], dtype=np.int64)
    chosen = {*overruled[least_sure(other[overruled], _OVERRULED)].tolist()}
    for block in np.argsort(np.abs(other - 0.5), kind="stable").tolist():
        if len(chosen) < _FEW:
            chosen.add(block)
    return [said[block] for block in sorted(chosen)]


def _counted(dropped: Iterable[Sentence]) -> str:
    """The reasons that most often stand first in sentences, with the number of blocks."""
    counts = Counter[str]()
    for sentence in dropped:
        reasons = sentence.sides.to_drop
        if sentence.decided_by != "labeler":
            counts[_OVERRULED_BY.get(sentence.decided_by, "no text")] += 1
        elif reasons:
            counts[_NUMBER.sub("…", reasons[0].words)] += 1
    return ", ".join(f"{words} ({n})" for words, n in counts.most_common(_NAMED))


def _data(decision: Decision) -> dict[str, Any]:
    limit = {"threshold": decision.threshold} if decision.method == "threshold" else {}
    return {"method": decision.method, **limit}


# --- a block for people --------------------------------------------------------------------------


def _write_sentence(screen: Screen, block: Block, sentence: Sentence) -> None:
    """A block and its sentence, beside each other."""
    beginning = cut(block.text, _BEGINNING)
    screen.row(f"{block.number:>5}  {beginning}", _BEGINNING + 9, sentence.text, lines=4)


def _write_block(screen: Screen, block: Block, sentence: Sentence, reasons: Why) -> None:
    label = screen.styled(block.label, fg=LABEL_COLOURS[block.label], bold=True)
    shares = ", ".join(f"{name} {p:.3f}" for name, p in block.marginals.items())
    number = screen.styled(f"block {block.number}", bold=True)
    screen.write(f"{number}  {label}  ({shares})")
    screen.text(sentence.text, indent=2)
    screen.text(block.text, indent=2, lines=_TEXT_LINES, italic=True)
    if reasons.grouped is not None:
        _write_groups(screen, reasons.grouped)
    for finding in reasons.findings:
        _write_finding(screen, finding)


def _write_groups(screen: Screen, grouped: Grouped) -> None:
    """All groups, those that say most with their strongest parts."""
    screen.write(f"  {grouped.log_odds:+7.2f}  score as {grouped.label.lower_name}")
    largest = max((abs(group.weight) for group in grouped.groups), default=0.0)
    for rank, group in enumerate(grouped.groups):
        bar = screen.signed_bar(group.weight, largest)
        screen.row(f"  {group.weight:+7.2f}  {bar}", INDENT, group.name, bold=True)
        if rank < _GROUPS and (group.module or len(group.parts) > 1):
            _write_parts(screen, group)


def _write_parts(screen: Screen, group: Group) -> None:
    """The strongest parts of a group, and what the others say together."""
    for part in group.parts:
        screen.row(f"{part.weight:+{INDENT - 2}.2f}", INDENT, _words(part))
    if group.n_more:
        smaller = f"{group.n_more} smaller one{'s' * (group.n_more > 1)}"
        screen.row(f"{group.more:+{INDENT - 2}.2f}", INDENT, smaller, dim=True)


def _words(part: Part) -> str:
    whose = f", {part.where}" if part.where else ""
    return f"{part.meaning}{whose}" + (f": {part.value}" if part.value else "")


def _write_finding(screen: Screen, finding: Finding) -> None:
    """A number with its bar, or a step; what is empty says nothing."""
    if isinstance(finding.value, bool):
        screen.row("", INDENT, f"{finding.meaning}: {'yes' if finding.value else 'no'}")
    elif isinstance(finding.value, str):
        if finding.value:
            screen.row("", INDENT, f"{finding.name}: {finding.value}")
    else:
        limit = "" if finding.limit is None else f", kept {finding.keeps} {finding.limit:.3g}"
        bar = screen.styled(screen.bar(finding.value, finding.largest), fg="blue")
        start = f"  {finding.value:>7.3g}  {bar}"
        screen.row(start, INDENT, f"{finding.name}{limit} ({finding.meaning})")
