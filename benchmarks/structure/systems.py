"""Markdown of Victor and of other systems."""

from __future__ import annotations

import json
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


@dataclass(frozen=True)
class Output:
    """Markdown of every page; Victor's text beside it."""

    markdown: Sequence[str]
    text: Sequence[str] | None = None


def run(
    name: str, pages: Sequence[Page], node_modules: Path | None, options: Mapping[str, Any]
) -> Output:
    """Markdown of one system.

    Raises:
        MissingError: it is not installed.
    """
    if name == VICTOR:
        return _victor(pages, options)
    if name == "trafilatura":
        return Output(_trafilatura(pages))
    return Output(_node(name, pages, node_modules))


def _victor(pages: Sequence[Page], options: Mapping[str, Any]) -> Output:
    import victor
    from victor.page.source import Source

    results = victor.clean_many([Source(page.html, page.url) for page in pages])
    both = [(result.render("markdown", **options), result.text) for result in results]
    return Output([markdown for markdown, _ in both], [text for _, text in both])


def _trafilatura(pages: Sequence[Page]) -> list[str]:
    try:
        import trafilatura
    except ImportError as error:
        raise MissingError(str(error)) from None
    return [
        trafilatura.extract(
            page.html, url=page.url, output_format="markdown", include_links=True,
            include_images=True, include_formatting=True, include_tables=True,
        )
        or ""
        for page in pages
    ]  # fmt: skip


def _node(name: str, pages: Sequence[Page], node_modules: Path | None) -> list[str]:
    if node_modules is None:
        raise MissingError("no --node-modules")
    texts = []
    with Child(["node", str(_SCRIPT), str(node_modules.resolve()), name], {}) as child:
        child.start()
        for page in pages:
            try:
                answer = child.ask({"page": page.markup, "url": page.url}, _SECONDS)
            except LostError as error:
                answer = {"markdown": "", "error": str(error)}
            if answer["error"]:
                print(f"{name}: {page.id}: {answer['error']}", file=sys.stderr)
            texts.append(answer["markdown"])
    return texts


def kept_or_run(
    name: str,
    pages: Sequence[Page],
    node_modules: Path | None,
    options: Mapping[str, Any],
    folder: Path | None,
) -> Output:
    """As `run`, but of other systems than Victor what a folder has of an earlier run.

    Raises:
        MissingError: it is not installed.
    """
    file = folder / f"{name}.json" if folder is not None and name != VICTOR else None
    ids = [page.id for page in pages]
    if file is not None and file.exists():
        kept = json.loads(file.read_text(encoding="utf-8"))
        if all(each in kept for each in ids):
            return Output([kept[each] for each in ids])
    output = run(name, pages, node_modules, options)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        kept = dict(zip(ids, output.markdown, strict=True))
        file.write_text(json.dumps(kept), encoding="utf-8")
    return output
