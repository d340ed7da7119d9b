"""The file of a store, shared by threads: queries side by side, and transactions one at a time."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from victor.annotate.store.schema import RESTORE, connect, connect_reader
from victor.base.errors import CorpusError

_PATIENCE: Final = 10.0
"""Seconds to wait for another process that is writing."""
_LOOK: Final = 0.002
"""Seconds between two looks whether it still is. SQLite itself looks ten times a second at last,
and would miss the short pauses between the transactions of an import."""


_SHORTEST_PAUSE: Final = 3 * _LOOK
_LONGEST_PAUSE: Final = 0.1
"""Seconds from one of many transactions to the next."""


class Unwritable(CorpusError):  # noqa: N818  (it may pass)
    """The file cannot be written now; nothing was."""


class Database:
    """A store's file. Threads may share it; each transaction has it alone, queries never wait.

    Other processes may read and write the same file. A transaction takes the lock of the file
    first, so that what it reads is still true when it writes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connect(path)
        self._lock = threading.RLock()
        self._writer: int | None = None
        """The thread that has the transaction."""
        self._idle_readers: list[sqlite3.Connection] = []

    def close(self) -> None:
        """Close the file; no thread may be using it."""
        with self._lock:
            while self._idle_readers:
                self._idle_readers.pop().close()
            self._connection.close()

    def rows(self, query: str, *values: object, **named: object) -> list[Any]:
        """The rows of a query, which in a transaction sees what was written there.

        Args:
            query: in SQL.
            values: of its question marks.
            named: of its names, if it has names and no question marks.

        Raises:
            CorpusError: the file is damaged.
        """
        try:
            if self.in_transaction():
                return self._connection.execute(query, named or values).fetchall()
            with self._reader() as connection:
                return connection.execute(query, named or values).fetchall()
        except sqlite3.Error as error:
            raise CorpusError(f"{self.path} cannot be read: {error}; {RESTORE}") from None

    def in_transaction(self) -> bool:
        """Has this thread the transaction."""
        return self._writer == threading.get_ident()

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """A connection that no other thread is using."""
        try:
            connection = self._idle_readers.pop()
        except IndexError:
            connection = connect_reader(self.path)
        try:
            yield connection
        finally:
            self._idle_readers.append(connection)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes; one inside another is part of it.

        Raises:
            Unwritable: the file cannot be written; nothing was written.
        """
        if self.in_transaction():
            yield self._connection
            return
        with self._lock:
            try:
                self._begin()
                self._writer = threading.get_ident()
                yield self._connection
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:  # a full disk, another process that hangs
                raise Unwritable(f"{self.path} cannot be written: {error}; try again") from None
            finally:
                self._writer = None
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One transaction of many that follow each other; then others have as long for theirs.

        What it wrote is copied from the journal into the file here: else the next save, which finds
        a long journal, would do that and be late.

        Raises:
            Unwritable: the file cannot be written; nothing was written.
        """
        with self.transaction():
            began = time.monotonic()
            yield
        pause = time.monotonic() - began
        with self._lock, suppress(sqlite3.Error):  # what was written is safe in the journal, too
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        time.sleep(min(max(pause, _SHORTEST_PAUSE), _LONGEST_PAUSE))

    def _begin(self) -> None:
        """Take the lock of the file as soon as no other process has it."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_busy or time.monotonic() > deadline:
                    raise
                time.sleep(_LOOK)
            else:
                return
