"""The inputs that a command line names: files, folders, patterns, URLs, lists, standard input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path, PurePosixPath
from typing import Any, Final

from victor.errors import ConfigError
from victor.sources.optional import needed

STDIN: Final = "-"
UNKNOWN: Final = "unknown"
"""Kind of a file whose name does not tell it; its first bytes will."""
PAGES: Final = (".html", ".htm", ".xhtml", ".shtml")
"""What makes a file, or a member of an archive, a page."""
_SUFFIXES: Final = {
    **dict.fromkeys(PAGES, "html"),
    ".zip": "zip",
    **dict.fromkeys((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"), "tar"),
    **dict.fromkeys((".jsonl", ".jsonl.gz", ".jsonl.zst"), "jsonl"),
    **dict.fromkeys((".ndjson", ".ndjson.gz", ".ndjson.zst"), "jsonl"),
    ".parquet": "parquet",
    **dict.fromkeys((".warc", ".warc.gz"), "warc"),
}
KINDS: Final = tuple(dict.fromkeys(_SUFFIXES.values()))
"""Kinds of inputs that there are readers for."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a crawl.

    Attributes:
        name: path, URL that fsspec knows, or - for standard input.
        kind: one of `KINDS`, ``stdin``, or `UNKNOWN`.
    """

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class ReadOptions:
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


def expand(names: Sequence[str]) -> list[Input]:
    """The inputs that arguments name, in their order, each once.

    A folder stands for the files below it that some reader knows and a pattern for what it
    matches, both sorted; ``@file`` for the names in a file, one a line, where blank lines and
    those that begin with ``#`` are skipped.

    Raises:
        ConfigError: there is no such input, or nothing in it that can be read.
    """
    found = (one for name in names for one in _expand(name, ()))
    return list({one.name: one for one in found}.values())


def is_remote(name: str) -> bool:
    """Is it a URL, to be opened by fsspec."""
    return "://" in name


def kind_of(name: str) -> str:
    """The kind that the name of a file tells, or `UNKNOWN`."""
    low = PurePosixPath(name.replace("\\", "/")).name.lower()
    known = (kind for suffix, kind in _SUFFIXES.items() if low.endswith(suffix))
    return next(known, UNKNOWN)


def _expand(name: str, lists: tuple[str, ...]) -> Iterator[Input]:
    if name == STDIN:
        yield Input(name, "stdin")
    elif is_remote(name):
        yield from _remote(name)
    elif name.startswith("@") and not Path(name).exists():
        yield from _listed(name[1:], lists)
    elif has_magic(name) and not Path(name).exists():
        yield from _matching(name)
    else:
        yield from _local(name)


def _local(name: str) -> Iterator[Input]:
    path = Path(name)
    if not name or not path.exists():
        raise ConfigError(f"no file or folder {name or 'of no name'}; correct its name")
    if not path.is_dir():
        yield Input(name, kind_of(name))
        return
    files = sorted(p.as_posix() for p in path.rglob("*") if kind_of(p.name) != UNKNOWN)
    yield from _some([file for file in files if Path(file).is_file()], f"folder {name}")


def _matching(pattern: str) -> Iterator[Input]:
    found = sorted(glob(pattern, recursive=True))
    if not found:
        raise ConfigError(f"nothing matches {pattern}; correct the pattern")
    for name in found:
        yield from _local(name)


def _listed(name: str, lists: tuple[str, ...]) -> Iterator[Input]:
    if name in lists:
        raise ConfigError(f"the list {name} names itself; remove that line")
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ConfigError(f"no list of inputs can be read at {name or '@'}: {error}") from None
    for line in map(str.strip, lines):
        if line and not line.startswith("#"):
            yield from _expand(line, (*lists, name))


def _remote(url: str) -> Iterator[Input]:
    try:
        files, path = needed("fsspec.core").url_to_fs(url)
        names = _remote_files(files, path)
    except FileNotFoundError:
        names = []
    except (ImportError, ValueError, OSError) as error:
        raise ConfigError(f"{url} cannot be opened: {error}") from None
    yield from _some([files.unstrip_protocol(name) for name in names], url)


def _remote_files(files: Any, path: str) -> list[str]:  # noqa: ANN401  (fsspec has no types)
    if has_magic(path) and not files.exists(path):
        matches = [name for name in sorted(files.glob(path)) if files.isfile(name)]
        return matches
    if files.isfile(path):
        return [path]
    return [name for name in sorted(files.find(path)) if kind_of(name) != UNKNOWN]


def _some(names: Sequence[str], where: str) -> Iterator[Input]:
    if not names:
        raise ConfigError(f"{where} holds nothing to read; known are {', '.join(_SUFFIXES)}")
    yield from (Input(name, kind_of(name)) for name in names)
