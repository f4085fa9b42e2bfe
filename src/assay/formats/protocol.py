"""What a row format is: the names of its fields, and how a row of it becomes a sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from assay.errors import InputError
from assay.sample import Passage, Sample


@runtime_checkable
class RowFormat(Protocol):
    """A format of rows. Another package adds one under the entry-point group ``assay.formats``.

    Attributes:
        name: The name that ``--format`` takes.
        needs: Sets of field names; a row that has all of one set is taken for this format.
        structured: Fields that hold lists or objects: in a table their cells are read as JSON.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - above
    @property
    def needs(self) -> Sequence[frozenset[str]]: ...  # noqa: D102
    @property
    def structured(self) -> frozenset[str]: ...  # noqa: D102

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row.

        Raises:
            InputError: The row lacks a field or has one of the wrong type; ``field`` names it.
        """
        ...


@runtime_checkable
class FileBound(Protocol):
    """A format that looks at the file before its rows are read: a second file beside it, a first row."""

    def for_file(self, path: Path | None, first: Mapping[str, object]) -> RowFormat:
        """The format for the rows of ``path`` (None: standard input), of which ``first`` is the first.

        Raises:
            InputError: What the rows need is not there.
        """
        ...


ID_FIELDS = ("id", "query_id", "sample_id", "question_id", "qid", "_id")
"""Where formats keep a row's id, in order of preference."""
TEXT_KEYS = ("text", "content", "context", "page_content")
"""Where tools keep the text of a passage that is an object."""


def row_id(row: Mapping[str, object]) -> str | None:
    """The row's own id as text, if it has one."""
    for name in ID_FIELDS:
        value = row.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # a table turns a column of numbers with a gap into floats
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return None


def text_of(row: Mapping[str, object], field: str) -> str:
    """A field that must be text.

    Raises:
        InputError: It is absent or of another type.
    """
    if field not in row:
        raise InputError(f"the row has no {field!r}", field=field)
    value = row[field]
    if not isinstance(value, str):
        raise InputError(f"expected text, got {_kind(value)}", field=field)
    return value


def passages_of(value: object, field: str) -> tuple[Passage, ...]:
    """Passages as other tools write them: null, text, or a list of texts and objects with a text.

    Raises:
        InputError: It is none of these; ``field`` names the item.
    """
    if value is None or value == "":
        return ()
    items: Sequence[object] = value if isinstance(value, list | tuple) else [value]
    return tuple(_passage(item, f"{field}[{i}]") for i, item in enumerate(items))


def _passage(item: object, field: str) -> Passage:
    if isinstance(item, str):
        return Passage(item)
    if not isinstance(item, Mapping):
        raise InputError(f"expected text or a passage, got {_kind(item)}", field=field)
    key = next((key for key in TEXT_KEYS if key in item), None)
    if key is None:
        raise InputError(f"the passage has none of {', '.join(TEXT_KEYS)}", field=field)
    title = item.get("title") or item.get("source")
    return Passage(
        text=text_of({f"{field}.{key}": item[key]}, f"{field}.{key}"),
        title=title if isinstance(title, str) else None,
        id=row_id({"id": item.get("id", item.get("doc_id"))}),
    )


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__
