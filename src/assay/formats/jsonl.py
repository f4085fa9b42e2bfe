"""Rows of JSONL: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader

from assay.formats.files import MAX_ROW_BYTES
from assay.formats.jsontext import parse_row
from assay.formats.record import Record

_BLOCK = 1 << 20


def jsonl_records(stream: BufferedReader) -> Iterator[Record]:
    """Each line that is not blank; a line that cannot be read is one record with its trouble."""
    number = line = 0
    while raw := stream.readline(MAX_ROW_BYTES + 1):
        line += 1
        if len(raw) > MAX_ROW_BYTES and not raw.endswith(b"\n"):
            _skip_line(stream)
            number += 1
            yield Record(number, line, trouble=f"the line is larger than {MAX_ROW_BYTES >> 20} MiB")
            continue
        raw = raw.strip()
        if not raw:
            continue
        number += 1
        try:
            record = Record(number, line, parse_row(raw))
        except ValueError as error:
            record = Record(number, line, trouble=str(error))
        yield record


def _skip_line(stream: BufferedReader) -> None:
    while (part := stream.readline(_BLOCK)) and not part.endswith(b"\n"):
        pass
