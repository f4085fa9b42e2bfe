"""Which container a file is (JSONL, JSON, CSV, Parquet), and its records."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from assay.errors import InputError
from assay.formats.csv_records import csv_records
from assay.formats.files import MAX_HEAD_BYTES, Source
from assay.formats.json_split import WRAPPERS, json_records
from assay.formats.jsonl import jsonl_records
from assay.formats.jsontext import parse_row
from assay.formats.parquet_records import parquet_records
from assay.formats.record import Record

TABLES = frozenset({"csv", "parquet"})
"""Containers whose cells hold no lists or objects of their own, or hold them as text."""
_BY_SUFFIX = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def container_of(source: Source) -> str:
    """``jsonl``, ``json``, ``csv`` or ``parquet``: by the suffix, else by the first bytes.

    Raises:
        InputError: It is none of them, or not text at all.
    """
    kind = "parquet" if source.head.startswith(b"PAR1") else _BY_SUFFIX.get(source.suffix, "")
    if kind == "parquet":
        return kind
    _check_text(source)
    if kind == "jsonl" and source.head in (b"[", b"{"):
        return "json"  # a pretty-printed document under the wrong name
    if kind in ("jsonl", "csv"):
        return kind
    if source.head.startswith(b"{"):
        return "jsonl" if _is_whole_row(source.head) else "json"
    if source.head.startswith(b"[") or kind == "json":
        return "json"
    raise InputError(
        "cannot tell what this file is: it begins with neither '{' nor '['; "
        "rows are read from .jsonl, .json, .csv, .tsv and .parquet (the text ones also as .gz)",
        file=source.name,
    )


def read_records(source: Source, kind: str) -> Iterator[Record]:
    """The records of an opened file, one at a time.

    Raises:
        InputError: The file as a whole cannot be read as that container.
    """
    if kind == "parquet":
        return parquet_records(source)
    if kind == "csv":
        return csv_records(source)
    return json_records(source.stream) if kind == "json" else jsonl_records(source.stream)


def _check_text(source: Source) -> None:
    head = source.head
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError("the file is UTF-16; save it as UTF-8", file=source.name)
    if b"\0" in head[:4096]:
        raise InputError("the file is binary, not text", file=source.name)
    try:
        # A long first line is seen in part, which may end inside a character.
        codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) < MAX_HEAD_BYTES - 3)
    except UnicodeDecodeError as error:
        raise InputError(
            f"the file is not UTF-8 text (byte 0x{head[error.start]:02x} in its first line); "
            "save it as UTF-8, for example with: iconv -f cp1252 -t utf-8 FILE",
            file=source.name,
        ) from error


def _is_whole_row(head: bytes) -> bool:
    """Whether a first line that begins with ``{`` is a row of JSONL rather than part of a document."""
    if not head.endswith(b"}") or len(head) >= MAX_HEAD_BYTES - 3:
        return False  # a long row is read as part of a document just as well
    try:
        row = parse_row(head)
    except ValueError:
        return True
    lists = [name for name, value in row.items() if isinstance(value, list)]
    return not (WRAPPERS.intersection(lists) or (len(row) == 1 and lists))
