"""`victor align`: gold text to block labels, and a check of stored labels."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import click

from victor.base.errors import ConfigError
from victor.base.files import check_new
from victor.cli.commands import Command, OneOf
from victor.cli.corpora import read
from victor.cli.messages import complain, finish, progress
from victor.cli.processes import parallel_map
from victor.corpus.importers import GoldCorpus, GoldPage, read_cleaneval, read_jsonl
from victor.corpus.label_gold import Labelled, label_page
from victor.corpus.pages import canonical_table, current_labels, write_corpus
from victor.corpus.policy import BY_KIND, RULES
from victor.corpus.read import read_folder
from victor.measures.averages import summarize, table
from victor.page.names.name_groups import NameGroups
from victor.page.table.texts import segment_texts

READERS: Final[dict[str, Callable[[Path], GoldCorpus]]] = {
    "jsonl": read_jsonl,
    "cleaneval": read_cleaneval,
}
_CORPUS: Final = "corpus"
"""The layout of a source whose pages have their labels."""


@click.command(
    name="align",
    cls=Command,
    examples=(
        "victor align gold/ -o corpus/",
        "victor align published/ -f cleaneval --licence CC-BY-4.0 -o corpus/",
        "victor align corpus/ --check",
    ),
)
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the annotated corpus.")  # fmt: skip
@click.option("-f", "--format", "form", type=OneOf([*READERS, _CORPUS]),
              default="jsonl", show_default=True, help="Layout of the source.")  # fmt: skip
@click.option(
    "--licence", help="Licence of pages whose source names none; the model's card tells it."
)
@click.option("--dont-care-in", "names", multiple=True, metavar="NAME",
              help="Ignore text in elements whose class, id, role or itemprop has this "
                   "word, e.g. comment; repeatable.")  # fmt: skip
@click.option("--policy", "by_policy", is_flag=True,
              help="Follow the policy, and ignore what the corpus decides otherwise.")  # fmt: skip
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
    names: tuple[str, ...],
    by_policy: bool,
    believed: tuple[str, ...],
    check: bool,
    jobs: int,
) -> None:
    """Label the blocks of pages by their gold text; print how well labels can reproduce it.

    Layouts: jsonl (gold.jsonl with {id, text} rows beside html/<id>.html), cleaneval (<name>.html
    and <name>-cleaned.txt with <h>, <p>, <l>), corpus (pages with labels: data-victor attributes,
    or what this command wrote).
    """
    if (names or by_policy) and form not in READERS:
        option = "--dont-care-in" if names else "--policy"
        raise ConfigError(f"{option} is for --format {', '.join(READERS)}")
    if believed and not by_policy:
        raise ConfigError("--except is a part of the policy: give --policy, too")
    if check:
        _check(source)
        return
    if output is None:
        raise ConfigError("name a folder for the annotated corpus: --output DIR")
    check_new(output)  # better now than after the work
    if form == _CORPUS:
        written = write_corpus(output, list(read_folder(source)))
        click.echo(f"{written} pages written to {output}", err=True)
        return
    label = partial(
        label_page,
        dont_care_in=_checked(names),
        by_policy=by_policy,
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
