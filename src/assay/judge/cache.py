"""Answers kept: in a SQLite file shared by threads and processes, or in memory for one run. Both bounded."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Protocol

from assay.errors import InputError

MAX_ANSWERS = 50_000
MAX_ANSWERS_IN_MEMORY = 2_000
BUSY_SECONDS = 10.0
_FORMAT = 0x41534A31
"""Marks a file as ours in its header ("ASJ1")."""
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, model TEXT NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID
"""
# The last use, the number of answers and the oldest ones are then read without reading the answers.
_INDEX = "CREATE INDEX IF NOT EXISTS answers_used ON answers (used)"


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as the model wrote it, and the model that wrote it."""

    text: str
    model: str


class AnswerCache(Protocol):
    """Keeps answers by key; one that is not there, or cannot be read, is None."""

    def get(self, key: str) -> Kept | None:
        """The answer kept under ``key``."""
        ...

    def put(self, key: str, kept: Kept) -> None:
        """Keep an answer, dropping the ones used longest ago when there are too many."""
        ...


class MemoryCache:
    """Answers of this process. Thread-safe.

    Args:
        limit: Most answers kept.
    """

    def __init__(self, limit: int = MAX_ANSWERS_IN_MEMORY) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Kept | None:  # noqa: D102
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, kept: Kept) -> None:  # noqa: D102
        with self._lock:
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)


class FileCache:
    """Answers in a SQLite file that only its owner can read. Threads and processes may share it.

    A connection lives for one operation, so nothing is shared between threads; SQLite's locks keep writers
    apart. Trouble with the file after the start (a full disk) costs the cache, not the row.

    Args:
        path: The file; made if it is not there.
        limit: Most answers kept; at the limit the tenth used longest ago is dropped.

    Raises:
        InputError: The file cannot be used, or is no cache of the judge.
    """

    def __init__(self, path: str | Path, limit: int = MAX_ANSWERS) -> None:
        self._path = Path(path)
        self._limit = limit
        try:
            if not self._path.exists():
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"cannot be used as the judge's cache: {error}", file=str(path)) from None

    def get(self, key: str) -> Kept | None:  # noqa: D102
        with contextlib.suppress(sqlite3.Error), self._opened() as database:
            row = database.execute("SELECT text, model FROM answers WHERE key = ?", (key,)).fetchone()
            if row is not None:
                self._touch(database, key)
                return Kept(str(row[0]), str(row[1]))
        return None

    def put(self, key: str, kept: Kept) -> None:  # noqa: D102
        text = kept.text.encode("utf-8", "replace").decode("utf-8")
        with contextlib.suppress(sqlite3.Error), self._opened() as database:
            database.execute(
                "INSERT INTO answers SELECT ?, ?, ?, COALESCE(MAX(used), 0) + 1 FROM answers WHERE true "
                "ON CONFLICT (key) DO UPDATE SET text = excluded.text, model = excluded.model, "
                "used = excluded.used",
                (key, text, kept.model),
            )
            (count,) = database.execute("SELECT COUNT(*) FROM answers").fetchone()
            if count > self._limit:
                database.execute(
                    "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used, key LIMIT ?)",
                    (count - self._limit + self._limit // 10,),
                )

    def _touch(self, database: sqlite3.Connection, key: str) -> None:
        """Note the use; a file that cannot be written is still read."""
        with contextlib.suppress(sqlite3.Error):
            database.execute(
                "UPDATE answers SET used = (SELECT MAX(used) + 1 FROM answers) WHERE key = ?", (key,)
            )

    def _prepare(self) -> None:
        with self._opened() as database:
            (mark,) = database.execute("PRAGMA application_id").fetchone()
            (tables,) = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
            if mark != _FORMAT and tables:
                raise sqlite3.DatabaseError("it is another program's database")
            if mark != _FORMAT:
                database.execute(f"PRAGMA application_id = {_FORMAT:d}")
            database.execute(_TABLE)
            database.execute(_INDEX)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection for one transaction, closed whatever happens."""
        opened = sqlite3.connect(self._path, timeout=BUSY_SECONDS)
        with contextlib.closing(opened) as database, database:
            yield database


__all__ = ["AnswerCache", "FileCache", "Kept", "MemoryCache"]
