"""Pages as given: their markup, address and encoding, or the name of a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from victor.base.errors import PageError
from victor.base.lazy import pattern

Page = bytes | str
"""Markup as bytes of any encoding, or as text."""


class Source(NamedTuple):
    """A page and its provenance."""

    page: Page | PageError
    """The page, or the error that its result will have."""
    url: str | None = None
    charset: str | None = None
    """Encoding that the HTTP header declares."""


_LONGEST: Final = 2_000
"""Characters of a name."""
_ADDRESS: Final = pattern(r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>]+", re.IGNORECASE)
_PATH: Final = pattern(
    r"""(?:~|\.{1,2}|[a-z]:)?[/\\][^<>\r\n]*\.[a-z][a-z0-9]{0,5}  # it begins as a path does
      | [^\s<>]+\.(?:x?html?|shtml)""",  # or its only word ends as the name of a page does
    re.IGNORECASE | re.VERBOSE,
)


def read_file(path: Path, most: int = -1) -> bytes:
    """The first `most` bytes of a file; all of them if it is -1.

    Raises:
        PageError: ``unreadable``.
    """
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        hint = "; name its files" if path.is_dir() else ""
        raise PageError("unreadable", f"cannot be read: {error.strerror or error}{hint}") from None


def refuse_names(page: str) -> None:
    """Hold text against what names a page and has no markup.

    Only its form counts; the file system is never consulted.

    Raises:
        PageError: ``no-markup``.
    """
    if len(page) > _LONGEST or "<" in page:
        return
    name = page.strip()
    if _ADDRESS.fullmatch(name):
        raise PageError(
            "no-markup",
            "it is an address and no markup: victor.clean(victor.fetch(address)) downloads the "
            "page and cleans it",
        )
    if _PATH.fullmatch(name):
        raise PageError(
            "no-markup",
            "it is the name of a file and no markup: victor.clean(pathlib.Path(name)) reads the "
            "file and cleans it",
        )
