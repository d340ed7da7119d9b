"""The pages that a command names: files, folders, URLs, standard input."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from victor import sources
from victor.api import Cleaner, Result
from victor.base.errors import ConfigError, PageError
from victor.cli.messages import complain, finish
from victor.page.decoding.other_formats import refuse_other_formats
from victor.page.source import Source
from victor.sources.inputs import LEADS_OUT, OUTSIDE, PAGES, STDIN, is_url, opened

_LONGEST_STEM: Final = 100


class Input(NamedTuple):
    """A page that the call names.

    Attributes:
        name: path, URL or -.
        stem: name for its output file, without extension; for a page found in a folder with the
            folders below that one.
        content: standard input once it has been read, for processes that have another.
        is_outside: a link that leads out of the folder that was named; it is not followed.
    """

    name: str
    stem: str
    content: bytes | None = None
    is_outside: bool = False


def expand(name: str) -> Iterator[Input]:
    """The pages that an argument names, as `victor.sources.expand` does for all commands.

    Raises:
        ConfigError: there is no such file or folder, or no page in the folder.
    """
    if name == STDIN and sys.stdin is not None and sys.stdin.isatty():
        complain("reads a page from the keyboard: Ctrl+D ends it")
    for page in sources.expand([name], PAGES):
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
    """The last part of the path of a URL, or its host."""
    from urllib.parse import urlsplit  # 3 ms to load

    try:
        parts = urlsplit(url)
    except ValueError:  # fetching it will say what is wrong
        return "page"
    last = Path(parts.path).stem or parts.netloc
    return re.sub(r"[^\w.-]+", "-", last).strip(".-")[:_LONGEST_STEM] or "page"


def with_content(page: Input, limit: int) -> Input:
    """Standard input, read: at most one byte more than the limit, which then refuses it."""
    return page._replace(content=sys.stdin.buffer.read(limit + 1))


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
    """The content of a file, unless its first bytes say that it is no markup.

    One that is too long is not looked at: that is said of it, as Python's face does.
    """
    if len(content) <= limit:
        refuse_other_formats(content)
    return content


def cleaned(name: str, cleaner: Cleaner) -> tuple[Input, Result]:
    """A page by its name, and what a cleaner makes of it; a page that fails ends the command.

    Raises:
        ConfigError: there is no such page, or the name is that of several.
    """
    inputs = [*expand(name)]
    if len(inputs) > 1:
        raise ConfigError(f"{name} holds {len(inputs)} pages; name one of them")
    (result,) = cleaner.clean_many([source(inputs[0], cleaner.limits.bytes)])
    if result.error is not None:
        complain(f"{name}: {result.error}")
        finish(Counter([result.reason]), 1)
    return inputs[0], result
