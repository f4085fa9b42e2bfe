"""Result rows to a file: JSONL as they come; JSON, CSV and Parquet whole at the end."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from assay.errors import InputError
from assay.formats.files import open_for_writing, replacing
from assay.formats.jsontext import parse_row, to_json
from assay.formats.parquet_records import require_pyarrow
from assay.formats.tables import PARQUET, TABLE_WRITERS, Columns, TableWriter, flatten

_LINES = frozenset({".jsonl", ".ndjson", ""})


class RowWriter(Protocol):
    """Takes rows one by one; a context manager."""

    def write(self, row: Mapping[str, object]) -> None:
        """Write one row.

        Raises:
            ValueError: A number in it is NaN or infinite.
        """
        ...

    def flush(self) -> None:
        """Hand everything written so far to the operating system."""
        ...

    def close(self) -> None:
        """Finish the file."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_writer(path: str | os.PathLike[str] | None, *, append: bool = False) -> RowWriter:
    """A writer for what the suffix names: ``.jsonl``, ``.json``, ``.csv``, ``.tsv`` or ``.parquet``.

    JSONL is written row by row: a run that is killed leaves all its rows but perhaps the last one. The
    others need all rows first; until they are closed, the rows stand in ``NAME.partial.jsonl`` beside them.

    Args:
        path: The file, replaced if it exists; ``-`` or None is JSONL on standard output.
        append: Add to the rows that are there; JSONL only (see `assay.formats.resume.repair_tail`).

    Raises:
        InputError: The suffix is not known, cannot be appended to, or the file cannot be written.
    """
    if path is None or os.fspath(path) == "-":
        return JsonlWriter(sys.stdout.buffer, own=False)
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix in _LINES:
        return JsonlWriter(open_for_writing(file, "ab" if append else "wb"))
    if suffix not in TABLE_WRITERS and suffix != ".json":
        known = ", ".join([".jsonl", ".json", *TABLE_WRITERS])
        raise InputError(f"cannot write {suffix!r} files; the suffixes are {known}", file=str(file))
    if append:
        raise InputError(f"rows cannot be added to {suffix!r} files; use .jsonl", file=str(file))
    if suffix in PARQUET:
        require_pyarrow("pyarrow.parquet")  # now, not after hours of judging
    return WholeWriter(file, TABLE_WRITERS.get(suffix))


class _Closing(ABC):
    """The context manager around ``close``."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None: ...


class JsonlWriter(_Closing):
    """One JSON object a line, each handed over as it comes.

    Args:
        stream: Where to.
        own: Whether to close it at the end.
    """

    def __init__(self, stream: BinaryIO, *, own: bool = True) -> None:
        self._stream = stream
        self._own = own

    def write(self, row: Mapping[str, object]) -> None:
        """Write one row and flush it."""
        self._stream.write(to_json(dict(row)).encode("utf-8") + b"\n")
        self._stream.flush()

    def flush(self) -> None:
        """Hand everything written so far to the operating system."""
        self._stream.flush()

    def close(self) -> None:
        """Close the stream if it is the writer's own."""
        if self._own:
            self._stream.close()


class WholeWriter(_Closing):
    """Collects rows beside the target and puts the finished file in its place at the end.

    A table's columns are known only when all rows are: an optional score may first come in the last row.

    Args:
        path: The file to write.
        table: How a table is written, or None for a JSON array.
    """

    def __init__(self, path: Path, table: TableWriter | None) -> None:
        self._path = path
        self._table = table
        self._columns = Columns()
        self._spool = path.with_name(path.name + ".partial.jsonl")
        self._rows: RowWriter | None = JsonlWriter(open_for_writing(self._spool, "wb", shown=path))

    def write(self, row: Mapping[str, object]) -> None:
        """Write one row."""
        if self._rows is None:
            raise ValueError("the writer is closed")
        if self._table:
            row = flatten(row)
            self._columns.add(row)
        self._rows.write(row)

    def flush(self) -> None:
        """The rows are flushed as they come."""

    def close(self) -> None:
        """Write the file and remove the rows beside it."""
        if self._rows is None:
            return
        self._rows.close()
        self._rows = None
        with self._spool.open("rb") as lines:
            rows = (parse_row(line) for line in lines)
            with replacing(self._path) as target:
                if self._table:
                    self._table(target, self._path.suffix.lower(), self._columns, rows)
                else:
                    lines.seek(0)
                    _write_array(target, lines)
        self._spool.unlink(missing_ok=True)


def _write_array(target: BinaryIO, lines: BinaryIO) -> None:
    before = b"[\n"
    for line in lines:
        target.write(before + line.rstrip(b"\n"))
        before = b",\n"
    target.write(b"\n]\n" if before == b",\n" else b"[]\n")
