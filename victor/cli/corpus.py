"""`victor corpus`: labelled pages from their sources, and more annotated pages of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import click

from victor.base.errors import ConfigError, CorpusError
from victor.cli.commands import Group
from victor.cli.corpora import read
from victor.cli.messages import complain, progress
from victor.config import Limits
from victor.corpus.graft import Stock, graft_pages, usable
from victor.corpus.graft.donors import donors
from victor.corpus.graft.sections import read_markups, read_words
from victor.corpus.pages import INDEX, AnnotatedPage, write_corpus
from victor.corpus.standoff import build, export

_SHARE: Final = 1 / 3


@click.group(
    name="corpus",
    cls=Group,
    examples=(
        "victor corpus build labels.jsonl --from clones/ -o corpus/",
        "victor corpus graft corpus/ -o grafted/",
    ),
)
def command() -> None:
    """Build labelled corpora, and make more annotated pages of them."""


@command.command(
    name="build",
    examples=("victor corpus build labels.jsonl --from clones/ -o corpus/",),
)
@click.argument("labels", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--from", "folders", multiple=True, metavar="DIR",
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Clone, folder of clones, or folder with html/ID.html; repeatable.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder for the corpus, which `victor align` reads.")  # fmt: skip
@click.option("--download", is_flag=True, help="Download files that are in no DIR.")
def build_corpus(labels: Path, *, folders: tuple[Path, ...], output: Path, download: bool) -> None:
    """Put stand-off LABELS and the files of their pages together.

    A file is taken only if it has the bytes that were labelled. If blocks are cut otherwise today,
    labels move with their texts.
    """
    if not folders and not download:
        raise click.UsageError("name the folder of the pages with --from, or say --download")
    built = build(labels, folders, output, _fetched if download else None)
    for path in built.changed:
        complain(f"{path} is not the file that was labelled; check out the commit in {labels.name}")
    for page in built.missing:
        complain(f"missing: {page}")
    for page in built.moved:
        complain(f"{page}: {built.moved[page]} labels moved, {built.lost[page]} blocks have none")
    complain(f"wrote {built.written} pages to {output}")
    if built.changed or built.missing:
        sys.exit(1)


def _fetched(address: str) -> bytes:
    from victor.sources.download import fetch  # loads HTTP and TLS

    return fetch(address, limit=Limits().bytes, private="refused").content


@command.command(
    name="export",
    examples=("victor corpus export corpus/ --sources sources.jsonl -o labels.jsonl",),
)
@click.argument("corpus", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--sources", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              required=True,
              help="JSON lines: corpus, id, repository, commit, path, sha256.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="File for the labels.")  # fmt: skip
def export_labels(corpus: Path, *, sources: Path, output: Path) -> None:
    """Write the labels of CORPUS without a word of its pages."""
    lines = [*export(corpus, sources, corpus.resolve().name)]
    output.write_text("".join(lines), encoding="utf-8")
    complain(f"wrote the labels of {len(lines)} pages to {output}")


@command.command(
    name="graft",
    examples=(
        "victor corpus graft corpus/ -o grafted/",
        "victor train corpus/ grafted/ -o mine.victor",
    ),
)
@click.argument("corpora", nargs=-1, required=True,
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder for the grafted pages, an annotated corpus.")  # fmt: skip
@click.option(
    "--share", type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Share of grafted pages among all, those of CORPORA included.  [default: 1/3]",
)  # fmt: skip
@click.option("--pages", type=click.IntRange(1), help="Number of grafted pages, instead.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of all choices.")
@click.option("--markups", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="YAML file of markups, in place of those that ship with Victor.")  # fmt: skip
def graft(
    corpora: tuple[Path, ...],
    *,
    output: Path,
    share: float | None,
    pages: int | None,
    seed: int,
    markups: Path | None,
) -> None:
    """Put comment sections and lists of teasers behind the articles of CORPORA.

    Grafted texts come from other pages of CORPORA and are labelled other. A grafted page has the
    site of its base page. Three of twenty sites are left out, for tests.
    """
    if share is not None and pages is not None:
        raise ConfigError("give --share or --pages, not both")
    if (output / INDEX).exists():  # better now than after the work
        raise CorpusError(f"{output} holds a corpus already; choose another folder")
    every = list(read(corpora))
    part = share or _SHARE
    n = pages or round(part / (1 - part) * len(every))
    bases = usable(every)
    stock = Stock(donors(bases), read_markups(markups), read_words())
    with progress("grafting", n) as advance:
        written = write_corpus(output, _counted(graft_pages(bases, stock, n, seed=seed), advance))
    click.echo(f"{written} pages written to {output}", err=True)
    if written < n:
        complain(f"only {written} of {n} pages: no more base pages, or no texts for them")


def _counted(
    pages: Iterator[AnnotatedPage], advance: Callable[[int], None]
) -> Iterator[AnnotatedPage]:
    for page in pages:
        advance(1)
        yield page
