"""The tables of a store, and the migrations that make them.

A store is an SQLite file. Its ``application_id`` marks it as a store, its ``user_version`` counts
the steps of `MIGRATIONS` that it has taken. Opening it takes the missing ones.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from victor.base.errors import CorpusError

APPLICATION: Final = 0x56694B74
_WAIT: Final = 10.0
"""Seconds to wait for another process that has locked the file."""
RESTORE: Final = "put a copy of it in its place, or name another file with --store"
"""What to do about a file that is damaged."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
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
        ) STRICT
        """,
        """
        CREATE TABLE revision (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          page INTEGER NOT NULL REFERENCES page,
          annotator TEXT NOT NULL,
          adjudicated INTEGER NOT NULL,
          kind TEXT NOT NULL CHECK (kind IN ('annotation', 'adjudication', 'import')),
          step INTEGER NOT NULL,
          base INTEGER NOT NULL,
          state TEXT NOT NULL,
          seconds REAL NOT NULL,
          saved REAL NOT NULL,
          changes TEXT NOT NULL,
          snapshot BLOB,
          key TEXT
        ) STRICT
        """,
        "CREATE UNIQUE INDEX chain ON revision (page, annotator, adjudicated, step)",
        """
        CREATE TABLE head (
          page INTEGER NOT NULL REFERENCES page,
          annotator TEXT NOT NULL,
          adjudicated INTEGER NOT NULL,
          revision INTEGER NOT NULL REFERENCES revision,
          step INTEGER NOT NULL,
          state TEXT NOT NULL,
          seconds REAL NOT NULL,
          PRIMARY KEY (page, annotator, adjudicated)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE suggestion (
          page INTEGER NOT NULL REFERENCES page,
          labeler TEXT NOT NULL,
          labels BLOB NOT NULL,
          confidence BLOB NOT NULL,
          PRIMARY KEY (page, labeler)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE score (
          page INTEGER NOT NULL REFERENCES page,
          name TEXT NOT NULL,
          value REAL NOT NULL,
          PRIMARY KEY (page, name)
        ) STRICT, WITHOUT ROWID
        """,
    ),
    (),  # from here on labels may be ?, which earlier versions cannot read
)
"""One step of statements for each version of the tables; a released step never changes.

``revision`` only grows. ``head`` repeats the newest revision of every chain (a page, an annotator,
adjudicated or not) with the sum of the chain's seconds. ``suggestion`` and ``score`` can be
computed again.
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a store, which is created if missing and migrated to the present version.

    Several threads can use it, one at a time. Every commit is on the disk before it returns.

    Raises:
        CorpusError: the file is something else, of a later version, damaged or read-only.
    """
    with _opening(path) as connection:
        _check_owner(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(connection, path)
        _check_tables(connection, path)
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


def _check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a store whose tables another program has changed."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        _take_steps(made.cursor(), 0)
        expected = _tables(made)
    tables = _tables(connection)
    for name, columns in expected.items():
        if tables.get(name) != columns:
            raise CorpusError(
                f"{path} is a store whose table {name!r} another program has changed; {RESTORE}"
            )


def _tables(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The columns of every table, by its name."""
    rows = connection.execute(
        "SELECT made.name, info.name"
        " FROM sqlite_master AS made, pragma_table_info(made.name) AS info"
        " WHERE made.type = 'table' ORDER BY info.cid"
    ).fetchall()
    tables: dict[str, list[str]] = {}
    for table, column in rows:
        tables.setdefault(table, []).append(column)
    return tables


def _check_owner(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse the file of another program before changing anything in it."""
    owner = _number(connection, "application_id")
    empty = not _number(connection, "schema_version")
    if owner != APPLICATION and not (empty and owner == 0):
        raise CorpusError(f"{path} is a database of another program; use another file as store")


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Take the missing steps, all or none; a second process waits for the first."""
    version = _number(connection, "user_version")
    if version < len(MIGRATIONS):
        with closing(connection.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                _take_steps(cursor, _number(connection, "user_version"))
                cursor.execute("COMMIT")
            except BaseException:
                cursor.execute("ROLLBACK")
                raise
    elif version > len(MIGRATIONS):
        raise CorpusError(
            f"{path} is a store of version {version}, this Victor knows {len(MIGRATIONS)}; "
            "install the Victor that wrote it, or a later one"
        )


def _take_steps(cursor: sqlite3.Cursor, version: int) -> None:
    for step in MIGRATIONS[version:]:
        for statement in step:
            cursor.execute(statement)
    cursor.execute(f"PRAGMA application_id = {APPLICATION}")
    cursor.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (value,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
