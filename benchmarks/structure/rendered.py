"""Markdown as a tree: CommonMark with tables and deletions, and what else a system writes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from structure.walk import Document, parsed


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
