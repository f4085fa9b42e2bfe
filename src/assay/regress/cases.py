"""The cases of a suite: rows with their place in the file, and what some of them must always be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.errors import InputError
from assay.formats.rows import Row, read_rows
from assay.sample import Sample
from assay.verdict import Decision

MUST = (Decision.ACCEPT, Decision.REJECT)
"""What a case may be bound to."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its sample, or the error that its row gave.

    Attributes:
        id: What tells it from the others, here and in the baseline.
        sample: What is to be judged, or None.
        error: Why there is no sample, or None.
        must: The decision that the case may never leave, or None.
        file: The file that it stands in, as the user named it, or None.
        line: 1-based line on which it starts, or None.
    """

    id: str
    sample: Sample | None
    error: InputError | None = None
    must: Decision | None = None
    file: str | None = None
    line: int | None = None


Cases = str | os.PathLike[str] | Iterable["Case | Sample | Mapping[str, object]"]
"""A file, or cases, samples and rows of Assay's own format."""


def read_cases(
    path: str | os.PathLike[str],
    *,
    format: str = "auto",  # noqa: A002 - the option's name
    mapping: Mapping[str, str] | None = None,
) -> list[Case]:
    """Read every case of a file; a row that cannot be read is a case with an error.

    Args:
        path: Any file that `assay eval` reads; ``-`` is standard input.
        format: A format's name, or ``auto``.
        mapping: Field to column, for rows of no known format.

    Raises:
        InputError: The file cannot be read, two cases have one id, or a ``must`` is no decision to bind to.
    """
    name = os.fspath(path)
    file = None if name == "-" else name
    return _distinct(_of_row(row, file) for row in read_rows(path, format=format, mapping=mapping))


def as_cases(cases: Cases) -> list[Case]:
    """Cases of whatever a caller has.

    Raises:
        InputError: As for `read_cases`, or an item is none of the kinds that it may be.
    """
    if isinstance(cases, str | os.PathLike):
        return read_cases(cases)
    return _distinct(_of_item(item, number) for number, item in enumerate(cases, start=1))


def _of_row(row: Row, file: str | None) -> Case:
    must = _must(row.fields.get("must"), file, row.line)
    return Case(row.id, row.sample, row.error, must, file, row.line)


def _of_item(item: object, number: int) -> Case:
    if isinstance(item, Case):
        return item
    if isinstance(item, Sample):
        return Case(item.id or str(number), item)
    if isinstance(item, Mapping):
        must = _must(item.get("must"), None, number)
        try:
            sample = Sample.from_row(item)
        except InputError as error:
            return Case(str(item.get("id") or number), None, error, must)
        return Case(sample.id or str(number), sample, must=must)
    raise InputError(f"expected a case, a sample or a row, got {type(item).__name__}", line=number)


def _must(value: object, file: str | None, line: int | None) -> Decision | None:
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.strip().upper() in MUST:
        return Decision(value.strip().upper())
    message = f"a case can be bound to {' or '.join(MUST)}, not to {str(value)[:40]!r}"
    raise InputError(message, file=file, line=line, field="must")


def _distinct(cases: Iterable[Case]) -> list[Case]:
    """All of them; two cases of one id would be compared with one answer."""
    kept: list[Case] = []
    seen: dict[str, Case] = {}
    for number, case in enumerate(cases, start=1):
        if case.sample is not None:
            if case.id in seen:
                first = seen[case.id].line
                where = f" (the first is on line {first})" if first is not None else ""
                message = f"two cases are called {case.id!r}{where}; every case needs an id of its own"
                raise InputError(message, file=case.file, line=case.line or number, field="id")
            seen[case.id] = case
        kept.append(case)
    return kept
