"""`victor compare`: show the blocks that two systems label differently."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import click

from victor.api import CleanerSpec
from victor.cli.feature_files import feature_files_option
from victor.cli.helping import Command
from victor.cli.inputs import Input, expand, source
from victor.cli.messages import complain, finish, one_line
from victor.explain.compare import Difference, Side, compare
from victor.labels import LABEL_NAMES


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
@feature_files_option
def command(
    first: str, second: str, pages: tuple[str, ...], *, feature_files: tuple[str, ...]
) -> None:
    """Show only the blocks of pages on which systems A and B differ, and count them.

    A and B are shipped models, paths of models, or labelers that need none. Each line
    tells the label and the probability of being kept that A and B give, the number of the block,
    and the text.
    """
    cleaners = [
        replace(CleanerSpec.named(name), feature_files=feature_files).cleaner()
        for name in (first, second)
    ]
    inputs = [page for name in pages for page in expand(name)]
    limit = max(cleaner.limits.bytes for cleaner in cleaners)
    failed: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    for page in inputs:
        content = source(page, limit)
        a, b = (next(cleaner.clean_many([content])) for cleaner in cleaners)
        error = a.error or b.error
        if error is not None:
            complain(f"{page.name}: {error}")
            failed[error.reason] += 1
            continue
        differences = compare(a, b)
        _show(page, differences)
        kinds.update(difference.kind for difference in differences)
        for difference in differences:
            words[difference.kind] += len(difference.text.split())
    _summarise(kinds, words, len(inputs) - failed.total())
    finish(failed, len(inputs))


def _show(page: Input, differences: list[Difference]) -> None:
    """Print the differences of one page below its name; nothing if there are none."""
    if differences:
        click.echo(page.name.encode(errors="replace"))
    for difference in differences:
        a, b = difference.first, difference.second
        line = f"  {_side(a)}  {_side(b)}  {_numbers(a):>4}  {one_line(difference.text)}"
        click.echo(line.encode())


def _side(side: Side) -> str:
    width = max(map(len, LABEL_NAMES))
    return f"{side.label:<{width}} {1 - side.marginals['other']:.3f}"


def _numbers(side: Side) -> str:
    first, last = side.blocks[0], side.blocks[-1]
    return str(first) if first == last else f"{first}-{last}"


def _summarise(
    kinds: Counter[tuple[str, str]], words: Counter[tuple[str, str]], n_pages: int
) -> None:
    for (a, b), n in kinds.most_common():
        click.echo(f"{n} blocks, {words[a, b]} words: {a} in A, {b} in B")
    click.echo(f"{kinds.total()} blocks differ on {n_pages} pages")
