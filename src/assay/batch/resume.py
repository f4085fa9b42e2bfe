"""Going on with a run: which rows its output lacks, and whether it is the output of this very run."""

from __future__ import annotations

import os
from collections.abc import Iterator

from assay.engine import Assay
from assay.errors import InputError
from assay.formats.resume import finished_rows, repair_tail
from assay.formats.rows import Row


def rows_left(rows: Iterator[Row], output: str | os.PathLike[str], assay: Assay) -> tuple[int, Iterator[Row]]:
    """Skip the rows whose verdicts ``output`` already holds.

    A partial last line of ``output`` is dropped first. Every verdict there must have the id of its row and
    come from the same profile and scorers: two runs are never mixed in one file.

    Returns:
        How many rows were skipped, and the rows that are left.

    Raises:
        InputError: The output belongs to another input or another profile; with its line.
    """
    repair_tail(output)
    done = 0
    for finished in finished_rows(output):
        done += 1
        row = next(rows, None)
        if problem := _difference(finished, row, assay):
            way_out = "use --overwrite or another output"
            raise InputError(f"{problem}; {way_out}", file=os.fspath(output), line=done)
    return done, rows


def _difference(finished: dict[str, object], row: Row | None, assay: Assay) -> str | None:
    """What tells a finished row from the verdict that this run would write, or None."""
    if row is None:
        return "the output has more rows than the input"
    if finished["id"] != row.id:
        return f"this verdict is of row {finished['id']!r}, the input has {row.id!r} here"
    meta = finished["meta"]
    hashes = meta if isinstance(meta, dict) else {}
    for name, now in (("policy_hash", assay.policy_hash), ("scorer_hash", assay.scorer_hash)):
        if hashes.get(name) != now:
            return (
                f"its {name} is {hashes.get(name)}, this run's is {now}: another profile or scorer judged it"
            )
    judged = hashes.get("input_hash")
    if row.sample is not None and judged is not None and judged != row.sample.digest():
        return f"this verdict is of another text than row {row.id!r} of the input has"
    return None
