"""The blocks of a page and why they have their labels, for people or as lines of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from victor.api import Block, Cleaner, CleanerSpec, Result
from victor.base.errors import ConfigError
from victor.base.labels import LABEL_NAMES, Label
from victor.cli.explained_records import block_record
from victor.cli.inputs import cleaned
from victor.cli.messages import complain
from victor.cli.screen import INDENT, LABEL_COLOURS, Screen, system_name, tame, write_record
from victor.explain import Finding, Group, Grouped, Part, Why, why
from victor.explain.groups import least_sure
from victor.model.decide import Decision
from victor.page.verdict.verdict import BY_SCOPE, BY_UNIT, COPY, DATA, LABEL, Verdict

_FEW: Final = 5
"""Blocks of a page that are shown by default."""
_GROUPS: Final = 6
"""Groups of a block with a row of their own."""
_LEAST_SURE: Final = f" The {_FEW} least sure follow; --all shows all, --block N one."
_TEXT_LINES: Final = 2
_LITTLE: Final = 0.05
"""Groups that weigh less are counted."""
_OTHERS: Final = "others  "
_OTHERS_LINES: Final = 12
_OF_PART: Final = {
    BY_UNIT: "with the table or code it is part of",
    BY_SCOPE: "by the scope",
    DATA: "as JSON",
    COPY: "as a copy of the rest",
    LABEL: "as a label of code",
}


class Chosen(NamedTuple):
    """What is shown of a page: the options of the command."""

    blocks: Sequence[int]
    all_: bool
    top: int
    form: str
    file: Path | None


def explain_page(name: str, spec: CleanerSpec, chosen: Chosen) -> None:
    """Write why blocks of a page have their labels, or the file that shows it of all.

    Raises:
        ConfigError: the name is that of several pages, or there is no such block.
    """
    cleaner = spec.cleaner()
    _, result = cleaned(name, cleaner)
    if not result.blocks:
        complain(f"{name}: the page has no text")
    page = _Page(name, system_name(spec), cleaner, result)
    if chosen.file is not None:
        html = result.demo(title=f"{name} · {page.system}")
        chosen.file.write_text(html, encoding="utf-8")
    if chosen.file is None or chosen.blocks or chosen.all_:
        page.write_blocks(chosen)


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

    def write_blocks(self, chosen: Chosen) -> None:
        """The chosen blocks."""
        as_json = chosen.form == "json"
        blocks = self.result.blocks
        numbers = sorted({*chosen.blocks}) or self._least_sure(all_=chosen.all_ or as_json)
        for number in numbers:
            if number >= len(blocks):
                raise ConfigError(
                    f"no block {number}: the page has {len(blocks)} blocks, numbered from 0"
                )
        reasons = why(self.cleaner.labeler, self._verdict.table, numbers, chosen.top)
        if as_json:
            about = {"page": self.name, "system": self.system, "decision": _data(self.decision)}
            for number, each in zip(numbers, reasons, strict=True):
                write_record({**about, **block_record(blocks[number], each)})
            return
        screen = Screen.stdout()
        is_choice = not (chosen.blocks or len(numbers) == len(blocks))
        self._write_head(screen, reasons, _LEAST_SURE if is_choice else "")
        for number, each in zip(numbers, reasons, strict=True):
            _write_block(screen, blocks[number], each)

    def _least_sure(self, *, all_: bool) -> list[int]:
        """All blocks, or those whose labels are the least certain, in the order of the page."""
        other = self.result.marginals[:, Label.OTHER]
        if all_ or len(other) <= _FEW:
            return list(range(len(other)))
        return least_sure(other, _FEW)

    def _write_head(self, screen: Screen, reasons: Sequence[Why], which: str) -> None:
        """What is shown, and how to read it."""
        if not self.result.blocks:
            return
        screen.text(f"{tame(self.name)}, by {self.system}", bold=True)
        recovered = self.result.metadata.get("recovered")
        if recovered:
            screen.text(f"The page has next to no text; these are the blocks of its {recovered}.")
        screen.text(self._decision())
        counts = Counter(block.label for block in self.result.blocks)
        total = ", ".join(f"{counts[name]} {name}" for name in LABEL_NAMES)
        screen.text(f"{len(self.result.blocks)} blocks: {total}.{which}")
        if any(each.grouped for each in reasons):
            screen.text(
                "Numbers are log-odds: above 0 they speak for the label, +1 makes it 2.7 times as "
                "likely, +3 20 times; those of the groups add up to that of the block."
            )
        screen.write()

    def _decision(self) -> str:
        """How labels were chosen, in a sentence."""
        decision = self.decision
        if decision.method == "threshold":
            return f"Blocks are kept whose p(keep) is above {1 - decision.threshold:g}."
        if decision.method == "viterbi":
            return "The labels are the most probable sequence (viterbi), whatever p(keep) is."
        start = "Blocks are kept that make the expected F of the page the best (expected-f)"
        kept = [_keep(block) for block in self.result.blocks if block.kept and not _is_part(block)]
        if not kept:
            return f"{start}: here none."
        return f"{start}: here those of a p(keep) of {min(kept):.3f} or more."


def _data(decision: Decision) -> dict[str, Any]:
    limit = {"threshold": decision.threshold} if decision.method == "threshold" else {}
    return {"method": decision.method, **limit}


def _keep(block: Block) -> float:
    return 1 - block.marginals["other"]


def _is_part(block: Block) -> bool:
    """Did something else than the probability of the block decide."""
    return block.reason in _OF_PART


# --- a block for people --------------------------------------------------------------------------


def _write_block(screen: Screen, block: Block, reasons: Why) -> None:
    label = screen.styled(block.label, fg=LABEL_COLOURS[block.label], bold=True)
    shares = ", ".join(f"{name} {p:.3f}" for name, p in block.marginals.items())
    number = screen.styled(f"block {block.number}", bold=True)
    screen.write(f"{number}  {label}  p(keep) {_keep(block):.3f}  ({shares})")
    if _is_part(block):
        screen.text(f"{'kept' if block.kept else 'dropped'} {_OF_PART[block.reason]}", indent=2)
    screen.text(block.text, indent=2, lines=_TEXT_LINES, italic=True)
    if reasons.grouped is not None:
        _write_groups(screen, reasons.grouped)
    for finding in reasons.findings:
        _write_finding(screen, finding)
    screen.write()


def _write_groups(screen: Screen, grouped: Grouped) -> None:
    """The groups that say most, each with its strongest parts; all others by name."""
    head = f"{grouped.label.lower_name} against {grouped.against.lower_name}"
    screen.write(f"  {grouped.log_odds:+7.2f}  {head}")
    groups = grouped.groups
    largest = max((abs(group.weight) for group in groups), default=0.0)
    for group in groups[:_GROUPS]:
        bar = screen.signed_bar(group.weight, largest)
        screen.row(f"  {group.weight:+7.2f}  {bar}", INDENT, group.name, bold=True)
        if group.module or group.n_more or len(group.parts) > 1:
            _write_parts(screen, group)
    _write_others(screen, groups[_GROUPS:])


def _write_others(screen: Screen, groups: Sequence[Group]) -> None:
    """Groups that say less, so that no sum hides them."""
    loud = [group for group in groups if abs(group.weight) >= _LITTLE]
    words = [f"{group.name} {group.weight:+.2f}" for group in loud]
    if len(loud) < len(groups):
        rest = sum(group.weight for group in groups) - sum(group.weight for group in loud)
        words.append(f"{len(groups) - len(loud)} more {rest:+.2f}")
    if words:
        start = " " * (INDENT - len(_OTHERS)) + _OTHERS
        screen.row(start, INDENT, ", ".join(words), lines=_OTHERS_LINES)


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
