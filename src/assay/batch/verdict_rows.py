"""Verdict files row by row: each line checked and reduced to what a report counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from assay.errors import InputError
from assay.formats.files import MAX_ROW_BYTES, READ_ERRORS, open_source
from assay.formats.jsontext import parse_row
from assay.verdict import Decision

NOT_GIVEN = "(not given)"
META = ("profile", "tier", "version", "policy_hash", "scorer_hash")
"""The fields of ``meta`` that say how a row was judged."""
_OTHER_FORMATS = (".json", ".csv", ".tsv", ".parquet")


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A line of a verdict file. ``meta`` holds the fields of `META`, each a string."""

    line: int
    id: str | None
    conversation: str | None
    decision: Decision
    failure_type: str
    next_action: str
    action_why: str
    reason: str
    sentences: tuple[str, ...]
    scores: Mapping[str, float | None]
    unavailable: Mapping[str, str]
    meta: Mapping[str, str]
    latency_ms: float | None
    label: int | None
    error: tuple[str, str] | None

    @property
    def name(self) -> str:
        """The id, or the line where there is none."""
        return self.id if self.id is not None else f"(line {self.line})"


@dataclass(frozen=True, slots=True)
class PartialLine:
    """A last line without its end: what a killed run leaves behind."""

    line: int
    message: str


def read_rows(path: str | Path) -> Iterator[VerdictRow | PartialLine]:
    """Every verdict of a JSONL file (also ``.gz``), and at the end the partial last line if there is one.

    Raises:
        InputError: The file cannot be read, or a line is no verdict; with the line's number.
    """
    for line in read_lines(path):
        yield line if isinstance(line, PartialLine) else line.parse()


@dataclass(frozen=True, slots=True)
class Line:
    """A line as JSON, for passes that need little of it."""

    file: str
    number: int
    fields: Mapping[str, object]

    def parse(self) -> VerdictRow:
        """The verdict in it.

        Raises:
            InputError: It is no verdict.
        """
        try:
            return parse_verdict(self.fields, self.number)
        except InputError as error:
            raise InputError(error.message, file=self.file, line=self.number, field=error.field) from None

    def name(self, key: str) -> str | None:
        """``id`` or ``conversation``, without reading the rest."""
        return _name(self.fields, key)


def read_lines(path: str | Path) -> Iterator[Line | PartialLine]:
    """Every line that is not blank, as JSON; otherwise like `read_rows`."""
    name = str(path)
    with open_source(path) as source:
        if source.suffix in _OTHER_FORMATS:
            raise InputError(
                "a report reads JSONL; write verdicts with `assay eval ... -o OUT.jsonl`", file=name
            )
        number = 0
        while True:
            try:
                raw = source.stream.readline(MAX_ROW_BYTES + 1)
            except READ_ERRORS as error:
                message = f"the file cannot be read further: {error}"
                raise InputError(message, file=name, line=number + 1) from error
            if not raw:
                return
            number += 1
            if raw.strip():
                yield _line(raw, number, name)


def _line(raw: bytes, number: int, name: str) -> Line | PartialLine:
    if len(raw) > MAX_ROW_BYTES:
        raise InputError(f"the line is larger than {MAX_ROW_BYTES >> 20} MiB", file=name, line=number)
    try:
        return Line(name, number, parse_row(raw))
    except ValueError as error:
        # Only the last line of a file can lack its end; a run that was stopped leaves half a row there.
        if not raw.endswith(b"\n"):
            return PartialLine(number, str(error))
        raise InputError(str(error), file=name, line=number) from error


def parse_verdict(fields: Mapping[str, object], line: int) -> VerdictRow:
    """Read a verdict's JSON (`Verdict.to_dict`), with an optional ``label``.

    Raises:
        InputError: It is no verdict; the message names the field.
    """
    explanations = _object(fields, "explanations")
    meta = _object(fields, "meta")
    return VerdictRow(
        line=line,
        id=_name(fields, "id"),
        conversation=_name(fields, "conversation"),
        decision=decision_of(fields),
        failure_type=_text(fields, "failure_type", NOT_GIVEN),
        next_action=_text(fields, "next_action", NOT_GIVEN),
        action_why=_text(fields, "action_why", ""),
        reason=_text(explanations, "reason", "", "explanations."),
        sentences=_sentences(explanations),
        scores=_scores(fields),
        unavailable={
            key: _text(_object(explanations, "unavailable"), key, "", "explanations.unavailable.")
            for key in _object(explanations, "unavailable")
        },
        meta={key: _text(meta, key, NOT_GIVEN, "meta.") for key in META},
        latency_ms=_latency(meta),
        label=_label(fields),
        error=_error(fields),
    )


def decision_of(fields: Mapping[str, object]) -> Decision:
    """The decision of a row.

    Raises:
        InputError: There is none, or it is no decision.
    """
    if "decision" not in fields:
        names = ", ".join(sorted(str(key)[:40] for key in fields)[:12]) or "no fields"
        message = f"no verdict: the row has no 'decision', it has {names}; `assay eval` writes verdict files"
        raise InputError(message)
    try:
        return Decision(cast(str, fields["decision"]))
    except ValueError:
        known = ", ".join(Decision)
        shown = str(fields["decision"])[:40]
        raise InputError(f"a decision is one of {known}, not {shown!r}", field="decision") from None


def _object(fields: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = fields.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError(f"expected an object, got {type(value).__name__}", field=key)
    return value


def _text(fields: Mapping[str, object], key: str, default: str, prefix: str = "") -> str:
    value = fields.get(key)
    if value is None:
        return default
    if not isinstance(value, str):
        raise InputError(f"expected text, got {type(value).__name__}", field=prefix + key)
    return value


def _name(fields: Mapping[str, object], key: str) -> str | None:
    value = fields.get(key)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"expected text, got {type(value).__name__}", field=key)


def _number(value: object, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"expected a number, got {type(value).__name__}", field=field)
    number = float(value) if abs(value) < 1e300 else math.inf
    if not math.isfinite(number):
        raise InputError("the number is not finite", field=field)
    return number


def _scores(fields: Mapping[str, object]) -> dict[str, float | None]:
    scores: dict[str, float | None] = {}
    for key, value in _object(fields, "scores").items():
        if value is None:
            scores[key] = None
            continue
        number = _number(value, f"scores.{key[:40]}")
        if not 0 <= number <= 1:
            raise InputError(f"a score is in 0..1, not {number:g}", field=f"scores.{key[:40]}")
        scores[key] = number
    return scores


def _sentences(explanations: Mapping[str, object]) -> tuple[str, ...]:
    value = explanations.get("low_confidence_sentences") or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError("expected a list of texts", field="explanations.low_confidence_sentences")
    return tuple(value)


def _latency(meta: Mapping[str, object]) -> float | None:
    if meta.get("latency_ms") is None:
        return None
    number = _number(meta["latency_ms"], "meta.latency_ms")
    if number < 0:
        raise InputError(f"a latency is not negative, this is {number:g}", field="meta.latency_ms")
    return number


def _label(fields: Mapping[str, object]) -> int | None:
    value = fields.get("label")
    if value is None:
        return None
    if isinstance(value, bool | int) and value in (0, 1):
        return int(value)
    raise InputError(f"a label is 0 (unsupported) or 1 (supported), not {str(value)[:40]!r}", field="label")


def _error(fields: Mapping[str, object]) -> tuple[str, str] | None:
    error = _object(fields, "error")
    if not error:
        return None
    return _text(error, "type", NOT_GIVEN, "error."), _text(error, "message", "", "error.")
