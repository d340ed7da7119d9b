"""Sizes and checksums of the files of a part, to know later whether they are still whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

_CHUNK: Final = 1 << 20


class FileNote(NamedTuple):
    """A file, or all files of a folder.

    Attributes:
        size: bytes; of a folder, those of names and contents.
        checksum: CRC-32 of the same, in the order of the names.
    """

    size: int
    checksum: int


def noted(path: Path) -> FileNote | None:
    """What a file or folder holds; None if it is missing."""
    if not path.exists():
        return None
    size = checksum = 0
    for data in _folder_chunks(path) if path.is_dir() else _chunks(path):
        size, checksum = size + len(data), crc32(data, checksum)
    return FileNote(size, checksum)


def _folder_chunks(folder: Path) -> Iterator[bytes]:
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        yield file.relative_to(folder).as_posix().encode()
        yield from _chunks(file)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(_CHUNK):
            yield data


class Faults(NamedTuple):
    """Names of files that are not what they were.

    Attributes:
        lost: missing, or empty where they were not; nothing goes with them that could be kept.
        altered: with other content.
    """

    lost: list[str]
    altered: list[str]


def faults(folder: Path, files: Mapping[str, FileNote]) -> Faults:
    """What became of files since they were noted.

    Args:
        folder: where their names start.
        files: by their names.
    """
    result = Faults([], [])
    for name, before in files.items():
        now = noted(folder / name)
        if now is None or (before.size and not now.size):
            result.lost.append(name)
        elif now != before:
            result.altered.append(f"{name} ({now.size:,} bytes, written were {before.size:,})")
    return result
