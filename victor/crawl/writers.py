"""Write pages in the forms of a corpus, each into one file or folder.

The same pages give the same bytes: nothing written depends on the time, machine or path.
"""

from __future__ import annotations

import gzip
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, cast

import msgspec

from victor.base import lazy
from victor.base.errors import ConfigError
from victor.base.files import add, created
from victor.crawl.vertical import lines
from victor.documents.row import Outcome, arrow_schema
from victor.language.sentences import check_tokenizer

_GZIP_LEVEL: Final = 6
_ZSTD_LEVEL: Final = 3
_GROUP_ROWS: Final = 1000
_GROUP_CHARACTERS: Final = 32_000_000


class Writer(ExitStack, ABC):
    """Writes pages in the order in which they come; closing it finishes and closes all files.

    Without a page these are empty ones of their form.
    """

    @abstractmethod
    def write(self, page: Outcome) -> None:
        """Add a page that has a row."""


class JsonLinesWriter(Writer):
    """Writes an object a line, with all fields in each, plain or compressed (``gz``, ``zst``)."""

    def __init__(self, path: Path, compression: str = "") -> None:
        super().__init__()
        file = self.enter_context(created(path))
        pack = _PACKED.get(compression)
        self._stream = self.enter_context(pack(file)) if pack else file

    def write(self, page: Outcome) -> None:
        """Add a line."""
        self._stream.write(msgspec.json.encode(page.row) + b"\n")


def _gzip(file: IO[bytes]) -> IO[bytes]:
    """A gzip member without name and time."""
    stream = gzip.GzipFile("", "wb", compresslevel=_GZIP_LEVEL, fileobj=file, mtime=0)
    return cast(IO[bytes], stream)


def _zstd(file: IO[bytes]) -> Any:  # noqa: ANN401  (zstandard has no types)
    zstandard = lazy.load("zstandard", extra="crawl")
    compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL, write_checksum=True)
    return compressor.stream_writer(file, closefd=False)


_PACKED: Final[Mapping[str, Callable[[IO[bytes]], Any]]] = {"gz": _gzip, "zst": _zstd}


class ParquetWriter(Writer):
    """Writes rows in groups of at most 1,000, compressed by Zstandard."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._arrow = lazy.load("pyarrow", extra="crawl")
        self._rows: list[dict[str, Any]] = []
        self._characters = 0
        self._schema = arrow_schema()
        packing = {"compression": "zstd", "compression_level": _ZSTD_LEVEL}
        parquet = lazy.load("pyarrow.parquet", extra="crawl")
        self._file = self.enter_context(parquet.ParquetWriter(path, self._schema, **packing))
        self.callback(self._flush)

    def write(self, page: Outcome) -> None:
        """Add a row."""
        fields = msgspec.to_builtins(page.row)
        self._rows.append(fields)
        self._characters += len(fields["text"]) + len(fields["markdown"] or "")
        if len(self._rows) == _GROUP_ROWS or self._characters > _GROUP_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows, self._characters = [], 0


class TextsWriter(Writer):
    """Writes ``000000.txt`` and so on into a folder, and what else is known into ``index.jsonl``.

    Markdown, where pages have it, stands beside the text in ``000000.md``.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir()
        self._folder = folder
        self._count = 0
        self._index = self.enter_context(created(folder / "index.jsonl"))

    def write(self, page: Outcome) -> None:
        """Add a file, and a line to the index."""
        fields = msgspec.to_builtins(page.row)
        name = f"{self._count:06}.txt"
        add(self._folder / name, fields.pop("text").encode())
        markdown = fields.pop("markdown")
        if markdown is not None:
            add(self._folder / f"{self._count:06}.md", markdown.encode())
        self._index.write(msgspec.json.encode({"file": name, **fields}) + b"\n")
        self._count += 1


class VerticalWriter(Writer):
    """Writes verticals, see `victor.crawl.vertical`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        check_tokenizer()
        self._file = self.enter_context(created(path))

    def write(self, page: Outcome) -> None:
        """Add a ``<doc>``."""
        self._file.write("\n".join((*lines(page), "")).encode())


_BUILD: Final[Mapping[str, tuple[str, Callable[[Path], Writer]]]] = {
    "jsonl": (".jsonl", JsonLinesWriter),
    "jsonl.gz": (".jsonl.gz", partial(JsonLinesWriter, compression="gz")),
    "jsonl.zst": (".jsonl.zst", partial(JsonLinesWriter, compression="zst")),
    "parquet": (".parquet", ParquetWriter),
    "texts": ("", TextsWriter),
    "vertical": (".vert", VerticalWriter),
}
WRITERS: Final = {form: extension for form, (extension, _) in _BUILD.items()}
"""Forms to the extensions of their files; ``texts`` makes a folder."""


def writer(form: str, path: Path) -> Writer:
    """Open a file, or make a folder, for pages; an existing one is overwritten.

    Raises:
        ConfigError: there is no such form, or a package that it needs is missing.
        OSError: the file cannot be written.
    """
    if form not in _BUILD:
        raise ConfigError(f"no form {form!r} of a corpus; choose one of {', '.join(WRITERS)}")
    return _BUILD[form][1](path)
