"""``--map response=answer_text``: rows of any make, read by the columns that the user names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from assay.errors import InputError
from assay.formats.assay_rows import FORMAT
from assay.sample import Sample

TARGETS = ("id", "query", "context", "response", "history", "conversation", "label")
"""Fields that a column can be mapped to."""
_ABSENT = object()


def parse_mapping(pairs: Iterable[str]) -> dict[str, str]:
    """Read ``target=column`` pairs; the column may be a dotted path (``docs.text``).

    Raises:
        InputError: A pair has no ``=``, an unknown target, no column, or a target named twice.
    """
    mapping: dict[str, str] = {}
    for pair in pairs:
        target, equals, source = pair.partition("=")
        if not equals:
            raise InputError(f"expected FIELD=COLUMN, for example response=answer_text, got {pair!r}")
        if target.strip() in mapping:
            raise InputError(f"the field {target.strip()!r} is mapped twice")
        mapping[target.strip()] = source.strip()
    check_mapping(mapping)
    return mapping


def check_mapping(mapping: Mapping[str, str]) -> None:
    """Refuse unknown targets and empty columns.

    Raises:
        InputError: There is one.
    """
    for target, source in mapping.items():
        if target not in TARGETS:
            raise InputError(f"no field is called {target!r}; a column can be mapped to {', '.join(TARGETS)}")
        if not source:
            raise InputError(f"no column is named for the field {target!r}")


class Mapped:
    """Assay's own format with some of its fields taken from other columns.

    Args:
        mapping: Target field to source column or dotted path; a list on the path gives a list.
    """

    name = "assay"

    def __init__(self, mapping: Mapping[str, str]) -> None:
        check_mapping(mapping)
        self._mapping = dict(mapping)
        named = {target: mapping.get(target, target) for target in TARGETS}
        self.needs = (frozenset({named["context"], named["response"]}),)
        nested = {source.partition(".")[0] for source in mapping.values() if "." in source}
        self.structured = frozenset({named["context"], named["history"], *nested} - {named["response"]})
        self.keys = frozenset(part for source in mapping.values() for part in source.split(".")[1:])

    def for_file(self, path: Path | None, first: Mapping[str, object]) -> Mapped:
        """Compare the mapping with the first row.

        Raises:
            InputError: The row lacks a mapped column, or there is no context or response.
        """
        columns = ", ".join(sorted(map(str, first)))[:400]
        for target, source in self._mapping.items():
            if _walk(first, source) is _ABSENT:
                raise InputError(
                    f"the field {target!r} is mapped to {source!r}, which the rows do not have; "
                    f"they have {columns}"
                )
        for target in ("context", "response"):
            if target not in self._mapping and target not in first:
                raise InputError(
                    f"the rows have no {target!r}; name its column with --map {target}=COLUMN "
                    f"(they have {columns})"
                )
        return self

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row."""
        picked = {target: row[target] for target in TARGETS if target in row}
        for target, source in self._mapping.items():
            value = _walk(row, source)
            if value is _ABSENT:
                picked.pop(target, None)
            else:
                picked[target] = value
        return FORMAT.to_sample(picked)


def _walk(value: object, path: str) -> object:
    """Follow a dotted path; a name that itself has dots goes first, and a list is followed item by item."""
    if isinstance(value, list):
        found = [_walk(item, path) for item in value]
        return _ABSENT if _ABSENT in found else found
    if not isinstance(value, Mapping):
        return _ABSENT
    if path in value:
        return value[path]
    name, dot, rest = path.partition(".")
    return _walk(value[name], rest) if dot and name in value else _ABSENT
