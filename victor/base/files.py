"""The one writer: files and folders are written beside their name and appear there complete.

All that the package writes goes through here; `tests/test_files.py` forbids it elsewhere. What is
written lies in a folder of its own, ``.unfinished-RANDOM``, until it gets its name, so two writers
of one name do not meet. The folder is locked: one without a lock was left by a killed process.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Final

from victor.base.errors import OutputError

_UNFINISHED: Final = ".unfinished-"
_ADVICE: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "; free space"),
    errno.EFBIG: "; raise the limit of file sizes",
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "; make it writable"),
}
_swept: set[Path] = set()  # folders in which this process has looked for what others left


@contextmanager
def replaced(path: Path, *, parents: bool = False, lasting: bool = True) -> Iterator[Path]:
    """Give a path to write to; what is written there replaces `path` once the block succeeds.

    A link stays, and what it leads to is replaced; mode and, where that is allowed, owner of an
    earlier file stay. A device, a pipe or standard output gets the bytes and stays what it is. If
    the block raises, what it wrote is removed and `path` is as it was.

    Args:
        path: a file, or a folder that the block makes.
        parents: make the folders above it that are missing.
        lasting: it is on the disk before it gets its name.

    Raises:
        OutputError: it cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        stream = _stream(path)
        with _workshop(_place(target, parents) if stream is None else None) as folder:
            unfinished = folder / target.name
            yield unfinished
            if stream is None:
                _install(unfinished, target, lasting)
            else:
                _pour(unfinished, stream)
    except OSError as error:
        of = "" if error.filename is None else os.fspath(error.filename)
        if of and _UNFINISHED not in str(of) and Path(of) not in (path, target, *target.parents):
            raise  # the block could not read something
        reason = f"{error.strerror or error}{_ADVICE.get(error.errno or 0, '')}"
        raise OutputError(f"{path} cannot be written: {reason}") from error


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder to fill; it gets its name with all that it holds, or not at all.

    Raises:
        OutputError: there is something of this name already, or it cannot be written.
    """
    check_new(path)
    with replaced(path, parents=True) as unfinished:
        unfinished.mkdir()
        yield unfinished
        check_new(path)  # somebody may have been faster


def check_new(path: Path) -> None:
    """Check that `new_folder` can make a folder, before the work that fills it.

    Raises:
        OutputError: there is something of this name already, other than an empty folder.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise OutputError(f"{path} is not empty; choose another folder")
    if path.is_dir() and (os.path.ismount(path) or path.samefile(Path())):
        raise OutputError(f"{path} cannot be replaced as a whole; name a new folder in it")


def write_bytes(path: Path, data: bytes, *, parents: bool = False, lasting: bool = True) -> None:
    """Write a file, see `replaced`."""
    with replaced(path, parents=parents, lasting=lasting) as unfinished:
        add(unfinished, data)


def add(path: Path, data: bytes) -> None:
    """Write a new file, see `created`."""
    with created(path) as file:
        file.write(data)


def created(path: Path) -> IO[bytes]:
    """Open a new file: the path that `replaced` gave, or one below it."""
    return path.open("xb")


def sweep(folder: Path) -> None:
    """Remove what killed processes left in a folder; what others are writing stays."""
    for left in folder.glob(f"{_UNFINISHED}{'[0-9a-f]' * 16}"):
        if left.is_dir() and (lock := _lock(left)) is not None:
            _remove(left)
            os.close(lock)


def version(path: str | Path | None) -> tuple[int, ...]:
    """What differs once the file of a path holds something else; empty where there is none."""
    with suppress(OSError, ValueError, TypeError):
        of = os.stat(path)  # type: ignore[arg-type]
        return of.st_dev, of.st_ino, of.st_size, of.st_mtime_ns, of.st_ctime_ns
    return ()


def package_folder(package: str) -> Path:
    """The folder of a package whose data files are read; `importlib.resources` loads in 5 ms."""
    root, *folders = package.split(".")
    return Path(import_module(root).__path__[0], *folders)


def _stream(path: Path) -> int | Path | None:
    """What takes bytes as they come: a device, a pipe, standard output or the errors by number."""
    if not path.exists():
        return None
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(number)):
                return number
    return None if path.is_file() or path.is_dir() else path


def _place(target: Path, parents: bool) -> Path:
    """A folder on the disk of a file that is to be written."""
    if target.is_symlink():  # all its links are resolved but for those in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return next(above for above in target.parents if above.is_dir() or not parents)


@contextmanager
def _workshop(place: Path | None) -> Iterator[Path]:
    """A locked folder in which nobody else can read; what is in it goes in the end."""
    if place is None:
        from tempfile import gettempdir  # rarely needed

        place = Path(gettempdir())
    if place not in _swept:
        _swept.add(place)
        sweep(place)
    while True:
        folder = place / f"{_UNFINISHED}{os.urandom(8).hex()}"
        folder.mkdir(0o700)
        lock = _lock(folder, wait=True)  # for who sweeps it: no other has its name
        if folder.is_dir():
            break
        if lock is not None:  # of a folder that was swept before it was locked
            os.close(lock)
    try:
        yield folder
    finally:
        _remove(folder)
        if lock is not None:
            os.close(lock)


def _lock(path: Path, *, wait: bool = False) -> int | None:
    """A descriptor that holds a lock; None if nothing can be locked, or another has it now."""
    descriptor = None
    with suppress(ImportError, OSError):
        import fcntl  # Windows has none

        descriptor = os.open(path, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return descriptor
    if descriptor is not None:
        os.close(descriptor)
    return None


def _remove(folder: Path) -> None:
    from shutil import rmtree  # rarely needed

    rmtree(folder, ignore_errors=True)


def _pour(written: Path, stream: int | Path) -> None:
    from shutil import copyfileobj  # rarely needed

    sys.stdout.flush()
    with (
        written.open("rb") as source,
        open(stream, "wb", closefd=isinstance(stream, Path)) as file,
    ):
        copyfileobj(source, file)


def _install(unfinished: Path, target: Path, lasting: bool) -> None:
    """Give a file or folder its name, and mode and owner of what had it."""
    if target.exists():
        before = target.stat()
        with suppress(OSError, AttributeError):  # who may not give files away; Windows
            os.chown(unfinished, before.st_uid, before.st_gid)
        unfinished.chmod(stat.S_IMODE(before.st_mode))
    if lasting:
        for written in (*unfinished.rglob("*"), unfinished):
            _sync(written)
    target.parent.mkdir(parents=True, exist_ok=True)
    if unfinished.is_dir() and target.is_dir() and (os.name == "nt" or any(target.iterdir())):
        target.replace(unfinished.with_name(f"{target.name}-before"))
    unfinished.replace(target)
    if lasting:
        _sync(target.parent)


def _sync(path: Path) -> None:
    """Wait until a file or the entries of a folder are on the disk."""
    if os.name == "nt":  # Windows opens no folders, and syncs no files that are open for reading
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
