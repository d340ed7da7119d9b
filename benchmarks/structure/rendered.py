"""Markdown as a tree: CommonMark with tables and deletions, and what else a system writes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt

from structure.items import Base, Item, items
from structure.walk import Document, parsed

_CALLOUT: Final = re.compile(r"\s*\[!\w+\]")
_EMBED: Final = re.compile(
    r" -> (?:https://(?:www\.youtube\.com/watch|(?:player\.)?vimeo\.com/)|\S+\.(?:mp4|webm|mp3))"
)
EXTENSIONS: Final = ("footnote", "dollarmath", "tasklists", "deflist")


@cache
def _parser(extensions: tuple[str, ...]) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])
    for name in extensions:
        _use(parser, name)
    # Addresses are compared as they are written.
    parser.normalizeLink = lambda address: address  # type: ignore[method-assign]
    parser.validateLink = lambda _: True  # type: ignore[method-assign]
    return parser


def _use(parser: MarkdownIt, name: str) -> None:
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.tasklists import tasklists_plugin

    plugins: dict[str, tuple[Callable[..., None], dict[str, Any]]] = {
        "deflist": (deflist_plugin, {}),
        "dollarmath": (dollarmath_plugin, {"allow_space": False, "allow_digits": False}),
        "footnote": (footnote_plugin, {}),
        "tasklists": (tasklists_plugin, {}),
    }
    plugin, options = plugins[name]
    parser.use(plugin, **options)


def document_of(markdown: str, extensions: tuple[str, ...] = ()) -> Document:
    """Rendered Markdown."""
    rendered = _parser(extensions).render(markdown)
    return Document(parsed(f"<html><body>{rendered}</body></html>"), is_page=False)


def items_of(document: Document) -> list[Item]:
    """Items of rendered Markdown; addresses must be absolute by themselves.

    Callouts and embeds, which are written as quotes and images, are none: on the page they are
    neither.
    """
    return [item for item in items(document, Base()) if not _is_written_as(item)]


def _is_written_as(item: Item) -> bool:
    """Is an item a callout that is written as a quote, or a player that is written as an image."""
    if item.kind == "quote":
        return bool(_CALLOUT.match(item.text))
    return item.kind.startswith("image") and bool(_EMBED.search(item.text))
