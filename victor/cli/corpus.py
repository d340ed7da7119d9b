"""`victor corpus`: labelled pages from their sources."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from victor.base.files import write_bytes
from victor.cli.commands import Group
from victor.cli.messages import complain
from victor.config import Limits
from victor.corpus.standoff import build, export


@click.group(
    name="corpus",
    cls=Group,
    examples=(
        "victor corpus build labels.jsonl --from clones/ -o corpus/",
        "victor corpus export corpus/ --sources sources.jsonl -o labels.jsonl",
    ),
)
def command() -> None:
    """Build labelled corpora of labels and pages, and write labels without pages."""


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
    write_bytes(output, "".join(lines).encode())
    complain(f"wrote the labels of {len(lines)} pages to {output}")
