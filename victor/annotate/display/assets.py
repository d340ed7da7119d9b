"""Files beside a saved page: which references name one, and what of it a browser may have."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from victor.annotate.display.safe_css import inert
from victor.errors import PageError
from victor.page.decode import decode

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
"""Files that a page is shown with: style sheets and pictures, nothing that is a document."""
LARGEST: Final = 20_000_000
"""Bytes of the largest file that is shown."""
_CONTROLS_AND_SPACE: Final = "".join(map(chr, range(0x21)))
_IGNORED: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_FOREIGN: Final = re.compile(r"[\\:\x00]")
"""What a path of ours cannot hold: other systems read separators, drives and ends in it."""
_PICTURE: Final = re.compile(
    r"data:image/(?:png|gif|jpeg|jpg|webp|avif|bmp|x-icon);base64,[a-z0-9+/=]*", re.IGNORECASE
)


def local(reference: str, folder: str = "") -> str | None:
    """Path, from the folder of the page, of the file that a reference names; None for no file.

    Args:
        reference: as it stands in the page or a style sheet; only relative ones name a file.
        folder: where the style sheet stands that holds the reference, from the same folder.
    """
    reference = _IGNORED.sub("", reference.strip(_CONTROLS_AND_SPACE))
    if reference.startswith(("/", "\\")) or _SCHEME.match(reference):
        return None
    path = unquote(re.split(r"[?#]", reference, maxsplit=1)[0])
    if not path or _FOREIGN.search(path):
        return None
    whole = posixpath.normpath(posixpath.join(folder, path))
    return None if whole.startswith(("/", "..")) or whole == "." else whole


def picture(reference: str) -> str | None:
    """A picture written into its reference, None for all else; drawings do not count."""
    reference = _IGNORED.sub("", reference.strip(_CONTROLS_AND_SPACE))
    return reference if _PICTURE.fullmatch(reference) else None


def placer(asset_base: str) -> Callable[[str], str | None]:
    """What a reference becomes in a page that is shown; None if nothing may be asked for.

    Args:
        asset_base: address below which the files beside the page are served; empty if none are.
    """

    def place(reference: str) -> str | None:
        path = local(reference) if asset_base else None
        return f"{asset_base}/{quote(path)}" if path else picture(reference)

    return place


def asset(page_file: Path, path: str) -> tuple[bytes, str]:
    """A file beside a saved page, and its media type; to be sent with the policy of the page.

    Args:
        page_file: the saved page.
        path: from the folder of the page, as in a URL with its escapes undone.

    Returns:
        The bytes, in style sheets with the same care as in pages, and the media type.

    Raises:
        PageError: ``no-asset``: no such file in the folder of the page or below it, none that is
            shown, or one that is too large.
    """
    media_type = MEDIA_TYPES.get(posixpath.splitext(path)[1].lower())
    whole = local(quote(path))
    found = _inside(page_file, whole) if media_type and whole else None
    if found is None or media_type is None or whole is None:
        raise PageError("no-asset", f"{path!r} is no style sheet or picture beside {page_file}")
    try:
        content = found.read_bytes()
    except OSError as error:
        raise PageError("no-asset", f"{found} cannot be read: {error.strerror}") from None
    if media_type == MEDIA_TYPES[".css"]:
        content = _style_sheet(content, posixpath.dirname(whole)).encode()
    return content, media_type


def _inside(page_file: Path, path: str) -> Path | None:
    """The file of a path, unless links lead out of the folder of the page."""
    try:
        folder = page_file.parent.resolve(strict=True)
        found = (folder / path).resolve(strict=True)
        is_shown = found.is_file() and found.stat().st_size <= LARGEST
    except (OSError, ValueError, RuntimeError):
        return None
    return found if is_shown and found.is_relative_to(folder) else None


def _style_sheet(content: bytes, folder: str) -> str:
    """A style sheet whose references lead to files beside the page, relative to its own folder."""

    def place(reference: str) -> str | None:
        path = local(reference, folder)
        if path is None:
            return picture(reference)
        return quote(posixpath.relpath(path, folder or "."))

    return inert(decode(content).text, place)
