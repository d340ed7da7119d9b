"""`victor annotate export|import|agree`: annotations as files, and how far two of them agree.

The commands are those of the group in `victor.cli.annotate`.
"""

from __future__ import annotations

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
_READ: Final = ("corpus", "html", "jsonl")

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
              "those saved last]")  # fmt: skip
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
        _check_annotator(store, annotator)
        _check_finished(store, annotator)
        count = write(form, annotated_pages(store, annotator, complain=left_out), output, left_out)
    click.echo(f"{count} pages written to {output}", err=True)
    finish(failed, count + failed.total())


@click.command(
    name="import",
    cls=Command,
    examples=(
        "victor annotate import corpus/",
        "victor annotate import corpus/ -a jana",
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

    Formats as for export; `victor align` makes a corpus of gold texts.
    """
    from victor.annotate.exchange.readers import read
    from victor.annotate.exchange.store_import import import_pages

    failed: Counter[str] = Counter()
    count = 0
    with _opened(store_file, make=True) as store:
        annotated = read(form, source)
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
    name="agree",
    cls=Command,
    examples=(
        "victor annotate agree jana/ petr/",
        "victor annotate agree jana/ petr/ --worst 5",
    ),
)
@click.argument("a", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("b", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--worst", type=click.IntRange(0), default=10, show_default=True,
              help="Number of pages to list.")  # fmt: skip
def agree(a: Path, b: Path, *, worst: int) -> None:
    """Print how far the annotators of the exports A and B agree on the pages that both hold.

    An export of one annotator is made by `export -a NAME`. Prints Cohen's kappa over all blocks and
    over all words, then the pages with the largest share of words in dispute.
    """
    from victor.annotate.agreement import agreement
    from victor.corpus.pages import read_corpus
    from victor.measures.averages import aligned

    together, pages = agreement(read_corpus(a), read_corpus(b))
    rows = [["blocks", str(together.blocks)], ["same label", _number(together.observed)]]
    rows += [["kappa", _number(together.kappa)], ["kappa, by words", _number(together.by_words)]]
    click.echo(f"{len(pages)} pages\n{aligned(rows)}\n")
    listed = [
        [page.id, _number(page.kappa), f"{page.different} of {page.blocks}", f"{page.words:.1%}"]
        for page in pages[:worst]
        if page.different
    ]
    if listed:
        click.echo(aligned([["", "kappa", "blocks differ", "of the words"], *listed]))


def _check_annotator(store: Store, name: str | None) -> None:
    known = store.revisions.annotators()
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


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


COMMANDS: Final[tuple[click.Command, ...]] = (export, import_, agree)
"""Commands of the group `victor annotate`."""
