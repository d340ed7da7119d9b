"""The Python face: clean pages one by one or in batches, load models."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from victor.base import optional
from victor.base.labels import KIND_NAMES, LABEL_NAMES, Label
from victor.errors import FEATURE_FAILED, ConfigError, FeatureError, PageError, VictorError
from victor.page.allowance import Allowance, check_blocks, check_bytes, check_time
from victor.page.decoding.decode import decode, utf8
from victor.page.decoding.decoded import Decoded
from victor.page.decoding.other_formats import refuse_other_formats
from victor.page.decoding.page_names import read_file, refuse_names
from victor.page.parsing.plain_text import with_paragraphs
from victor.page.parsing.tags import IDS
from victor.page.source import Page, Source
from victor.page.table.page_counts import NEARLY_EMPTY, PageCounts, page_counts
from victor.page.table.texts import block_texts

if TYPE_CHECKING:
    from victor.config import Limits, Scope, ScopeName
    from victor.kinds.threads.posts import Post
    from victor.labelers import Labeler, SiteLabeler
    from victor.metadata.offers import Offer
    from victor.model.decide import Decision
    from victor.model.model import Model
    from victor.page.places.surroundings import Link, Surroundings
    from victor.page.table.blocks import BlockTable
    from victor.page.verdict.verdict import Verdict
    from victor.render.tree.ranges import Range


_REPLACEMENT = "\ufffd".encode()
_FIRST = 3
"""Kept blocks that a result begins with when it is shown."""
_SHOWN = 60
"""Characters of a text there."""


def _beginning(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


@dataclass(frozen=True, slots=True)
class Block:
    """One text block of a result, kept or not.

    Blocks refer to the page that they are of; of many pages keep what you need rather than them.

    Attributes:
        text: white space collapsed, without the parts that were removed from a kept block.
        label: one of `victor.base.labels.LABEL_NAMES`.
        marginals: probability of every label.
        reason: why it was kept or dropped, see `victor.page.verdict.verdict.Verdict.reason`.
        kind: one of `victor.base.labels.KIND_NAMES`.
        number: from 0 on the page.
        kept: is it part of the clean text.
        heading_level: 1 to 6 inside h1 to h6, else 0.
    """

    text: str
    label: str
    marginals: dict[str, float]
    reason: str
    kind: str
    number: int = 0
    kept: bool = False
    heading_level: int = 0
    _around: Surroundings | None = field(default=None, repr=False, compare=False)
    _written: _Written | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        marginals = {name: round(p, 3) for name, p in self.marginals.items()}
        return (
            f"Block(number={self.number}, kept={self.kept}, label={self.label!r}, "
            f"kind={self.kind!r}, reason={self.reason!r}, marginals={marginals}, "
            f"text={_beginning(self.text)!r})"
        )

    @property
    def id(self) -> str:
        """A name that stays when the page is cleaned again or changes elsewhere.

        See `victor.page.places.block_ids`; "" of a block that is of no page, as with all that
        follows.
        """
        return "" if self._around is None else self._around.ids[self.number]

    @property
    def headings(self) -> tuple[str, ...]:
        """Texts of the headings above it, the highest first."""
        return () if self._around is None else self._around.headings[self.number]

    @property
    def xpath(self) -> str:
        """XPath that selects it alone, in lxml and in browsers, see `victor.page.places.xpaths`."""
        return "" if self._around is None else self._around.places.xpaths[self.number].xpath

    @property
    def css(self) -> str | None:
        """CSS path of the block-level element around it; None where no short one is sure."""
        return None if self._around is None else self._around.places.css[self.number]

    @property
    def row(self) -> int | None:
        """Row in the innermost table around it, from 0; None outside of tables."""
        return self._cell[0]

    @property
    def column(self) -> int | None:
        """Cell in its row, from 0, whatever the cells span; None outside of tables."""
        return self._cell[1]

    @property
    def text_range(self) -> Range | None:
        """Its characters in `Result.text`, start and end; None of a block that is dropped."""
        return None if self._written is None else self._written.in_text[self.number]

    @property
    def markdown_range(self) -> Range | None:
        """Its characters in `Result.markdown`, start and end; None of a block that is dropped."""
        return None if self._written is None else self._written.in_markdown[self.number]

    @property
    def links(self) -> tuple[Link, ...]:
        """Addresses and texts of the links in it."""
        return () if self._around is None else self._around.links[self.number]

    @property
    def _cell(self) -> tuple[int, int] | tuple[None, None]:
        cell = None if self._around is None else self._around.cells[self.number]
        return cell or (None, None)


@dataclass(frozen=True, eq=False)
class _Written:
    """Where the blocks of a page stand in its written forms; found when asked for."""

    result: Result

    @cached_property
    def in_text(self) -> list[Range | None]:
        from victor.render.text import ranges  # few ask for them

        verdict, number = self.result.in_batch or (None, 0)
        return [] if verdict is None else ranges(verdict, number)

    @cached_property
    def in_markdown(self) -> list[Range | None]:
        from victor.render.markdown import ranges

        result, (verdict, number) = self.result, self.result.in_batch or (None, 0)
        if verdict is None:
            return []
        headline = result.missing_headline
        return ranges(verdict, number, markup=result.markup, url=result.url, headline=headline)


@dataclass(frozen=True, eq=False)
class Result:
    """What became of one page.

    Attributes:
        url: as given.
        reason: ``ok``, or why there is no text: ``no-text`` (the page has no visible text),
            ``frames`` (it only names other pages), ``no-content`` (nothing was kept), or the
            reason of the error: ``too-many-bytes``, ``too-many-blocks``, ``too-slow``,
            ``not-a-page`` (neither bytes, text nor a path), ``no-markup`` (it names a page),
            ``unreadable`` (the file cannot be read), ``not-html`` (its first bytes are those of
            another format), ``failed`` (its cause says why).
        error: the error that stopped this page, else None.

    A result shares memory with those of its batch (`victor.model.extractor.BATCH_BYTES` of
    markup): of many pages keep what you need rather than the results. The forms are made when
    asked for.
    """

    url: str | None
    reason: str
    error: PageError | None = None
    _verdict: Verdict | None = field(default=None, repr=False)
    _number: int = field(default=0, repr=False)
    _markup: bytes = field(default=b"", repr=False)
    _described: _Described | None = field(default=None, repr=False)
    _headline: bool | None = field(default=None, repr=False)  # what the scope says of it
    _limits: Limits | None = field(default=None, repr=False)
    _cleaner: Cleaner | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # What cleaned it is large and holds functions, which cannot be sent to other processes.
        return {**self.__dict__, "_cleaner": None}

    def __repr__(self) -> str:
        if self._verdict is None:
            return f"<Result {self.reason}{f': {self.error}' if self.error else ''}>"
        table, where = self._verdict.table, self._verdict.page(self._number)
        kept = where.start + np.flatnonzero(self._verdict.kept[where])
        words = int(table.words[kept].sum())
        head = f"{self.reason}: {len(kept)} of {where.stop - where.start} blocks, {words} words"
        title = table.heads[self._number].title
        start = " ".join(block_texts(self._verdict.reduced, kept[:_FIRST]))
        texts = [repr(_beginning(text)) for text in (title, start) if text]
        return f"<Result {' · '.join([head, *texts])}>"

    def _repr_html_(self) -> str | None:
        """What notebooks show: `demo` in a frame of its own; None after an error."""
        if self._cleaner is None:
            return None
        from victor.explain.demo.bundle import LARGEST, framed, too_large

        n_blocks = len(self.labels)
        return framed(self.demo()) if n_blocks <= LARGEST else too_large(n_blocks)

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """What the page says of itself and how it was read; empty after an error.

        The fields of `victor.metadata.record.Metadata` that are not empty, as plain data, e.g.
        ``title``, ``authors`` and ``published``; ``encoding`` and ``encoding_reason``; and what
        else the labeler says of the page, e.g. ``images``. ``unreadable`` counts what could not
        be decoded: U+FFFD and NUL anywhere in the page. ``recovered`` says that the visible text
        was nearly nothing and the blocks are those of a page made of embedded content
        (`victor.page.markup.embedded`): ``json-ld``, ``json`` or ``script``; all else is what the
        page itself says. ``repaired`` lists the elements that lacked an end
        (`victor.page.parsing.unclosed`), e.g. ``["title"]``.
        """
        if self._verdict is None or self._described is None:
            return {}
        return {**self._described.metadata(self.url), **self._verdict.more(self._number)}

    @cached_property
    def text(self) -> str:
        """Headings and paragraphs on their own lines, a blank line between."""
        return self.render("text")

    @cached_property
    def markdown(self) -> str:
        """The kept text as Markdown."""
        return self.render("markdown")

    @cached_property
    def article(self) -> str:
        """The kept text as a small page that is safe to show (`victor.render.article`)."""
        return self.render("article")

    @cached_property
    def html(self) -> str:
        """The page without the blocks labelled *other*, nothing else changed."""
        return self.render("html")

    def render(self, form: str, **options: object) -> str:
        """The page in one of the forms of `victor.render`.

        Args:
            form: its name.
            options: what that form takes, e.g. ``settings`` and ``removals`` of
                `victor.kitten.sentences.render`. Forms that are made of a document (markdown,
                article, xml, tei, json) take ``links``, ``images``, ``formatting`` and ``tables``
                (`victor.render.tree.shown.Shown`; all are shown by default) and ``headline``: show
                the headline of the page above a text that lacks it (by default in markdown and
                article, in all of them if the scope wants headlines, and never if it forbids
                them). Text and markdown take ``with_metadata``: metadata as YAML above.

        Raises:
            ConfigError: there is no such form, or it has no such option.
            PageError: it is longer than ``limits.output`` (``too-much-output``) or took longer than
                ``limits.seconds`` (``too-slow``).
        """
        from victor.render import renderer  # loaded when asked for
        from victor.render.options import checked

        render = renderer(form)
        chosen = checked(form, render, options, headline=self._headline is True)
        if self._verdict is None or self._limits is None:
            return ""
        allowance = Allowance(self._limits.output, self._limits.seconds)
        if chosen.headline:
            chosen.given["headline"] = self.missing_headline
        text = render(
            self._verdict,
            self._number,
            url=self.url,
            markup=self._markup,
            metadata=lambda: self.metadata,  # not all forms ask for these
            posts=lambda: self.posts,
            offers=lambda: self.offers,
            allowance=allowance,
            **chosen.given,
        )
        text = self._front_matter() + text if chosen.with_metadata else text
        allowance.check(len(text))
        return text

    def demo(self, title: str | None = None) -> str:
        """The page with its blocks coloured, the text beside it and a slider, as one HTML file.

        Args:
            title: heading of the file; None for the title and the address of the page.

        Raises:
            ConfigError: the result was not made by a `Cleaner` of this process, or after an error.
        """
        from victor.explain.demo import Cleaned, demo  # few ask for it

        cleaner = self._cleaner
        if cleaner is None:
            raise ConfigError(f"there is no page to show: {self.error or 'clean one first'}")
        cleaned = Cleaned(self._markup, self.url, cleaner.labeler, cleaner.decision, cleaner.scope)
        if title is None:
            names = [self.metadata.get("title"), self.url]
            title = " · ".join(name for name in names if name) or "page"
        return demo(cleaned, title=title, markdown=self.markdown)

    @cached_property
    def missing_headline(self) -> str:
        """The headline of the page if its text lacks it, else ""; "" if the scope forbids it."""
        from victor.render.tree.headline import missing_headline

        if self._verdict is None or self._headline is False:
            return ""
        return missing_headline(self._verdict, self._number, lambda: self.metadata.get("title"))

    def _front_matter(self) -> str:
        from victor.render.front_matter import front_matter

        address = {} if self.url is None else {"url": self.url}
        return front_matter({**address, **self.metadata})

    @property
    def markup(self) -> bytes:
        """The page in UTF-8, as it was parsed; empty after an error."""
        return self._markup

    @property
    def in_batch(self) -> tuple[Verdict, int] | None:
        """What was found of the pages of its batch and its number there; None after an error."""
        return None if self._verdict is None else (self._verdict, self._number)

    @property
    def labels(self) -> NDArray[np.uint8]:
        """(n,) label of every block."""
        if self._verdict is None:
            return np.zeros(0, dtype=np.uint8)
        return self._verdict.labels[self._verdict.page(self._number)]

    @property
    def marginals(self) -> NDArray[np.float64]:
        """(n, 3) probability of every label of every block, columns in the order of `Label`."""
        if self._verdict is None:
            return np.zeros((0, len(Label)))
        return self._verdict.marginals[self._verdict.page(self._number)]

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page, kept or not."""
        from victor.page.places.surroundings import Surroundings  # loaded when asked for

        if self._verdict is None:
            return ()
        around = Surroundings(self._verdict, self._number, self._markup, self.url)
        where = self._verdict.page(self._number)
        return tuple(_blocks(self._verdict, where, around, _Written(self)))

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread or the comments of readers, with author and date; often none."""
        from victor.kinds.threads.posts import posts  # loaded when asked for

        if self._verdict is None:
            return ()
        return posts(self._verdict, self._number, self._markup)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """The offers of products that the page declares, with price and currency; often none."""
        from victor.metadata.offers import offers  # loaded when asked for

        if self._verdict is None:
            return ()
        return offers(self._verdict.table.heads[self._number], self._markup)


@dataclass(frozen=True, slots=True, eq=False)
class _Described:
    """The page that metadata are of, which is not the page of the blocks if that is recovered.

    Attributes:
        table: blocks of its batch.
        number: of the page there.
        markup: of the page in UTF-8.
        encoding, reason: how its bytes were read.
        recovered: where the blocks come from if not from the page itself.
        find_date: htmldate looks for a date that nothing else names.
    """

    table: BlockTable
    number: int
    markup: bytes
    encoding: str
    reason: str
    recovered: str = ""
    find_date: bool = False

    @classmethod
    def of(cls, ready: _Ready, table: BlockTable, number: int, **more: Any) -> Self:  # noqa: ANN401
        """A page without what it was made of: its bytes and its text are long."""
        read = ready.decoded
        return cls(table, number, ready.markup, read.encoding, read.reason, **more)

    def metadata(self, url: str | None) -> dict[str, Any]:
        """What the page says of itself, and how its bytes were read."""
        from victor.metadata.page_metadata import page_metadata  # not every result is asked for it

        declared = page_metadata(
            self.table, self.number, url=url, markup=self.markup, find_date=self.find_date
        )
        technical = {
            "encoding": self.encoding,
            "encoding_reason": self.reason,
            "unreadable": self.markup.count(_REPLACEMENT) + self.markup.count(b"\0"),
            "recovered": self.recovered,
            "repaired": [*self.table.heads[self.number].repaired],
        }
        return declared.as_dict() | {key: value for key, value in technical.items() if value}


def _blocks(
    verdict: Verdict, where: slice, around: Surroundings, written: _Written
) -> Iterator[Block]:
    assert verdict.kinds is not None, "a cleaner's verdict has kinds"
    names = zip(
        map(LABEL_NAMES.__getitem__, verdict.labels[where].tolist()),
        verdict.reasons(where),
        map(KIND_NAMES.__getitem__, verdict.kinds[where].tolist()),
        strict=True,
    )
    numbers = zip(
        count(), verdict.kept[where].tolist(), verdict.table.heading_level[where].tolist()
    )
    texts = block_texts(verdict.reduced, where)
    rows = zip(texts, verdict.marginals[where].tolist(), names, numbers, strict=False)
    for text, marginals, (label, reason, kind), (number, kept, level) in rows:
        by_label = dict(zip(LABEL_NAMES, marginals, strict=True))
        yield Block(text, label, by_label, reason, kind, number, kept, level, around, written)


class Cleaner:
    """Cleans pages with one labeler, in batches; a page that fails never stops the others.

    Args:
        labeler: the system that labels blocks.
        limits: bounds of one page; None takes those of the labeler.
        decision: how labels are chosen; None leaves it to the labeler.
        scope: which parts of pages are kept; None is as the labeler's model is configured.
        find_dates: htmldate, of the extra ``crawl``, looks for dates that nothing else names.

    Raises:
        ConfigError: dates are to be found and the extra is not installed.
    """

    def __init__(
        self,
        labeler: Labeler,
        *,
        limits: Limits | None = None,
        decision: Decision | None = None,
        scope: Scope | None = None,
        find_dates: bool = False,
    ) -> None:
        from victor.labelers.load import configuration  # `import victor` needs little

        if find_dates:  # a package that is missing is an error of the call and not of a page
            optional.load("htmldate", extra="crawl", task="finding dates in the page")
        self.find_dates = find_dates
        self.labeler = labeler
        self.decision = decision
        self.limits = limits if limits is not None else labeler.limits
        self.scope = scope if scope is not None else configuration(labeler).scope

    def clean(self, page: Page | Path | Source, url: str | None = None) -> Result:
        """Clean one page.

        Raises:
            PageError: the page is beyond the limits or cannot be processed.
            FeatureError: a feature module cannot measure it.
        """
        (result,) = self._clean_batch([self._ready(self._source(page, url))])
        if result.error is not None:
            cause = result.error.__cause__
            raise cause if isinstance(cause, FeatureError) else result.error
        return result

    def clean_many(self, pages: Iterable[Page | Path | Source]) -> Iterator[Result]:
        """Clean pages; results come in the order of the pages, one for each.

        A page that cannot be processed, or measured by a feature module, gives a result with an
        error. What is wrong with the labeler and not with a page is raised (all of `VictorError`
        but `PageError` and `FeatureError`).

        Raises:
            ConfigError: this is one page and no list of pages.
        """
        from victor.model.extractor import batches  # needs more than numpy and lxml

        if isinstance(pages, str | bytes | Path | Source):  # a str would be a page a character
            raise ConfigError("clean_many takes a list of pages; clean takes a single one")
        ready = (self._ready(self._source(page)) for page in pages)
        for batch in batches((page, page.markup) for page in ready):
            yield from self._clean_batch([page for page, _ in batch])

    def _source(self, page: Page | Path | Source, url: str | None = None) -> Source:
        """A page with its address; that of a file is its path if no other is given."""
        if isinstance(page, Source):
            return page if url is None else page._replace(url=url)
        if not isinstance(page, Path):
            return Source(page, url)
        url = url or os.fsencode(page).decode("utf-8", "replace")
        try:
            return Source(read_file(page, self.limits.bytes + 1), url)
        except PageError as error:
            return Source(error, url)

    def _ready(self, source: Source) -> _Ready:
        """Decode one page, or say why it cannot be."""
        try:
            page = _checked(source.page)
            check_bytes(len(page), self.limits.bytes)
            refuse_other_formats(page)
            decoded = decode(page, declared=source.charset)
            markup = with_paragraphs(utf8(page, decoded))
            if isinstance(page, str):  # its bytes are more than its characters
                check_bytes(len(markup), self.limits.bytes)
        except Exception as error:  # whatever it is, it may cost one page only
            return _Ready(source, Decoded("", "", ""), b"", _page_error(error))
        return _Ready(source, decoded, markup, None)

    def _clean_batch(self, batch: Sequence[_Ready]) -> list[Result]:
        """Label the pages of a batch together; if that fails, each alone."""
        good = [ready for ready in batch if ready.error is None]
        try:
            results = iter(self._label(good))
        except Exception as error:  # whatever it is, it may cost one page only
            page_error = _page_error(error)
            if len(good) == 1:
                results = iter([_failed(good[0], page_error)])
            else:
                results = (result for ready in good for result in self._clean_batch([ready]))
        return [
            next(results) if ready.error is None else _failed(ready, ready.error) for ready in batch
        ]

    def _label(self, batch: Sequence[_Ready]) -> list[Result]:
        if not batch:
            return []
        verdict = self._verdict(batch)
        results = []
        for number, counts in enumerate(page_counts(verdict.table, verdict.labels)):
            result = None
            if counts.characters < NEARLY_EMPTY:
                result = self._recovered(batch[number], verdict.table, number)
            results.append(result or self._result(batch[number], verdict, number, counts))
        return results

    def _verdict(self, batch: Sequence[_Ready]) -> Verdict:
        """The verdict with whole tables and code, in scope, and with kinds.

        Kinds cost nothing until they are asked for.
        """
        started = time.monotonic()
        pages = [ready.markup for ready in batch]
        table = self.labeler.table(pages)
        self._check_blocks(table)
        check_time(started, self.limits.seconds)
        verdict = _finish()(self._labelled(table, batch), pages, self.scope)
        check_time(started, self.limits.seconds)
        return verdict

    def _labelled(self, table: BlockTable, batch: Sequence[_Ready]) -> Verdict:
        if hasattr(self.labeler, "label_pages"):  # `isinstance` with the protocol takes long
            labeler = cast("SiteLabeler", self.labeler)
            return labeler.label_pages(table, [ready.source.url for ready in batch], self.decision)
        return self.labeler.label(table, self.decision)

    def _recovered(self, ready: _Ready, table: BlockTable, number: int) -> Result | None:
        """The result of the content that a page embeds; None where nothing of it is kept."""
        from victor.page.markup.embedded import recovered  # few pages need it

        content = recovered(ready.markup)
        if content is None:
            return None
        embedded = ready._replace(markup=content.markup)
        described = self._described(ready, table, number, recovered=content.source)
        try:
            verdict = self._verdict([embedded])
        except PageError:  # the page itself is within the limits
            return None
        (counts,) = page_counts(verdict.table, verdict.labels)
        result = self._result(embedded, verdict, 0, counts, described)
        return result if result.reason == "ok" else None

    def _result(
        self,
        ready: _Ready,
        verdict: Verdict,
        number: int,
        counts: PageCounts,
        described: _Described | None = None,
    ) -> Result:
        """The result of one page of a labelled batch; its metadata may be those of another page."""
        reason = "ok" if counts.kept else "no-content"
        if not counts.blocks:
            reason = "frames" if _has_frames(verdict.table, number) else "no-text"
        return Result(
            url=ready.source.url,
            reason=reason,
            _verdict=verdict,
            _number=number,
            _markup=ready.markup,
            _headline=self.scope.headline,
            _limits=self.limits,
            _cleaner=self,
            _described=described or self._described(ready, verdict.table, number),
        )

    def _described(
        self, ready: _Ready, table: BlockTable, number: int, recovered: str = ""
    ) -> _Described:
        return _Described.of(ready, table, number, recovered=recovered, find_date=self.find_dates)

    def _check_blocks(self, table: BlockTable) -> None:
        """Hold a batch against the limit; a batch with a page over it is tried page by page."""
        if len(table) > self.limits.blocks:
            check_blocks(int(np.diff(table.page_starts).max(initial=0)), self.limits.blocks)


@cache
def _finish() -> Callable[[Verdict, Sequence[bytes], Scope], Verdict]:
    """Loaded when first needed: `import victor` needs little, and each page would ask again."""
    from victor.kinds.finish import finish

    return finish


class _Ready(NamedTuple):
    """A decoded page, or the error that stopped it."""

    source: Source
    decoded: Decoded
    markup: bytes
    error: PageError | None


def _checked(page: object) -> Page:
    """A page that is one; what is an error already is raised."""
    if isinstance(page, str):
        refuse_names(page)
    if isinstance(page, PageError):
        raise page
    if not isinstance(page, bytes | str):
        raise PageError("not-a-page", f"a page is bytes, str or a Path, not {type(page).__name__}")
    return page


def _page_error(error: Exception) -> PageError:
    """Any failure as the error of one page; it is not one if the call is wrong for all pages."""
    if isinstance(error, PageError):
        return error
    if isinstance(error, VictorError) and not isinstance(error, FeatureError):
        raise error
    if isinstance(error, FeatureError):  # the module may be able to measure other pages
        page_error = PageError(FEATURE_FAILED, str(error))
        page_error.__cause__ = error
        return page_error
    page_error = PageError("failed", f"it could not be processed: {type(error).__name__}: {error}")
    page_error.__cause__ = error
    return page_error


def _failed(ready: _Ready, error: PageError) -> Result:
    return Result(url=ready.source.url, reason=error.reason, error=error)


def _has_frames(table: BlockTable, number: int) -> bool:
    of_page = table.page_of_element == number
    return bool((table.elements.tag[of_page] == IDS["frameset"]).any())


@dataclass(frozen=True)
class CleanerSpec:
    """Which labeler cleans and how, in names: it can be pickled and built in another process.

    Attributes:
        model: a shipped model's name or the path of a model file; None for the default model.
        labeler: one of `victor.labelers.LABELERS`, which need no model, instead of a model.
        config: configuration of that labeler, by name or path; None for the one of its name.
        sites: file of texts that are frequent on sites, for a labeler that knows them.
        limits: bounds of one page; None for those of the labeler.
        decision: how labels are chosen; None for how the labeler is configured.
        scope: which parts of pages are kept; None for how the model is configured.
        find_dates: as of `Cleaner`.
        trust_code: run the code that the model brings: feature modules that are files.
    """

    model: str | Path | None = None
    labeler: str | None = None
    config: str | Path | None = None
    limits: Limits | None = None
    decision: Decision | None = None
    sites: str | Path | None = None
    scope: Scope | None = None
    find_dates: bool = False
    trust_code: bool = False

    @classmethod
    def named(cls, name: str) -> Self:
        """The labeler of that name if there is one, else the model of that name or path."""
        from victor.labelers import LABELERS  # `import victor` needs little

        return cls(labeler=name) if name in LABELERS else cls(name)

    def build(self) -> Labeler:
        """Load the model, or build the labeler; the last few models stay loaded.

        Raises:
            ConfigError: a model is named together with a labeler or a configuration, there is no
                such labeler, or its configuration is wrong.
            ModelError: the model is missing, damaged or of another format.
            FeatureError: the model brings code, and `trust_code` does not allow it.
        """
        from victor.labelers import build_labeler, check_sites  # `import victor` needs little
        from victor.labelers.load import model_labeler

        if self.sites is not None:
            check_sites(self.labeler)
        if self.labeler is None:
            if self.config is not None:
                raise ConfigError(_without_labeler(self.config))
            return model_labeler(self.model or "default", self.trust_code)
        if self.model is not None:
            raise ConfigError("--labeler and --model are two systems; leave one out")
        return build_labeler(
            self.labeler, self.config, sites=self.sites, trust_code=self.trust_code
        )

    def cleaner(self) -> Cleaner:
        """A cleaner of that labeler with these settings; raises what `build` does."""
        return self.cleaner_of(self.build())

    def cleaner_of(self, labeler: Labeler) -> Cleaner:
        """A cleaner of a labeler that was built before."""
        return Cleaner(
            labeler,
            limits=self.limits,
            decision=self.decision,
            scope=self.scope,
            find_dates=self.find_dates,
        )


def _without_labeler(config: str | Path) -> str:
    """What to do instead of naming a configuration without a labeler."""
    from victor.labelers.load import model_names

    if config in model_names():
        return f"{config} configures training; the model trained with it is --model {config}"
    return (
        f"a model has its own configuration: train one with `victor train CORPUS --config {config} "
        "--output my.victor`, or name a --labeler with --config"
    )


def load_cleaner(
    model: str | Path | Model = "default",
    *,
    decision: Decision | None = None,
    threshold: float | str | None = None,
    scope: Scope | ScopeName | None = None,
    trust_code: bool = False,
) -> Cleaner:
    """A cleaner with a model; the last few models stay loaded.

    Args:
        model: a shipped model's name, the path of a model file, or a loaded model.
        decision: how labels are chosen; None leaves it to the model's configuration.
        threshold: the plain threshold instead, or the name of a preset of the model.
        scope: which parts of pages are kept, by name or with switches (`victor.config.Scope`); None
            leaves it to the model's configuration.
        trust_code: run the code that the model brings: feature modules that are files. Without
            this no code of a model runs.

    Raises:
        ModelError: the model is missing, damaged or of another format.
        FeatureError: it brings code, and `trust_code` does not allow it.
        ConfigError: the threshold is out of range, the model has no preset of that name, or there
            is no such scope.
    """
    from victor.config import Scope  # `import victor` needs little
    from victor.labelers.load import model_labeler
    from victor.model.decide import Decision

    labeler = model_labeler(model, trust_code)
    if threshold is not None:
        decision = Decision.at(threshold, labeler.presets)
    if isinstance(scope, str):
        scope = Scope(name=scope)
    return Cleaner(labeler, decision=decision, scope=scope)


def clean(
    page: Page | Path | Source,
    url: str | None = None,
    *,
    model: str | Path | Model = "default",
    threshold: float | str | None = None,
    scope: Scope | ScopeName | None = None,
    trust_code: bool = False,
) -> Result:
    """Clean one page.

    Args:
        page: markup as bytes (any encoding) or text, the path of a file, or what `fetch` gives.
        url: where it comes from; kept with the result. By default as the source says, or the path.
        model: a shipped model's name, the path of a model file, or a loaded model.
        threshold: keep a block while p(other) is below it, 0 to 1, or the name of a preset of the
            model (``precision``, ``balanced``, ``recall``); None decides as configured.
        scope: which parts are kept: ``main``, what the model keeps; ``article``, that with the
            headline and without comments and trailing teasers; ``full``, that with headline,
            bylines, captions and comments; or a `victor.config.Scope`. None is as configured.
        trust_code: as of `load_cleaner`.

    Raises:
        PageError: the page is beyond the limits, cannot be read, or is text that only names a page.
        ModelError: the model is missing or damaged.
        FeatureError: it brings code, and `trust_code` does not allow it.
        ConfigError: the threshold is out of range, the model has no preset of that name, or there
            is no such scope.
    """
    return load_cleaner(model, threshold=threshold, scope=scope, trust_code=trust_code).clean(
        page, url
    )


def clean_many(
    pages: Iterable[Page | Path | Source],
    *,
    model: str | Path | Model = "default",
    threshold: float | str | None = None,
    scope: Scope | ScopeName | None = None,
    trust_code: bool = False,
) -> Iterator[Result]:
    """Clean pages in batches; one result for each, in order, errors included.

    The arguments are those of `clean`; files are read as they are needed.
    """
    return load_cleaner(model, threshold=threshold, scope=scope, trust_code=trust_code).clean_many(
        pages
    )


def fetch(url: str, *, most: int | None = None) -> Source:
    """Download the page of an address, for `clean`, which downloads nothing itself.

    Args:
        url: http or https; redirects are followed.
        most: bytes that are read, one more than ``limits.bytes`` of the defaults if None, so that
            a page that is too large is refused when it is cleaned.

    Returns:
        The page with its address after redirects and the encoding that the server declares.

    Raises:
        PageError: there is none, see `victor.sources.download.fetch`.
    """
    from victor.config import Limits
    from victor.sources.download import fetch as download  # loads HTTP and TLS

    page = download(url, limit=Limits().bytes + 1 if most is None else most)
    return Source(page.content, page.url, page.charset)
