"""Rows of CSV: a header, then one record a row; quoted cells may hold line breaks."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from assay.errors import InputError
from assay.formats.files import MAX_ROW_BYTES, Source
from assay.formats.record import Record

_DELIMITERS = ",;\t"


def csv_records(source: Source) -> Iterator[Record]:
    """The records under the header. The delimiter is the one of ``,``, ``;`` and tab most used in it.

    Raises:
        InputError: The header cannot be used.
    """
    # The limit is the process's own; it is only ever raised, so other readers lose nothing.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_ROW_BYTES))
    head = source.head.decode("utf-8", "replace")
    delimiter = "\t" if source.suffix == ".tsv" else max(_DELIMITERS, key=head.count)
    reader = csv.reader(_lines(source), delimiter=delimiter, strict=True)
    header = _header(reader, source.name)
    number = 0
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            number += 1
            yield Record(number, line, trouble=f"not valid CSV: {error}")
            continue
        if cells is None:
            return
        if cells:
            number += 1
            yield _record(number, line, header, cells)


def _lines(source: Source) -> Iterator[str]:
    # Undecodable bytes come through as lone surrogates, so that they spoil only their own row.
    while raw := source.stream.readline(MAX_ROW_BYTES):
        yield raw.decode("utf-8", "surrogateescape")


def _header(reader: Iterator[list[str]], name: str) -> list[str]:
    try:
        header = [cell.strip() for cell in next((cells for cells in reader if cells), [])]
    except csv.Error as error:
        raise InputError(f"the header is not valid CSV: {error}", file=name, line=1) from error
    repeated = sorted({cell for cell in header if header.count(cell) > 1})
    if repeated:
        raise InputError(f"the header names {repeated[0]!r} twice", file=name, line=1)
    return header


def _record(number: int, line: int, header: Sequence[str], cells: Sequence[str]) -> Record:
    if len(cells) > len(header):
        trouble = f"the row has {len(cells)} cells, the header {len(header)}"
        return Record(number, line, trouble=trouble)
    for name, cell in zip(header, cells, strict=False):
        if not cell.isascii() and any("\udc80" <= char <= "\udcff" for char in cell):
            return Record(number, line, trouble=f"not UTF-8 in the column {name!r}")
    return Record(number, line, dict(zip(header, cells, strict=False)))
