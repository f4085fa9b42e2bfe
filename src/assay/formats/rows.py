"""Rows of a file as samples, one at a time; a row that cannot be read is a row with an error."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import InputError
from assay.formats.cells import tidy
from assay.formats.container import TABLES, container_of, read_records
from assay.formats.files import READ_ERRORS, open_source
from assay.formats.mapping import Mapped
from assay.formats.protocol import FileBound, RowFormat, row_id
from assay.formats.record import Record
from assay.formats.registry import detect, get_format, unrecognised
from assay.sample import Sample

_LOOK_AT = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file: its sample, or the error that it gave.

    Attributes:
        number: 1-based number of the row; blank lines are not counted.
        line: 1-based line of the file on which it starts; None in Parquet.
        id: The row's own id, else its number as text. The sample has the same.
        sample: What is to be judged, or None.
        error: Why there is no sample, with file, line and field, or None.
        fields: The row as the file has it; empty if it could not be parsed.
    """

    number: int
    line: int | None
    id: str
    sample: Sample | None = None
    error: InputError | None = None
    fields: Mapping[str, object] = field(default_factory=dict, repr=False)


def read_rows(
    path: str | os.PathLike[str],
    *,
    format: str = "auto",  # noqa: A002 - the option's name
    mapping: Mapping[str, str] | None = None,
) -> Iterator[Row]:
    """Read the rows of a JSONL, JSON, CSV or Parquet file, the text ones also packed with gzip.

    Memory is bounded by the largest row. Nothing is opened before the first row is asked for.

    Args:
        path: The file; ``-`` reads JSONL or JSON from standard input.
        format: A format's name, or ``auto`` to tell it by the fields of the first rows.
        mapping: Field to column (or dotted path), for rows of no known format.

    Raises:
        InputError: The file as a whole cannot be read, holds no rows, or is of no known format.
        PluginError: No format has that name.
    """
    with open_source(path) as source:
        kind = container_of(source)
        reading = _Reading(source.name, source.path, kind in TABLES, _chosen(format, mapping))
        number = 0
        try:
            for record in read_records(source, kind):
                number = record.number
                yield from reading.take(record)
        except READ_ERRORS as error:
            if not number:
                raise InputError(f"the file cannot be read: {error}", file=source.name) from error
            trouble = f"the file cannot be read beyond this row: {error}"
            yield from reading.take(Record(number + 1, None, trouble=trouble))
        if not number:
            raise InputError("the file has no rows", file=source.name)
        reading.finish()


def _chosen(name: str, mapping: Mapping[str, str] | None) -> RowFormat | None:
    if not mapping:
        return None if name == "auto" else get_format(name)
    if name not in ("auto", "assay"):
        raise InputError(f"--map names the columns itself; it cannot be used with --format {name}")
    return Mapped(mapping)


class _Reading:
    """Turns records into rows, once it is known what format they have."""

    def __init__(self, name: str, path: Path | None, table: bool, form: RowFormat | None) -> None:
        self._name = name
        self._path = path
        self._table = table
        self._wanted = form
        self._form: RowFormat | None = None
        self._waiting: list[Record] = []

    def take(self, record: Record) -> Iterator[Row]:
        """The rows that can be given now: none while the format is not known."""
        if self._form is None:
            self._recognise(record)
        if self._form is None and (self._waiting or record.fields is not None):
            self._waiting.append(record)
            if len(self._waiting) > _LOOK_AT:
                self.finish()
            return
        waiting, self._waiting = self._waiting, []
        for each in (*waiting, record):
            yield self._row(each)

    def finish(self) -> None:
        """Refuse a file whose rows no format fits."""
        if self._waiting:
            raise unrecognised(self._waiting[0].fields or {}, self._name)

    def _recognise(self, record: Record) -> None:
        """Settle the format by the first row that is of a known one."""
        if record.fields is None:
            return
        fields = frozenset(map(str, record.fields))
        try:
            form = self._wanted or detect(fields)
            if form is not None and isinstance(form, FileBound):
                form = form.for_file(self._path, self._cells(record.fields, form))
        except InputError as error:
            raise error if error.file else InputError(error.message, file=self._name) from error
        self._form = form

    def _row(self, record: Record) -> Row:
        fields = record.fields or {}
        own = row_id(fields) or str(record.number)
        if record.fields is None or self._form is None:
            return self._bad(record, own, InputError(record.trouble or "the row is empty"))
        try:
            sample = self._form.to_sample(self._cells(fields, self._form))
        except InputError as error:
            return self._bad(record, own, error)
        except Exception as error:  # noqa: BLE001 - a plug-in's fault with one row is that row's trouble
            return self._bad(record, own, InputError(f"{type(error).__name__}: {error}"))
        own = sample.id or own
        if sample.id != own:
            sample = replace(sample, id=own)
        return Row(record.number, record.line, own, sample, fields=fields)

    def _cells(self, fields: Mapping[str, object], form: RowFormat) -> Mapping[str, object]:
        if not self._table:
            return fields
        return tidy(fields, form, form.keys if isinstance(form, Mapped) else frozenset())

    def _bad(self, record: Record, own: str, error: InputError) -> Row:
        placed = InputError(
            error.message, file=self._name, line=record.line or record.number, field=error.field
        )
        return Row(record.number, record.line, own, error=placed, fields=record.fields or {})
