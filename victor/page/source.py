"""Pages as given: their markup, address and encoding, or the name of a file; and what is no page.

Whoever takes bytes for a page asks here: Python's face, the commands and crawls. Signatures are
those of the WHATWG standard "MIME Sniffing" (section 6) and of common file formats.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Final, NamedTuple

from victor.base.errors import PageError
from victor.base.lazy import pattern
from victor.page.decoding.decode import BOM_STARTS, wide_encoding

Page = bytes | str  # markup as bytes of any encoding, or as text


class Source(NamedTuple):
    """A page and its provenance."""

    page: Page | PageError
    """The page, or the error that its result will have."""
    url: str | None = None
    charset: str | None = None
    """Encoding that the HTTP header declares."""


_LONGEST: Final = 2_000  # characters of a name
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


def checked(page: object) -> Page:
    """A page that is one; what is an error already is raised."""
    if isinstance(page, str):
        refuse_names(page)
    if isinstance(page, PageError):
        raise page
    if not isinstance(page, bytes | str):
        raise PageError("not-a-page", f"a page is bytes, str or a Path, not {type(page).__name__}")
    return page


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


# --- What is no page ------------------------------------------------------------------------------

NOT_HTML: Final = "not-html"

_MARKUP: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+<[!?/A-Za-z]")
"""How nearly every page begins, and none of the formats below."""
_SIGNATURES: Final = {
    "a PDF document": rb"%PDF-",
    "a PostScript document": rb"%!PS-Adobe-",
    "an RTF document": rb"\{\\rtf",
    "a document of an old office program (OLE)": rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "a picture (PNG)": rb"\x89PNG\r\n\x1a\n",
    "a picture (GIF)": rb"GIF8[79]a",
    "a picture (JPEG)": rb"\xff\xd8\xff | \x00{3}\x0cjP\x20\x20 | \x00{3}\x0cJXL\x20",
    "a picture (TIFF)": rb"II\*\x00 | MM\x00\*",
    "a picture (BMP)": rb"BM.{4}\x00{4}",
    "an icon": rb"\x00\x00[\x01\x02]\x00",
    "a picture (WebP)": rb"RIFF.{4}WEBP",
    "a picture (Photoshop)": rb"8BPS\x00",
    "a document (DjVu)": rb"AT&TFORM",
    "a font": rb"wOF[F2] | OTTO\x00 | \x00\x01\x00\x00",
    "sound or film": rb"""
        RIFF.{4}(?:WAVE|AVI) | OggS\x00 | ID3[\x02-\x04]\x00 | fLaC\x00 | FLV\x01 | \x1aE\xdf\xa3
      | .{4}ftyp | FORM.{4}AIF[FC] | MThd\x00{3}\x06 | \x00\x00\x01[\xb3\xba]
      | \x30\x26\xb2\x75\x8e\x66\xcf\x11""",
    "a ZIP archive": rb"PK[\x03\x05][\x04\x06]",
    "packed with gzip": rb"\x1f\x8b\x08",
    "packed with compress": rb"\x1f\x9d\x90",
    "packed with bzip2": rb"BZh[1-9]1AY",
    "packed with xz": rb"\xfd7zXZ\x00",
    "packed with zstandard": rb"\(\xb5/\xfd",
    "packed with lz4": rb"\x04\"M\x18",
    "a 7z archive": rb"7z\xbc\xaf'\x1c",
    "a RAR archive": rb"Rar!\x1a\x07",
    "an archive of a linker or of Debian": rb"!<arch>\n",
    "a program": rb"""
        \x7fELF | MZ\x90\x00 | \xca\xfe\xba\xbe | [\xce\xcf]\xfa\xed\xfe | [CF]WS[\x01-\x1f]
      | \x00asm\x01""",
    "a database (SQLite)": rb"SQLite\x20format\x203\x00",
    "a table (Parquet)": rb"PAR1[\x00-\x1f]",
    "a table (HDF5)": rb"\x89HDF\r\n\x1a\n",
    "a WARC file": rb"WARC/1\.",
}
_NAMES: Final = tuple(_SIGNATURES)
_SIGNATURE: Final = pattern(
    b"|".join(b"(%s)" % start for start in _SIGNATURES.values()), re.DOTALL | re.VERBOSE
)
"""Group n belongs to name n - 1."""
_JSON: Final = pattern(rb'(?:\xef\xbb\xbf)?\s*+(?:\[\s*+)?\{\s*+"[^"\\<>]{0,200}+"\s*+:')
"""An object, or a list of these, up to the first key."""
_TAG: Final = pattern(rb"</?(?:!doctype|html|head|meta|title|body|p|div|br|a)[\s/>]", re.I)
_HEAD: Final = 4096  # bytes that are looked at
_CONTROLS: Final = bytes(c for c in (*range(32), 127) if c not in b"\t\n\f\r\x0e\x0f\x1b")
"""Without white space, and without the three that ISO 2022 encodings use."""
_MOST_CONTROLS: Final = 0.05
"""Share from which bytes without a tag are no text; in packed data it is a tenth."""
_FEW_CONTROLS: Final = 8  # so many may be damage
_ZLIB: Final = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


def refuse_other_formats(page: bytes | str) -> None:
    """Hold a page against what is none.

    Raises:
        PageError: ``not-html``, with what it is instead.
    """
    name = other_format(page)
    if name is not None:
        raise PageError(
            NOT_HTML,
            f"it is {name}, not HTML; `victor crawl` reads WARC, archives, JSON lines and Parquet",
        )


def other_format(page: bytes | str) -> str | None:
    """What the bytes are if they are plainly no page, e.g. ``a picture (PNG)``; else None.

    Text is held against binary data only.
    """
    if isinstance(page, str):
        return "binary data" if _is_binary(page[:_HEAD].encode("utf-8", "replace")) else None
    if _MARKUP.match(page):
        return None
    if match := _SIGNATURE.match(page[:64].lstrip(b" \t\r\n")):
        assert match.lastindex is not None, "one of the groups has matched"
        return _NAMES[match.lastindex - 1]
    if _JSON.match(page) and not _TAG.search(page[:_HEAD]):
        return "JSON"
    if page.startswith(_ZLIB) and _is_zlib(page[:_HEAD]):
        return "packed with zlib"
    return None if page.startswith(BOM_STARTS) or not _is_binary(page[:_HEAD]) else "binary data"


def _is_binary(head: bytes) -> bool:
    """Whether there are too many control characters for text, and no tag that speaks for it."""
    n_controls = len(head) - len(head.translate(None, _CONTROLS))
    if n_controls < _FEW_CONTROLS or n_controls <= _MOST_CONTROLS * len(head):
        return False
    return not _TAG.search(head) and wide_encoding(head) is None


def _is_zlib(head: bytes) -> bool:
    """Whether it can be inflated as far as it goes."""
    try:
        return len(zlib.decompressobj().decompress(head, 64)) > 0
    except zlib.error:
        return False


# --- Plain text -----------------------------------------------------------------------------------

_BLANK_LINES: Final = re.compile(rb"(?:\r\n?+|\n)[ \t]*+(?:\r\n?+|\n)\s*+")


def with_paragraphs(markup: bytes) -> bytes:
    r"""The markup; of a page without any tag its paragraphs as elements.

    White space is collapsed when blocks are cut, blank lines included: plain text would be one
    paragraph.

    Args:
        markup: in UTF-8.

    >>> with_paragraphs(b"On bees\n\nThey live in colonies.")
    b'<p>On bees\n\n<p>They live in colonies.'
    """
    if b"<" in markup or not _BLANK_LINES.search(markup):
        return markup
    return b"<p>" + _BLANK_LINES.sub(rb"\g<0><p>", markup)
