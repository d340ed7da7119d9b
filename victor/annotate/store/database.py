"""The file of a store: one connection, shared by threads, for queries and transactions."""

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

    Other processes may read and write the same file. A transaction takes the lock of the file
    first, so that what it reads is still true when it writes.
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
        """The rows of a query."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes; one inside another is part of it.

        Raises:
            CorpusError: the file cannot be written; nothing was written.
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
