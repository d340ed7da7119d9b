"""`victor compare`: show the text of pages that two systems label differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
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

_NAMES: Final = ("A", "B")
_LABEL: Final = max(map(len, LABEL_NAMES))
_BLOCK: Final = 9
_INDENT: Final = _BLOCK + 2 * (2 + _LABEL + 6) + 2
"""Columns before the text: the block, and of each system the label and the probability."""
_LINES: Final = 3
"""Most lines of a text."""
_HEAD: Final = (
    "Below, text that they label differently: its block in A, the label that each gives it "
    "with the probability that it is kept, and the text."
)


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
    kinds: Counter[tuple[str, str]] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    if not as_json:
        said = ", ".join(f"{name} is {system}" for name, system in systems.items())
        write_text(f"{said}.", bold=True)
        write_text(_HEAD)
    for page in inputs:
        content = source(page, limit)
        a, b = (next(cleaner.clean_many([content])) for cleaner in cleaners)
        error = a.error or b.error
        if error is not None:
            complain(f"{page.name}: {error}")
            failed[error.reason] += 1
            continue
        differences = compare(a, b)
        for each in differences:
            kinds[each.kind] += 1
            words[each.kind] += len(each.text.split())
            about = {"type": "difference", "page": page.name, "systems": systems}
            if as_json:
                write_record({**about, "text": each.text, "A": each.first, "B": each.second})
        if differences and not as_json:
            _write_table(page.name, differences)
    n_pages = len(inputs) - failed.total()
    if as_json:
        rows = [
            {"A": a, "B": b, "differences": n, "words": words[a, b]}
            for (a, b), n in kinds.most_common()
        ]
        counts = {"type": "counts", "systems": systems, "pages": n_pages}
        write_record({**counts, "differences": kinds.total(), "kinds": rows})
    else:
        _write_counts(kinds, words, n_pages)
    finish(failed, len(inputs))


def _write_table(page: str, differences: Sequence[Difference]) -> None:
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


def _write_counts(
    kinds: Counter[tuple[str, str]], words: Counter[tuple[str, str]], n_pages: int
) -> None:
    write()
    for (a, b), n in kinds.most_common():
        write(f"{_many(n, 'block')}, {_many(words[a, b], 'word')}: {a} in A, {b} in B")
    are = "differs" if kinds.total() == 1 else "differ"
    write(f"{_many(kinds.total(), 'block')} {are} on {_many(n_pages, 'page')}")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"
