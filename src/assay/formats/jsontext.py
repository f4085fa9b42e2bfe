"""JSON text in and out: strict about numbers, unbothered by any string."""

from __future__ import annotations

import json
import re
from typing import NoReturn

_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_row(raw: bytes) -> dict[str, object]:
    """Read one JSON object.

    Raises:
        ValueError: It is no JSON object in UTF-8; the message is a sentence for the user.
    """
    value = parse_value(raw)
    if not isinstance(value, dict):
        raise ValueError(f"a row is a JSON object, not {_KINDS.get(type(value), 'a number')}")
    return value


def parse_value(raw: bytes) -> object:
    """Read one JSON value.

    Raises:
        ValueError: As for `parse_row`.
    """
    try:
        value: object = _DECODER.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte 0x{raw[error.start]:02x} at position {error.start + 1}") from error
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if error.lineno == 1 else f"its line {error.lineno}"
        raise ValueError(f"not valid JSON: {error.msg} ({place})") from error
    except RecursionError as error:
        raise ValueError("the JSON is nested too deep to be read") from error
    return value


def to_json(value: object) -> str:
    """Write a value as one line of JSON that is always valid UTF-8.

    Keys keep their order. A lone surrogate, which UTF-8 cannot carry, is written as its escape.

    Raises:
        ValueError: A number is NaN or infinite.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # Surrogates can only stand inside JSON strings, where their escape means the same.
    return text if text.isascii() else _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value; write null for an unknown number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_KINDS: dict[type, str] = {list: "an array", str: "a string", bool: "true or false", type(None): "null"}
