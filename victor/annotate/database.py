"""The file of a store, an SQLite database: its tables, its queries and its transactions.

Its ``application_id`` marks it as a store, its ``user_version`` is `VERSION`. A store of another
version is refused: whatever a store holds can be exported, and imported into a new one.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from victor.base.errors import CorpusError

APPLICATION: Final = 0x56694B74
VERSION: Final = 4
RESTORE: Final = "put a copy of it in its place, or name another file with --store"
"""What to do about a file that is damaged."""
_WAIT: Final = 10.0  # seconds to wait for another process that has locked the file
_SCHEMA: Final = f"""
CREATE TABLE page (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  html BLOB NOT NULL,
  url TEXT,
  site TEXT NOT NULL,
  file TEXT,
  title TEXT,
  metadata TEXT NOT NULL,
  n_blocks INTEGER NOT NULL,
  cut INTEGER NOT NULL
) STRICT;
CREATE TABLE revision (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  page INTEGER NOT NULL REFERENCES page,
  annotator TEXT NOT NULL,
  step INTEGER NOT NULL,
  state TEXT NOT NULL,
  saved REAL NOT NULL,
  labels BLOB NOT NULL,
  key TEXT
) STRICT;
CREATE UNIQUE INDEX chain ON revision (page, annotator, step);
CREATE TABLE head (
  page INTEGER NOT NULL REFERENCES page,
  annotator TEXT NOT NULL,
  revision INTEGER NOT NULL REFERENCES revision,
  step INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (page, annotator)
) STRICT, WITHOUT ROWID;
CREATE TABLE suggestion (
  page INTEGER NOT NULL REFERENCES page,
  labeler TEXT NOT NULL,
  labels BLOB NOT NULL,
  confidence BLOB NOT NULL,
  PRIMARY KEY (page, labeler)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""
"""``revision`` only grows, and each holds all labels of its page, packed. ``head`` repeats the
newest revision of each annotator on each page. ``suggestion`` can be computed again.
"""


class Unwritable(CorpusError):  # noqa: N818  (it may pass)
    """The file cannot be written now; nothing was."""


class Database:
    """A store's file, which is made if it is missing.

    Threads may share it, and other processes read and write it. A transaction takes the lock of the
    file first, so that what it reads is still true when it writes. Queries never wait for it.

    Raises:
        CorpusError: the file is something else, of another version, damaged or read-only.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with _opening(path) as connection:
            _check_owner(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")  # every commit is on the disk
            connection.execute("PRAGMA foreign_keys = ON")
            _make_tables(connection)
            self._writer = connection
        with _opening(path) as connection:
            connection.execute("PRAGMA query_only = ON")
            self._reader = connection
        self._writing, self._reading = threading.RLock(), threading.Lock()
        self._owner: int | None = None  # the thread that has the transaction

    def close(self) -> None:
        """Close the file; no thread may be using it."""
        self._reader.close()
        self._writer.close()

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
                return self._writer.execute(query, named or values).fetchall()
            with self._reading:
                return self._reader.execute(query, named or values).fetchall()
        except sqlite3.Error as error:
            raise CorpusError(f"{self.path} cannot be read: {error}; {RESTORE}") from None

    def in_transaction(self) -> bool:
        """Has this thread the transaction."""
        return self._owner == threading.get_ident()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes; one inside another is part of it.

        Raises:
            Unwritable: the file cannot be written; nothing was written.
        """
        if self.in_transaction():
            yield self._writer
            return
        with self._writing:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                self._owner = threading.get_ident()
                yield self._writer
                self._writer.execute("COMMIT")
            except sqlite3.Error as error:  # a full disk, another process that hangs
                raise Unwritable(f"{self.path} cannot be written: {error}; try again") from None
            finally:
                self._owner = None
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")


@contextmanager
def _opening(path: Path) -> Iterator[sqlite3.Connection]:
    """A new connection, which is closed again if the block fails."""
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None,
                                     check_same_thread=False)  # fmt: skip
        yield connection
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error | UnicodeError):  # an error may quote damaged names
            advice = _advice(error)
            raise CorpusError(f"{path} cannot be opened as a store: {error}; {advice}") from None
        raise


def _advice(error: Exception) -> str:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return "its folder has to exist, and both have to be writable"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "another program holds it; end that one and try again"
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return "make room on the disk and try again"
    return RESTORE


def _check_owner(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse the file of another program or of another Victor before changing anything in it."""
    owner, version = (_number(connection, name) for name in ("application_id", "user_version"))
    if owner != APPLICATION and (owner or not _is_empty(connection)):
        raise CorpusError(f"{path} is a database of another program; use another file as store")
    if owner == APPLICATION and version != VERSION:
        raise CorpusError(
            f"{path} is a store of version {version}, and this Victor reads version {VERSION}: "
            "export it with the Victor that wrote it, and import that into a new store"
        )


def _make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file; a second process waits for the first."""
    if not _is_empty(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    if _is_empty(connection):
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
    connection.execute("COMMIT")


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not _number(connection, "schema_version")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (value,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
