"""`victor annotate`: label pages in the browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from victor.base.errors import ConfigError
from victor.cli.annotate_exchange import COMMANDS, store_option
from victor.cli.commands import Group, OneOf
from victor.cli.messages import complain
from victor.cli.system_options import trust_code_option
from victor.labelers.labeler import LABELERS

if TYPE_CHECKING:
    from victor.annotate.server.api import Api
    from victor.annotate.store.store import Store

_NEEDED: Final = ("markdown_it", "starlette", "uvicorn")
_PREPARING: Final = 2
"""Processes that prepare pages: while one is busy with a hostile page, the other has the rest."""
_NICENESS: Final = 5
"""Of the process that suggests: pages that somebody waits for come first."""
_JOBS: Final = "victor.annotate.prepare"


@click.group(
    name="annotate",
    cls=Group,
    examples=(
        "victor annotate serve pages/",
        "victor annotate export corpus/",
        "victor adapt corpus/ -o mine.victor",
    ),
)
def command() -> None:
    """Label pages in the browser, alone or with others, and use the labels."""


for _command in COMMANDS:
    command.add_command(_command)


@command.command(
    name="serve",
    examples=(
        "victor annotate serve pages/",
        "victor annotate serve crawl.warc.gz -m mine.victor -s mine.sqlite",
        "victor annotate serve --urls addresses.txt",
    ),
)
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|WARC|CORPUS]...")
@click.option("--urls", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Download the addresses in this file, one a line.")  # fmt: skip
@click.option("--allow-private", is_flag=True,
              help="Also download from this machine and private networks.")  # fmt: skip
@store_option
@click.option("-m", "--model", "models", multiple=True,
              help="Model that suggests labels; repeatable, to order pages by disagreement.  "
                   "[default: default]")  # fmt: skip
@click.option("-l", "--labeler", "labelers", multiple=True, type=OneOf(LABELERS),
              help="Labeler that suggests labels and needs no model.")  # fmt: skip
@click.option("--no-suggestions", is_flag=True,
              help="Start every page empty, for labels without bias.")  # fmt: skip
@trust_code_option
@click.option("--adapt-every", "every", type=click.IntRange(0), default=5,
              show_default=True, metavar="N",
              help="Adapt the model after every N finished pages; 0: only when asked.")  # fmt: skip
@click.option("--guidelines", "guidelines_file", metavar="FILE.md",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Show your own guidelines, in Markdown, in the help.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=0,
              help="Port to listen on.  [default: any free one]")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True,
              help="IP address to listen on. Anybody with the token can connect.")  # fmt: skip
@click.option("--open/--no-open", "open_browser", default=True, help="Open the browser.")
def serve(  # noqa: PLR0913  (one for every option)
    pages: tuple[str, ...],
    *,
    urls: Path | None,
    allow_private: bool,
    store_file: Path,
    models: tuple[str, ...],
    labelers: tuple[str, ...],
    no_suggestions: bool,
    trust_code: bool,
    every: int,
    guidelines_file: Path | None,
    port: int,
    host: str,
    open_browser: bool,
) -> None:
    """Label pages from HTML files, folders, WARC files and annotated corpora.

    Pages are copied into the store. Without pages, you continue with those in it.
    """
    _check_extra()
    from victor.annotate.collect import collect
    from victor.annotate.server.guidelines import guidelines
    from victor.annotate.server.only_server import only_server
    from victor.annotate.server.server import listen, run  # of an extra
    from victor.annotate.store.store import Store

    shown = guidelines(guidelines_file)
    systems = _systems(models, labelers, no_suggestions=no_suggestions)
    if not pages and urls is None and not store_file.exists():
        raise ConfigError(f"name pages to annotate: there is no store {store_file} yet")
    with (
        closing(listen(host, port)) as listener,
        Store(store_file) as store,
        only_server(store_file),
    ):
        incoming = collect(pages, urls, allow_private=allow_private, tell=complain)
        store.add(incoming, complain)
        _check_pages(store)
        with _served(store, systems, trust_code, every, shown) as api:
            run(api, listener, _announce(store, open_browser=open_browser))


def _systems(
    models: tuple[str, ...], labelers: tuple[str, ...], *, no_suggestions: bool
) -> tuple[str, ...]:
    """Names of the labelers that suggest; the labels are those of the first.

    Raises:
        ConfigError: the options contradict each other.
    """
    systems = (*models, *labelers)
    if no_suggestions and systems:
        raise ConfigError("--no-suggestions contradicts --model and --labeler; leave one out")
    if len(set(systems)) < len(systems):
        raise ConfigError("a labeler is named twice; name each once")
    return () if no_suggestions else systems or ("default",)


@contextmanager
def _served(
    store: Store, systems: tuple[str, ...], trust_code: bool, every: int, guidelines: str
) -> Iterator[Api]:
    """The routes, with the threads that serve them."""
    from victor.annotate.assist.adapting import Adapting, Plan
    from victor.annotate.assist.suggestion_worker import (
        SuggestionWorker,
        load_suggester,
    )
    from victor.annotate.server.api import Api  # of an extra
    from victor.base.processes import Calls

    base = next((name for name in systems if name not in LABELERS), "default")
    plan = Plan(model=store.path.with_suffix(".victor"), base=base, trust_code=trust_code)
    with (
        closing(Calls(_PREPARING, preload=[_JOBS])) as preparing,
        closing(Calls(1, niceness=_NICENESS)) as suggesting,
        closing(
            SuggestionWorker(
                store, [load_suggester(name, suggesting, trust_code=trust_code) for name in systems]
            )
        ) as worker,
        closing(Adapting(store, worker, plan, every, processes=suggesting)) as adapting,
    ):
        yield Api(store, worker, adapting, preparing, guidelines)


def _check_extra() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"annotating needs {' and '.join(missing)}: pip install 'victor-crf[annotate]'"
        )


def _check_pages(store: Store) -> None:
    if not store.pages.count():
        raise ConfigError(f"{store.path} holds no page; name pages to annotate")


def _amount(store: Store) -> str:
    """How many pages there are, and on how many somebody has finished."""
    labelled = store.queue.finished()
    return f"{store.pages.count()} pages" + (f", {labelled} labelled," if labelled else "")


def _announce(store: Store, *, open_browser: bool) -> Callable[[str], None]:
    """Prints the address of the tool, and opens it."""

    def announce(url: str) -> None:
        click.echo(f"victor: {_amount(store)} in {store.path}", err=True)
        click.echo(f"victor: open {url}", err=True)
        click.echo("victor: Ctrl+C ends; everything saved stays", err=True)
        if open_browser:
            webbrowser.open(url)

    return announce
