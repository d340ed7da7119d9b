"""Tables of what came of the zoo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from hostile.zoo.judge import OK, OUTCOMES, TYPED

from zoo.children import Row
from zoo.peers import versions

_COLUMNS: Final = tuple(outcome for outcome in OUTCOMES if outcome != OK)


def table(rows: Sequence[Row], systems: Sequence[str]) -> str:
    """One line for each system, in Markdown; outcomes count steps."""
    head = ["system", "inputs", "steps", *("ok", *_COLUMNS), "kept", "dropped", "slowest", "memory"]
    lines = [head, ["---"] * len(head)]
    lines += [_line(system, [row for row in rows if row.system == system]) for system in systems]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    inputs = len({row.input for row in rows})
    largest = max((row.bytes for row in rows), default=0)
    about = f"{inputs} inputs of up to {largest:,} bytes; {versions(systems)}"
    return f"{text}\n\n{about}\n{_reasons(rows)}"


def _line(system: str, rows: Sequence[Row]) -> list[str]:
    counts = Counter(row.finding.outcome for row in rows)
    kept = Counter(row.kept for row in rows)
    slowest = max(rows, key=lambda row: row.seconds, default=None)
    largest = max((row.peak for row in rows), default=0)
    return [
        system,
        str(len({row.input for row in rows})),
        str(len(rows)),
        *(str(counts[outcome]) for outcome in (OK, *_COLUMNS)),
        str(kept[True]),
        str(kept[False]),
        f"{slowest.seconds:.1f} s {slowest.input} {slowest.step}" if slowest else "",
        f"{largest / 1e6:,.0f} MB",
    ]


def _reasons(rows: Sequence[Row]) -> str:
    typed = Counter(
        f"{row.system} {row.finding.detail}" for row in rows if row.finding.outcome == TYPED
    )
    return "typed: " + ", ".join(f"{name} {count}" for name, count in sorted(typed.items()))


def failures(rows: Sequence[Row]) -> str:
    """A line for every failure."""
    return "\n".join(
        f"{row.input}  {row.system}  {row.step}  {row.finding.outcome}  {row.finding.detail}"
        for row in rows
        if row.finding.failed
    )


def tsv(rows: Sequence[Row], *, head: bool) -> Iterator[str]:
    """Rows as lines, below the names of the columns if they are the first."""
    if head:
        yield "input\tbytes\tsystem\tstep\toutcome\tdetail\tseconds\tpeak\tkept\n"
    for row in rows:
        detail = " ".join(row.finding.detail.split())
        kept = "" if row.kept is None else str(int(row.kept))
        yield (
            f"{row.input}\t{row.bytes}\t{row.system}\t{row.step}\t{row.finding.outcome}\t{detail}\t"
            f"{row.seconds}\t{row.peak}\t{kept}\n"
        )
