"""`victor crawl`: turn whole crawls into a corpus."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from victor.base.errors import FEATURE_FAILED
from victor.cli.commands import (
    Command,
    OneOf,
)
from victor.cli.messages import complain
from victor.cli.outputs import switch_options
from victor.cli.system_options import (
    decision_options,
    scope_options,
    trust_code_option,
    type_option,
    with_decision,
    with_scope,
)
from victor.crawl.progress import Progress, showing, summary
from victor.crawl.run import Job, crawl, shard
from victor.crawl.state import RunFolder
from victor.crawl.writers import WRITERS
from victor.documents.spec import CrawlSpec
from victor.labelers.labeler import LABELERS
from victor.render.options import Shown
from victor.sources import Input, ReadOptions, expand
from victor.sources.inputs import KINDS

_MB = 1_000_000


class Shard(click.ParamType):  # type: ignore[type-arg]  # as in victor.cli.commands
    """Number of a shard and how many there are, ``3/64``."""

    name = "shard"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Both numbers."""
        number, _, total = str(value).partition("/")
        if number.isdecimal() and total.isdecimal() and 1 <= int(number) <= int(total):
            return int(number), int(total)
        self.fail(f"{value!r} is not NUMBER/COUNT with a number from 1 on, e.g. 3/64", param, ctx)


@click.command(
    name="crawl",
    cls=Command,
    examples=(
        "victor crawl crawl.warc.gz -o corpus/",
        "victor crawl pages/ -s filter.least_words=50 --keep-dropped -o long/",
        "victor crawl @inputs.txt --shard 3/64 -o shards/",
    ),
    first=(
        "out",
        "form",
        "jobs",
        "model",
        "source",
        "overrides",
        "threshold",
        "scope",
        "markdown",
        "keep_dropped",
    ),
)
@click.argument("names", nargs=-1, required=True, metavar="IN...")
@click.option("-o", "--output", "out", required=True,
              type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the corpus, where an unfinished run resumes.")  # fmt: skip
@click.option("-f", "--format", "form", type=OneOf([*WRITERS]), default="jsonl",
              show_default=True, help="Output format.")  # fmt: skip
@click.option("--markdown", is_flag=True,
              help="Also write Markdown.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Worker processes.")  # fmt: skip
@click.option("-m", "--model", type=click.Path(),
              help="Shipped model or model file.  [default: default]")  # fmt: skip
@click.option("-l", "--labeler", type=OneOf([*LABELERS]),
              help="Labeler that needs no model.")  # fmt: skip
@type_option
@trust_code_option
@click.option("-c", "--config", "source", type=click.Path(),
              help="Configuration with a filter, limits and decision.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change the configuration, e.g. filter.least_words=50.")  # fmt: skip
@decision_options
@switch_options
@scope_options
@click.option("--kind", type=OneOf(KINDS),
              help="Type of standard input and of unknown files.")  # fmt: skip
@click.option("--html-column", default="html", show_default=True,
              help="Column of JSONL and Parquet that holds the page.")  # fmt: skip
@click.option(
    "--url-column", default="url", show_default=True, help="Column that holds its address."
)
@click.option("--shard", "part", type=Shard(), metavar="I/N",
              help="Process every N-th input from the I-th on.")  # fmt: skip
@click.option("--part-size", type=click.IntRange(1), default=16, show_default=True, metavar="MB",
              help="Input per part, where a run can resume.")  # fmt: skip
@click.option("--memory", type=click.IntRange(1), default=2_000, show_default=True, metavar="MB",
              help="Memory limit of each worker.")  # fmt: skip
@click.option("--keep-dropped", is_flag=True, help="Write dropped pages to dropped.jsonl.")
@click.option("--keep-all", is_flag=True,
              help="Also write dropped paragraphs.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    names: tuple[str, ...],
    *,
    out: Path,
    form: str,
    markdown: bool,
    jobs: int,
    model: str | None,
    labeler: str | None,
    page_type: str | None,
    trust_code: bool,
    source: str | None,
    overrides: tuple[str, ...],
    kind: str | None,
    html_column: str,
    url_column: str,
    part: tuple[int, int] | None,
    part_size: int,
    memory: int,
    keep_dropped: bool,
    keep_all: bool,
    links: bool | None,
    images: bool | None,
    formatting: bool | None,
    tables: bool | None,
    **scope: str | bool | tuple[str, ...] | None,
) -> None:
    """Clean whole crawls: HTML, zip, tar, JSONL, Parquet, WARC; folders, patterns, @lists, URLs."""
    if markdown and form == "vertical":
        raise click.UsageError("vertical holds tokens and no Markdown; leave --markdown out")
    switches = zip(Shown._fields, (links, images, formatting, tables), strict=True)
    shown = {name: value for name, value in switches if value is not None}
    if shown and not markdown:
        raise click.UsageError("the text has words alone; say --markdown, too, for links and more")
    spec = CrawlSpec(
        model=model,
        labeler=labeler,
        trust_code=trust_code,
        page_type=page_type,
        markdown=markdown,
        shown=Shown(**shown),
        keep_dropped=keep_dropped,
        keep_all=keep_all,
    ).configured(source, overrides)
    spec, cleaner = with_scope(*with_decision(spec, scope), scope)
    inputs, folder = _shared(expand(names), out, part)
    reading = ReadOptions(
        html_column=html_column,
        url_column=url_column,
        kind=kind,
        max_bytes=cleaner.limits.bytes,
    )
    job = Job(
        inputs=inputs,
        folder=folder,
        spec=spec,
        form=form,
        reading=reading,
        part_size=part_size * _MB,
        jobs=jobs,
        memory=memory * _MB,
    )
    with showing() as show:
        progress = Progress(show)
        totals = crawl(job, progress, complain)
    complain(summary(totals, form, RunFolder(folder, form), progress.spent()))
    if totals.failed[FEATURE_FAILED]:
        complain(_first_failure(folder / "failed.jsonl", FEATURE_FAILED))
    if totals.failed.total():
        sys.exit(1)


def _first_failure(path: Path, reason: str) -> str:
    """What is said of the first page that failed for a reason."""
    with path.open(encoding="utf-8") as file:
        failures = (json.loads(line) for line in file)
        first = next(failure for failure in failures if failure["reason"] == reason)
    return f"{first['source']}: {first['message']}"


def _shared(
    inputs: Sequence[Input], out: Path, part: tuple[int, int] | None
) -> tuple[Sequence[Input], Path]:
    """Inputs and folder of a shard; files in the folder of the run are not inputs."""
    outputs = os.path.join(os.path.abspath(out), "")
    inputs = [each for each in inputs if not os.path.abspath(each.name).startswith(outputs)]
    if part is None:
        return inputs, out
    number, total = part
    return shard(inputs, number, total), out / f"shard-{number:05d}-of-{total:05d}"
