"""All that can be asked of a page, by name: every labeler, form, attribute and reader.

A step is made of a page; making it is what has to be done before, e.g. cleaning before a form is
written. Calling it does the step and gives what comes out.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from click.testing import CliRunner

from victor import Source
from victor.api import Block, Cleaner, Result, load_cleaner
from victor.base import lazy
from victor.cli.clean import clean_command
from victor.cli.models import FORMS as TABLES
from victor.cli.models import measure
from victor.config.layers import load
from victor.config.schema import Filter, Limits, Scope
from victor.crawl.writers import writer
from victor.documents.page_filter import PageFilter
from victor.documents.process import Processor
from victor.explain.contributions import explain
from victor.explain.groups import grouped
from victor.kitten.normalize import normalize
from victor.labelers.labeler import LABELERS, build_labeler
from victor.model.extractor import FeatureExtractor
from victor.page.safe_page import safe_page
from victor.render.forms import FORMS, renderer
from victor.render.json_page import FIELDS
from victor.sources.record import Record

MODELS: Final = ("default", "crf", "czech")
TEXTS: Final = frozenset({"text", "markdown", "article", "cleaneval", "sentences", "native"})
"""Forms that show readers nothing but text."""
_NONE: Final = Limits(bytes=10**9, blocks=10**8, seconds=10**6, output=10**9)
_SELECTORS: Final = (
    *(".comment", "div .post", "p ~ p", "[id] > *", "div:has(> p .x)", ":not(div p ~ *)"),
    *("li:nth-of-type(2n)", "p:contains(honey)", "[lang|=cs]", "* + :empty", "div div b:is(b, i)"),
)


class Step(NamedTuple):
    """What is made of a page before anything is asked, and what is asked of that."""

    ask: Callable[[Any], object]
    before: Callable[[Source], Any] = lambda source: source

    def __call__(self, source: Source) -> Callable[[], object]:
        return partial(self.ask, self.before(source))


@cache
def cleaner(name: str, /, **scope: Any) -> Cleaner:
    """A cleaner without limits, of a model or a labeler."""
    labeler = load_cleaner(name).labeler if name in MODELS else build_labeler(name)
    return Cleaner(labeler, limits=_NONE, scope=Scope(**scope) if scope else None)


@lru_cache(maxsize=2)
def result(source: Source, name: str = "none") -> Result:
    """A cleaned page, of which nothing was asked yet.

    Raises:
        PageError: the page cannot be cleaned.
    """
    return _cleaned(source, cleaner(name))


def _cleaned(source: Source, by: Cleaner) -> Result:
    (cleaned,) = by.clean_many([source])
    if cleaned.error is not None:
        raise cleaned.error
    return cleaned


_by_model: Final = partial(result, name="default")


def _cleaning(name: str, /, **scope: object) -> Step:
    """A page with its kinds, which are found when asked for."""

    def ask(source: Source) -> object:
        verdict, _ = _cleaned(source, cleaner(name, **scope)).in_batch or (None, 0)
        return verdict and verdict.kinds

    return Step(ask)


def _form(form: str, **options: object) -> Step:
    return Step(lambda cleaned: cleaned.render(form, **options), result)


def _attribute(name: str) -> Step:
    return Step(lambda cleaned: [getattr(block, name) for block in cleaned.blocks], result)


def _features(cleaned: Result) -> str:
    return "\n".join(TABLES["tsv"](measure(cleaned.markup, FeatureExtractor(load("crf")))))


def _explanation(cleaned: Result) -> object:
    """Why the block in the middle has its label."""
    labeler: Any = cleaner("default").labeler
    table = labeler.table([cleaned.markup])
    return grouped(explain(labeler.model, table), [len(table) // 2], 5) if len(table) else None


def _command(source: Source) -> str:
    """The command line: a text, or a message and another status than 0; never a traceback."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_bytes(source.page)
        ran = CliRunner().invoke(clean_command, [str(file)])
    assert ran.exception is None or isinstance(ran.exception, SystemExit), repr(ran.exception)
    assert ran.exit_code == 0 or ran.stderr.strip(), "no message"
    return ran.stdout


@lru_cache(maxsize=1)
def _outcome(source: Source) -> Any:
    """What a crawl makes of a page, whatever its filter says."""
    record = Record("bees", 0, source.page, url=source.url)
    (outcome,) = Processor(cleaner("none"), PageFilter(Filter()), keep_dropped=True)([record])
    return outcome


def _written(form: str) -> Step:
    """The document of a page, as a crawl writes it."""

    def write(outcome: Any) -> None:
        with tempfile.TemporaryDirectory() as folder, writer(form, Path(folder) / "part") as file:
            if outcome.row is not None:
                file.write(outcome)

    return Step(write, _outcome)


def _forms() -> Iterator[tuple[str, Step]]:
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
    of_dom = partial(result, name="dom")
    yield "native of dom", Step(lambda cleaned: cleaned.render("native"), of_dom)
    yield "json with all", _form("json", fields=FIELDS)


def _public(owner: type) -> list[str]:
    """What can be asked of a block, or of a result beside its forms; made when it is read."""
    return [
        name
        for name, value in vars(owner).items()
        if isinstance(value, property | lazy.cached_property)
        if name[0] != "_" and name not in FORMS
    ]


STEPS: Final[Mapping[str, Step]] = {
    **{f"clean {name}": _cleaning(name) for name in (*MODELS, *LABELERS)},
    **{f"clean {name}": _cleaning("default", name=name) for name in ("article", "full")},
    "keep": _cleaning("default", keep=_SELECTORS),
    "drop": _cleaning("default", drop=_SELECTORS),
    **dict(_forms()),
    **{name: Step(attrgetter(name), result) for name in _public(Result)},
    **{f"block {name}": _attribute(name) for name in _public(Block)},
    "normalize": Step(lambda source: normalize(source.page, declared=source.charset).xhtml),
    "explain a block": Step(_explanation, _by_model),
    "demo": Step(lambda cleaned: cleaned.demo(), _by_model),
    "features": Step(_features, _by_model),
    "annotation": Step(lambda source: safe_page(source.page, "/assets/").markup),
    "command": Step(_command),
    "crawl": Step(_outcome),
    **{f"write {form}": _written(form) for form in ("jsonl", "parquet", "vertical")},
}
"""Name of every step to what makes it of a page."""
SLOW: Final = frozenset({"explain a block", "demo", "features"})
"""Steps that take as long as all others together."""


def warm(names: Iterable[str] = STEPS) -> None:
    """Load and compute what is done once, before anything is measured."""
    page = Source(b"<h1>On bees</h1><p>" + b"Bees live in colonies, and so do ants. " * 8)
    for name in names:
        STEPS[name](page)()
