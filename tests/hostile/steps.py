"""What Victor does with a page, step by step: every labeler, every form, all that can be asked.

A step is made of a page; making it is what has to be done before, e.g. cleaning before a form is
written. Calling it does the step.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from hostile.growth import Action

from victor.api import Block, Cleaner, Result, load_cleaner
from victor.base import optional
from victor.config import Filter, Limits, Scope, load
from victor.documents.outcome import Document, Outcome
from victor.labelers import LABELERS, build_labeler
from victor.labelers.rules import RuleLabeler
from victor.page.parsing.events import record
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment
from victor.render import RENDERERS
from victor.render.json_page import FIELDS
from victor.sources.record import Record

Make = Callable[[bytes], Action]
"""Of a page, the step."""

BY_TAG: Final = "by tag"
MODELS: Final = ("default", "crf", "czech")
NONE: Final = Limits(bytes=10**9, blocks=10**8, seconds=10**6, output=10**9)
URL: Final = "https://bees.test/path/page.html"
BLOCK: Final = ("id", "headings", "xpath", "css", "row", "text_range", "markdown_range", "links")
"""Attributes of blocks; each is made for all blocks when it is first read."""
WRITERS: Final = ("jsonl", "parquet", "texts", "vertical")


@cache
def cleaner(name: str) -> Cleaner:
    """A cleaner without limits, of a model or a labeler, or `BY_TAG`."""
    if name == BY_TAG:
        return Cleaner(_ByTag("none", lambda table: np.ones(len(table))), limits=NONE)
    labeler = load_cleaner(name).labeler if name in MODELS else build_labeler(name)
    return Cleaner(labeler, limits=NONE)


class _ByTag(RuleLabeler):
    """Keeps everything, cut at all tags, with the alternative texts of images."""

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        return segment(record(pages, alt_text=True), "tag")


@cache
def _in_full() -> Cleaner:
    """Keeps everything, and asks what every block is."""
    return Cleaner(build_labeler("none"), limits=NONE, scope=Scope(name="full"))


@lru_cache(maxsize=2)
def result(page: bytes, name: str = "none") -> Result:
    """A cleaned page; that of ``none`` keeps everything. Nothing was asked of it yet."""
    return cleaner(name).clean(page, URL)


@lru_cache(maxsize=2)
def _blocks(page: bytes, name: str) -> tuple[Block, ...]:
    return cleaner(name).clean(page, URL).blocks


def _cleaning(name: str) -> Make:
    return lambda page: lambda: cleaner(name).clean(page, URL)


def _form(form: str, by: str = "none", **options: object) -> Make:
    def make(page: bytes) -> Action:
        cleaned = result(page, by)
        return lambda: cleaned.render(form, **options)

    return make


def _attribute(name: str, by: str = "none") -> Make:
    def make(page: bytes) -> Action:
        blocks = _blocks(page, by)
        return lambda: [getattr(block, name) for block in blocks]

    return make


def _of_result(name: str) -> Make:
    def make(page: bytes) -> Action:
        cleaned = result(page)
        return lambda: getattr(cleaned, name)

    return make


def _kinds(page: bytes) -> Action:
    (verdict, _) = result(page).in_batch or (None, 0)
    return lambda: verdict and verdict.kinds


def _full_scope(page: bytes) -> Action:
    return lambda: _in_full().clean(page, URL)


def _normalize(page: bytes) -> Action:
    from victor.kitten.normalize import normalize

    return lambda: normalize(page).xhtml


def _annotation(page: bytes) -> Action:
    from victor.page.display.safe_page import safe_page

    return lambda: safe_page(page, "/assets/")


def _features(page: bytes) -> Action:
    from victor.cli.feature_tables import FORMS, measure
    from victor.model.extractor import FeatureExtractor

    extractor = FeatureExtractor(load("crf"))
    return lambda: [*FORMS["tsv"](measure(page, extractor, None))]


def _explained(show: Callable[..., object]) -> Make:
    from victor.explain import explain

    def make(page: bytes) -> Action:
        labeler: Any = cleaner("default").labeler
        verdict = labeler.label(labeler.table([page]))
        if not len(verdict.table):
            return lambda: None
        return lambda: show(verdict, explain(labeler.model, verdict.table), page)

    return make


def _one_block(verdict: Any, explanation: Any, page: bytes) -> object:
    from victor.explain import grouped

    return grouped(explanation, [len(verdict.table) // 2], 5)


def _demo(page: bytes) -> Action:
    return cleaner("default").clean(page).demo


def _outcome(page: bytes) -> Outcome:
    """What a crawl makes of a page, whatever its filter says."""
    from victor.documents.page_filter import PageFilter
    from victor.documents.process import process

    record = Record("bees", 0, page, url=URL)
    (outcome,) = process(cleaner("none"), PageFilter(Filter()), [record], keep_dropped=True)
    return outcome


@lru_cache(maxsize=1)
def _document(page: bytes) -> Document | None:
    return _outcome(page).document


def _written(form: str) -> Make:
    """The document of a page, as a crawl writes it."""
    from victor.crawl.writers import writer

    def make(page: bytes) -> Action:
        document = _document(page)

        def write() -> None:
            with tempfile.TemporaryDirectory() as folder:
                target = Path(folder) / "part"
                if form == "texts":
                    target.mkdir()
                with writer(form, target) as file:
                    if document is not None:
                        file.write(document)

        return write

    return make


def _forms() -> Iterable[tuple[str, Make]]:
    for form in RENDERERS:
        if form == "sentences" and not optional.is_installed("sentencex"):
            continue
        yield form, _form(form)
    yield "text with all", _form("text", bullets=True, with_metadata=True)
    yield "json with all", _form("json", fields=FIELDS)
    yield "native of dom", _form("native", "dom")
    for form in ("text", "markdown", "html", "records"):
        yield f"{form} by tag", _form(form, BY_TAG)


def _written_forms() -> Iterable[tuple[str, Make]]:
    needs = {"parquet": "pyarrow", "vertical": "ufal.morphodita"}
    for form in WRITERS:
        if form not in needs or optional.is_installed(needs[form]):
            yield f"write {form}", _written(form)


STEPS: Final[Mapping[str, Make]] = {
    **{f"clean {name}": _cleaning(name) for name in (*MODELS, *LABELERS)},
    "clean in full": _full_scope,
    **dict(_forms()),
    **{f"block {name}": _attribute(name) for name in BLOCK},
    **{f"block {name} by tag": _attribute(name, BY_TAG) for name in BLOCK[-3:]},
    **{name: _of_result(name) for name in ("blocks", "metadata", "posts", "schema_org")},
    "kinds": _kinds,
    "normalize": _normalize,
    "explain a block": _explained(_one_block),
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
