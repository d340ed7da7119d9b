"""Files beside a saved page: style sheets and pictures, but no documents."""

from __future__ import annotations

from pathlib import Path
from typing import Final

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
LARGEST: Final = 20_000_000
"""Bytes of the largest file that is served."""


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
    media_type = MEDIA_TYPES.get(Path(path).suffix.lower())
    file = _inside(page_file, path) if media_type else None
    if file is None or media_type is None:
        raise PageError("no-asset", f"{path!r} is not a style sheet or picture beside {page_file}")
    try:
        return file.read_bytes(), media_type
    except OSError as error:
        raise PageError("no-asset", f"{file} cannot be read: {error.strerror}") from None


def _inside(page_file: Path, path: str) -> Path | None:
    """The file of a path, unless it or a link leads out of the folder of the page."""
    try:
        folder = page_file.parent.resolve(strict=True)
        file = (folder / path).resolve(strict=True)
        is_served = file.is_file() and file.stat().st_size <= LARGEST
    except (OSError, ValueError, RuntimeError):
        return None
    return file if is_served and file.is_relative_to(folder) else None
