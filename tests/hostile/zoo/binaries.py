"""Files that are no text at all."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Final

from hostile.zoo.inputs import ANY, Group, Times
from hostile.zoo.texts import ENGLISH, TEXT, page

GROUP: Final = Group("binaries")
_REFUSED: Final = "not-html"


def _noise(seed: int, count: int) -> bytes:
    return random.Random(seed).randbytes(count)


_STARTS: Final = {
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01", "gif": b"GIF89a", "png": b"\x89PNG\r\n\x1a\n",
    "webp": b"RIFF\x10\x20\0\0WEBPVP8 ", "tiff": b"II*\0", "ico": b"\0\0\x01\0\x01\0",
    "mp4": b"\0\0\0\x20ftypisom", "webm": b"\x1aE\xdf\xa3\x01", "ogg": b"OggS\0\x02",
    "mp3": b"ID3\x03\0", "flac": b"fLaC\0", "wav": b"RIFF\x10\x20\0\0WAVEfmt ",
    "elf": b"\x7fELF\x02\x01\x01", "windows-program": b"MZ\x90\0\x03",
    "java-class": b"\xca\xfe\xba\xbe\0",
    "flash": b"CWS\x09", "sqlite": b"SQLite format 3\0", "zstandard": b"\x28\xb5\x2f\xfd",
    "seven-zip": b"7z\xbc\xaf\x27\x1c", "rar": b"Rar!\x1a\x07\0", "woff": b"wOFF\0\x01",
    "word-97": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
}  # fmt: skip
"""First bytes of formats; noise follows."""


def _starting(start: bytes, seed: int) -> Callable[[Times], bytes]:
    return lambda n: start + _noise(seed, n(200_000))


for _seed, (_name, _start) in enumerate(_STARTS.items()):
    GROUP.add(_name, _starting(_start, _seed), key=None, encoding=None, expected=_REFUSED)


def _zip(name: str, content: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), content)
    return file.getvalue()


def _tar(content: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("page.html")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def _pdf(n: Times) -> bytes:
    stream = zlib.compress(" ".join(ENGLISH.paragraphs * n(2_000)).encode())
    head = b"%%PDF-1.7\n1 0 obj<</Length %d/Filter/FlateDecode>>stream\n" % len(stream)
    return head + stream + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"


_ARCHIVES: Final = {
    "gzip": lambda n: gzip.compress(page(TEXT * n(2_000)), mtime=0),
    "bzip2": lambda n: bz2.compress(page(TEXT * n(2_000))),
    "xz": lambda n: lzma.compress(page(TEXT * n(2_000))),
    "zip": lambda n: _zip("page.html", TEXT * n(2_000)),
    "docx": lambda n: _zip("word/document.xml", f"<w:p>{TEXT * n(2_000)}</w:p>"),
    "pdf": _pdf,
    "rtf": lambda n: b"{\\rtf1\\ansi " + " ".join(ENGLISH.paragraphs * n(2_000)).encode() + b"}",
    "postscript": lambda n: b"%!PS-Adobe-3.0\n" + b"(word) show\n" * n(20_000),
}  # fmt: skip
for _name, _build in _ARCHIVES.items():
    GROUP.add(_name, _build, key=None, encoding=None, expected=_REFUSED)

_UNSIGNED: Final = {
    "zlib": lambda n: zlib.compress(page(TEXT * n(2_000))),
    "tar": lambda n: _tar(page(TEXT * n(1_000))),
    "noise": lambda n: _noise(99, n(1_000_000)),
    "noise-in-a-page": lambda n: page(TEXT) + _noise(98, n(1_000_000)),
    "zeros": lambda n: bytes(n(1_000_000)),
    "floats": lambda n: struct.pack(f"<{n(100_000)}d", *map(float, range(n(100_000)))),
    "all-bytes": lambda n: bytes(range(256)) * n(4_000),
    "all-pairs": lambda n: b"".join(bytes((i % 256, i // 256)) for i in range(n(65_536))),
}  # fmt: skip
"""What no signature tells: anything but a failure may come of it."""
for _name, _build in _UNSIGNED.items():
    GROUP.add(_name, _build, key=None, encoding=None, expected=ANY)
