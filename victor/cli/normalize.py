"""`victor normalize`: any page as XHTML, or its text one sentence a line."""

from __future__ import annotations

from functools import partial

import click

from victor.base.errors import PageError, VictorError
from victor.cli.commands import PATH, OneOf, command, option
from victor.cli.pages import (
    OK,
    Input,
    Rendered,
    Writing,
    expand,
    parallel_map,
    source,
    with_standard_input,
    write_all,
)
from victor.kitten.normalize import normalize
from victor.kitten.passages import Removals
from victor.kitten.sentences import whole_page
from victor.kitten.settings import Settings, load_settings
from victor.page.decoding.decode import utf8
from victor.page.source import Source
from victor.sources.inputs import STDIN


class _Options(Writing):
    form: str = option("-f --format", "Output format:", OneOf(["xhtml", "sentences"]), "xhtml")
    config: str = option("-c --config", "Shipped configuration or file.", PATH, "kitten")
    overrides: tuple[str, ...] = option(
        "-s --set", "Change it, e.g. lists.flatten=false; repeatable.", metavar="KEY=VALUE"
    )


@command(
    "victor normalize page.html > page.xhtml",
    "victor normalize pages/ -f sentences -o sentences/",
    takes=_Options,
)
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|URL|-]...")
def normalize_command(pages: tuple[str, ...], options: _Options) -> None:
    """Write any page as well-formed XHTML in UTF-8, or all of its text one sentence a line.

    Sitemaps are left out. A page that cannot be repaired becomes plain text.
    """
    settings = load_settings(options.config, options.overrides)
    inputs = expand(pages or (STDIN,))
    read = with_standard_input(inputs, settings.limits.bytes)
    job = partial(_rendered, settings=settings, form=options.form)
    results = parallel_map(job, read, options.jobs)
    write_all(inputs, results, options, title="normalizing", noted="are not as usual")


def _rendered(page: Input, *, settings: Settings, form: str) -> Rendered:
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
    reason = normalized.note or OK
    if form == "xhtml":
        return Rendered(normalized.xhtml, reason)
    removals = Removals()
    is_html = normalized.kind == "html"
    markup = utf8(page, normalized.decoded) if is_html else normalized.xhtml.encode()
    text = whole_page(markup, settings, removals)
    return Rendered(text, reason, dropped=[*removals.rows()])
