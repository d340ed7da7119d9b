"""The file of a store: one connection that threads share, reading and transactions that write."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from victor.annotate.store.schema import connect
from victor.errors import CorpusError


class Database:
    """A store's file. Threads may share it; each transaction has it alone.

    Other processes may read and write the same file: a transaction that writes begins by taking
    the lock of the file, so that what it reads is still true when it writes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connect(path)
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def rows(self, query: str, *values: object) -> list[Any]:
        """What a query finds."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes; one inside another is part of it.

        Raises:
            CorpusError: the file cannot be written; then nothing was.
        """
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except sqlite3.OperationalError as error:  # a full disk, another process that hangs
                raise CorpusError(f"{self.path} cannot be written: {error}; try again") from None
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
