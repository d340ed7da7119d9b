"""Tables of what came of the zoo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hostile.zoo.judge import OK, OUTCOMES, TYPED, Finding

from zoo.children import Row
from zoo.peers import versions

_FIELDS: Final = 9
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


def read(lines: Iterable[str]) -> Iterator[Row]:
    """Rows of the lines that `tsv` makes; one that was cut off ends them."""
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if len(fields) < _FIELDS or fields[1] == "bytes":
            continue
        name, size, system, step, outcome, detail, seconds, peak, kept = fields
        finding = Finding(outcome, detail)
        is_kept = bool(int(kept)) if kept else None
        yield Row(
            name, int(size), system, step, finding, float(seconds), int(peak), is_kept,
        )  # fmt: skip


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
