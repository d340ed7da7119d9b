"""What became of one page: its blocks, text, forms and metadata."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.errors import ConfigError, PageError
from victor.base.labels import Label
from victor.base.lazy import cached_property
from victor.page.allowance import Allowance, Within
from victor.page.table.texts import block_texts

if TYPE_CHECKING:
    from victor.api.block import Block
    from victor.base.arrays import Bools
    from victor.config.schema import Limits
    from victor.explain.demo_steps import Cleaned
    from victor.kinds.threads.posts import Post
    from victor.page.table.blocks import BlockTable
    from victor.page.verdict.verdict import Verdict
    from victor.render.forms import Page, Range
    from victor.render.tree.posts import Entry


_REPLACEMENT = "\ufffd".encode()
_FIRST = 3
"""Kept blocks that a result begins with when it is shown."""
_SHOWN = 60
"""Characters of a text there."""


def beginning(text: str) -> str:
    """The first characters of a text, for people who look at objects."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


class Result:
    """What became of one page.

    Attributes:
        url: as given.
        reason: ``ok``, or why there is no text: ``no-text`` (the page has no visible text),
            ``frames`` (it only names other pages), ``error-page`` (a server or a wall speaks in
            place of the page), ``no-content`` (nothing was kept: `p_no_content` says how sure the
            model is that there is nothing, for either reason), or the reason of the error:
            ``too-many-bytes``, ``too-many-blocks``, ``too-slow``,
            ``not-a-page`` (neither bytes, text nor a path), ``no-markup`` (it names a page),
            ``unreadable`` (the file cannot be read), ``not-html`` (its first bytes are those of
            another format), ``failed`` (its cause says why). A page that the caller of
            `victor.api.Cleaner.clean_many` refused has the reason given.
        error: the error that stopped this page, else None.

    A result shares memory with those of its batch (`victor.model.extractor.BATCH_BYTES` of
    markup): of many pages keep what you need rather than the results. The forms are made when
    asked for.
    """

    _verdict: Verdict | None = None
    _number: int = 0
    _markup: bytes = b""
    _described: Described | None = None
    _headline: bool | None = None  # what the scope says of it
    _limits: Limits | None = None
    _cleaned: Callable[[bytes, str | None], Cleaned] | None = None

    def __init__(
        self,
        url: str | None,
        reason: str,
        error: PageError | None = None,
        **found: Any,  # noqa: ANN401  (the fields above, which `victor.api.steps` knows)
    ) -> None:
        self.url, self.reason, self.error = url, reason, error
        self.__dict__.update(found)

    def __getstate__(self) -> dict[str, Any]:
        # What cleaned it is large and holds functions, which cannot be sent to other processes.
        return {**self.__dict__, "_cleaned": None}

    def __repr__(self) -> str:
        if self._verdict is None:
            return f"<Result {self.reason}{f': {self.error}' if self.error else ''}>"
        table, where = self._verdict.table, self._verdict.page(self._number)
        kept = where.start + np.flatnonzero(self._verdict.kept[where])
        words = int(table.words[kept].sum())
        head = f"{self.reason}: {len(kept)} of {where.stop - where.start} blocks, {words} words"
        title = table.heads[self._number].title
        start = " ".join(block_texts(self._verdict.reduced, kept[:_FIRST]))
        texts = [repr(beginning(text)) for text in (title, start) if text]
        return f"<Result {' · '.join([head, *texts])}>"

    def _repr_html_(self) -> str | None:
        """What notebooks show: `demo` in a frame of its own; None after an error."""
        if self._cleaned is None:
            return None
        from victor.explain.demo_page import LARGEST, framed, too_large

        n_blocks = len(self.labels)
        return framed(self.demo()) if n_blocks <= LARGEST else too_large(n_blocks)

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """What the page says of itself and how it was read; empty after an error.

        The fields of `victor.metadata.page_metadata.Metadata` that are not empty, as plain data,
        e.g. ``title``, ``authors`` and ``published``; ``encoding`` and ``encoding_reason``; and
        what else the labeler says of the page, e.g. ``images``. ``unreadable`` counts what could
        not be decoded: U+FFFD and NUL anywhere in the page. ``recovered`` says that the visible
        text was nearly nothing and the blocks are those of a page made of embedded content
        (`victor.page.markup.embedded`): ``json-ld``, ``json`` or ``script``; all else is what the
        page itself says.
        """
        if self._verdict is None or self._described is None:
            return {}
        return {**self._described.metadata(self.url), **self._verdict.more(self._number)}

    @property
    def encoding(self) -> str:
        """How the page was decoded; "" after an error. Unlike all `metadata` this costs nothing."""
        return "" if self._described is None else self._described.encoding

    @cached_property
    def text(self) -> str:
        """Headings and paragraphs on their own lines, a blank line between."""
        return self._plain_text()

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
                article, json) take the switches ``links``, ``images``, ``formatting``, ``tables``
                (`victor.render.forms.Shown`), ``headline``: show the headline of the page above a
                text that lacks it, unless the scope forbids it, and ``posts``: tell the posts of a
                thread apart. All are on by default. Text and markdown take ``with_metadata``:
                metadata as YAML above.

        Raises:
            ConfigError: there is no such form, or it has no such option.
            PageError: it is longer than ``limits.output`` (``too-much-output``) or took longer than
                ``limits.seconds`` (``too-slow``).
        """
        if form == "text" and not options:
            return self._plain_text()
        from victor.render.forms import checked, front_matter, renderer  # loaded when asked for

        render = renderer(form)
        chosen = checked(form, options)
        if self._verdict is None or self._limits is None:
            return ""
        with Within(self._verdict.table.allowances, self._allowance) as allowance:
            page = self._page(headline=chosen.headline, posts=chosen.posts, **chosen.of_page)
            text = render(page, **chosen.of_form)
            if chosen.with_metadata:
                address = {} if self.url is None else {"url": self.url}
                text = front_matter({**address, **self.metadata}) + text
            allowance.check(len(text))
        return text

    def _page(self, *, headline: bool = False, posts: bool = False, **more: Any) -> Page:  # noqa: ANN401
        """The page as forms take it.

        Args:
            headline: show the headline above a text that lacks it.
            posts: tell posts apart.
            more: other fields of `Page`.
        """
        from victor.render.forms import Page  # loaded when asked for

        assert self._verdict is not None, "a page without an error has blocks"
        return Page(
            self._verdict,
            self._number,
            url=self.url,
            markup=self._markup,
            headline=self.missing_headline if headline else "",
            outline=self.outline if posts else (),
            found=lambda name: getattr(self, name),
            **more,
        )

    def _plain_text(self) -> str:
        """The text without options: nearly every page is asked for it."""
        if self._verdict is None or self._limits is None:
            return ""
        allowance, text = self._allowance, self._verdict.plain_text(self._number)
        if text is None:
            from victor.render.text import text_of_paragraphs  # loaded when asked for

            with Within(self._verdict.table.allowances, allowance):
                text = text_of_paragraphs(self._verdict, self._number)
        allowance.check(len(text))
        return text

    @property
    def _allowance(self) -> Allowance:
        """What a form that is begun now may take."""
        assert self._limits is not None, "a page without an error has limits"
        return Allowance(self._limits.output, self._limits.seconds)

    def without(self, blocks: Bools) -> Result:
        """The same page without some blocks, as if they were out of scope.

        Args:
            blocks: (n,) bool, of all blocks of its batch (`in_batch`).
        """
        assert self._verdict is not None, "a page without an error has blocks"
        verdict = self._verdict.without(blocks)
        is_empty = not verdict.kept[verdict.page(self._number)].any()
        reason = "no-content" if is_empty and self.reason == "ok" else self.reason
        found = {name: value for name, value in vars(self).items() if name.startswith("_")}
        return Result(self.url, reason, self.error, **found | {"_verdict": verdict})

    def demo(self, title: str | None = None) -> str:
        """The page with its blocks coloured, the text beside it and a slider, as one HTML file.

        Args:
            title: heading of the file; None for the title and the address of the page.

        Raises:
            ConfigError: the result was not made by a `Cleaner` of this process, or after an error.
        """
        from victor.explain.demo_page import demo  # few ask for it

        if self._cleaned is None:
            raise ConfigError(f"there is no page to show: {self.error or 'clean one first'}")
        cleaned = self._cleaned(self._markup, self.url)
        if title is None:
            names = [self.metadata.get("title"), self.url]
            title = " · ".join(name for name in names if name) or "page"
        return demo(cleaned, title=title, markdown=self.markdown)

    @cached_property
    def missing_headline(self) -> str:
        """The headline of the page if its text lacks it, else ""; "" if the scope forbids it."""
        from victor.render.tree.posts import missing_headline

        described = self._described
        if self._verdict is None or described is None or self._headline is False:
            return ""
        return missing_headline(self._verdict, self._number, lambda: described.title(self.url))

    @cached_property
    def outline(self) -> Sequence[Entry]:
        """Where on the page the posts of a thread begin; none without them."""
        from victor.kinds.threads.posts import outline  # loaded when asked for

        if self._verdict is None:
            return ()
        return outline(self._verdict, self._number, self._markup, self.url)

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
        from victor.api.block import blocks_of  # loaded when asked for

        return tuple(blocks_of(self))

    @cached_property
    def text_ranges(self) -> list[Range | None]:
        """(n,) start and end of each block in `text`; None for one that is dropped."""
        from victor.render.text import ranges  # few ask for them

        return [] if self._verdict is None else ranges(self._verdict, self._number)

    @property
    def page_type(self) -> str | None:
        """What the page is, as the call told, else one of `victor.model.trees.TYPES`.

        None after an error, and if the model has no page head.
        """
        pages = None if self._verdict is None else self._verdict.pages
        return None if pages is None else pages.type_of(self._number)

    @property
    def p_no_content(self) -> float | None:
        """Probability that the page has no content; None where `page_type` is."""
        pages = None if self._verdict is None else self._verdict.pages
        return None if pages is None else float(pages.p_no_content[self._number])

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread or the comments of readers, with author and date; often none."""
        from victor.kinds.threads.posts import posts  # loaded when asked for

        if self._verdict is None:
            return ()
        return posts(self._verdict, self._number, self._markup, self.url)

    @cached_property
    def schema_org(self) -> list[dict[str, Any]]:
        """What the page declares of https://schema.org, as plain values; often nothing.

        The nodes of its JSON-LD, else of its microdata, with what they refer to in place.
        """
        from victor.metadata.schema_org import nodes  # loaded when asked for

        if self._verdict is None:
            return []
        return nodes(self._verdict.table.heads[self._number], self._markup)


