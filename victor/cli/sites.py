"""`victor sites`: count the texts that are frequent on each site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from victor.api import Cleaner
from victor.base.errors import ConfigError, PageError
from victor.cli.commands import Command, ConfigName, OneOf
from victor.cli.messages import finish, progress
from victor.config import load_as
from victor.labelers.kimatu import NAME, labeler, site_counter
from victor.labelers.kimatu.settings import Settings
from victor.page.source import Source
from victor.sources import Input, ReadOptions, expand, read
from victor.sources.inputs import KINDS
from victor.sources.record import Damage


@click.command(
    name="sites",
    cls=Command,
    examples=(
        "victor sites crawl.warc.gz -o frequent.json",
        "victor clean -l kimatu --sites frequent.json page.html",
    ),
)
@click.argument("names", nargs=-1, required=True, metavar="IN...")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="File to write.")  # fmt: skip
@click.option("-c", "--config", type=ConfigName(), default=NAME, show_default=True,
              help="Configuration of Kimatu, whose `site` says what is frequent.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of it, e.g. site.share=0.3.")  # fmt: skip
@click.option("--kind", type=OneOf(KINDS),
              help="What standard input and files of unknown names are.")  # fmt: skip
@click.option("--html-column", default="html", show_default=True,
              help="Key or column of JSONL and Parquet that holds the page.")  # fmt: skip
@click.option("--url-column", default="url", show_default=True, help="That of its address.")
def command(  # noqa: PLR0913  (one for every option)
    names: tuple[str, ...],
    *,
    output: Path,
    config: str,
    overrides: tuple[str, ...],
    kind: str | None,
    html_column: str,
    url_column: str,
) -> None:
    """Count the texts that are frequent on each site, for --sites of clean and crawl.

    IN is what `victor crawl` reads. All pages without an address are of one site.
    """
    if not output.parent.is_dir():  # better now than after the counting
        raise ConfigError(f"there is no folder {output.parent} for the texts; make it first")
    settings = load_as(Settings, config, overrides)
    cleaner = Cleaner(labeler(settings))
    reading = ReadOptions(
        html_column=html_column,
        url_column=url_column,
        kind=kind,
        max_bytes=cleaner.limits.bytes,
    )
    counter = site_counter(settings)
    failed: Counter[str] = Counter()
    total = 0
    with progress("counting", None) as advance:
        for result in cleaner.clean_many(_sources(expand(names), reading)):
            total += 1
            if result.in_batch is None:
                failed[result.reason] += 1
            else:
                verdict, page = result.in_batch
                counter.add(verdict.table, page, result.url)
            advance(1)
    texts = counter.finish()
    texts.save(output)
    click.echo(
        f"{len(texts.keys)} frequent texts of {texts.sites} sites, {texts.pages} pages: {output}",
        err=True,
    )
    finish(failed, total)


def _sources(inputs: Sequence[Input], reading: ReadOptions) -> Iterator[Source]:
    """All pages; in place of one that cannot be read the error that says why."""
    for each in inputs:
        for item in read(each, reading):
            if isinstance(item, Damage):
                yield Source(PageError(item.reason, item.message), item.url)
            else:
                yield Source(item.body, item.url, item.charset)
