"""Markdown: CommonMark with tables, deletions, tasks and footnotes of GitHub, and formulas in $."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from victor.page.verdict.verdict import Verdict
from victor.render.markdown.blocks import Blocks
from victor.render.markdown.inlines import Writer
from victor.render.options import Shown
from victor.render.tree.build import form, tree
from victor.render.tree.nodes import Math, Paragraph, Tree, leaves
from victor.render.tree.posts import Entry
from victor.render.tree.ranges import Range, marked, of_blocks, unmarked


def ranges(  # noqa: PLR0913  (one for every option)
    verdict: Verdict,
    page: int,
    *,
    markup: bytes | None = None,
    url: str | None = None,
    shown: Shown | None = None,
    headline: str = "",
    outline: Sequence[Entry] = (),
    **metadata: object,
) -> list[Range | None]:
    """(n,) characters of every block in what `render` writes; None for one that is dropped."""
    source = tree(
        verdict, page, markup=markup, url=url, shown=shown, title=headline, outline=outline
    )
    text, paragraphs = unmarked(write(source, marked))
    return of_blocks(verdict, page, text, paragraphs)


def write(source: Tree, mark: Callable[[int, str], str] = lambda _, text: text) -> str:
    """A document as Markdown, ended by a newline; empty if there is nothing in it.

    Args:
        source: the document.
        mark: what becomes of a paragraph, given its number and its text.
    """
    paragraphs = (leaf for leaf in leaves(source.children) if isinstance(leaf, Paragraph))
    has_math = source.may_have_math and any(
        Math in map(type, paragraph.inlines) for paragraph in paragraphs
    )
    blocks = Blocks(Writer(source.links, source.allowance, has_formulas=has_math), mark)
    title = [f"# {blocks.writer.heading(source.title)}"] if source.title else []
    text = Blocks.joined([*title, *blocks.of(source.children)])
    return text + "\n" if text else ""


render = form(lambda source, *_: write(source))
