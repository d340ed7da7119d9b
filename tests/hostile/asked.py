"""All that can be asked of a page, by name: every labeler, form, attribute and reader.

A step is made of a page; making it is what has to be done before, e.g. cleaning before a form is
written. Calling it does the step and gives what comes out.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from victor import Source
from victor.api import Block, Cleaner, Result, load_cleaner
from victor.base import lazy
from victor.config.layers import load
from victor.config.schema import Filter, Limits, Scope
from victor.labelers.labeler import LABELERS, build_labeler
from victor.render.forms import FORMS, renderer
from victor.render.json_page import FIELDS
from victor.sources.record import Record

Make = Callable[[Source], Callable[[], object]]
"""Of a page, the step."""

MODELS: Final = ("default", "crf", "czech")
TEXTS: Final = frozenset({"text", "markdown", "article", "cleaneval", "sentences", "native"})
"""Forms that show readers nothing but text."""
_NONE: Final = Limits(bytes=10**9, blocks=10**8, seconds=10**6, output=10**9)
_SELECTORS: Final = (
    *(".comment", "div .post", "p ~ p", "[id] > *", "div:has(> p .x)", ":not(div p ~ *)"),
    *("li:nth-of-type(2n)", "p:contains(honey)", "[lang|=cs]", "* + :empty", "div div b:is(b, i)"),
)
_PUBLIC: Final[Mapping[type, list[str]]] = {
    owner: [
        name for name, value in vars(owner).items()
        if isinstance(value, property | lazy.cached_property) and name[0] != "_"
        if name not in FORMS
    ]
    for owner in (Block, Result)
}  # fmt: skip
"""What can be asked of a block, and of a result beside its forms; made when it is first read."""


@cache
def cleaner(name: str, /, **scope: Any) -> Cleaner:
    """A cleaner without limits, of a model or a labeler."""
    labeler = load_cleaner(name).labeler if name in MODELS else build_labeler(name)
    return Cleaner(labeler, limits=_NONE, scope=Scope(**scope) if scope else None)


@lru_cache(maxsize=2)
def result(source: Source, name: str = "default") -> Result:
    """A cleaned page, of which nothing was asked yet.

    Raises:
        PageError: the page cannot be cleaned.
    """
    (cleaned,) = cleaner(name).clean_many([source])
    if cleaned.error is not None:
        raise cleaned.error
    return cleaned


def _cleaning(name: str, /, **scope: object) -> Make:
    """A page with its kinds, which are found when asked for."""

    def make(source: Source) -> Callable[[], object]:
        def act() -> object:
            (cleaned,) = cleaner(name, **scope).clean_many([source])
            if cleaned.error is not None:
                raise cleaned.error
            verdict, _ = cleaned.in_batch or (None, 0)
            return verdict and verdict.kinds

        return act

    return make


def _asked(ask: Callable[[Result], object], by: str = "none") -> Make:
    """What is asked of a cleaned page."""

    def make(source: Source) -> Callable[[], object]:
        return partial(ask, result(source, by))

    return make


def _form(form: str, by: str = "none", **options: object) -> Make:
    return _asked(lambda cleaned: cleaned.render(form, **options), by)


def _attribute(name: str) -> Make:
    return _asked(lambda cleaned: [getattr(block, name) for block in cleaned.blocks])


def _normalize(source: Source) -> Callable[[], object]:
    from victor.kitten.normalize import normalize

    return lambda: normalize(source.page, declared=source.charset).xhtml


def _annotation(source: Source) -> Callable[[], object]:
    from victor.page.safe_page import safe_page

    return lambda: safe_page(source.page, "/assets/").markup


def _features(source: Source) -> Callable[[], object]:
    from victor.cli.models import FORMS, measure
    from victor.model.extractor import FeatureExtractor

    extractor = FeatureExtractor(load("crf"))
    markup = result(source).markup
    return lambda: "\n".join(FORMS["tsv"](measure(markup, extractor)))


def _explanation(source: Source) -> Callable[[], object]:
    """Why the block in the middle has its label."""
    from victor.explain.contributions import explain
    from victor.explain.groups import grouped

    labeler: Any = cleaner("default").labeler
    table = labeler.table([result(source).markup])
    if not len(table):
        return lambda: None
    return lambda: grouped(explain(labeler.model, table), [len(table) // 2], 5)


def _command(source: Source) -> Callable[[], object]:
    """The command line: a text, or a message and another status than 0; never a traceback."""
    from click.testing import CliRunner

    from victor.cli.clean import clean_command

    def act() -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.html"
            file.write_bytes(source.page)
            ran = CliRunner().invoke(clean_command, [str(file)])
        assert ran.exception is None or isinstance(ran.exception, SystemExit), repr(ran.exception)
        assert ran.exit_code == 0 or ran.stderr.strip(), "no message"
        return ran.stdout

    return act


@lru_cache(maxsize=1)
def _outcome(source: Source) -> Any:
    """What a crawl makes of a page, whatever its filter says."""
    from victor.documents.page_filter import PageFilter
    from victor.documents.process import Processor

    record = Record("bees", 0, source.page, url=source.url)
    (outcome,) = Processor(cleaner("none"), PageFilter(Filter()), keep_dropped=True)([record])
    return outcome


def _written(form: str) -> Make:
    """The document of a page, as a crawl writes it."""
    from victor.crawl.writers import writer

    def make(source: Source) -> Callable[[], object]:
        outcome = _outcome(source)

        def write() -> None:
            with (
                tempfile.TemporaryDirectory() as folder,
                writer(form, Path(folder) / "part") as file,
            ):
                if outcome.row is not None:
                    file.write(outcome)

        return write

    return make


def _forms() -> Iterator[tuple[str, Make]]:
    """Every form, with each of its switches turned, too."""
    for form in FORMS:
        if form == "sentences" and not lazy.is_installed("sentencex"):
            continue
        yield form, _form(form)
        switches = {
            name: not each.default
            for name, each in inspect.signature(renderer(form)).parameters.items()
            if isinstance(each.default, bool)
        }
        if FORMS[form].is_document:
            switches |= {"posts": form != "article", "headline": form != "article"}
        if FORMS[form].has_metadata:
            switches |= {"with_metadata": True}
        for name, value in switches.items():
            yield f"{form} {name}={value}", _form(form, **{name: value})
    yield "native of dom", _form("native", "dom")
    yield "json with all", _form("json", fields=FIELDS)


STEPS: Final[Mapping[str, Make]] = {
    **{f"clean {name}": _cleaning(name) for name in (*MODELS, *LABELERS)},
    **{f"clean {name}": _cleaning("default", name=name) for name in ("article", "full")},
    "keep": _cleaning("default", keep=_SELECTORS),
    "drop": _cleaning("default", drop=_SELECTORS),
    **dict(_forms()),
    **{name: _asked(attrgetter(name)) for name in _PUBLIC[Result]},
    **{f"block {name}": _attribute(name) for name in _PUBLIC[Block]},
    "normalize": _normalize,
    "explain a block": _explanation,
    "demo": lambda source: result(source).demo,
    "features": _features,
    "annotation": _annotation,
    "command": _command,
    "crawl": lambda source: lambda: _outcome(source),
    **{f"write {form}": _written(form) for form in ("jsonl", "parquet", "vertical")},
}
"""Name of every step to what makes it of a page."""
SLOW: Final = frozenset({"explain a block", "demo", "features"})
"""Steps that take as long as all others together."""


def warm(names: Iterator[str] | Mapping[str, Make] = STEPS) -> None:
    """Load and compute what is done once, before anything is measured."""
    page = Source(b"<h1>On bees</h1><p>" + b"Bees live in colonies, and so do ants. " * 8)
    for name in names:
        STEPS[name](page)()
