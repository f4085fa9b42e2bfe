"""The baseline file: read with every mistake named, replaced whole or not at all."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator

from assay.engine import Assay
from assay.errors import InputError
from assay.formats.files import atomic_write, one_writer
from assay.formats.jsontext import parse_row
from assay.regress.stored import Part, StoredCase, Text
from assay.version import __version__

FORMAT: Literal[1] = 1
"""Version of the file's layout."""


class Baseline(Part):
    """What a system answered, and how it was judged; cases are sorted by id."""

    format: Literal[1]
    assay: Text
    date: Text
    profile: Text
    tier: Text
    policy_hash: Text
    scorer_hash: Text
    text: bool
    cases: Annotated[tuple[StoredCase, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _ids_differ(self) -> Baseline:
        for id_, count in Counter(case.id for case in self.cases).items():
            if count > 1:
                raise ValueError(f"{count} cases are called {id_!r}")
        return self

    def by_id(self) -> dict[str, StoredCase]:
        """The cases by their ids."""
        return {case.id: case for case in self.cases}

    def measure(self) -> dict[str, str]:
        """What the cases were judged by."""
        return {name: getattr(self, name) for name in ("profile", "tier", "policy_hash", "scorer_hash")}

    def differences(self, measure: Mapping[str, str]) -> list[str]:
        """In what another `measure` is not that of this baseline, a sentence fragment each."""
        named = (("profile", "profile"), ("policy_hash", "policy"), ("scorer_hash", "scorer"))
        return [
            f"{word} {getattr(self, field)} is now {measure[field]}"
            for field, word in named
            if getattr(self, field) != measure[field]
        ]

    def to_json(self) -> str:
        """The file's text: sorted keys, a field a line, so that a diff shows what changed."""
        cases = [case.model_dump(exclude_defaults=True) for case in self.cases]
        fields = {**self.model_dump(exclude={"cases"}), "cases": cases}
        return json.dumps(fields, ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True) + "\n"


def measure_of(assay: Assay) -> dict[str, str]:
    """What the verdicts of an engine depend on."""
    return {
        "profile": assay.profile.name,
        "tier": str(assay.tier),
        "policy_hash": assay.policy_hash,
        "scorer_hash": assay.scorer_hash,
    }


def make_baseline(
    measure: Mapping[str, str], cases: Iterable[StoredCase], *, text: bool, date: str | None = None
) -> Baseline:
    """Put judged cases together.

    Args:
        measure: What they were judged by, see `measure_of`.
        cases: The cases in any order.
        text: Whether they hold texts or hashes.
        date: ISO date and time in UTC; by default now.
    """
    return Baseline(
        format=FORMAT,
        assay=__version__,
        date=date or now(),
        text=text,
        cases=tuple(sorted(cases, key=lambda case: case.id)),
        **measure,
    )


def now() -> str:
    """The present second in UTC, as ISO 8601."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: There is none, or it is no baseline; with the file and the field.
    """
    name = os.fspath(path)
    try:
        fields = parse_row(Path(path).read_bytes())
    except FileNotFoundError as error:
        raise InputError(
            "there is no baseline; make one with: assay gate record CASES --baseline FILE", file=name
        ) from error
    except OSError as error:
        raise InputError(f"the baseline cannot be read: {error.strerror}", file=name) from error
    except ValueError as error:
        raise InputError(f"this is no baseline: {error}", file=name) from error
    if fields.get("format") != FORMAT:
        found = fields.get("format")
        what = f"a baseline has format {FORMAT}, this one has {found!r}" if found else "this is no baseline"
        raise InputError(f"{what}; this version of assay did not write it", file=name, field="format")
    try:
        return Baseline.model_validate(fields)
    except ValidationError as error:
        raise _placed(error, fields, name) from None


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold the file while it is read and replaced; what a killed writer left beside it is removed.

    Raises:
        InputError: See `one_writer`.
    """
    with one_writer(path):
        target = Path(path).resolve()
        left = re.compile(re.escape(f".{target.name[:80]}.") + r"[0-9a-f]{8}\.tmp")
        for other in target.parent.iterdir():
            if left.fullmatch(other.name):
                other.unlink(missing_ok=True)
        yield


def write_baseline(path: str | os.PathLike[str], baseline: Baseline) -> None:
    """Replace the file in one step; call it within `writing`.

    Raises:
        InputError: It cannot be written.
    """
    atomic_write(path, baseline.to_json())


def _placed(error: ValidationError, fields: dict[str, object], name: str) -> InputError:
    """The first mistake, with the field's path and the id of the case that it stands in."""
    first = error.errors(include_url=False)[0]
    field, case = "", ""
    for part in first["loc"]:
        field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else str(part)
    if len(first["loc"]) > 1 and first["loc"][0] == "cases" and isinstance(first["loc"][1], int):
        cases = fields.get("cases")
        entry = cases[first["loc"][1]] if isinstance(cases, list) else None
        case = f" (case {str(entry.get('id'))[:80]!r})" if isinstance(entry, dict) else ""
    message = first["msg"].removeprefix("Value error, ")
    return InputError(f"{message[:1].lower()}{message[1:]}{case}", file=name, field=field or None)
