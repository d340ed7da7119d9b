"""`victor align` and `victor corpus`: gold texts to labels, and labels without their pages."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import click

from victor.base.errors import ConfigError
from victor.base.files import check_new, write_bytes
from victor.cli.commands import (
    AT_LEAST_1,
    CORPUS,
    FILE,
    NEW_FILE,
    NEW_FOLDER,
    Group,
    OneOf,
    Options,
    command,
    complain,
    finish,
    option,
    progress,
)
from victor.cli.pages import parallel_map
from victor.config.schema import Limits
from victor.corpus.gold import (
    GoldCorpus,
    GoldPage,
    Labelled,
    label_page,
    read_cleaneval,
    read_jsonl,
)
from victor.corpus.pages import canonical_table, current_labels, read, write_corpus
from victor.corpus.policy import BY_KIND, RULES
from victor.corpus.standoff import build, export
from victor.measures.averages import summarize, table
from victor.page.table.texts import segment_texts

READERS: Final[dict[str, Callable[[Path], GoldCorpus]]] = {
    "jsonl": read_jsonl,
    "cleaneval": read_cleaneval,
}
_RULES: Final = OneOf([BY_KIND, *(rule.name for rule in RULES)])


class _AlignOptions(Options):
    output: Path | None = option("-o --output", "Folder for the annotated corpus.", NEW_FOLDER)
    form: str = option("-f --format", "Layout of SOURCE:", OneOf([*READERS]), "jsonl")
    licence: str | None = option(
        "--licence", "Licence of pages whose source names none.", metavar="NAME"
    )
    by_policy: bool = option("--policy", "Follow the policy where the corpus decides otherwise.")
    believed: tuple[str, ...] = option(
        "--except", "With --policy: rule on which the corpus decides:", _RULES
    )
    check: bool = option("--check", "SOURCE is annotated: report labels without their text.")
    jobs: int = option("-j --jobs", "Processes.", AT_LEAST_1, 1)


@command(
    "victor align gold/ -o corpus/",
    "victor align published/ -f cleaneval --licence CC-BY-4.0 -o corpus/",
    "victor align corpus/ --check",
    takes=_AlignOptions,
)
@click.argument("source", type=CORPUS)
def align_command(source: Path, options: _AlignOptions) -> None:
    """Label the blocks of pages by their gold text; print how well labels can reproduce it.

    Layouts: jsonl (gold.jsonl with {id, text} rows beside html/<id>.html), cleaneval (<name>.html
    and <name>-cleaned.txt with <h>, <p>, <l>).
    """
    output = options.output
    if options.believed and not options.by_policy:
        raise ConfigError("--except is a part of the policy: give --policy, too")
    if options.check:
        _check(source)
        return
    if output is None:
        raise ConfigError("name a folder for the annotated corpus: --output DIR")
    check_new(output)  # better now than after the work
    _align(READERS[options.form](source), output, options)


def _align(corpus: GoldCorpus, output: Path, options: _AlignOptions) -> None:
    label: Callable[[GoldPage], Labelled] = partial(
        label_page, by_policy=options.by_policy, believed=options.believed
    )
    labelled: list[Labelled] = []
    with progress("aligning", len(corpus)) as advance:
        for done in parallel_map(label, corpus, options.jobs):
            page = replace(done.page, licence=done.page.licence or options.licence)
            labelled.append(done._replace(page=page))
            advance(1)
    written = write_corpus(output, (done.page for done in labelled))
    scored = [(done.oracle, done.page.kind or "page") for done in labelled if done.oracle]
    if scored:
        click.echo("oracle: words that perfect labels reproduce, page means")
        click.echo(table(summarize([score for score, _ in scored], [kind for _, kind in scored])))
    if changes := sum((done.changes for done in labelled), Counter[str]()):
        pairs = ", ".join(f"{rule} {n}" for rule, n in changes.most_common())
        click.echo(f"policy: blocks changed by rule: {pairs}", err=True)
    click.echo(f"{written} pages written to {output}", err=True)
    for key in corpus.missing:
        complain(f"{key} has a gold standard but no page")
    finish(Counter({"no-page": len(corpus.missing)}), written + len(corpus.missing))


def _check(source: Path) -> None:
    """List the pages whose stored labels do not fit their current segments; exit 1 if any."""
    pages = drifted = 0
    for page in read([source]):
        pages += 1
        _, drift = current_labels(page, segment_texts(canonical_table(page.html)))
        if drift:
            drifted += 1
            click.echo(
                f"{page.id}: {drift.stored} labels, {drift.found} segments now, "
                f"{drift.moved} carried over, {drift.lost} without a label"
            )
    click.echo(f"{drifted} of {pages} pages have drifted", err=True)
    sys.exit(1 if drifted else 0)


@click.group(
    cls=Group,
    examples=(
        "victor corpus build labels.jsonl --from clones/ -o corpus/",
        "victor corpus export corpus/ --sources sources.jsonl -o labels.jsonl",
    ),
)
def corpus_group() -> None:
    """Build labelled corpora of labels and pages, and write labels without pages."""


class _BuildOptions(Options):
    folders: tuple[Path, ...] = option(
        "--from", "Clone, folder of clones, or folder with html/ID.html; repeatable.", CORPUS
    )
    output: Path = option("-o --output", "Folder of the corpus.", NEW_FOLDER, required=True)
    download: bool = option("--download", "Download files that are in no DIR.")


@command(
    "victor corpus build labels.jsonl --from clones/ -o corpus/",
    takes=_BuildOptions,
    group=corpus_group,
)
@click.argument("labels", type=FILE)
def build_command(labels: Path, options: _BuildOptions) -> None:
    """Put stand-off LABELS and the files of their pages together.

    A file is taken only if it has the bytes that were labelled. If blocks are cut otherwise today,
    labels move with their texts.
    """
    folders, output = options.folders, options.output
    if not folders and not options.download:
        raise click.UsageError("name the folder of the pages with --from, or say --download")
    built = build(labels, folders, output, _fetched if options.download else None)
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


class _ExportOptions(Options):
    sources: Path = option(
        "--sources",
        "JSON lines: corpus, id, repository, commit, path, sha256.",
        FILE,
        required=True,
    )
    output: Path = option("-o --output", "File for the labels.", NEW_FILE, required=True)


@command(
    "victor corpus export corpus/ --sources sources.jsonl -o labels.jsonl",
    takes=_ExportOptions,
    group=corpus_group,
)
@click.argument("corpus", type=CORPUS)
def export_command(corpus: Path, options: _ExportOptions) -> None:
    """Write the labels of CORPUS without a word of its pages."""
    output = options.output
    lines = [*export(corpus, options.sources, corpus.resolve().name)]
    write_bytes(output, "".join(lines).encode())
    complain(f"wrote the labels of {len(lines)} pages to {output}")
