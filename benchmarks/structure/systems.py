"""The pages that are compared, and the Markdown of Victor and of other systems."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from peers.processes import Child, LostError, MissingError

VICTOR: Final = "victor"
NAMES: Final = (VICTOR, "trafilatura", "defuddle", "readability")
EXTENSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    VICTOR: ("footnote", "dollarmath", "tasklists", "deflist"),
    "trafilatura": (),
    "defuddle": ("footnote", "dollarmath"),
    "readability": ("tasklists",),
}
"""What each system writes beside CommonMark, tables and deletions."""
_SCRIPT: Final = Path(__file__).parent.parent / "peers" / "markdown.mjs"
_SECONDS: Final = 120.0


@dataclass(frozen=True, eq=False)
class Page:
    """A page as systems get it."""

    id: str
    url: str
    html: bytes
    markup: str
    text: str


def option(text: str) -> tuple[str, bool]:
    """A switch of Victor's Markdown as the command line has it: ``NAME=on`` or ``NAME=off``."""
    name, _, value = text.partition("=")
    if value not in ("on", "off"):
        raise argparse.ArgumentTypeError(f"{text}: NAME=on or NAME=off")
    return name, value == "on"


def run(
    name: str,
    pages: Sequence[Page],
    node_modules: Path | None,
    options: Mapping[str, Any],
    *,
    titled: bool = False,
) -> list[str]:
    """Markdown of one system.

    Args:
        name: one of `NAMES`.
        pages: what it reads.
        node_modules: where npm installed the Node peers.
        options: of Victor's Markdown.
        titled: write the title that a peer gives apart as a heading above; Victor's has its own.

    Raises:
        MissingError: it is not installed.
    """
    if name == VICTOR:
        return _victor(pages, options)
    if name == "trafilatura":
        return _trafilatura(pages, titled=titled)
    return _node(name, pages, node_modules, titled=titled)


def _victor(pages: Sequence[Page], options: Mapping[str, Any]) -> list[str]:
    import victor
    from victor.page.source import Source

    results = victor.clean_many([Source(page.html, page.url) for page in pages])
    texts = []
    for page, result in zip(pages, results, strict=True):
        if result.error is not None:
            print(f"{VICTOR}: {page.id}: {result.error}", file=sys.stderr)
        texts.append(result.render("markdown", **options))
    return texts


def _trafilatura(pages: Sequence[Page], *, titled: bool) -> list[str]:
    try:
        import trafilatura
    except ImportError as error:
        raise MissingError(str(error)) from None
    texts = []
    for page in pages:
        text = trafilatura.extract(
            page.html, url=page.url, output_format="markdown", include_links=True,
            include_images=True, include_formatting=True, include_tables=True,
        )  # fmt: skip
        known = trafilatura.extract_metadata(page.html, default_url=page.url) if titled else None
        texts.append(under(known and known.title, text or ""))
    return texts


def under(title: str | None, text: str) -> str:
    """Markdown with a title above; as it is without one."""
    return f"# {' '.join(title.split())}\n\n{text}" if title else text


def _node(
    name: str, pages: Sequence[Page], node_modules: Path | None, *, titled: bool
) -> list[str]:
    if node_modules is None:
        raise MissingError("no --node-modules")
    texts = []
    with Child(["node", str(_SCRIPT), str(node_modules.resolve()), name], {}) as child:
        child.start()
        for page in pages:
            try:
                answer = child.ask({"page": page.markup, "url": page.url}, _SECONDS)
            except LostError as error:
                answer = {"markdown": "", "title": "", "error": str(error)}
            if answer["error"]:
                print(f"{name}: {page.id}: {answer['error']}", file=sys.stderr)
            texts.append(under(titled and answer["title"], answer["markdown"]))
    return texts
