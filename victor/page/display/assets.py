"""Files beside a saved page: which references name one, and how it is served safely."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from victor.base.errors import PageError

MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".png": "image/png",
    ".gif": "image/gif",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".ico": "image/x-icon",
    ".svg": "image/svg+xml",
}
"""Files that a page may use: style sheets and pictures, but no documents."""
LARGEST: Final = 20_000_000
"""Bytes of the largest file that is served."""
_CONTROLS_AND_SPACE: Final = "".join(map(chr, range(0x21)))
_IGNORED: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_FOREIGN: Final = re.compile(r"[\\:\x00]")
"""Not allowed in a path: separators, drives and terminators of other systems."""
_PICTURE: Final = re.compile(
    r"data:image/(?:png|gif|jpeg|jpg|webp|avif|bmp|x-icon);base64,[a-z0-9+/=]*", re.IGNORECASE
)


def local(reference: str) -> str | None:
    """Path of the file that a relative reference names, from the folder of the page, or None."""
    reference = _IGNORED.sub("", reference.strip(_CONTROLS_AND_SPACE))
    if reference.startswith(("/", "\\")) or _SCHEME.match(reference):
        return None
    path = unquote(re.split(r"[?#]", reference, maxsplit=1)[0])
    if not path or _FOREIGN.search(path):
        return None
    path = posixpath.normpath(path)
    return None if path.startswith(("/", "..")) or path == "." else path


def picture(reference: str) -> str | None:
    """A reference that holds its picture as data, None for all others; SVG does not count."""
    reference = _IGNORED.sub("", reference.strip(_CONTROLS_AND_SPACE))
    return reference if _PICTURE.fullmatch(reference) else None


def address_of(reference: str, asset_base: str) -> str | None:
    """The address that a reference of a page leads to while it is shown; None for none.

    Args:
        reference: as written in the page.
        asset_base: address below which the files beside the page are served; empty if none are.
    """
    path = local(reference) if asset_base else None
    return f"{asset_base}/{quote(path)}" if path else picture(reference)


def asset(page_file: Path, path: str) -> tuple[bytes, str]:
    """A file beside a saved page, and its media type; it has to be sent with the policy of pages.

    A style sheet has to pass `victor.page.display.safe_page.style_sheet`.

    Args:
        page_file: the saved page.
        path: relative to the folder of the page, as in a URL with its escapes undone.

    Raises:
        PageError: ``no-asset``: there is no such file in the folder of the page or below it, its
            type is not served, or it is too large.
    """
    media_type = MEDIA_TYPES.get(posixpath.splitext(path)[1].lower())
    local_path = local(quote(path))
    file = _inside(page_file, local_path) if media_type and local_path else None
    if file is None or media_type is None:
        raise PageError("no-asset", f"{path!r} is not a style sheet or picture beside {page_file}")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PageError("no-asset", f"{file} cannot be read: {error.strerror}") from None
    return content, media_type


def _inside(page_file: Path, path: str) -> Path | None:
    """The file of a path, unless links lead out of the folder of the page."""
    try:
        folder = page_file.parent.resolve(strict=True)
        file = (folder / path).resolve(strict=True)
        is_served = file.is_file() and file.stat().st_size <= LARGEST
    except (OSError, ValueError, RuntimeError):
        return None
    return file if is_served and file.is_relative_to(folder) else None
