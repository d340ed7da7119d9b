"""Names on a command line as inputs: files, folders, patterns, URLs, lists, standard input."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from glob import has_magic
from pathlib import Path, PurePosixPath
from typing import IO, Final

from msgspec import Struct

from victor.base import lazy
from victor.base.errors import ConfigError

STDIN: Final = "-"
UNKNOWN: Final = "unknown"
"""Kind of a file whose name does not tell it; its first bytes will."""
UNREAD: Final = "unknown-kind"
"""Kind of a file that nothing here reads; the reason, too, for which it fails."""
OUTSIDE: Final = "outside"
"""Kind of a link in a folder that leads out of it: nobody follows it, and it counts as failed."""
LEADS_OUT: Final = "is a link that leads out of its folder; name what it leads to"
PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".shtml")
"""Lower-case ends of the names of page files, in folders and in archives."""
_SUFFIXES: Final = {
    "html": PAGE_SUFFIXES,
    "zip": (".zip", ".wacz"),
    "tar": (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"),
    "jsonl": (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"),
    "parquet": (".parquet",),
    "warc": (
        *(".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wet", ".wet.gz", ".wet.zst"),
    ),
    UNREAD: (  # they hold no markup, though their bytes may not tell it
        *(".csv", ".tsv", ".xls", ".xlsx", ".doc", ".docx", ".pdf", ".epub", ".ps", ".rtf"),
        *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".mp3", ".mp4", ".rar", ".7z"),
    ),
}
KINDS: Final = tuple(_SUFFIXES)[:-1]
"""Kinds of inputs that there are readers for."""
PAGES: Final = ("html",)
"""The kind of inputs that are one page each."""


class Input(Struct, frozen=True):
    """One input."""

    name: str  # path, URL, or - for standard input
    kind: str  # one of `KINDS`, ``stdin``, `UNKNOWN`, `UNREAD` or `OUTSIDE`
    path: str | None = None  # where its bytes lie, if not at its name

    @property
    def is_web_page(self) -> bool:
        """Is it a page to be downloaded, not a file that fsspec opens."""
        return is_url(self.name) and self.kind in ("html", UNKNOWN)


class ReadOptions(Struct, frozen=True):
    """How inputs are read.

    Attributes:
        html_column, url_column, id_column, date_column: keys of JSONL rows, columns of Parquet.
        kind: what standard input and files of unknown kind are; None looks at their first bytes.
        max_bytes: a longer body is cut one byte after this, so that the limit refuses it.
    """

    html_column: str = "html"
    url_column: str = "url"
    id_column: str = "id"
    date_column: str = "date"
    kind: str | None = None
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in KINDS:
            raise ConfigError(f"no reader for {self.kind!r}; there are {', '.join(KINDS)}")

    @property
    def columns(self) -> dict[str, str]:
        """Names of columns by what they hold."""
        return {what: getattr(self, f"{what}_column") for what in ("html", "url", "id", "date")}


def expand(names: Sequence[str], kinds: Collection[str] = KINDS) -> list[Input]:
    """The inputs that arguments name, in their order, each once.

    A folder stands for the files of these kinds below it and a pattern for what it matches, both
    sorted; ``@file`` for the names in a file, one a line, where blank lines and those that begin
    with ``#`` are skipped. An http(s) URL is a web page, unless its name is that of another of
    these kinds, or a pattern; fsspec opens such ones and all other URLs.

    Args:
        names: as written on a command line.
        kinds: of the files that are looked for in folders; a file that is named may be of any.

    Raises:
        ConfigError: there is no such input, or nothing in it that can be read.
    """
    found: dict[str, Input] = {}
    for name in names:
        is_list = name.startswith("@") and not Path(name).exists()
        for each in _listed(name[1:]) if is_list else (name,):
            found |= {inner.name: inner for inner in _expand(each, kinds)}
    return [*found.values()]


def _expand(name: str, kinds: Collection[str]) -> Iterator[Input]:
    if name == STDIN:
        yield Input(name, "stdin")
    elif is_url(name) and "*" not in name and kind_of(name) not in {*kinds} - {*PAGES}:
        yield Input(name, kind_of(name))
    elif is_remote(name):
        yield from _remote(name, kinds)
    elif has_magic(name) and not Path(name).exists():
        for path in _matching(name):
            yield from local_inputs(path, kinds)
    else:
        yield from local_inputs(name, kinds)


def _listed(name: str) -> list[str]:
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ConfigError(f"the list {name or '@'} cannot be read: {error}") from None
    return [line for line in map(str.strip, lines) if line and not line.startswith("#")]


def _matching(pattern: str) -> list[str]:
    """What matches a pattern; ``**`` passes over links to folders, which may go in circles."""
    named = Path(f"{pattern}/*" if pattern.endswith("**") else pattern)
    found = Path(named.anchor).glob(str(named.relative_to(named.anchor)))
    shown = [
        path
        for path in found
        if not any(part.startswith(".") for part in {*path.parts} - {*named.parts})
    ]
    if not shown:
        raise ConfigError(f"nothing matches {pattern}; correct the pattern")
    return sorted(path.as_posix() for path in shown)


def _remote(url: str, kinds: Collection[str]) -> list[Input]:
    try:
        files, path = lazy.load("fsspec.core", extra="crawl").url_to_fs(url)
        if has_magic(path) and not files.exists(path):
            names = [name for name in sorted(files.glob(path)) if files.isfile(name)]
        elif files.isfile(path):
            names = [path]
        else:
            names = [name for name in sorted(files.find(path)) if kind_of(name) in kinds]
    except FileNotFoundError:
        names = []
    except (ImportError, ValueError, OSError) as error:
        raise ConfigError(f"{url} cannot be opened: {error}") from None
    names = [files.unstrip_protocol(name) for name in names]
    return _some([Input(name, kind_of(name)) for name in names], url, kinds)


def local_inputs(name: str, kinds: Collection[str] = KINDS) -> list[Input]:
    """A file, or the files of some kinds below a folder, sorted.

    What cannot be read below it stands for itself: whoever opens it learns why it cannot be, and
    counts it. So do links that lead out of the folder; links to folders in it are passed over.

    Raises:
        ConfigError: there is no such file or folder, or the folder holds no such file or cannot be
            read.
    """
    path = Path(name)
    if not name or not path.exists():
        raise ConfigError(
            f"no file or folder {name or 'of no name'}; correct its name (URLs begin with "
            "http:// or https://)"
        )
    if not path.is_dir():
        return [Input(name, kind_of(name))]
    found = sorted(_below(path, kinds), key=lambda each: each.name)
    return _some(found, f"folder {name}", kinds)


def _below(folder: Path, kinds: Collection[str]) -> Iterator[Input]:
    unreadable: list[OSError] = []
    root = folder.resolve()
    for above, folders, names in os.walk(folder, onerror=unreadable.append):
        links = [name for name in folders if os.path.islink(os.path.join(above, name))]
        for name in (*links, *(name for name in names if kind_of(name) in kinds)):
            path = Path(above, name)
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root):
                yield Input(path.as_posix(), OUTSIDE)
            # A link that leads nowhere cannot be read; who opens a pipe would wait for it.
            elif os.path.isfile(path) or not os.path.exists(path):
                yield Input(path.as_posix(), kind_of(name))
    for error in unreadable:
        if Path(error.filename) == folder:
            raise ConfigError(f"folder {folder} cannot be read: {error.strerror}") from None
        yield Input(Path(error.filename).as_posix(), UNKNOWN)


def _some(found: list[Input], where: str, kinds: Collection[str]) -> list[Input]:
    if not found:
        known = ", ".join(suffix for kind in kinds for suffix in _SUFFIXES[kind])
        raise ConfigError(f"{where} holds nothing to read; known are {known}")
    return found


@contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """The bytes of an input; standard input stays open.

    Raises:
        OSError: it cannot be opened.
    """
    if name == STDIN:
        yield sys.stdin.buffer
    elif os.path.isdir(name):  # one that cannot be listed; else its files would be here
        raise PermissionError(errno.EACCES, "this folder cannot be listed", name)
    elif is_remote(name):
        with lazy.load("fsspec", extra="crawl").open(name, "rb") as file:
            yield file
    else:
        with Path(name).open("rb") as file:
            yield file


def is_url(name: str) -> bool:
    """Is it the URL of something on the web."""
    return name.lower().startswith(("http://", "https://"))


def is_remote(name: str) -> bool:
    """Is it a URL, of the web or of another file system."""
    return "://" in name


def kind_of(name: str) -> str:
    """The kind that the name of a file tells, or `UNKNOWN`."""
    file_name = PurePosixPath(name.replace("\\", "/")).name.lower()
    kinds = (kind for kind, suffixes in _SUFFIXES.items() if file_name.endswith(suffixes))
    return next(kinds, UNKNOWN)
