"""`victor normalize`: any page as XHTML, or its text one sentence a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from victor.base.errors import PageError, VictorError
from victor.cli.commands import Command, OneOf
from victor.cli.inputs import Input, expand, source, with_content
from victor.cli.messages import complain, count, finish, progress
from victor.cli.outputs import Rendered, write_page, writer
from victor.cli.processes import parallel_map
from victor.cli.sentences import removal_log
from victor.kitten.normalize import normalize
from victor.kitten.passages import Removals
from victor.kitten.sentences import whole_page
from victor.kitten.settings import Settings, load_settings
from victor.page.decoding.decode import utf8
from victor.page.source import Source
from victor.sources.inputs import STDIN


@click.command(
    name="normalize",
    cls=Command,
    examples=(
        "victor normalize page.html > page.xhtml",
        "victor normalize pages/ -f sentences -o sentences/",
    ),
)
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|URL|-]...")
@click.option("-f", "--format", "form", type=OneOf(["xhtml", "sentences"]), default="xhtml",
              show_default=True, help="What to write.")  # fmt: skip
@click.option("-c", "--config", type=click.Path(), default="kitten", show_default=True,
              help="Shipped configuration of the rules, or a file.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change the configuration, e.g. sentences.drop_menus=true.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for one file per page, instead of standard output.")  # fmt: skip
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path),
              help="Write what rules drop as JSON lines.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Processes.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    pages: tuple[str, ...],
    *,
    form: str,
    config: str,
    overrides: tuple[str, ...],
    output: Path | None,
    log: Path | None,
    jobs: int,
) -> None:
    """Write any page as well-formed XHTML in UTF-8, or all of its text one sentence a line.

    Sitemaps are left out. A page that cannot be repaired becomes plain text.
    """
    settings = load_settings(config, overrides)
    inputs = [page for name in pages or (STDIN,) for page in expand(name)]
    write = writer(inputs, output, form)
    failed: Counter[str] = Counter()
    noted: Counter[str] = Counter()
    with removal_log(log) as removed, progress("normalizing", len(inputs)) as advance:
        for index, outcome in enumerate(_outcomes(inputs, settings, form, jobs)):
            if error := write_page(write, index, outcome):
                complain(f"{inputs[index].name}: {error}")
                failed[error.reason] += 1
            else:
                noted[outcome.reason] += outcome.reason != ""
                removed.add(inputs[index].name, outcome.dropped)
            advance(1)
    count("are not as usual", noted, len(inputs))
    removed.report()
    finish(failed, len(inputs))


def _outcomes(
    inputs: Sequence[Input], settings: Settings, form: str, jobs: int
) -> Iterator[Rendered]:
    limit = settings.limits.bytes
    # Other processes have a different standard input.
    read = (with_content(page, limit) if page.name == STDIN else page for page in inputs)
    return parallel_map(partial(_outcome, settings=settings, form=form), read, jobs)


def _outcome(page: Input, *, settings: Settings, form: str) -> Rendered:
    """The outcome of one page."""
    try:
        return _normalized(source(page, settings.limits.bytes), settings, form)
    except PageError as error:
        return Rendered(reason=error.reason, error=str(error))
    except VictorError:
        raise  # the call is wrong, not the page
    except Exception as error:  # an unexpected error costs this page only
        return Rendered(reason="failed", error=f"{type(error).__name__}: {error}")


def _normalized(read: Source, settings: Settings, form: str) -> Rendered:
    """A page in the requested form.

    Raises:
        PageError: it could not be read, is too large, or is excluded.
    """
    page = read.page
    if isinstance(page, PageError):
        raise page
    normalized = normalize(page, declared=read.charset, settings=settings)
    if form == "xhtml":
        return Rendered(normalized.xhtml, normalized.note)
    removals = Removals()
    is_html = normalized.kind == "html"
    markup = utf8(page, normalized.decoded) if is_html else normalized.xhtml.encode()
    text = whole_page(markup, settings, removals)
    return Rendered(text, normalized.note, dropped=[*removals.rows()])
