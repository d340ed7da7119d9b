"""One server for each store: two would train into one file and make every suggestion twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from victor.base.errors import ConfigError

_SUFFIX: Final = "-server"
"""What the name of the file has behind that of the store; the file is locked, and stays."""


@contextmanager
def only_server(store: Path) -> Iterator[None]:
    """Be the only server of a store. The lock ends with the process, however that ends.

    Raises:
        ConfigError: another process serves the store, or no file can be made beside it.
    """
    path = store.with_name(store.name + _SUFFIX)
    try:
        file = path.open("a")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}; it has to be") from None
    with file:
        try:
            _lock(file)
        except OSError:
            raise ConfigError(
                f"another server serves {store}; open the address that it printed, which any "
                "number of annotators can share, or end it first"
            ) from None
        yield


def _lock(file: IO[str]) -> None:
    """Lock a file until it is closed.

    Raises:
        OSError: another process has locked it.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
