"""`victor annotate`: label pages in the browser, and annotations as files."""

from __future__ import annotations

import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from victor.base.errors import ConfigError, CorpusError
from victor.cli.cleaner_options import Trusting
from victor.cli.commands import (
    CORPUS,
    FILE,
    NEW_FILE,
    NEW_FOLDER,
    PATH,
    Group,
    OneOf,
    Options,
    command,
    complain,
    finish,
    option,
)
from victor.labelers.labeler import LABELERS

if TYPE_CHECKING:
    from victor.annotate.api import Api
    from victor.annotate.store import Store

_NEEDED: Final = ("markdown_it", "starlette", "uvicorn")
_PREPARING: Final = 2
"""Processes that prepare pages: while one is busy with a hostile page, the other has the rest."""
_NICENESS: Final = 5  # of the process that suggests: pages that somebody waits for come first
_JOBS: Final = "victor.annotate.blocks"
_FORMATS: Final = ("corpus", "html")


@click.group(
    cls=Group,
    examples=(
        "victor annotate serve pages/",
        "victor annotate export corpus/",
        "victor adapt corpus/ -o mine.victor",
    ),
)
def annotate_group() -> None:
    """Label pages in the browser, alone or with others, and use the labels."""


class _Stored(Options):
    store: Path = option(
        "-s --store", "File that holds pages and labels.", NEW_FILE, "annotations.sqlite"
    )


class _Served(_Stored, Trusting):
    model: str | None = option(
        "-m --model", "Model that suggests labels.  [default: default]", PATH
    )
    labeler: str | None = option("-l --labeler", "Labeler that suggests labels:", OneOf(LABELERS))
    no_suggestions: bool = option(
        "--no-suggestions", "Start every page empty, for labels without bias."
    )
    every: int = option(
        "--adapt-every", "Adapt the model after N pages; 0: when asked.", click.IntRange(0), 5
    )
    guidelines: Path | None = option(
        "--guidelines", "Show your own guidelines (Markdown) in the help.", FILE
    )
    port: int = option(
        "--port", "Port to listen on; 0 takes any free one.", click.IntRange(0, 65535), 0
    )
    host: str = option("--host", "Address; anybody with the token can connect.", None, "127.0.0.1")
    open_browser: bool = option("--open/--no-open", "Open the browser.", default=True)

    @property
    def system(self) -> str | None:
        """Name of the labeler that suggests; None for none."""
        given = [name for name in (self.model, self.labeler) if name is not None]
        if len(given) + self.no_suggestions > 1:
            raise ConfigError(
                "--model, --labeler and --no-suggestions exclude each other; give one"
            )
        return None if self.no_suggestions else given[0] if given else "default"


@command(
    "victor annotate serve pages/",
    "victor annotate serve crawl.warc.gz -m mine.victor -s mine.sqlite",
    "victor annotate serve @addresses.txt",
    takes=_Served,
    group=annotate_group,
)
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|WARC|CORPUS|URL|@LIST]...")
def serve_command(pages: tuple[str, ...], options: _Served) -> None:
    """Label pages: HTML files, folders, WARC files, annotated corpora, URLs, @lists.

    Pages are copied into the store. Without pages, you continue with those in it.
    """
    _check_extra()
    from victor.annotate.api import guidelines
    from victor.annotate.collect import collect
    from victor.annotate.server import listen, only_server, run  # of an extra
    from victor.annotate.store import Store

    shown, path = guidelines(options.guidelines), options.store
    system = options.system
    if not pages and not path.exists():
        raise ConfigError(f"name pages to annotate: there is no store {path} yet")
    with (
        closing(listen(options.host, options.port)) as listener,
        Store(path) as store,
        only_server(path),
    ):
        store.add(collect(pages, complain), complain)
        if not store.pages.count():
            raise ConfigError(f"{path} holds no page; name pages to annotate")
        with _served(store, system, options, shown) as api:
            run(api, listener, _announce(store, open_browser=options.open_browser))


@contextmanager
def _served(store: Store, system: str | None, options: _Served, guidelines: str) -> Iterator[Api]:
    from victor.annotate.adapting import Adapting, Plan
    from victor.annotate.api import Api  # of an extra
    from victor.annotate.suggestions import SuggestionWorker, load_suggester
    from victor.base.processes import Calls

    trust_code, base = options.trust_code, options.model or "default"
    plan = Plan(model=store.path.with_suffix(".victor"), base=base, trust_code=trust_code)
    with (
        closing(Calls(_PREPARING, preload=[_JOBS])) as preparing,
        closing(Calls(1, niceness=_NICENESS)) as suggesting,
        closing(
            SuggestionWorker(
                store,
                None
                if system is None
                else load_suggester(system, suggesting, trust_code=trust_code),
            )
        ) as worker,
        closing(Adapting(store, worker, plan, options.every, processes=suggesting)) as adapting,
    ):
        yield Api(store, worker, adapting, preparing, guidelines)


def _check_extra() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"annotating needs {' and '.join(missing)}: pip install 'victor-crf[annotate]'"
        )


