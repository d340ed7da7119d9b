"""`victor annotate export|import|check|stats|agree`: import, export and statistics.

The commands are those of the group in `victor.cli.annotate`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from victor.base.errors import ConfigError, CorpusError
from victor.cli.commands import Command
from victor.cli.messages import complain, finish

if TYPE_CHECKING:
    from victor.annotate.store.store import Store

_WRITTEN: Final = ("corpus", "html", "cleaneval", "jsonl")
_READ: Final = (*_WRITTEN, "gold")

store_option = click.option(
    "-s", "--store", "store_file", type=click.Path(dir_okay=False, path_type=Path),
    default="annotations.sqlite", show_default=True, help="File that holds pages and labels.",
)  # fmt: skip


@contextmanager
def _opened(path: Path, *, make: bool = False) -> Iterator[Store]:
    from victor.annotate.store.store import Store  # other commands do without

    if not make and not path.exists():
        raise ConfigError(f"there is no store {path}; name one with --store")
    with Store(path) as store:
        yield store


@click.command(
    name="export",
    cls=Command,
    examples=(
        "victor annotate export corpus/",
        "victor annotate export marked/ -f html -a jana",
    ),
)
@click.argument("output", type=click.Path(file_okay=False, path_type=Path))
@store_option
@click.option("-f", "--format", "form", type=click.Choice(_WRITTEN), default="corpus",
              show_default=True, help="Format of OUTPUT.")  # fmt: skip
@click.option("-a", "--annotator", help="Export the labels of this person.  [default: on each page "
              "the adjudicated ones, or else those saved last]")  # fmt: skip
def export(output: Path, *, store_file: Path, form: str, annotator: str | None) -> None:
    """Write the finished pages to a new folder OUTPUT.

    Formats: corpus (what `victor train` and `victor evaluate` read), html (the original pages with
    data-victor attributes), cleaneval (<id>.html and <id>-cleaned.txt), jsonl (gold.jsonl, html/
    and blocks/ with a row per block).
    """
    from victor.annotate.exchange.store_export import annotated_pages
    from victor.annotate.exchange.writers import write

    failed: Counter[str] = Counter()

    def left_out(message: str) -> None:
        failed["not-written"] += 1
        complain(message)

    with _opened(store_file) as store:
        _check_annotators(store, annotator)
        _check_finished(store, annotator)
        count = write(form, annotated_pages(store, annotator, complain=left_out), output, left_out)
    click.echo(f"{count} pages written to {output}", err=True)
    finish(failed, count + failed.total())


@click.command(
    name="import",
    cls=Command,
    examples=(
        "victor annotate import corpus/",
        "victor annotate import texts/ -f gold -a jana",
    ),
)
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@store_option
@click.option("-f", "--format", "form", type=click.Choice(_READ), default="corpus",
              show_default=True, help="Format of SOURCE.")  # fmt: skip
@click.option("-a", "--annotator", help="Store the labels under this name.  [default: as SOURCE "
              "says, or else import]")  # fmt: skip
def import_(source: Path, *, store_file: Path, form: str, annotator: str | None) -> None:
    """Import annotated pages into the store as new revisions; nothing is overwritten.

    Formats: those of export, and gold (<id>.txt, the clean text of a page in the store or beside
    it, aligned with the page). Text that is not found on its page is listed.
    """
    from victor.annotate.exchange.readers import read
    from victor.annotate.exchange.store_import import import_pages, page_finder

    failed: Counter[str] = Counter()
    count = 0
    with _opened(store_file, make=True) as store:
        annotated = read(form, source, page_finder(store))
        for result in import_pages(store, annotated, annotator):
            if result.error is not None:
                failed["not-taken"] += 1
                complain(f"page {result.page}: {result.error}")
                continue
            count += 1
            for problem in result.problems:
                click.echo(f"{result.page}: {problem}")
    if not (count or failed):
        raise CorpusError(
            f"{source} holds no annotated page in the format {form}; nothing is imported. Name "
            "another folder or file, or say its format with --format"
        )
    click.echo(f"{count} annotated pages imported into {store_file}", err=True)
    finish(failed, count + failed.total())


@click.command(
    name="check",
    cls=Command,
    examples=("victor annotate check -s mine.sqlite",),
)
@store_option
def check(*, store_file: Path) -> None:
    """List pages to review; exit with status 1 if labels no longer fit their pages.

    Lists pages whose blocks have changed, unfinished pages, pages on which annotators differ, and
    pages with odd labels.
    """
    from victor.annotate.statistics import DRIFT, KINDS
    from victor.annotate.statistics import check as findings

    counts: Counter[str] = Counter()
    with _opened(store_file) as store:
        for finding in findings(store):
            counts[finding.kind] += 1
            click.echo("\t".join((finding.page, finding.kind, finding.message)))
    click.echo(", ".join(f"{kind} {counts[kind]}" for kind in KINDS), err=True)
    sys.exit(1 if counts[DRIFT] else 0)


@click.command(
    name="stats",
    cls=Command,
    examples=("victor annotate stats -s mine.sqlite",),
)
@store_option
def stats(*, store_file: Path) -> None:
    """Print pages by state and annotator, pages per hour, and blocks and words per label."""
    from victor.annotate.statistics import stats as count
    from victor.annotate.store.revisions import STATES
    from victor.measures.summaries import aligned

    with _opened(store_file) as store:
        counts = count(store)
    rows = [["", *STATES, "hours", "per hour"]]
    for name, states in sorted(counts.states.items()):
        hours = f"{counts.seconds[name] / 3600:.2f}"
        rows.append([name, *(str(states[state]) for state in STATES), hours,
                     _number(counts.per_hour(name), ".0f")])  # fmt: skip
    click.echo(f"{counts.pages} pages\n\n{aligned(rows)}\n")
    amounts = [[name, str(n.blocks), str(n.words)] for name, n in counts.labels.items()]
    click.echo(aligned([["", "blocks", "words"], *amounts]))


@click.command(
    name="agree",
    cls=Command,
    examples=("victor annotate agree jana petr --worst 5",),
)
@click.argument("a")
@click.argument("b")
@store_option
@click.option("--worst", type=click.IntRange(0), default=10, show_default=True,
              help="Number of pages to list.")  # fmt: skip
def agree(a: str, b: str, *, store_file: Path, worst: int) -> None:
    """Print the agreement of annotators A and B on the pages that both have finished.

    Prints Cohen's kappa over all blocks, over all words, and for each label against the rest,
    then the pages with the largest share of words in dispute.
    """
    from victor.annotate.statistics import agree as compare
    from victor.measures.summaries import aligned

    with _opened(store_file) as store:
        _check_annotators(store, a, b)
        agreement, pages = compare(store, a, b)
    if not pages:
        raise CorpusError(f"{a} and {b} have finished no page in common")
    rows = [["blocks", str(agreement.blocks)], ["same label", _number(agreement.observed)]]
    rows += [["kappa", _number(agreement.kappa)], ["kappa, by words", _number(agreement.weighted)]]
    rows += [[f"kappa, {name}", _number(value)] for name, value in agreement.per_label.items()]
    click.echo(f"{len(pages)} pages\n{aligned(rows)}\n")
    listed = [
        [page.page, _number(page.kappa), f"{page.different} of {page.blocks}", f"{page.words:.1%}"]
        for page in pages[:worst]
        if page.different
    ]
    if listed:
        click.echo(aligned([["", "kappa", "blocks differ", "of the words"], *listed]))


def _check_annotators(store: Store, *names: str | None) -> None:
    known = store.revisions.annotators()
    for name in names:
        if name is not None and name not in known:
            raise ConfigError(f"nobody called {name!r} saved anything; known: {', '.join(known)}")


def _check_finished(store: Store, annotator: str | None) -> None:
    from victor.annotate.exchange.store_export import chosen, heads_by_page

    heads = heads_by_page(store)
    if not any(chosen(of_page, annotator) for of_page in heads.values()):
        whose = f" by {annotator}" if annotator is not None else ""
        raise CorpusError(
            f"none of the {len(heads)} pages in {store.path} is finished{whose}; nothing is "
            "written. Mark pages as done (D) or as without content (N) first"
        )


def _number(value: float | None, form: str = ".4f") -> str:
    return "-" if value is None else format(value, form)


COMMANDS: Final[tuple[click.Command, ...]] = (export, import_, check, stats, agree)
"""Commands of the group `victor annotate`."""
