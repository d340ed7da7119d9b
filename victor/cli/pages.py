"""The pages that a command reads, and where it writes what becomes of them."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import click

from victor.api import Cleaner, Result
from victor.base.errors import FEATURE_FAILED, ConfigError, OutputError, PageError, VictorError
from victor.base.files import write_bytes
from victor.cli.commands import (
    AT_LEAST_1,
    NEW_FOLDER,
    Options,
    complain,
    count,
    finish,
    option,
    progress,
)
from victor.page.source import Source, refuse_other_formats
from victor.sources.inputs import LEADS_OUT, OUTSIDE, PAGES, STDIN, is_url, opened
from victor.sources.inputs import expand as expand_names

_LONGEST_STEM: Final = 100
_EXTENSIONS: Final = {
    "markdown": ".md", "html": ".html", "records": ".jsonl", "xhtml": ".xhtml", "article": ".html",
    "json": ".json",
}  # fmt: skip
"""Other forms are text."""
_SPACED: Final = {"text", "markdown", "sentences"}
"""Forms in which a blank line goes between two pages."""
_OF_THE_DISK: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
"""Errors that no other name would help against."""
OK: Final = "ok"


class Input(NamedTuple):
    """A page that the call names.

    Attributes:
        name: path, URL or -.
        stem: of its output file; of a page in a folder with the folders below that one.
        content: standard input once it has been read, for processes that have another.
        is_outside: a link that leads out of the folder that was named; it is not followed.
    """

    name: str
    stem: str
    content: bytes | None = None
    is_outside: bool = False


class Rendered(NamedTuple):
    """A rendered page, or why there is none; and the texts that rules of its form dropped.

    `dropped` is what `victor.kitten.passages.Removals.rows` gives.
    """

    text: str = ""
    reason: str = OK
    error: str | None = None
    dropped: Sequence[Mapping[str, Any]] = ()


def expand(names: Iterable[str]) -> list[Input]:
    """The pages that arguments name, as `victor.sources.inputs.expand` does for all commands.

    Raises:
        ConfigError: there is no such file or folder, or no page in the folder.
    """
    return [page for name in names for page in _expanded(name)]


def _expanded(name: str) -> Iterator[Input]:
    if name == STDIN and sys.stdin is not None and sys.stdin.isatty():
        complain("reads a page from the keyboard: Ctrl+D ends it")
    for page in expand_names([name], PAGES):
        stem = _stem(page.name, Path(name))
        yield Input(page.name, stem, is_outside=page.kind == OUTSIDE)


def _stem(page: str, named: Path) -> str:
    if page == STDIN:
        return "stdin"
    if is_url(page):
        return _url_stem(page)
    path = Path(page)
    return str(path.relative_to(named).with_suffix("")) if named.is_dir() else path.stem


def _url_stem(url: str) -> str:
    from urllib.parse import urlsplit  # 3 ms to load

    try:
        parts = urlsplit(url)
    except ValueError:  # fetching it will say what is wrong
        return "page"
    last = Path(parts.path).stem or parts.netloc
    return re.sub(r"[^\w.-]+", "-", last).strip(".-")[:_LONGEST_STEM] or "page"


def with_standard_input(pages: Sequence[Input], limit: int) -> list[Input]:
    """The pages, standard input read up to a limit: any process can read the others."""
    return [
        page._replace(content=sys.stdin.buffer.read(limit + 1)) if page.name == STDIN else page
        for page in pages
    ]


def source(page: Input, limit: int) -> Source:
    """The page, or why it cannot be read; at most one byte more than the limit."""
    url = None if page.name == STDIN else os.fsencode(page.name).decode("utf-8", "replace")
    try:
        if page.is_outside:
            raise PageError("link-outside", LEADS_OUT)
        if is_url(page.name):
            return _fetched(page.name, limit)
        if page.content is not None:
            return Source(_markup(page.content, limit))
        with opened(page.name) as file:
            return Source(_markup(file.read(limit + 1), limit), url=url)
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        return Source(PageError("unreadable", message), url=url)
    except PageError as error:
        return Source(error, url=url)


def _fetched(url: str, limit: int) -> Source:
    from victor.sources.download import fetch  # loads HTTP and TLS

    page = fetch(url, limit=limit)
    return Source(_markup(page.content, limit), page.url, page.charset)


def _markup(content: bytes, limit: int) -> bytes:
    """The content, unless its first bytes say that it is no markup; if too long, that is said."""
    if len(content) <= limit:
        refuse_other_formats(content)
    return content


def read_bytes(name: str) -> bytes:
    """The content of a file or of standard input that is no page to be cleaned.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}") from None


def cleaned(name: str, cleaner: Cleaner) -> tuple[Input, Result]:
    """A page by its name, and what a cleaner makes of it; a page that fails ends the command.

    Raises:
        ConfigError: there is no such page, or the name is that of several.
    """
    inputs = expand([name])
    if len(inputs) > 1:
        raise ConfigError(f"{name} holds {len(inputs)} pages; name one of them")
    (result,) = cleaner.clean_many([source(inputs[0], cleaner.limits.bytes)])
    if result.error is not None:
        complain(f"{name}: {result.error}")
        finish(Counter([result.reason]), 1)
    return inputs[0], result


