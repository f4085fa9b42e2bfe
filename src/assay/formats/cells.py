"""Cells of tables: lists written as text, empty cells, and the NaN that stands for an empty one."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping

from assay.formats.protocol import TEXT_KEYS, RowFormat

MAX_LITERAL_CHARS = 4_000_000
"""Longest cell that is tried as a Python list; a longer one is read as one text."""
_OBJECT_KEYS = frozenset({*TEXT_KEYS, "passages"})
_LITERAL = re.compile(r"'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\"")
_TEXTS = re.compile(rf"\[\s*+(?:(?:{_LITERAL.pattern})(?:\s*+,\s*+|\s++|(?=\])))*+\]")


def tidy(row: Mapping[str, object], form: RowFormat, keys: frozenset[str] = frozenset()) -> dict[str, object]:
    """A table's row with its cells as the format wants them.

    An empty cell is the empty text where the format needs the column, and absent elsewhere. A cell of a
    structured column that holds a JSON or Python list of texts or passages becomes that list.

    Args:
        row: The row as the table has it.
        form: The format it is read as.
        keys: Names that tell an object of a list from mere text, besides those of passages.
    """
    needed = frozenset[str]().union(*form.needs)
    tidied: dict[str, object] = {}
    for name, cell in row.items():
        if isinstance(cell, float) and cell != cell:
            cell = None  # pandas writes a missing value as NaN
        if name not in needed and (cell is None or cell == ""):
            continue
        if name in form.structured and isinstance(cell, str):
            cell = read_list(cell, keys | _OBJECT_KEYS)
        tidied[name] = cell
    return tidied


def read_list(cell: str, keys: frozenset[str] = _OBJECT_KEYS) -> object:
    """The list (or object) that a cell holds, or the cell itself if it is mere text.

    Text such as ``[1]`` or a JSON record is evidence in its own right, so only lists of texts and
    objects with one of ``keys`` count.
    """
    text = cell.strip()
    if text[:1] + text[-1:] not in ("[]", "{}"):
        return cell
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = _python_list(text)
    if isinstance(value, list):
        known = all(isinstance(item, str) or _is_object(item, keys) for item in value)
    else:
        known = _is_object(value, keys)
    return value if known else cell


def _is_object(item: object, keys: frozenset[str]) -> bool:
    return isinstance(item, dict) and not keys.isdisjoint(item)


def _python_list(text: str) -> object:
    """What ``str(list)`` and ``str(numpy.array)`` wrote, or None."""
    if len(text) > MAX_LITERAL_CHARS:
        return None
    try:
        if _TEXTS.fullmatch(text):
            # One by one: numpy writes no commas, and Python would join such neighbours into one text.
            return [ast.literal_eval(found[0]) for found in _LITERAL.finditer(text)]
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value
