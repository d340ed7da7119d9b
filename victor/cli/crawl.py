"""`victor crawl`: turn whole crawls into a corpus."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from victor.base.errors import FEATURE_FAILED
from victor.cli.cleaner_options import SWITCHES, Cleaning, Showing
from victor.cli.commands import AT_LEAST_1, NEW_FOLDER, PATH, OneOf, command, complain, option
from victor.crawl.progress import Progress, summary
from victor.crawl.run import Job, crawl, shard
from victor.crawl.state import RunFolder
from victor.crawl.writers import WRITERS
from victor.documents.process import CrawlSpec
from victor.render.forms import Shown
from victor.sources.inputs import KINDS, Input, ReadOptions, expand

_MB = 1_000_000


class _Shard(click.ParamType):  # type: ignore[type-arg]  # as in victor.cli.commands
    """Number of a shard and how many there are, ``3/64``."""

    name = "I/N"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Both numbers."""
        number, _, total = str(value).partition("/")
        if number.isdecimal() and total.isdecimal() and 1 <= int(number) <= int(total):
            return int(number), int(total)
        self.fail(f"{value!r} is not NUMBER/COUNT with a number from 1 on, e.g. 3/64", param, ctx)


class _Options(Cleaning, Showing):
    out: Path = option(
        "-o --output", "Folder of the corpus, to resume in.", NEW_FOLDER, required=True
    )
    form: str = option("-f --format", "Output format:", OneOf([*WRITERS]), "jsonl")
    jobs: int = option("-j --jobs", "Worker processes.", AT_LEAST_1, 1)
    config: str | None = option(
        "-c --config", "Configuration of filter, limits, decision, scope.", PATH
    )
    overrides: tuple[str, ...] = option(
        "-s --set", "Change it, e.g. filter.least_words=50.", metavar="KEY=VALUE"
    )
    markdown: bool = option("--markdown", "Also write Markdown.")
    keep_dropped: bool = option("--keep-dropped", "Write dropped pages to dropped.jsonl.")
    keep_all: bool = option("--keep-all", "Also write dropped paragraphs.")
    kind: str | None = option("--kind", "Unknown files are:", OneOf(KINDS))
    html_column: str = option("--html-column", "Column that holds the page.", default="html")
    url_column: str = option("--url-column", "Column that holds its address.", default="url")
    part: tuple[int, int] | None = option(
        "--shard", "Process every N-th input from the I-th on.", _Shard()
    )
    part_size: int = option(
        "--part-size", "Size of a part, where runs resume.", AT_LEAST_1, 16, metavar="MB"
    )
    memory: int = option(
        "--memory", "Memory limit of each worker.", AT_LEAST_1, 2_000, metavar="MB"
    )

    def crawl_spec(self) -> CrawlSpec:
        """What cleans, with the configuration."""
        return CrawlSpec(
            model=self.model,
            labeler=self.labeler,
            trust_code=self.trust_code,
            page_type=self.page_type,
            markdown=self.markdown,
            shown=self._shown(),
            keep_dropped=self.keep_dropped,
            keep_all=self.keep_all,
        ).configured(self.config, self.overrides)

    def _shown(self) -> Shown:
        switches = {name: getattr(self, name) for name in SWITCHES}
        given = {name: value for name, value in switches.items() if value is not None}
        if given and not self.markdown:
            raise click.UsageError(
                "the text has words alone; say --markdown, too, for links and more"
            )
        return Shown(**given)


@command(
    "victor crawl crawl.warc.gz -o corpus/",
    "victor crawl pages/ -s filter.least_words=50 --keep-dropped -o long/",
    "victor crawl @inputs.txt --shard 3/64 -o shards/",
    takes=_Options,
    first="out form jobs model config overrides threshold scope markdown keep_dropped",
)
@click.argument("names", nargs=-1, required=True, metavar="IN...")
def crawl_command(names: tuple[str, ...], options: _Options) -> None:
    """Clean crawls: HTML, zip, tar, JSONL, Parquet, WARC; folders, @lists, URLs."""
    form = options.form
    if options.markdown and form == "vertical":
        raise click.UsageError("vertical holds tokens and no Markdown; leave --markdown out")
    spec, cleaner = options.cleaner(options.crawl_spec())
    inputs, folder = _shared(expand(names), options.out, options.part)
    columns = {"html_column": options.html_column, "url_column": options.url_column}
    reading = ReadOptions(**columns, kind=options.kind, max_bytes=cleaner.limits.bytes)
    job = Job(
        inputs=inputs,
        folder=folder,
        spec=spec,
        form=form,
        reading=reading,
        part_size=options.part_size * _MB,
        jobs=options.jobs,
        memory=options.memory * _MB,
    )
    with Progress() as progress:
        totals = crawl(job, progress, complain)
    complain(summary(totals, form, RunFolder(folder, form), progress.spent()))
    if totals.failed[FEATURE_FAILED]:
        complain(_first_failure(folder / "failed.jsonl", FEATURE_FAILED))
    if totals.failed.total():
        sys.exit(1)


def _first_failure(path: Path, reason: str) -> str:
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
