"""Markdown: CommonMark with tables, deletions, tasks and footnotes of GitHub, and formulas in $."""

from __future__ import annotations

from victor.document.build import document
from victor.document.model import Document, Math, Paragraph, leaves
from victor.document.shown import Shown
from victor.page.verdict import Verdict
from victor.render.markdown.blocks import Blocks
from victor.render.markdown.inlines import Writer


def render(
    verdict: Verdict,
    page: int,
    *,
    markup: bytes | None = None,
    url: str | None = None,
    shown: Shown | None = None,
    headline: str = "",
    **metadata: object,
) -> str:
    """The kept blocks of a page as Markdown.

    Args:
        verdict: what is kept.
        page: number of the page in the batch.
        markup: the page as UTF-8 bytes; without it nothing is known of links, images and the like.
        url: address of the page, which makes other addresses absolute.
        shown: what is shown beside words; None is everything.
        headline: to be shown as the first heading, "" for none.
        metadata: not used.
    """
    return write(document(verdict, page, markup=markup, url=url, shown=shown, title=headline))


def write(source: Document) -> str:
    """A document as Markdown, ended by a newline; empty if there is nothing in it."""
    has_math = any(
        isinstance(inline, Math)
        for leaf in leaves(source.children)
        if isinstance(leaf, Paragraph)
        for inline in leaf.inlines
    )
    blocks = Blocks(Writer(source.links, escapes_dollars=has_math))
    lines = [f"# {blocks.writer.heading(source.title)}"] if source.title else []
    text = blocks.joined([*lines, *blocks.of(source.children)])
    return text + "\n" if text else ""
