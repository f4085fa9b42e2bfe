"""Result rows as tables: flat columns, scores as numbers, everything nested as JSON in its cell.

Text is written as it is. A cell that begins with ``=``, ``+``, ``-`` or ``@`` is therefore a formula to a
spreadsheet program; guarding against it would change answers that begin so, and the files are data first.
Open results of untrusted models as text (import, not double-click), or write JSONL.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

from assay.formats.jsontext import to_json
from assay.formats.parquet_records import require_pyarrow

_NUMBERS = "scores"
_BATCH_ROWS = 512
Rows = Iterable[Mapping[str, object]]


def flatten(row: Mapping[str, object]) -> dict[str, object]:
    """A row of plain values: ``scores`` as ``scores.NAME``, other lists and objects as JSON text."""
    flat: dict[str, object] = {}
    for name, value in row.items():
        if name == _NUMBERS and isinstance(value, Mapping):
            flat.update({f"{name}.{score}": _plain(number) for score, number in value.items()})
        else:
            flat[name] = _plain(value)
    return flat


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else to_json(value)
    # A table's text is UTF-8, which has no lone surrogates: they are shown as their escape.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class Columns:
    """The columns of a table and the types of their values, gathered row by row."""

    def __init__(self) -> None:
        self._types: dict[str, set[type]] = {}

    def add(self, row: Mapping[str, object]) -> None:
        """Take note of a flat row."""
        for name, value in row.items():
            types = self._types.setdefault(name, set())
            if value is not None:
                fits = not isinstance(value, int) or -(2**63) <= value < 2**63
                types.add(type(value) if fits else str)

    @property
    def names(self) -> list[str]:
        """All columns, in the order in which they first came."""
        return list(self._types)

    def kind(self, name: str) -> type:
        """The one type that holds every value of a column: bool, int, float or str."""
        types = self._types[name]
        if name.startswith(f"{_NUMBERS}.") and types <= {int, float}:
            return float
        if types <= {int, float} and types:
            return float if float in types else int
        return bool if types == {bool} else str


TableWriter = Callable[[BinaryIO, str, Columns, Rows], None]


def write_csv(target: BinaryIO, suffix: str, columns: Columns, rows: Rows) -> None:
    """Write a CSV file (RFC 4180, UTF-8 without a byte order mark); an unknown value is an empty cell."""
    text = io.TextIOWrapper(target, encoding="utf-8", newline="")
    # The line ends are \r\n so that csv quotes a cell with either character in it.
    writer = csv.writer(text, delimiter="\t" if suffix == ".tsv" else ",", lineterminator="\r\n")
    writer.writerow(columns.names)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns.names])
    text.flush()
    text.detach()


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def write_parquet(target: BinaryIO, suffix: str, columns: Columns, rows: Rows) -> None:
    """Write a Parquet file, in batches, with the schema that all rows share."""
    del suffix
    arrow = require_pyarrow("pyarrow")
    types = {str: arrow.string(), float: arrow.float64(), int: arrow.int64(), bool: arrow.bool_()}
    schema = arrow.schema([(name, types[columns.kind(name)]) for name in columns.names])
    with require_pyarrow("pyarrow.parquet").ParquetWriter(target, schema) as writer:
        for batch in _batches(rows):
            writer.write_batch(arrow.RecordBatch.from_pylist(_typed(batch, columns), schema=schema))


def _typed(rows: list[Mapping[str, object]], columns: Columns) -> list[dict[str, Any]]:
    texts = {name for name in columns.names if columns.kind(name) is str}
    return [
        {
            name: to_json(value) if name in texts and not isinstance(value, str | None) else value
            for name, value in row.items()
        }
        for row in rows
    ]


def _batches(rows: Rows) -> Iterator[list[Mapping[str, object]]]:
    left = iter(rows)
    while batch := list(islice(left, _BATCH_ROWS)):
        yield batch


PARQUET = (".parquet", ".pq")
TABLE_WRITERS: dict[str, TableWriter] = {
    ".csv": write_csv,
    ".tsv": write_csv,
    **dict.fromkeys(PARQUET, write_parquet),
}
"""How each table is written, by suffix."""
