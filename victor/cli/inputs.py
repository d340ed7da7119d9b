"""The pages that a command line names: files, folders, URLs, standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from victor.errors import ConfigError, PageError
from victor.page.source import Source
from victor.sources.fetch import fetch, is_url
from victor.sources.sniff import NOT_HTML, is_binary

SUFFIXES: Final = {".html", ".htm", ".xhtml", ".shtml"}
"""What makes a file in a folder a page."""
STDIN: Final = "-"
_LONGEST_STEM: Final = 100


class Input(NamedTuple):
    """A page that the call names.

    Attributes:
        name: path, URL or -.
        stem: name for its output file, without extension; for a page found in a folder with the
            folders below that one.
        content: standard input once it has been read, for processes that have another.
    """

    name: str
    stem: str
    content: bytes | None = None


def expand(name: str) -> Iterator[Input]:
    """The pages that an argument names; a folder stands for the pages in it, sorted.

    Raises:
        ConfigError: there is no such file or folder, or no page in the folder.
    """
    path = Path(name)
    if name == STDIN:
        yield Input(name, "stdin")
    elif is_url(name):
        yield Input(name, _url_stem(name))
    elif not name or not path.exists():
        raise ConfigError(f"no file or folder {name or 'of no name'}; URLs begin with http(s)://")
    elif path.is_dir():
        yield from _in_folder(path)
    else:
        yield Input(name, path.stem)


def _in_folder(folder: Path) -> Iterator[Input]:
    pages = [p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file()]
    if not pages:
        raise ConfigError(f"folder {folder} holds no page ({', '.join(sorted(SUFFIXES))})")
    for page in sorted(pages):
        yield Input(str(page), str(page.relative_to(folder).with_suffix("")))


def _url_stem(url: str) -> str:
    """The last part of the path of a URL, or its host."""
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
    url = os.fsencode(page.name).decode("utf-8", "replace")
    try:
        if page.name == STDIN:
            read = page if page.content is not None else with_content(page, limit)
            return Source(_markup(read.content or b""))
        if is_url(page.name):
            return fetch(page.name, limit=limit + 1)
        with Path(page.name).open("rb") as file:
            return Source(_markup(file.read(limit + 1)), url=url)
    except OSError as error:
        return Source(PageError("unreadable", f"cannot be read: {error.strerror}"), url=url)
    except PageError as error:
        return Source(error, url=url)


def _markup(content: bytes) -> bytes:
    """The content of a file, unless its first bytes say that it is no markup."""
    if is_binary(content):
        raise PageError(
            NOT_HTML,
            "it begins as another format (packed, PDF, picture, program, ...): unpack or convert "
            "it; `victor crawl` reads WARC, archives and Parquet",
        )
    return content
