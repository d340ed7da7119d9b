"""Files beside a saved page: which references name one, and how it is served safely."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from victor.base.errors import PageError
from victor.page.decoding.decode import decode
from victor.page.display.safe_css import Resolve, inert

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
LARGEST_SHEET: Final = 4_000_000
"""Characters of the largest style sheet that is used: browsers show a page without it."""
_CONTROLS_AND_SPACE: Final = "".join(map(chr, range(0x21)))
_IGNORED: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_FOREIGN: Final = re.compile(r"[\\:\x00]")
"""Not allowed in a path: separators, drives and terminators of other systems."""
_PICTURE: Final = re.compile(
    r"data:image/(?:png|gif|jpeg|jpg|webp|avif|bmp|x-icon);base64,[a-z0-9+/=]*", re.IGNORECASE
)


def local(reference: str, folder: str = "") -> str | None:
    """Path of the file that a reference names, from the folder of the page; None for no file.

    Args:
        reference: as written in the page or a style sheet; only relative ones name a file.
        folder: folder of the style sheet with the reference, relative to that of the page.
    """
    reference = _IGNORED.sub("", reference.strip(_CONTROLS_AND_SPACE))
    if reference.startswith(("/", "\\")) or _SCHEME.match(reference):
        return None
    path = unquote(re.split(r"[?#]", reference, maxsplit=1)[0])
    if not path or _FOREIGN.search(path):
        return None
    path = posixpath.normpath(posixpath.join(folder, path))
    return None if path.startswith(("/", "..")) or path == "." else path


def picture(reference: str) -> str | None:
    """A reference that holds its picture as data, None for all others; SVG does not count."""
    reference = _IGNORED.sub("", reference.strip(_CONTROLS_AND_SPACE))
    return reference if _PICTURE.fullmatch(reference) else None


def asset_resolver(asset_base: str) -> Resolve:
    """Resolves the references of a page that is shown.

    Args:
        asset_base: address below which the files beside the page are served; empty if none are.
    """

    def resolve(reference: str) -> str | None:
        path = local(reference) if asset_base else None
        return f"{asset_base}/{quote(path)}" if path else picture(reference)

    return resolve


class Asset(NamedTuple):
    """A file beside a page.

    Attributes:
        content: its bytes; a style sheet has to be made safe by `style_sheet`.
        media_type: to be sent with it.
        folder: where it is, relative to the folder of the page.
    """

    content: bytes
    media_type: str
    folder: str

    @property
    def is_style_sheet(self) -> bool:
        """Has it to be made safe."""
        return self.media_type == MEDIA_TYPES[".css"]


def asset(page_file: Path, path: str) -> Asset:
    """A file beside a saved page; it has to be sent with the policy of pages.

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
    if file is None or media_type is None or local_path is None:
        raise PageError("no-asset", f"{path!r} is not a style sheet or picture beside {page_file}")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PageError("no-asset", f"{file} cannot be read: {error.strerror}") from None
    return Asset(content, media_type, posixpath.dirname(local_path))


def _inside(page_file: Path, path: str) -> Path | None:
    """The file of a path, unless links lead out of the folder of the page."""
    try:
        folder = page_file.parent.resolve(strict=True)
        file = (folder / path).resolve(strict=True)
        is_served = file.is_file() and file.stat().st_size <= LARGEST
    except (OSError, ValueError, RuntimeError):
        return None
    return file if is_served and file.is_relative_to(folder) else None


def style_sheet(content: bytes, folder: str) -> str:
    """A style sheet whose references lead to files beside the page, relative to its own folder.

    One that is too large becomes a note on the page.

    Args:
        content: as it was saved, in any encoding.
        folder: where it is, relative to the folder of the page.
    """

    def resolve(reference: str) -> str | None:
        path = local(reference, folder)
        if path is None:
            return picture(reference)
        return quote(posixpath.relpath(path, folder or "."))

    if len(content) > LARGEST_SHEET:
        return left_out(1)
    return inert(decode(content).text, resolve)


def left_out(count: int) -> str:
    """The style of a note above a page that tells of style sheets that are too large."""
    said = f"Victor left out {count} of the page's style sheets: larger than {LARGEST_SHEET} bytes"
    return f'html::before{{content:"{said}";display:block;padding:4px;background:#ffd;color:#000}}'