def _announce(store: Store, *, open_browser: bool) -> Callable[[str], None]:

    def announce(url: str) -> None:
        finished = store.queue.finished()
        labelled = f", {finished} labelled," if finished else ""
        complain(f"{store.pages.count()} pages{labelled} in {store.path}")
        complain(f"open {url}")
        complain("Ctrl+C ends; everything saved stays")
        if open_browser:
            webbrowser.open(url)

    return announce


@contextmanager
def _opened(path: Path, *, make: bool = False) -> Iterator[Store]:
    from victor.annotate.store import Store  # other commands do without

    if not make and not path.exists():
        raise ConfigError(f"there is no store {path}; name one with --store")
    with Store(path) as store:
        yield store


class _Imported(_Stored):
    annotator: str | None = option(
        "-a --annotator", "Whose labels.  [default: saved last, or as SOURCE says]", metavar="NAME"
    )


class _Exported(_Imported):
    form: str = option("-f --format", "Format of the files:", OneOf(_FORMATS), "corpus")


@command(
    "victor annotate export corpus/",
    "victor annotate export jana/ -a jana",
    takes=_Exported,
    group=annotate_group,
)
@click.argument("output", type=NEW_FOLDER)
def export_command(output: Path, options: _Exported) -> None:
    """Write the finished pages to a new folder OUTPUT.

    Formats: corpus (what `victor adapt`, `train` and `evaluate` read), html (the original bytes of
    pages with data-victor marks).
    """
    from victor.annotate.exchange import annotated_pages, write

    left_out: list[str] = []
    annotator = options.annotator
    with _opened(options.store) as store:
        _check_annotator(store, annotator)
        _check_finished(store, annotator)
        pages = annotated_pages(store, annotator, complain=left_out.append)
        count = write(options.form, pages, output, left_out.append)
    for message in left_out:
        complain(message)
    click.echo(f"{count} pages written to {output}", err=True)
    finish(Counter({"not-written": len(left_out)}), count + len(left_out))


@command(
    "victor annotate import corpus/",
    "victor annotate import corpus/ -a jana",
    takes=_Imported,
    group=annotate_group,
)
@click.argument("source", type=click.Path(exists=True, path_type=Path))
def import_command(source: Path, options: _Imported) -> None:
    """Import annotated pages into the store as new revisions; nothing is overwritten.

    SOURCE is what export writes, in either format, or one page with marks; `victor align` makes a
    corpus of gold texts.
    """
    from victor.annotate.exchange import import_pages, read

    failed: Counter[str] = Counter()
    count = 0
    with _opened(options.store, make=True) as store:
        for result in import_pages(store, read(source), options.annotator):
            if result.error is not None:
                failed["not-taken"] += 1
                complain(f"page {result.page}: {result.error}")
                continue
            count += 1
            for problem in result.problems:
                click.echo(f"{result.page}: {problem}")
    if not (count or failed):
        raise CorpusError(
            f"{source} holds no annotated page; nothing is imported. Name another folder or file"
        )
    click.echo(f"{count} annotated pages imported into {options.store}", err=True)
    finish(failed, count + failed.total())


class _Agreeing(Options):
    worst: int = option("--worst", "Number of pages to list.", click.IntRange(0), 10)


@command(
    "victor annotate agree jana/ petr/",
    "victor annotate agree jana/ petr/ --worst 5",
    takes=_Agreeing,
    group=annotate_group,
)
@click.argument("a", type=CORPUS)
@click.argument("b", type=CORPUS)
def agree_command(a: Path, b: Path, options: _Agreeing) -> None:
    """Print how far the annotators of the exports A and B agree on the pages that both hold.

    An export of one annotator is made by `export -a NAME`. Prints Cohen's kappa of blocks and the
    share of words in dispute, of all pages and then of those with the largest share.
    """
    from victor.annotate.agreement import agreement
    from victor.corpus.pages import read_corpus
    from victor.measures.averages import aligned

    every, *pages = agreement(read_corpus(a), read_corpus(b))
    worst = [page for page in pages[: options.worst] if page.different]
    rows = [["", "kappa", "blocks differ", "of the words"]]
    for each in (every._replace(id=f"{len(pages)} pages"), *worst):
        kappa = "-" if each.kappa is None else f"{each.kappa:.4f}"
        rows.append([each.id, kappa, f"{each.different} of {each.blocks}", f"{each.words:.1%}"])
    click.echo(aligned(rows))


def _check_annotator(store: Store, name: str | None) -> None:
    known = store.revisions.annotators()
    if name is not None and name not in known:
        raise ConfigError(f"nobody called {name!r} saved anything; known: {', '.join(known)}")


def _check_finished(store: Store, annotator: str | None) -> None:
    from victor.annotate.exchange import chosen, heads_by_page

    heads = heads_by_page(store)
    if not any(chosen(of_page, annotator) for of_page in heads.values()):
        whose = f" by {annotator}" if annotator is not None else ""
        raise CorpusError(
            f"none of the {len(heads)} pages in {store.path} is finished{whose}; nothing is "
            "written. Mark pages as done (D) or as without content (N) first"
        )
