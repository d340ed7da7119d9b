"""What Victor does with a page, step by step: every labeler, every form, all that can be asked.

A step is made of a page; making it is what has to be done before, e.g. cleaning before a form is
written. Calling it does the step.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from tests.hostile.growth import Make
from victor.api import Block, Cleaner, Result, load_cleaner
from victor.base import lazy
from victor.config.layers import load
from victor.config.schema import Filter, Limits, Scope
from victor.documents.outcome import Outcome
from victor.labelers.labeler import LABELERS, build_labeler
from victor.render.forms import FORMS, Shown, renderer
from victor.render.json_page import FIELDS
from victor.sources.record import Record

MODELS: Final = ("default", "crf", "czech")
NONE: Final = Limits(bytes=10**9, blocks=10**8, seconds=10**6, output=10**9)
URL: Final = "https://bees.test/path/page.html"
SELECTORS: Final = (
    *(".comment", "div .post", "p ~ p", "[id] > *", "div:has(> p .x)", ":not(div p ~ *)"),
    *("li:nth-of-type(2n)", "p:contains(honey)", "[lang|=cs]", "* + :empty", "div div b:is(b, i)"),
)
BLOCK: Final = tuple(
    name for name, value in vars(Block).items()
    if isinstance(value, property) and not name.startswith("_")
)  # fmt: skip
"""Attributes of blocks; each is made for all blocks when it is first read."""
_VIEWS: Final = tuple(
    name for name, value in vars(Result).items()
    if isinstance(value, property | lazy.cached_property) and not name.startswith("_")
    if name not in FORMS
)  # fmt: skip
"""What can be asked of a result beside its forms."""
WRITERS: Final = ("jsonl", "parquet", "texts", "vertical")


@cache
def cleaner(name: str, /, **scope: Any) -> Cleaner:
    """A cleaner without limits, of a model or a labeler."""
    labeler = load_cleaner(name).labeler if name in MODELS else build_labeler(name)
    return Cleaner(labeler, limits=NONE, scope=Scope(**scope) if scope else None)


@lru_cache(maxsize=1)
def result(page: bytes, name: str = "none") -> Result:
    """A cleaned page; that of ``none`` keeps everything. Nothing was asked of it yet."""
    return cleaner(name).clean(page, URL)


@lru_cache(maxsize=1)
def _blocks(page: bytes) -> tuple[Block, ...]:
    return cleaner("none").clean(page, URL).blocks


def _cleaning(name: str, /, **scope: object) -> Make:
    """A page with its kinds, which are found when asked for."""

    def make(page: bytes) -> Callable[[], object]:
        def act() -> object:
            verdict, _ = cleaner(name, **scope).clean(page, URL).in_batch or (None, 0)
            return verdict and verdict.kinds

        return act

    return make


def _form(form: str, by: str = "none", **options: object) -> Make:
    def make(page: bytes) -> Callable[[], object]:
        cleaned = result(page, by)
        return lambda: cleaned.render(form, **options)

    return make


def _attribute(name: str) -> Make:
    def make(page: bytes) -> Callable[[], object]:
        blocks = _blocks(page)
        return lambda: [getattr(block, name) for block in blocks]

    return make


def _view(name: str) -> Make:
    def make(page: bytes) -> Callable[[], object]:
        cleaned = result(page)
        return lambda: getattr(cleaned, name)

    return make


def _normalize(page: bytes) -> Callable[[], object]:
    from victor.kitten.normalize import normalize

    return lambda: normalize(page).xhtml


def _annotation(page: bytes) -> Callable[[], object]:
    from victor.page.display.safe_page import safe_page

    return lambda: safe_page(page, "/assets/")


def _features(page: bytes) -> Callable[[], object]:
    from victor.cli.features import FORMS, measure
    from victor.model.extractor import FeatureExtractor

    extractor = FeatureExtractor(load("crf"))
    return lambda: [*FORMS["tsv"](measure(page, extractor, None))]


def _explanation(page: bytes) -> Callable[[], object]:
    from victor.explain.contributions import explain
    from victor.explain.groups import grouped

    labeler: Any = cleaner("default").labeler
    table = labeler.table([page])
    if not len(table):
        return lambda: None
    return lambda: grouped(explain(labeler.model, table), [len(table) // 2], 5)


def _demo(page: bytes) -> Callable[[], object]:
    return cleaner("default").clean(page).demo


@lru_cache(maxsize=1)
def _outcome(page: bytes) -> Outcome:
    """What a crawl makes of a page, whatever its filter says."""
    from victor.documents.page_filter import PageFilter
    from victor.documents.process import process

    record = Record("bees", 0, page, url=URL)
    (outcome,) = process(cleaner("none"), PageFilter(Filter()), [record], keep_dropped=True)
    return outcome


def _written(form: str) -> Make:
    """The document of a page, as a crawl writes it."""
    from victor.crawl.writers import writer

    def make(page: bytes) -> Callable[[], object]:
        outcome = _outcome(page)

        def write() -> None:
            with tempfile.TemporaryDirectory() as folder:
                target = Path(folder) / "part"
                if form == "texts":
                    target.mkdir()
                with writer(form, target) as file:
                    if outcome.row is not None:
                        file.write(outcome)

        return write

    return make


def _forms() -> Iterable[tuple[str, Make]]:
    """Every form, with and without every option that it has."""
    for form in FORMS:
        if form == "sentences" and not lazy.is_installed("sentencex"):
            continue
        yield form, _form(form)
        for name, value in _options(form):
            yield f"{form} {name}={value}", _form(form, **{name: value})
    yield "native of dom", _form("native", "dom")
    yield "json with all", _form("json", fields=FIELDS)


def _options(form: str) -> Iterable[tuple[str, bool]]:
    """The switches of a form, turned from what they are by default."""
    for name, parameter in inspect.signature(renderer(form)).parameters.items():
        if isinstance(parameter.default, bool):
            yield name, not parameter.default
    if form == "markdown":
        yield from ((name, False) for name in (*Shown._fields, "posts", "headline"))
    elif FORMS[form].is_document:
        yield from (("posts", form != "article"), ("headline", form != "article"))
    if FORMS[form].has_metadata:
        yield "with_metadata", True


def _written_forms() -> Iterable[tuple[str, Make]]:
    needs = {"parquet": "pyarrow", "vertical": "ufal.morphodita"}
    for form in WRITERS:
        if form not in needs or lazy.is_installed(needs[form]):
            yield f"write {form}", _written(form)


STEPS: Final[Mapping[str, Make]] = {
    **{f"clean {name}": _cleaning(name) for name in (*MODELS, *LABELERS)},
    **{f"clean {name}": _cleaning("default", name=name) for name in ("article", "full")},
    "keep": _cleaning("default", keep=SELECTORS),
    "drop": _cleaning("default", drop=SELECTORS),
    **dict(_forms()),
    **{name: _view(name) for name in _VIEWS},
    **{f"block {name}": _attribute(name) for name in BLOCK},
    "normalize": _normalize,
    "explain a block": _explanation,
    "demo": _demo,
    "features": _features,
    "annotation": _annotation,
    "crawl": lambda page: lambda: _outcome(page),
    **dict(_written_forms()),
}
"""Name of every step to what makes it of a page."""


def warm(names: Iterable[str] = STEPS) -> None:
    """Load and compute what is done once, before anything is measured."""
    page = b"<h1>On bees</h1><p>" + b"Bees live in colonies, and so do ants. " * 8
    for name in names:
        STEPS[name](page)()
