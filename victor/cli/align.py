"""`victor align`: gold text or markers to block labels, and a check of stored labels."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

import click

from victor.base.errors import ConfigError, CorpusError
from victor.cli.commands import Command, OneOf
from victor.cli.corpora import read
from victor.cli.messages import complain, count, finish, progress
from victor.cli.processes import parallel_map
from victor.corpus.importers import (
    GoldCorpus,
    GoldPage,
    read_cleaneval,
    read_jsonl,
    read_victor,
    read_wcxb,
)
from victor.corpus.label_gold import Labelled, label_page
from victor.corpus.marked_html import read_marked_corpus
from victor.corpus.pages import (
    INDEX,
    AnnotatedPage,
    canonical_table,
    current_labels,
    write_corpus,
)
from victor.corpus.policy import BY_KIND, RULES
from victor.corpus.template_markers import GOOGLE, Markers, read_template_file, template_files
from victor.corpus.webmainbench import NO_ROW, UNMARKED, Skipped, read_line, read_lines
from victor.measures.summaries import summarize, table
from victor.page.names.name_groups import NameGroups
from victor.page.table.texts import segment_texts

READERS: Final[dict[str, Callable[[Path], GoldCorpus]]] = {
    "jsonl": read_jsonl,
    "wcxb": read_wcxb,
    "cleaneval": read_cleaneval,
    "victor2008": read_victor,
}
_OTHERS: Final = ("marked", "markers", "webmainbench")
"""Layouts with labels in the markup."""
_MOST_COMPLAINTS: Final = 20
"""So many lines are named for each reason; all are counted."""


@click.command(
    name="align",
    cls=Command,
    examples=(
        "victor align gold/ -o corpus/",
        "victor align published/ -f cleaneval --licence CC-BY-4.0 -o corpus/",
        "victor align corpus/ --check",
    ),
)
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the annotated corpus.")  # fmt: skip
@click.option("-f", "--format", "form", type=OneOf([*READERS, *_OTHERS]),
              default="jsonl", show_default=True, help="Layout of the source.")  # fmt: skip
@click.option(
    "--licence", help="Licence of pages whose source names none; the model's card tells it."
)
@click.option("--begin", metavar="TEXT",
              help="For markers: comment or tag where content begins.  [default: Google's "
                   "googleoff and googleon around what is none]")  # fmt: skip
@click.option("--end", metavar="TEXT", help="For markers: comment or tag where it ends.")
@click.option("--discard", is_flag=True,
              help="For markers: what is between begin and end is not content.")  # fmt: skip
@click.option("--dont-care-in", "names", multiple=True, metavar="NAME",
              help="Ignore text in elements whose class, id, role or itemprop has this "
                   "word, e.g. comment; repeatable.")  # fmt: skip
@click.option("--policy", "by_policy", is_flag=True,
              help="Follow the policy, and ignore what the corpus decides otherwise.")  # fmt: skip
@click.option("--drop-lists", is_flag=True,
              help="With --policy: label listed teasers, products, results other.")  # fmt: skip
@click.option("--except", "believed", multiple=True, metavar="RULE",
              type=click.Choice([BY_KIND, *(rule.name for rule in RULES)]),
              help="With --policy: rule on which the corpus decides; repeatable.")  # fmt: skip
@click.option("--check", is_flag=True,
              help="SOURCE is an annotated corpus: report labels without their text.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Processes.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    source: Path,
    *,
    output: Path | None,
    form: str,
    licence: str | None,
    begin: str | None,
    end: str | None,
    discard: bool,
    names: tuple[str, ...],
    by_policy: bool,
    drop_lists: bool,
    believed: tuple[str, ...],
    check: bool,
    jobs: int,
) -> None:
    """Label the blocks of pages by their gold text; print how well labels can reproduce it.

    Layouts: jsonl (gold.jsonl with {id, text} rows beside html/<id>.html), wcxb (ground-truth/
    and html/ as published), cleaneval (<name>.html and <name>-cleaned.txt with <h>, <p>, <l>),
    victor2008 (spans with victor_ classes), marked (pages with data-victor attributes), markers
    (pages whose template has comments or tags around the content; no gold text), webmainbench (a
    file or folder of JSON Lines with {track_id, html}, content in elements with cc-select="true").
    """
    if (names or by_policy) and form not in READERS:
        option = "--dont-care-in" if names else "--policy"
        raise ConfigError(f"{option} is for --format {', '.join(READERS)}")
    if (drop_lists or believed) and not by_policy:
        option = "--drop-lists" if drop_lists else "--except"
        raise ConfigError(f"{option} is a part of the policy: give --policy, too")
    pair = _pair(form, begin, end, discard=discard)
    if source.is_file() and (check or form != "webmainbench"):
        raise ConfigError(f"{source} is a file; name a folder, or --format webmainbench")
    if check:
        _check(source)
        return
    if output is None:
        raise ConfigError("name a folder for the annotated corpus: --output DIR")
    if (output / INDEX).exists():  # better now than after the work
        raise CorpusError(f"{output} holds a corpus already; choose another folder")
    if form == "marked":
        written = write_corpus(output, list(read_marked_corpus(source)))
        click.echo(f"{written} pages written to {output}", err=True)
        return
    if form == "markers":
        _align_markers(source, output, licence, jobs, pair)
        return
    if form == "webmainbench":
        _align_rows(source, output, licence, jobs)
        return
    label = partial(
        label_page,
        dont_care_in=_checked(names),
        by_policy=by_policy,
        drop_lists=drop_lists,
        believed=believed,
    )
    _align(READERS[form](source), output, licence, label, jobs)


def _checked(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of elements that can be looked for.

    Raises:
        ConfigError: one of them cannot.
    """
    try:
        NameGroups([names])
    except ValueError as error:
        raise ConfigError(f"--dont-care-in: {error}") from None
    return names


