"""Going on with a run that was cut: the rows that its JSONL file already holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from assay.errors import InputError
from assay.formats.files import open_for_writing
from assay.formats.jsontext import parse_row

_NO_RESULTS = "this line is no result row; only the results of an earlier run can be resumed"
_KEPT = ("id", "decision", "meta", "error")


def repair_tail(path: str | os.PathLike[str]) -> int:
    """Drop the partial last line that a killed run leaves, and count the complete rows.

    The file is only shortened, in one step, or completed by a line end; rows are never rewritten. A file
    that is absent has no rows.

    Raises:
        InputError: The file is not JSONL (nothing is changed then), or cannot be written.
    """
    file = Path(path)
    if not file.exists():
        return 0
    rows = offset = 0
    broken: int | None = None
    line = b""
    with open_for_writing(file, "r+b") as stream:
        for number, line in enumerate(stream, start=1):
            if broken is not None:
                raise InputError(_NO_RESULTS, file=str(file), line=number - 1)
            if _is_row(line):
                rows += 1
            elif line.strip():
                # Null bytes are what some file systems leave of a write that the power cut.
                if line.strip(b"\0\n")[:1] not in (b"{", b""):
                    raise InputError(_NO_RESULTS, file=str(file), line=number)
                broken = offset
            offset += len(line)
        if broken is not None:
            stream.truncate(broken)
        elif line and not line.endswith(b"\n"):
            stream.write(b"\n")
    return rows


def finished_rows(path: str | os.PathLike[str]) -> Iterator[dict[str, object]]:
    """``id``, ``decision``, ``meta`` and ``error`` (None if there is none) of each row, in order.

    Call `repair_tail` first. An absent file has none.

    Raises:
        InputError: A line is no result row.
    """
    file = Path(path)
    if not file.exists():
        return
    with file.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                row = parse_row(line)
            except ValueError as error:
                raise InputError(str(error), file=str(file), line=number) from error
            yield {name: row.get(name) for name in _KEPT}


def _is_row(line: bytes) -> bool:
    try:
        parse_row(line)
    except ValueError:
        return False
    return True
