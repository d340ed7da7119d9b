"""The tables of a store, an SQLite file.

Its ``application_id`` marks it as a store, its ``user_version`` is `VERSION`. A store of another
version is refused: whatever a store holds can be exported, and imported into a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from victor.base.errors import CorpusError

APPLICATION: Final = 0x56694B74
_WAIT: Final = 10.0
"""Seconds to wait for another process that has locked the file."""
RESTORE: Final = "put a copy of it in its place, or name another file with --store"
"""What to do about a file that is damaged."""

VERSION: Final = 3
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
  changes TEXT NOT NULL,
  snapshot BLOB,
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
CREATE TABLE score (
  page INTEGER NOT NULL REFERENCES page,
  name TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (page, name)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""
"""``revision`` only grows. ``head`` repeats the newest revision of each annotator on each page.
``suggestion`` and ``score`` can be computed again.
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a store, which is created if missing.

    Several threads can use it, one at a time. Every commit is on the disk before it returns.

    Raises:
        CorpusError: the file is something else, of another version, damaged or read-only.
    """
    with _opening(path) as connection:
        _check_owner(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _create(connection)
        # From here on, whoever writes waits by himself.
        connection.execute("PRAGMA busy_timeout = 0")
        return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """Another connection to a store that `connect` has opened; it cannot write.

    Raises:
        CorpusError: the file cannot be opened any more.
    """
    with _opening(path) as connection:
        connection.execute("PRAGMA query_only = ON")
        return connection


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
            raise CorpusError(
                f"{path} cannot be opened as a store: {error}; {_advice(error)}"
            ) from None
        raise


def _advice(error: Exception) -> str:
    """What to do about a file that cannot be opened."""
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


def _create(connection: sqlite3.Connection) -> None:
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
