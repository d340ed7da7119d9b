"""Files and folders that are written beside their final name and appear there complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

UNFINISHED: Final = ".unfinished-"
"""How the names of files and folders begin that are still being written."""


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Give a path to write to; what is written there replaces `path` once the block succeeds.

    The new file, or folder, is on the disk before it gets its name. If the block raises, what it
    wrote is removed and `path` stays as it was.
    """
    unfinished = unfinished_path(path)
    remove(unfinished)
    try:
        yield unfinished
    except BaseException:
        remove(unfinished)
        raise
    for written in (*unfinished.rglob("*"), unfinished) if unfinished.is_dir() else (unfinished,):
        _sync(written)
    if path.is_dir():
        remove(path)
    unfinished.replace(path)
    _sync(path.parent)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file; one that is there is replaced when all is written, not before."""
    with replaced(path) as unfinished:
        unfinished.write_bytes(data)


def unfinished_path(path: Path) -> Path:
    """Where `replaced` writes; a process that was killed may leave something there."""
    return path.with_name(UNFINISHED + path.name)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        from shutil import rmtree  # rarely needed

        rmtree(path)
    else:
        path.unlink(missing_ok=True)


def package_folder(package: str) -> Path:
    """The folder of a package whose data files are read; `importlib.resources` loads in 5 ms."""
    return Path(import_module(package).__path__[0])


def _sync(path: Path) -> None:
    """Wait until a file or the entries of a folder are on the disk."""
    if os.name == "nt":  # Windows opens no folders, and syncs no files that are open for reading
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
