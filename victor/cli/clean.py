"""`victor clean` and `victor normalize`: pages to clean text, and any page to XHTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click
import numpy  # noqa: F401  (loaded later, and after msgspec, it takes longer)
from msgspec.json import encode

from victor.api import Cleaner, CleanerSpec, Result
from victor.base.errors import ConfigError, PageError, VictorError
from victor.base.files import created, replaced
from victor.cli.cleaner_options import SWITCHES, Cleaning, Showing
from victor.cli.commands import NEW_FILE, PATH, OneOf, command, option
from victor.cli.pages import (
    OK,
    Input,
    Rendered,
    Writing,
    expand,
    parallel_map,
    source,
    supervised,
    with_standard_input,
    write_all,
)
from victor.config.schema import Filter
from victor.labelers.labeler import LABELERS
from victor.render.forms import FORMS, WITH_METADATA, renderer
from victor.sources.inputs import STDIN

if TYPE_CHECKING:
    from victor.documents.page_filter import PageFilter
    from victor.kitten.settings import Settings
    from victor.page.source import Source

_PART: Final = 32  # the most pages that a process gets at once
_OF_DOCUMENTS: Final = tuple(name for name, form in FORMS.items() if form.is_document)
_FORMS: Final = {
    "json_fields": ("json",),
    "bullets": ("text",),
    "preclean": ("html",),
    "with_metadata": WITH_METADATA,
    **dict.fromkeys((*SWITCHES, "posts"), _OF_DOCUMENTS),
}
"""Options of forms, and the forms that have a use for them."""
_ADVICE: Final = {
    "no-text": "scripts may make its text: save the page from a browser",
    "frames": "clean the pages that its frames name",
    "error-page": "a server or wall speaks there; --every-page keeps it",
    "no-content": "--every-page or a threshold such as -t 0.9 keeps more",
}
"""What to try where a page gave nothing; other reasons are those of the filter of a model."""


class _Options(Cleaning, Showing, Writing):
    form: str = option("-f --format", "Output format:", OneOf([*FORMS]), "text")
    posts: bool | None = option(
        "--posts/--no-posts", "Begin posts with a rule, their author and day."
    )
    bullets: bool | None = option("--bullets", "Write bullets and numbers in text.")
    preclean: bool | None = option("--preclean", "Remove scripts and styles from -f html.")
    with_metadata: bool | None = option("--with-metadata", "Write metadata as YAML above the text.")
    json_fields: str | None = option(
        "--json-fields", "Fields: text, markdown, posts, schema_org, blocks.", metavar="NAMES"
    )


@command(
    "victor clean page.html",
    "victor clean pages/ -f markdown -o clean/ -j 2",
    "victor clean -t precision < page.html > page.txt",
    takes=_Options,
    first="form output model labeler threshold scope links images with_metadata jobs",
)
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|URL|-]...")
def clean_command(pages: tuple[str, ...], options: _Options) -> None:
    """Clean files, folders of files, URLs, or standard input (-, the default)."""
    # Loaded before any page: what is missing is an error of the call and not of a page.
    spec, cleaner = options.cleaner(options.spec())
    form = _Form(options.form, _form_settings(options))
    renderer(form.name)
    inputs = expand(pages or (STDIN,))
    results = _cleaned(inputs, cleaner, spec, form, options.jobs)
    said = "have no clean text"
    write_all(inputs, results, options, title="cleaning", noted=said, advice=_ADVICE)


class _Form(NamedTuple):
    """What is written: a form and its options."""

    name: str
    options: dict[str, Any]


def _form_settings(options: _Options) -> dict[str, Any]:
    """Options of `victor.api.Result.render`; one that the form has no use for is an error."""
    form = options.form
    given = {name: getattr(options, name) for name in _FORMS}
    given = {name: value for name, value in given.items() if value is not None}
    if form == "json":
        given.pop("with_metadata", None)  # it always has them
    for name, value in given.items():
        if form not in _FORMS[name]:
            forms = ", ".join(_FORMS[name])
            raise ConfigError(
                f"-f {form} has no use for {_typed(name, value)}, which is for {forms}"
            )
    if (names := given.pop("json_fields", None)) is not None:
        from victor.render.json_page import checked_fields  # other forms do not need it

        given["fields"] = checked_fields([name.strip() for name in names.split(",")])
    for name, value in given.items() if form == "json" else ():
        if name != "fields" and "markdown" not in given.get("fields", ()):
            typed = _typed(name, value)
            raise ConfigError(f"{typed} with -f json needs markdown among --json-fields")
    return given


def _typed(name: str, value: object) -> str:
    return f"--{'no-' if value is False else ''}{name.replace('_', '-')}"


def _cleaned(
    inputs: Sequence[Input], cleaner: Cleaner, spec: CleanerSpec, form: _Form, jobs: int
) -> Iterator[Rendered]:
    """Rendered pages or their errors, in order: in this process, or in several."""
    if jobs == 1 or len(inputs) < 2 * jobs:
        return _clean(inputs, cleaner, form)
    limits = cleaner.limits
    read = with_standard_input(inputs, limits.bytes)
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
    """The filter of a model that has one (Victor 2008, section 3.1, step 1), as in a crawl."""
    if cleaner.labeler.name in LABELERS:  # it has no model
        return None
    from victor.labelers.crf import configuration  # `--help` needs none either

    settings = configuration(cleaner.labeler).filter
    return None if settings == Filter() else _cached_filter(settings)


@lru_cache(maxsize=1)
def _cached_filter(settings: Filter) -> PageFilter:
    from victor.documents.page_filter import PageFilter

    return PageFilter(settings)


def _rendered(result: Result, form: _Form, page_filter: PageFilter | None) -> Rendered:
    if result.error is not None:
        return Rendered("", result.reason, str(result.error))
    try:
        result, reason = _filtered(result, page_filter)
        dropped = reason != result.reason
        text = "" if dropped else result.render(form.name, **form.options)
        return Rendered(text, reason)
    except PageError as error:
        return Rendered("", error.reason, str(error))
    except Exception as error:  # whatever it is, it may cost one page only
        return Rendered("", "failed", f"cannot be rendered: {type(error).__name__}: {error}")


def _filtered(result: Result, page_filter: PageFilter | None) -> tuple[Result, str]:
    """A page as the filter leaves it, and ``ok`` or why it has no clean text."""
    if page_filter is None or result.in_batch is None:
        return result, result.reason
    from victor.documents.process import checked  # few models need it

    page = checked(page_filter, result, result.markup, "utf-8")
    return page.result, page.reason


# --- victor normalize -----------------------------------------------------------------------------


class _NormalizeOptions(Writing):
    form: str = option("-f --format", "Output format:", OneOf(["xhtml", "sentences"]), "xhtml")
    config: str = option("-c --config", "Shipped configuration or file.", PATH, "kitten")
    overrides: tuple[str, ...] = option(
        "-s --set", "Change it, e.g. lists.flatten=false; repeatable.", metavar="KEY=VALUE"
    )
    log: Path | None = option("--log", "Write what -f sentences drops as JSON lines.", NEW_FILE)


@command(
    "victor normalize page.html > page.xhtml",
    "victor normalize pages/ -f sentences -o sentences/",
    takes=_NormalizeOptions,
)
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|URL|-]...")
def normalize_command(pages: tuple[str, ...], options: _NormalizeOptions) -> None:
    """Write any page as well-formed XHTML in UTF-8, or all of its text one sentence a line.

    Sitemaps are left out. A page that cannot be repaired becomes plain text.
    """
    from victor.kitten.settings import load_settings  # `victor clean` needs no Kitten

    settings = load_settings(options.config, options.overrides)
    inputs = expand(pages or (STDIN,))
    read = with_standard_input(inputs, settings.limits.bytes)
    job = partial(_normalized, settings=settings, form=options.form)
    results = parallel_map(job, read, options.jobs)
    if options.log is not None:
        results = _logged(options.log, inputs, results)
    write_all(inputs, results, options, title="normalizing", noted="are not as usual")


def _logged(path: Path, inputs: Sequence[Input], pages: Iterator[Rendered]) -> Iterator[Rendered]:
    """The pages; what rules drop of them is written to a file."""
    with replaced(path) as unfinished, created(unfinished) as log:
        for page, rendered in zip(inputs, pages, strict=True):
            log.writelines(encode({"page": page.name, **row}) + b"\n" for row in rendered.dropped)
            yield rendered


def _normalized(page: Input, *, settings: Settings, form: str) -> Rendered:
    try:
        return _in_form(source(page, settings.limits.bytes), settings, form)
    except PageError as error:
        return Rendered(reason=error.reason, error=str(error))
    except VictorError:
        raise  # the call is wrong, not the page
    except Exception as error:  # an unexpected error costs this page only
        return Rendered(reason="failed", error=f"{type(error).__name__}: {error}")


def _in_form(read: Source, settings: Settings, form: str) -> Rendered:
    """A page as XHTML or as sentences; a `PageError` says that it cannot be."""
    from victor.kitten.normalize import normalize
    from victor.kitten.passages import Removals
    from victor.kitten.sentences import whole_page
    from victor.page.decoding.decode import utf8

    page = read.page
    if isinstance(page, PageError):
        raise page
    normalized = normalize(page, declared=read.charset, settings=settings)
    reason = normalized.note or OK
    if form == "xhtml":
        return Rendered(normalized.xhtml, reason)
    removals = Removals()
    is_html = normalized.kind == "html"
    markup = utf8(page, normalized.decoded) if is_html else normalized.xhtml.encode()
    text = whole_page(markup, settings, removals)
    return Rendered(text, reason, dropped=[*removals.rows()])
