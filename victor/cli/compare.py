"""`victor compare`: show the text of pages that two systems label differently."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import click

from victor.api import CleanerSpec
from victor.base.labels import LABEL_NAMES
from victor.cli.commands import Command
from victor.cli.explained_records import difference_record
from victor.cli.inputs import Input, expand, source
from victor.cli.messages import complain, finish
from victor.cli.screen import LABEL_COLOURS, Screen, system_name, write_record
from victor.cli.system_options import trust_code_option
from victor.explain.compare import Difference, Side, compare

_NAMES: Final = ("A", "B")
_LABEL: Final = max(map(len, LABEL_NAMES))
_BLOCK: Final = 9
_INDENT: Final = _BLOCK + 2 * (2 + _LABEL + 6) + 2
"""Columns before the text: the block, and of each system the label and the probability."""
_LINES: Final = 3
"""Most lines of a text."""


@click.command(
    name="compare",
    cls=Command,
    examples=(
        "victor compare default crf page.html",
        "victor compare mine.victor kimatu pages/",
    ),
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.argument("pages", nargs=-1, required=True, metavar="[FILE|DIR|URL|-]...")
@trust_code_option
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="For people, or lines of JSON.")  # fmt: skip
def command(
    first: str,
    second: str,
    pages: tuple[str, ...],
    *,
    trust_code: bool,
    form: Literal["text", "json"],
) -> None:
    """Show only the text of pages on which labelers A and B differ, and count it.

    A and B are shipped models, paths of models, or labelers that need none.
    """
    specs = [replace(CleanerSpec.named(name), trust_code=trust_code) for name in (first, second)]
    cleaners = [spec.cleaner() for spec in specs]
    systems = (system_name(specs[0]), system_name(specs[1]))
    show = _AsJson(systems) if form == "json" else _OnScreen(systems)
    inputs = [page for name in pages for page in expand(name)]
    limit = max(cleaner.limits.bytes for cleaner in cleaners)
    failed: Counter[str] = Counter()
    counts = _Counts()
    show.head()
    for page in inputs:
        content = source(page, limit)
        a, b = (next(cleaner.clean_many([content])) for cleaner in cleaners)
        error = a.error or b.error
        if error is not None:
            complain(f"{page.name}: {error}")
            failed[error.reason] += 1
            continue
        differences = compare(a, b)
        show.page(page, differences)
        counts.add(differences)
    show.counts(counts)
    finish(failed, len(inputs))


@dataclass
class _Counts:
    """Differences and their words, by the labels of A and B."""

    pages: int = 0
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    words: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, differences: list[Difference]) -> None:
        """Count those of a page."""
        self.pages += 1
        for difference in differences:
            self.kinds[difference.kind] += 1
            self.words[difference.kind] += len(difference.text.split())


class _AsJson:
    """A line for every difference, and one for the counts."""

    def __init__(self, systems: tuple[str, str]) -> None:
        self._systems = dict(zip(_NAMES, systems, strict=True))

    def head(self) -> None:
        """Every line says what it is of."""

    def page(self, page: Input, differences: list[Difference]) -> None:
        for difference in differences:
            about = {"type": "difference", "page": page.name, "systems": self._systems}
            write_record({**about, **difference_record(difference)})

    def counts(self, counts: _Counts) -> None:
        kinds: list[dict[str, Any]] = [
            {"A": a, "B": b, "differences": n, "words": counts.words[a, b]}
            for (a, b), n in counts.kinds.most_common()
        ]
        about = {"type": "counts", "systems": self._systems, "pages": counts.pages}
        write_record({**about, "differences": counts.kinds.total(), "kinds": kinds})


class _OnScreen:
    """A table for every page that has differences, and the counts."""

    def __init__(self, systems: tuple[str, str]) -> None:
        self._systems = systems
        self._screen = Screen.stdout()

    def head(self) -> None:
        named = ", ".join(
            f"{name} is {system}" for name, system in zip(_NAMES, self._systems, strict=True)
        )
        self._screen.text(f"{named}.", bold=True)
        self._screen.text(
            "Below, text that they label differently: its block in A, the label that each gives it "
            "with the probability that it is kept, and the text."
        )

    def page(self, page: Input, differences: list[Difference]) -> None:
        if not differences:
            return
        screen = self._screen
        screen.write()
        screen.text(page.name, bold=True)
        sides = "".join(f"  {name:<{_LABEL}} {'keep':>5}" for name in _NAMES)
        screen.row(f"{'block':>{_BLOCK}}{sides}", _INDENT, "text", dim=True)
        for difference in differences:
            a, b = difference.first, difference.second
            start = f"{_numbers(a):>{_BLOCK}}{self._side(a)}{self._side(b)}"
            screen.row(start, _INDENT, difference.text, lines=_LINES)

    def _side(self, side: Side) -> str:
        label = self._screen.styled(f"{side.label:<{_LABEL}}", fg=LABEL_COLOURS[side.label])
        return f"  {label} {1 - side.marginals['other']:.3f}"

    def counts(self, counts: _Counts) -> None:
        screen = self._screen
        screen.write()
        for (a, b), n in counts.kinds.most_common():
            words = counts.words[a, b]
            screen.write(f"{_many(n, 'block')}, {_many(words, 'word')}: {a} in A, {b} in B")
        total = counts.kinds.total()
        are = "differs" if total == 1 else "differ"
        screen.write(f"{_many(total, 'block')} {are} on {_many(counts.pages, 'page')}")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


def _numbers(side: Side) -> str:
    first, last = side.blocks[0], side.blocks[-1]
    return str(first) if first == last else f"{first}-{last}"
