"""Write clean pages to standard output, or to one file each in a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from victor.cli.inputs import Input
from victor.errors import ConfigError

_EXTENSIONS: Final = {
    "text": ".txt", "markdown": ".md", "html": ".html", "cleaneval": ".txt", "records": ".jsonl",
    "sentences": ".txt", "xhtml": ".xhtml", "native": ".txt", "article": ".html", "xml": ".xml",
    "tei": ".xml", "json": ".json",
}  # fmt: skip
_SPACED: Final = {"text", "markdown", "sentences"}
"""Forms in which a blank line goes between two pages."""

_WHOLE: Final = {"article", "xml", "tei"}
"""Forms in which a page is a document, and two in a row are none."""

Write = Callable[[int, str], None]
"""Writes a rendered page, given its index among the inputs."""


def writer(inputs: Sequence[Input], folder: Path | None, form: str) -> Write:
    """A function that writes pages: into the folder, else to standard output, always in UTF-8.

    Raises:
        ConfigError: a file in the folder is itself one of the pages, or there is no folder for
            several documents that cannot stand in one file.
    """
    if folder is None:
        if form in _WHOLE and len(inputs) > 1:
            raise ConfigError(
                f"-f {form} writes one document a page; choose a folder with --output, or -f json"
            )
        return _Printer("\n" if form in _SPACED else "")
    paths = [folder / f"{name}{_EXTENSIONS[form]}" for name in unique([i.stem for i in inputs])]
    sources = {Path(page.name).resolve() for page in inputs}
    for path in paths:
        if path.resolve() in sources:
            raise ConfigError(f"{path} is one of the pages; choose another folder for --output")
    return _Folder(paths)


class _Printer:
    def __init__(self, between: str) -> None:
        self._between = between
        self._before = ""

    def __call__(self, index: int, text: str) -> None:
        if text:
            click.echo((self._before + text.removesuffix("\n")).encode())
            self._before = self._between


class _Folder:
    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    def __call__(self, index: int, text: str) -> None:
        path = self._paths[index]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def unique(stems: Sequence[str]) -> Iterator[str]:
    """Names that differ even where case does not matter: a name that is taken gets a number."""
    taken: set[str] = set()
    last: Counter[str] = Counter()
    for stem in stems:
        name = stem
        while name.casefold() in taken:
            last[stem] += 1
            name = f"{stem}-{last[stem] + 1}"
        taken.add(name.casefold())
        yield name
