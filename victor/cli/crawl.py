"""`victor crawl`: turn whole crawls into a corpus, and show how far they are."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Self

import click

from victor.base.errors import FEATURE_FAILED
from victor.cli.cleaner_options import SWITCHES, Cleaning, Showing
from victor.cli.commands import AT_LEAST_1, NEW_FOLDER, PATH, OneOf, command, complain, option
from victor.crawl.run import Job, crawl, shard
from victor.crawl.state import RunFolder, State
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


EVERY: Final = 10.0  # seconds between two lines where there is no terminal
_MOST_REASONS: Final = 4
_TO_BEGIN: Final = "\r\x1b[K"  # has a terminal write a line anew


class Progress:
    """Shows on standard error how far a run is; called after every part."""

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._pages, self._first = 0, (0.0, 0.0)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the line to others."""
        if sys.stderr.isatty():
            print(_TO_BEGIN, end="", file=sys.stderr, flush=True)

    def __call__(self, state: State, share: float) -> None:
        """Show the counts of a run; `share` of its inputs has been read."""
        now = time.monotonic()
        self._first = self._first if self._pages else (now, share)
        self._pages = state.pages
        then, before = self._first
        left = (now - then) * (1 - share) / (share - before) if share > before else None
        text = described(state, now - self._started, left)
        if sys.stderr.isatty():
            shown = text[: shutil.get_terminal_size().columns - 1]
            print(_TO_BEGIN + shown, end="", file=sys.stderr, flush=True)
        elif now - self._shown >= EVERY:
            self._shown = now
            print(f"victor: {text}", file=sys.stderr, flush=True)

    def spent(self) -> str:
        """How long the run has taken, and its speed if it has read anything.

        Pages of parts that an earlier run has written do not count.
        """
        seconds = max(time.monotonic() - self._started, 1e-3)
        shown = f"{seconds:.1f} s" if seconds < 60 else duration(seconds)
        return f"{shown}, {self._pages / seconds:,.0f} pages/s" if self._pages else shown


def described(totals: State, seconds: float, left: float | None) -> str:
    """One line: pages, speed, outcomes, time left."""
    seconds = max(seconds, 1e-3)
    parts = [
        f"{totals.pages:,} pages",
        f"{totals.pages / seconds:,.0f} pages/s",
        f"{totals.bytes / seconds / 1e6:.1f} MB/s",
        f"kept {totals.written:,}",
        *_reasons("dropped", totals.dropped),
        *_reasons("failed", totals.failed),
    ]
    if left is not None:
        parts.append(f"{duration(left)} left")
    return ", ".join(parts)


def summary(totals: State, form: str, folder: RunFolder, spent: str) -> str:
    """One line: what a run wrote where, in what time, and what became of all else."""
    size = folder.size()
    shown = f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"
    where = f"to {folder.data} ({form}, {shown})"
    parts = [f"wrote {totals.written:,} of {totals.pages:,} pages {where}, {spent}"]
    if not (totals.dropped.total() or totals.failed.total()):
        parts.append("none was dropped, none failed")
    parts += _reasons("dropped", totals.dropped, most=None)
    parts += _reasons("passed over", totals.skipped, most=None)
    if totals.foreign_paragraphs:
        parts.append(f"dropped paragraphs in other languages {totals.foreign_paragraphs:,}")
    for failed in _reasons("failed", totals.failed, most=None):
        parts.append(f"{failed}, see {folder.path / 'failed.jsonl'}")
    return "; ".join(parts)


def _reasons(what: str, counts: Counter[str], most: int | None = _MOST_REASONS) -> Iterator[str]:
    if counts.total():
        ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        named = ", ".join(f"{name} {n:,}" for name, n in ranked[:most])
        yield f"{what} {counts.total():,} ({named})"


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, e.g. ``1:02:05``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
