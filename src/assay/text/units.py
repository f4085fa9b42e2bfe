"""A passage as the pieces that a verifier reads.

Sentences, list items, table rows with their column names, the values of JSON documents as statements.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from assay.text.blocks import scan_blocks
from assay.text.passages import LONG_PIECE, passage_spans
from assay.text.structured import PROSE_VALUE, Value, json_values

_SHORT_LINE = 400


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of a passage.

    Attributes:
        text: How it is read. For prose this is ``passage[start:end]``.
        start: Offset of its first character in the passage.
        end: Offset after its last character.
    """

    text: str
    start: int
    end: int


def reading_units(text: str) -> list[Unit]:
    """The pieces of a passage in order. Nothing that says something is left out."""
    values = json_values(text)
    if values is not None:
        return _of_json(text, values)
    if "|" in text:
        return _with_tables(text)
    return [Unit(text[start:end], start, end) for start, end in passage_spans(text)]


def _of_json(text: str, values: list[Value]) -> list[Unit]:
    units: list[Unit] = []
    for parent, group in groupby(values, key=lambda value: value.path[:-1]):
        line: list[Value] = []
        for value in group:
            if len(value.text) > PROSE_VALUE:
                units += _line(parent, line) + _prose(text, parent, value)
                line = []
            elif sum(len(held.text) + len(held.path[-1]) for held in line if held.path) > _SHORT_LINE:
                units += _line(parent, line)
                line = [value]
            else:
                line.append(value)
        units += _line(parent, line)
    return units


def _line(parent: tuple[str, ...], values: list[Value]) -> list[Unit]:
    if not values:
        return []
    stated = ", ".join(f"{value.path[-1]}: {value.text}" if value.path else value.text for value in values)
    head = f"{parent[-1]}: " if parent else ""
    return [Unit(f"{head}{stated}.", values[0].start, values[-1].end)]


def _prose(text: str, parent: tuple[str, ...], value: Value) -> list[Unit]:
    head = " ".join(name for name in (*parent[-1:], *value.path[-1:]) if name)
    if not value.exact:  # escapes shift the offsets: the whole value is the place
        pieces = [Unit(value.text[s:e], value.start, value.end) for s, e in passage_spans(value.text)]
    else:
        spans = passage_spans(text[value.start : value.end])
        pieces = [
            Unit(text[value.start + s : value.start + e], value.start + s, value.start + e) for s, e in spans
        ]
    if head and pieces:
        pieces[0] = Unit(f"{head}: {pieces[0].text}", pieces[0].start, pieces[0].end)
    return pieces


def _with_tables(text: str) -> list[Unit]:
    """Prose as ever; a table's row names its columns."""
    rows: dict[int, tuple[int, str]] = {}
    head: list[str] = []
    for block in scan_blocks(text):
        cells = [cell.strip() for cell in text[block.start : block.end].strip("| ").split("|")]
        if block.kind == "table_head":
            head = cells
        elif block.kind == "table_row" and len(cells) == len(head):
            stated = ", ".join(
                f"{name}: {cell}" if name else cell for name, cell in zip(head, cells, strict=True)
            )
            rows[block.start] = (block.end, f"{stated}.")
        elif block.kind != "table_row":
            head = []
    units = []
    for start, end in passage_spans(text):
        whole = rows.get(start)
        read = whole[1] if whole and whole[0] == end and len(whole[1]) <= 2 * LONG_PIECE else text[start:end]
        units.append(Unit(read, start, end))
    return units
