"""`victor clean`: clean pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from victor.api import Cleaner, CleanerSpec, Result
from victor.base.errors import FEATURE_FAILED, PageError
from victor.cli.commands import Command, Folder, OneOf
from victor.cli.inputs import Input, expand, source, with_content
from victor.cli.messages import complain, count, finish, progress
from victor.cli.outputs import NAMES, Rendered, form_options, form_settings, write_page, writer
from victor.cli.sentences import SENTENCES, removal_log, sentence_rules
from victor.cli.system_options import (
    decision_options,
    scope_options,
    trust_code_option,
    type_option,
    with_decision,
    with_scope,
)
from victor.config import Filter
from victor.labelers.labeler import LABELERS
from victor.render import RENDERERS, renderer
from victor.sources.inputs import STDIN

if TYPE_CHECKING:
    from victor.documents.page_filter import PageFilter
    from victor.kitten.settings import Settings

_PART: Final = 32
"""The most pages that a process gets at once."""


@click.command(
    name="clean",
    cls=Command,
    examples=(
        "victor clean page.html",
        "victor clean pages/ -f markdown -o clean/ -j 2",
        "victor clean -t precision < page.html > page.txt",
    ),
    first=(
        "form",
        "output",
        "model",
        "labeler",
        "threshold",
        "scope",
        "links",
        "images",
        "with_metadata",
        "jobs",
    ),
)
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|URL|-]...")
@click.option("-f", "--format", "form", type=OneOf(list(RENDERERS)), default="text",
              show_default=True, metavar="FORMAT",
              help=f"Output format: {', '.join(RENDERERS)}.")  # fmt: skip
@click.option("-m", "--model", type=click.Path(),
              help="Shipped model or model file.  [default: default]")  # fmt: skip
@click.option("-l", "--labeler", type=OneOf([*LABELERS]),
              help="Labeler that needs no model.")  # fmt: skip
@click.option("-c", "--config", type=click.Path(),
              help="Configuration of the labeler or of -f sentences.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a rule of -f sentences, e.g. lists.flatten=false.")  # fmt: skip
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path),
              help="Write what -f sentences drops as JSON lines.")  # fmt: skip
@type_option
@trust_code_option
@decision_options
@scope_options
@form_options
@click.option("-o", "--output", type=Folder(),
              help="Folder for one file per page [default: standard output].")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Processes.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    pages: tuple[str, ...],
    *,
    form: str,
    model: str | None,
    labeler: str | None,
    config: str | None,
    overrides: tuple[str, ...],
    log: Path | None,
    page_type: str | None,
    trust_code: bool,
    output: Path | None,
    jobs: int,
    **more: str | bool | tuple[str, ...] | None,
) -> None:
    """Clean pages: files, folders of files, URLs, or standard input (-, the default)."""
    # Loaded before any page: what is missing is an error of the call and not of a page.
    spec = CleanerSpec(model, labeler, config, trust_code=trust_code, page_type=page_type)
    spec, settings = sentence_rules(spec, form, overrides, log)
    shown = {name: more.pop(name) for name in NAMES}
    spec, cleaner = with_scope(*with_decision(spec, more), more)
    options = form_settings(form, shown)
    renderer(form)
    inputs = [page for name in pages or (STDIN,) for page in expand(name)]
    write = writer(inputs, output, form)
    failed: Counter[str] = Counter()
    empty: Counter[str] = Counter()
    with removal_log(log) as removed, progress("cleaning", len(inputs)) as advance:
        cleaned = _cleaned(inputs, cleaner, spec, _Form(form, settings, options), jobs)
        for index, (page, result) in enumerate(zip(inputs, cleaned, strict=True)):
            if error := write_page(write, index, result):
                if not (failed[FEATURE_FAILED] and error.reason == FEATURE_FAILED):
                    complain(f"{page.name}: {error}")  # once of what many pages share
                failed[error.reason] += 1
            else:
                empty[result.reason] += result.reason != "ok"
                removed.add(page.name, result.dropped)
            advance(1)
    if output is not None:
        n_written = len(inputs) - failed.total()
        complain(f"wrote {n_written} {'page' if n_written == 1 else 'pages'} to {output}")
    count("have no clean text", empty, len(inputs))
    removed.report()
    finish(failed, len(inputs))


class _Form(NamedTuple):
    """What is written: a form, the rules of the one that has some, and its options."""

    name: str
    settings: Settings | None
    options: dict[str, Any]


def _cleaned(
    inputs: Sequence[Input], cleaner: Cleaner, spec: CleanerSpec, form: _Form, jobs: int
) -> Iterator[Rendered]:
    """Rendered pages or their errors, in order: in this process, or in several."""
    if jobs == 1 or len(inputs) < 2 * jobs:
        return _clean(inputs, cleaner, form)
    limits = cleaner.limits
    # Standard input is read here; any process can read the others.
    read = [with_content(page, limits.bytes) if page.name == STDIN else page for page in inputs]
    size = max(1, min(_PART, len(read) // (4 * jobs)))
    parts = [read[i : i + size] for i in range(0, len(read), size)]
    return _supervised(partial(_part, spec=spec, form=form), parts, jobs, limits.seconds)


def _supervised(
    clean: Callable[[Sequence[Input]], list[Rendered]],
    parts: Sequence[Sequence[Input]],
    jobs: int,
    seconds: float,
) -> Iterator[Rendered]:
    """Clean in several processes; the pages of one that is lost are cleaned one by one."""
    from victor.cli.processes import supervised  # one process needs none

    for part, done in zip(parts, supervised(clean, parts, jobs, seconds=seconds), strict=True):
        if not isinstance(done, PageError):
            yield from done
        elif len(part) == 1:
            yield Rendered("", done.reason, str(done))
        else:
            yield from _supervised(clean, [[page] for page in part], jobs, seconds)


def _part(inputs: Sequence[Input], *, spec: CleanerSpec, form: _Form) -> list[Rendered]:
    """Clean in another process, which keeps the cleaner for its next part."""
    return list(_clean(inputs, _cached_cleaner(spec), form))


@lru_cache(maxsize=1)
def _cached_cleaner(spec: CleanerSpec) -> Cleaner:
    return spec.cleaner()


def _clean(inputs: Sequence[Input], cleaner: Cleaner, form: _Form) -> Iterator[Rendered]:
    """Clean in this process. A page that cannot be read is an error of that page."""
    sources = (source(page, cleaner.limits.bytes) for page in inputs)
    page_filter = _page_filter(cleaner)
    results = cleaner.clean_many(sources, page_filter.refuse if page_filter else None)
    return (_rendered(result, form, page_filter) for result in results)


def _page_filter(cleaner: Cleaner) -> PageFilter | None:
    """The filter of a model whose configuration has one; None drops no page.

    It drops pages as a crawl does (Victor 2008, section 3.1, step 1). Without one damaged pages
    are cleaned, too.
    """
    if cleaner.labeler.name in LABELERS:  # it has no model
        return None
    from victor.labelers.load import configuration  # `--help` needs none either

    settings = configuration(cleaner.labeler).filter
    return None if settings == Filter() else _cached_filter(settings)


def _filtered(result: Result, page_filter: PageFilter | None) -> tuple[Result, str]:
    """A page as the filter leaves it, and ``ok`` or why it has no clean text."""
    if page_filter is None or result.in_batch is None:
        return result, result.reason
    from victor.documents.process import checked  # few models need it

    page = checked(page_filter, result, result.markup, "utf-8")
    return page.result, page.reason


@lru_cache(maxsize=1)
def _cached_filter(settings: Filter) -> PageFilter:
    """The filter; a process that cleans several parts loads its profiles once."""
    from victor.documents.page_filter import PageFilter

    return PageFilter(settings)


def _rendered(result: Result, form: _Form, page_filter: PageFilter | None) -> Rendered:
    if result.error is not None:
        return Rendered("", result.reason, str(result.error))
    try:
        result, reason = _filtered(result, page_filter)
        dropped = reason != result.reason
        return Rendered("", reason) if dropped else _written(result, form)
    except PageError as error:
        return Rendered("", error.reason, str(error))
    except Exception as error:  # whatever it is, it may cost one page only
        return Rendered("", "failed", f"cannot be rendered: {type(error).__name__}: {error}")


def _written(result: Result, form: _Form) -> Rendered:
    if form.name != SENTENCES:
        return Rendered(result.render(form.name, **form.options), result.reason)
    from victor.kitten.passages import Removals  # other forms need no Kitten

    removals = Removals()
    text = result.render(form.name, settings=form.settings, removals=removals)
    return Rendered(text, result.reason, dropped=[*removals.rows()])
