"""One record of a file, before anything is known about its format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """A record as the container gives it: its fields, or what is wrong with it.

    Attributes:
        number: 1-based number of the record; blank lines are not counted.
        line: 1-based line on which it starts, or None where the container has no lines.
        fields: The record's fields, or None if it cannot be read.
        trouble: What is wrong, one sentence, or None.
    """

    number: int
    line: int | None
    fields: Mapping[str, object] | None = None
    trouble: str | None = None