class Writing(Options):
    """What is written where, and by how many processes."""

    form: str
    output: Path | None = option(
        "-o --output", "Write a file per page here.  [default: stdout]", NEW_FOLDER
    )
    jobs: int = option("-j --jobs", "Processes.", AT_LEAST_1, 1)


Item = TypeVar("Item")
Made = TypeVar("Made")


def parallel_map(
    function: Callable[[Item], Made], items: Iterable[Item], jobs: int
) -> Iterator[Made]:
    """Results of a function, in so many processes, in the order of the items.

    Raises:
        VictorError: a process was lost.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    for result in supervised(function, items, jobs, seconds=inf):
        if isinstance(result, PageError):
            raise VictorError(f"{result}: use fewer --jobs, or `victor crawl`")
        yield result


def supervised(
    function: Callable[[Item], Made], items: Iterable[Item], jobs: int, *, seconds: float
) -> Iterator[Made | PageError]:
    """The same with limits of seconds a call; an error in place of what a lost process had."""
    from victor.base.processes import MEMORY, ordered  # 20 ms to load

    memory = None if seconds == inf else MEMORY
    return ordered(partial(_itself, function), items, jobs, seconds=seconds, memory=memory)


def _itself(function: Callable[[Item], Made]) -> Callable[[Item], Made]:
    return function


Write = Callable[[int, str], None]
"""Writes a rendered page, given its index among the inputs; a `PageError` if it has no place."""


def write_all(
    inputs: Sequence[Input],
    pages: Iterable[Rendered],
    options: Writing,
    *,
    title: str,
    noted: str,
    advice: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write pages in their order, tell what failed or gave nothing, and end the command.

    Args:
        inputs: the pages.
        pages: the same, rendered when asked for.
        options: what is written where.
        title: what is being done to the pages.
        noted: what is said of pages that were written for another reason than ``ok``.
        advice: what to try for such a reason.

    Raises:
        ConfigError: see `_writer`.
    """
    write, folder = _writer(inputs, options), options.output
    failed: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    with progress(title, len(inputs)) as advance:
        for index, page in enumerate(pages):
            name = inputs[index].name
            if error := _written(write, index, page):
                if not (failed[FEATURE_FAILED] and error.reason == FEATURE_FAILED):
                    complain(f"{name}: {error}")  # once of what many pages share
                failed[error.reason] += 1
            else:
                reasons[page.reason] += page.reason != OK
                dropped.update(str(row["rule"]) for row in page.dropped)
            advance(1)
    if folder is not None:
        n_written = len(inputs) - failed.total()
        complain(f"wrote {n_written} {'page' if n_written == 1 else 'pages'} to {folder}")
    count(noted, reasons, len(inputs), advice)
    if dropped:
        counts = ", ".join(f"{rule} {n}" for rule, n in dropped.most_common())
        complain(f"{dropped.total()} texts dropped: {counts}")
    finish(failed, len(inputs))


def _written(write: Write, index: int, page: Rendered) -> PageError | None:
    """Why a page is not written; None where it is."""
    if page.error is not None:
        return PageError(page.reason, page.error)
    try:
        write(index, page.text)
    except PageError as error:
        return error
    return None


def _writer(inputs: Sequence[Input], options: Writing) -> Write:
    """A function that writes pages: into the folder, else to standard output, always in UTF-8.

    Raises:
        ConfigError: a file in the folder is itself one of the pages, or there is no folder for
            several documents that cannot stand in one file.
    """
    folder, form = options.output, options.form
    if folder is None:
        if form == "article" and len(inputs) > 1:  # each is a whole document
            raise ConfigError(
                f"-f {form} writes one document a page; choose a folder with --output, or -f json"
            )
        return partial(_print, "\n" if form in _SPACED else "", [])
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{folder} cannot be written; make it writable")
    paths = [
        folder / name for name in unique([i.stem for i in inputs], _EXTENSIONS.get(form, ".txt"))
    ]
    named = {Path(page.name).resolve() for page in inputs}
    for path in paths:
        if path.resolve() in named:
            raise ConfigError(f"{path} is one of the pages; choose another folder for --output")
    return partial(_write_file, paths)


def _print(between: str, printed: list[int], index: int, text: str) -> None:
    """Print a text below the one before; `printed` holds the pages that had one."""
    if text:
        click.echo(((between if printed else "") + text.removesuffix("\n")).encode())
        printed.append(index)


def _write_file(paths: Sequence[Path], index: int, text: str) -> None:
    try:
        write_bytes(paths[index], text.encode(), parents=True, lasting=False)
    except OutputError as error:
        if getattr(error.__cause__, "errno", None) in _OF_THE_DISK:
            raise
        raise PageError("not-written", str(error)) from None


def unique(stems: Sequence[str], extension: str = "") -> Iterator[str]:
    """Names of files that differ even where case does not matter, and from the folders of others.

    One that is taken gets a number.
    """
    taken = {str(above).casefold() for stem in stems for above in PurePath(stem).parents}
    last: Counter[str] = Counter()
    for stem in stems:
        name = stem + extension
        while name.casefold() in taken:
            last[stem] += 1
            name = f"{stem}-{last[stem] + 1}{extension}"
        taken.add(name.casefold())
        yield name
