"""Rows of JSON as strangers write them: each is checked before anything is done with any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from victor.base.errors import CorpusError

_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)\d)(?:\..*)?", re.IGNORECASE)
"""Names of devices, which no file can have on Windows."""
_LONGEST_NAME: Final = 240
"""Bytes of an id; file systems take 255, and files of a page have it with an ending."""

Hashes = Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{4})*\Z")]
"""The short hashes of some texts, see `victor.corpus.pages.segment_hash`."""


class PageRow(Struct, kw_only=True, omit_defaults=True):
    """A page as an index names it, and what its source says of it."""

    id: str
    url: str | None = None
    site: str | None = None
    language: str | None = None
    type: str | None = None
    licence: str | None = None

    @property
    def source(self) -> dict[str, Any]:
        """The attributes of `victor.corpus.pages.AnnotatedPage` that describe the source."""
        return {
            "url": self.url,
            "site": self.site or "",
            "language": self.language,
            "kind": self.type,
            "licence": self.licence,
        }


Row = TypeVar("Row", bound=Struct)


def read_rows(path: Path, kind: type[Row]) -> Iterator[tuple[str, Row, dict[str, Any]]]:
    """Rows of a file of JSON lines.

    Yields:
        File and line for messages; the row; all keys of the row, those of no struct among them.

    Raises:
        CorpusError: the file cannot be read; a line is not JSON in UTF-8, lacks a key, or has a
            value of another kind; an id is not the plain name of a file, or two rows have it.
    """
    pages = set()
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                where = f"{path}, line {number}"
                if data := line.removeprefix(b"\xef\xbb\xbf").strip():
                    row, whole = _checked(data, kind, where)
                    if (page_id := getattr(row, "id", None)) is not None:
                        page = page_file(path, str(page_id), where), getattr(row, "corpus", None)
                        if page in pages:
                            raise CorpusError(f"{where}: id {page_id!r} occurs twice; rename one")
                        pages.add(page)
                    yield where, row, whole
    except OSError as error:
        raise CorpusError(
            f"{path}: cannot be read ({error.strerror}); unpack the corpus again, or name its "
            "layout with --format"
        ) from None


def _checked(line: bytes, kind: type[Row], where: str) -> tuple[Row, dict[str, Any]]:
    try:
        whole = msgspec.json.decode(line, type=dict[str, Any])
        return msgspec.convert(whole, kind), whole
    except msgspec.ValidationError as error:
        what, _, key = str(error).partition(" - at `$.")
        what = what.replace("Expected `str` matching regex", "should match")
        named = f"{key.rstrip('`')}: {what}" if key else what
        raise CorpusError(f"{where}: {named}; correct the row") from None
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{where}: not JSON in UTF-8 ({error}); restore it") from None


def page_file(folder: Path, page_id: str, where: str) -> Path:
    """The file of a page; a `CorpusError` if its id is not the name of a file on any system."""
    name = f"{page_id}.html"
    is_plain = page_id.isprintable() and PureWindowsPath(name).name == name
    if not (page_id and is_plain and len(name.encode()) <= _LONGEST_NAME) or _RESERVED.fullmatch(
        page_id
    ):
        raise CorpusError(
            f"{where}: the page id {page_id[:80]!r} is not a plain file name; rename the page"
        )
    return folder / name


def read_page(folder: Path, page_id: str, where: str) -> bytes:
    """The bytes of a page; a `CorpusError` if its file cannot be read, or its id is no name."""
    path = page_file(folder, page_id, where)
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{where}: {path} cannot be read: {error.strerror}") from None
