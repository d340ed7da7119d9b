"""`victor compare`: show the text of pages that two systems label differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import click

from victor.api import CleanerSpec
from victor.base.labels import LABEL_NAMES
from victor.cli.cleaner_options import Trusting, system_name
from victor.cli.commands import OneOf, command, option
from victor.cli.messages import (
    LABEL_COLOURS,
    complain,
    finish,
    write,
    write_record,
    write_text,
)
from victor.cli.pages import expand, source
from victor.explain.compare import Difference, Side, compare

Systems = Mapping[str, str]
"""A and B to what they are."""

_NAMES: Final = ("A", "B")
_LABEL: Final = max(map(len, LABEL_NAMES))
_BLOCK: Final = 9
_INDENT: Final = _BLOCK + 2 * (2 + _LABEL + 6) + 2
"""Columns before the text: the block, and of each system the label and the probability."""
_LINES: Final = 3
"""Most lines of a text."""


class _Options(Trusting):
    form: str = option("-f --format", "For people or programs:", OneOf(["text", "json"]), "text")


@command(
    "victor compare default crf page.html",
    "victor compare mine.victor kimatu pages/",
    takes=_Options,
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.argument("pages", nargs=-1, required=True, metavar="[FILE|DIR|URL|-]...")
def compare_command(first: str, second: str, pages: tuple[str, ...], options: _Options) -> None:
    """Show only the text of pages on which labelers A and B differ, and count it.

    A and B are shipped models, paths of models, labelers that need none, or their configurations.
    """
    named = [CleanerSpec.named(name) for name in (first, second)]
    specs = [replace(spec, trust_code=options.trust_code) for spec in named]
    cleaners = [spec.cleaner() for spec in specs]
    systems = {name: system_name(spec) for name, spec in zip(_NAMES, specs, strict=True)}
    as_json = options.form == "json"
    inputs = expand(pages)
    limit = max(cleaner.limits.bytes for cleaner in cleaners)
    failed: Counter[str] = Counter()
    counts = _Counts()
    if not as_json:
        _write_head(systems)
    for page in inputs:
        content = source(page, limit)
        a, b = (next(cleaner.clean_many([content])) for cleaner in cleaners)
        error = a.error or b.error
        if error is not None:
            complain(f"{page.name}: {error}")
            failed[error.reason] += 1
            continue
        differences = compare(a, b)
        counts.add(differences)
        if as_json:
            _write_records(systems, page.name, differences)
        else:
            _write_table(page.name, differences)
    if as_json:
        _write_count_record(systems, counts)
    else:
        _write_counts(counts)
    finish(failed, len(inputs))


@dataclass
class _Counts:
    """Differences and their words, by the labels of A and B."""

    pages: int = 0
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    words: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, differences: Sequence[Difference]) -> None:
        """Count those of a page."""
        self.pages += 1
        for difference in differences:
            self.kinds[difference.kind] += 1
            self.words[difference.kind] += len(difference.text.split())


def _write_records(systems: Systems, page: str, differences: Sequence[Difference]) -> None:
    for each in differences:
        about = {"type": "difference", "page": page, "systems": systems, "text": each.text}
        write_record({**about, "A": each.first, "B": each.second})


def _write_count_record(systems: Systems, counts: _Counts) -> None:
    kinds = [
        {"A": a, "B": b, "differences": n, "words": counts.words[a, b]}
        for (a, b), n in counts.kinds.most_common()
    ]
    about = {"type": "counts", "systems": systems, "pages": counts.pages}
    write_record({**about, "differences": counts.kinds.total(), "kinds": kinds})


def _write_head(systems: Systems) -> None:
    named = ", ".join(f"{name} is {system}" for name, system in systems.items())
    write_text(f"{named}.", bold=True)
    write_text(
        "Below, text that they label differently: its block in A, the label that each gives it "
        "with the probability that it is kept, and the text."
    )


def _write_table(page: str, differences: Sequence[Difference]) -> None:
    if not differences:
        return
    write()
    write_text(page, bold=True)
    sides = "".join(f"  {name:<{_LABEL}} {'keep':>5}" for name in _NAMES)
    write_text("text", start=f"{'block':>{_BLOCK}}{sides}", indent=_INDENT, dim=True)
    for each in differences:
        start = f"{_numbers(each.first):>{_BLOCK}}{_side(each.first)}{_side(each.second)}"
        write_text(each.text, start=start, indent=_INDENT, lines=_LINES)


def _side(side: Side) -> str:
    label = click.style(f"{side.label:<{_LABEL}}", fg=LABEL_COLOURS[side.label])
    return f"  {label} {1 - side.probabilities['other']:.3f}"


def _numbers(side: Side) -> str:
    first, last = side.blocks[0], side.blocks[-1]
    return str(first) if first == last else f"{first}-{last}"


def _write_counts(counts: _Counts) -> None:
    write()
    for (a, b), n in counts.kinds.most_common():
        words = counts.words[a, b]
        write(f"{_many(n, 'block')}, {_many(words, 'word')}: {a} in A, {b} in B")
    total = counts.kinds.total()
    are = "differs" if total == 1 else "differ"
    write(f"{_many(total, 'block')} {are} on {_many(counts.pages, 'page')}")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"