class Described(Struct, frozen=True, eq=False):
    """The page that metadata are of, which is not the page of the blocks if that is recovered.

    Attributes:
        table: blocks of its batch.
        number: of the page there.
        markup: of the page in UTF-8.
        encoding, reason, is_whole: how its bytes were read, as `Decoded` has it.
        recovered: where the blocks come from if not from the page itself.
    """

    table: BlockTable
    number: int
    markup: bytes
    encoding: str
    reason: str
    is_whole: bool
    recovered: str = ""

    def title(self, url: str | None) -> str:
        """The title alone of `metadata`, which takes less time."""
        from victor.metadata.page_metadata import page_title  # few ask for it

        return page_title(self.table, self.number, url, self.markup)

    def metadata(self, url: str | None) -> dict[str, Any]:
        """What the page says of itself, and how its bytes were read."""
        from victor.metadata.page_metadata import page_metadata  # not every result is asked for it

        declared = page_metadata(self.table, self.number, url=url, markup=self.markup)
        technical = {
            "encoding": self.encoding,
            "encoding_reason": self.reason,
            "unreadable": 0 if self.is_whole else _unreadable(self.markup),
            "recovered": self.recovered,
        }
        return declared.as_dict() | {key: value for key, value in technical.items() if value}


def _unreadable(markup: bytes) -> int:
    """How much of a page could not be decoded; a byte that it lacks is the soonest looked for."""
    replaced = markup.count(_REPLACEMENT) if _REPLACEMENT[:1] in markup else 0
    return replaced + (markup.count(b"\0") if b"\0" in markup else 0)