def _pair(form: str, begin: str | None, end: str | None, *, discard: bool) -> Markers:
    """The markers that the options name.

    Raises:
        ConfigError: only one is named, or they have no use.
        CorpusError: they are not a pair of comments or tags.
    """
    if form != "markers" and (begin or end or discard):
        raise ConfigError("--begin, --end and --discard are for --format markers")
    if begin is None and end is None and not discard:
        return GOOGLE
    if begin is None or end is None:
        raise ConfigError("markers are a pair: give both --begin TEXT and --end TEXT")
    return Markers(begin, end, kept=not discard)


def _align_markers(
    source: Path, output: Path, licence: str | None, jobs: int, pair: Markers
) -> None:
    files = template_files(source)
    pages: list[AnnotatedPage] = []
    with progress("reading markers", len(files)) as advance:
        for page in parallel_map(partial(read_template_file, markers=(pair,)), files, jobs):
            if page is not None:
                pages.append(replace(page, licence=licence))
            advance(1)
    if not pages:
        raise CorpusError(
            f"no page of {source} has the marker {pair.begin!r}; copy --begin from a page"
        )
    written = write_corpus(output, pages)
    click.echo(f"{written} pages written to {output}", err=True)
    count("left out", Counter({"no marker": len(files) - written}), len(files))


def _align_rows(source: Path, output: Path, licence: str | None, jobs: int) -> None:
    """Write the pages of rows as they are read: files may be larger than memory."""
    skipped: Counter[str] = Counter()
    with progress("reading rows", None) as advance:
        rows = parallel_map(read_line, read_lines(source), jobs)
        pages = _pages(rows, licence, skipped, advance)
        first = next(pages, None)
        if first is None:
            reasons = ", ".join(f"{reason} {n}" for reason, n in skipped.most_common()) or "no rows"
            raise CorpusError(
                f"{source} holds no page with marks: {reasons}; is it the right file?"
            )
        written = write_corpus(output, chain([first], pages))
    click.echo(f"{written} pages written to {output}", err=True)
    total = written + skipped.total()
    count("left out", Counter({key: n for key, n in skipped.items() if key in UNMARKED}), total)
    finish(Counter({key: n for key, n in skipped.items() if key not in UNMARKED}), total)


def _pages(
    rows: Iterable[AnnotatedPage | Skipped],
    licence: str | None,
    skipped: Counter[str],
    advance: Callable[[int], None],
) -> Iterator[AnnotatedPage]:
    """The pages among rows, each id once; the others are named and counted.

    Raises:
        CorpusError: what is read before the first page lacks what every row has.
    """
    ids: set[str] = set()
    for row in rows:
        advance(1)
        page = row
        if isinstance(page, AnnotatedPage) and page.id in ids:
            page = Skipped("same-id", f"{page.id} occurs twice; the first row counts")
        if isinstance(page, AnnotatedPage):
            ids.add(page.id)
            yield replace(page, licence=page.licence or licence)
            continue
        if page.reason in NO_ROW and not ids:
            raise CorpusError(f"{page.message}; is this the right file?")
        skipped[page.reason] += 1
        if skipped[page.reason] <= _MOST_COMPLAINTS:
            complain(page.message)


def _align(
    corpus: GoldCorpus,
    output: Path,
    licence: str | None,
    label: Callable[[GoldPage], Labelled],
    jobs: int,
) -> None:
    labelled: list[Labelled] = []
    with progress("aligning", len(corpus)) as advance:
        for done in parallel_map(label, corpus, jobs):
            page = replace(done.page, licence=done.page.licence or licence)
            labelled.append(done._replace(page=page))
            advance(1)
    written = write_corpus(output, (done.page for done in labelled))
    _print_oracle(labelled)
    _print_changes(labelled)
    click.echo(f"{written} pages written to {output}", err=True)
    for key in corpus.missing:
        complain(f"{key} has a gold standard but no page")
    finish(Counter({"no-page": len(corpus.missing)}), written + len(corpus.missing))


def _print_oracle(labelled: Sequence[Labelled]) -> None:
    """Print how well perfect labels reproduce the gold texts, by page type."""
    scored = [(done.oracle, done.page.kind or "page") for done in labelled if done.oracle]
    if scored:
        click.echo("oracle: words that perfect labels reproduce, page means")
        click.echo(table(summarize([score for score, _ in scored], [kind for _, kind in scored])))


def _print_changes(labelled: Sequence[Labelled]) -> None:
    """Print how many blocks the policy changed, by rule."""
    changes = sum((done.changes for done in labelled), Counter[str]())
    if changes:
        pairs = ", ".join(f"{rule} {n}" for rule, n in changes.most_common())
        click.echo(f"policy: blocks changed by rule: {pairs}", err=True)


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
