"""Rows of Parquet, a batch at a time (extra ``data``)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from assay.errors import InputError
from assay.formats.files import Source
from assay.formats.record import Record

_BATCH_ROWS = 256


def require_pyarrow(module: str) -> Any:
    """A module of pyarrow.

    Raises:
        InputError: It is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError("Parquet needs pyarrow: pip install 'assay[data]'") from error


def parquet_records(source: Source) -> Iterator[Record]:
    """The file's rows.

    Raises:
        InputError: It is no Parquet file, or pyarrow is not installed.
    """
    if source.path is None or source.packed:
        raise InputError("Parquet is read from a file that is not packed", file=source.name)
    arrow = require_pyarrow("pyarrow")
    parquet = require_pyarrow("pyarrow.parquet")
    number = 0
    try:
        with parquet.ParquetFile(source.path) as file:
            for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                for fields in _rows(batch):
                    number += 1
                    yield _record(number, fields)
    except (arrow.ArrowException, OSError) as error:
        if number:
            yield Record(number + 1, None, trouble=f"the Parquet file is damaged from here on: {error}")
        else:
            raise InputError(f"not a Parquet file that can be read: {error}", file=source.name) from error


def _rows(batch: Any) -> Iterator[dict[str, object] | str]:
    try:
        yield from batch.to_pylist()
    except UnicodeDecodeError:
        # One bad string spoils the batch; taken singly it spoils its row.
        for i in range(batch.num_rows):
            try:
                row: dict[str, object] = batch.slice(i, 1).to_pylist()[0]
            except UnicodeDecodeError:
                yield "a text of the row is not UTF-8"
            else:
                yield row


def _record(number: int, fields: dict[str, object] | str) -> Record:
    if isinstance(fields, str):
        return Record(number, None, trouble=fields)
    return Record(number, None, fields)
