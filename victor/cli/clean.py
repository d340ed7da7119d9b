"""`victor clean` and `victor normalize`: pages to clean text, and any page to XHTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from victor.api import Cleaner, CleanerSpec, Result
from victor.base.errors import ConfigError, PageError, VictorError
from victor.cli.cleaner_options import SWITCHES, Cleaning, Showing
from victor.cli.commands import PATH, OneOf, command, option
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
_SENTENCES: Final = "sentences"
_KEEPS_ALL: Final = "none"
_OF_KITTEN: Final = ("labeler", "limits", "normalize")
"""Keys of Kitten that are not rules of the form; a configuration may have them."""
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
    config: str | None = option(
        "-c --config", "Configuration of the labeler or of -f sentences.", PATH
    )
    overrides: tuple[str, ...] = option(
        "-s --set", "Change a rule of -f sentences; repeatable.", metavar="KEY=VALUE"
    )
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
    spec, settings = _sentence_rules(options)
    spec, cleaner = options.cleaner(spec)
    form = _Form(options.form, settings, _form_settings(options))
    renderer(form.name)
    inputs = expand(pages or (STDIN,))
    results = _cleaned(inputs, cleaner, spec, form, options.jobs)
    said = "have no clean text"
    write_all(inputs, results, options, title="cleaning", noted=said, advice=_ADVICE)


class _Form(NamedTuple):
    """What is written: a form, the rules of the one that has some, and its options."""

    name: str
    settings: Settings | None
    options: dict[str, Any]


def _sentence_rules(options: _Options) -> tuple[CleanerSpec, Settings | None]:
    """The rules of the form `sentences`, and what cleans without what is meant for them.

    The labeler that keeps everything has no rules; a configuration beside it is one of Kitten, as
    for `victor normalize`, and its limits hold.
    """
    spec, overrides = options.spec(), options.overrides
    if options.form != _SENTENCES:
        if overrides or options.log is not None:
            name = "--set" if overrides else "--log"
            raise ConfigError(f"{name} is for the rules of -f {_SENTENCES}; add it or leave this")
        return spec, None
    from victor.kitten.settings import load_settings  # other forms need no Kitten

    for override in overrides:
        if override.partition("=")[0].partition(".")[0] in _OF_KITTEN:
            raise ConfigError(
                f"--set {override}: here it takes the rules of -f {_SENTENCES}: language, lists.…, "
                "tables.… and sentences.…"
            )
    if spec.labeler != _KEEPS_ALL or spec.config is None:
        return spec, load_settings(overrides=overrides)
    settings = load_settings(spec.config, overrides)
    return replace(spec, config=None, limits=settings.limits), settings


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
        return Rendered("", reason) if dropped else _written(result, form)
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


def _written(result: Result, form: _Form) -> Rendered:
    if form.name != _SENTENCES:
        return Rendered(result.render(form.name, **form.options), result.reason)
    from victor.kitten.passages import Removals  # other forms need no Kitten

    removals = Removals()
    text = result.render(form.name, settings=form.settings, removals=removals)
    return Rendered(text, result.reason, dropped=[*removals.rows()])


# --- victor normalize -----------------------------------------------------------------------------


class _NormalizeOptions(Writing):
    form: str = option("-f --format", "Output format:", OneOf(["xhtml", "sentences"]), "xhtml")
    config: str = option("-c --config", "Shipped configuration or file.", PATH, "kitten")
    overrides: tuple[str, ...] = option(
        "-s --set", "Change it, e.g. lists.flatten=false; repeatable.", metavar="KEY=VALUE"
    )


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
    write_all(inputs, results, options, title="normalizing", noted="are not as usual")


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
