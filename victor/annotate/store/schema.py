"""The tables of a store, and how a file comes to have them.

A store is an SQLite file. Its ``application_id`` says that it is one of ours, its ``user_version``
how many of the steps in `MIGRATIONS` it has taken; opening takes those that are missing.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from victor.errors import CorpusError

APPLICATION: Final = 0x56694B74
_PATIENCE: Final = 10.0
"""Seconds to wait for another process that is writing."""

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
    (),  # labels may be ? from here on, which earlier versions cannot read
)
"""One step of statements for every version of the tables; a step that was released never changes.

``revision`` only grows. ``head`` repeats the newest revision of every chain (a page, an annotator,
adjudicated or not) with the seconds of all of them; ``suggestion`` and ``score`` can be computed
again.
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a store, made if there is none and brought to the present version.

    It can be used by several threads, one at a time. Every commit is on the disk before it returns.

    Raises:
        CorpusError: the file is something else, of a later version, damaged or not to be written.
    """
    found = None
    try:
        found = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None,
                                check_same_thread=False)  # fmt: skip
        _check_owner(found, path)
        found.execute("PRAGMA journal_mode = WAL")
        found.execute("PRAGMA synchronous = FULL")
        found.execute("PRAGMA foreign_keys = ON")
        _migrate(found, path)
    except sqlite3.Error as error:
        _close(found)
        raise CorpusError(f"{path} cannot be opened as a store of annotations: {error}") from None
    except BaseException:
        _close(found)
        raise
    return found


def _close(connection: sqlite3.Connection | None) -> None:
    if connection is not None:
        connection.close()


def _check_owner(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse the file of another program before anything in it is changed."""
    owner = _number(connection, "application_id")
    empty = not _number(connection, "schema_version")
    if owner != APPLICATION and not (empty and owner == 0):
        raise CorpusError(f"{path} is a database of another program; name another file as store")


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Take the steps that the store lacks, all or none; a second process waits for the first."""
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
    (found,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(found)
