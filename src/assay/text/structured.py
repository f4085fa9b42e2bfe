"""A JSON document inside a passage, read as statements: ``"Parking": false`` becomes ``Parking: no``.

Every value keeps its place in the text as given, so that evidence can point at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)'
    r"|(?P<word>true|false|null|None|True|False)|(?P<sign>[\[\]{}:,]))"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": " ", "b": " ", "f": " "}
_HOURS = re.compile(r"(\d{1,2}):(\d{1,2})\s*[-–]\s*(\d{1,2}):(\d{1,2})")
_WORDS = {"true": "yes", "false": "no", "null": "not given", "none": "not given"}
_DEEPEST = 64
PROSE_VALUE = 100
"""A string value longer than this is read as prose of its own."""


@dataclass(frozen=True, slots=True)
class Value:
    """A leaf of a document: the names that lead to it, its text as read, and where it stands.

    ``exact`` says that the text stands in the source letter for letter (a string without escapes).
    """

    path: tuple[str, ...]
    text: str
    start: int
    end: int
    exact: bool


@dataclass(slots=True)
class _Level:
    kind: str
    name: str
    key: str = ""
    count: int = 0
    wants_value: bool = field(default=False)


def json_values(text: str) -> list[Value] | None:
    """The leaves of a text that is one JSON object or list (also as Python prints it), else None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return list(_leaves(text))
    except ValueError:
        return None


def _leaves(text: str) -> Iterator[Value]:
    levels: list[_Level] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or (not levels and position > 0):
            raise ValueError("this is no JSON")
        position = match.end()
        if sign := match["sign"]:
            _step(levels, sign)
            continue
        level = levels[-1] if levels else None
        if level is None:
            raise ValueError("a lone value is no document")
        if level.kind == "{" and not level.wants_value:
            if match["string"] is None:
                raise ValueError("a key is a string")
            level.key = readable_key(_unescaped(match["string"][1:-1]))
            continue
        yield _leaf(levels, match)
    if levels:
        raise ValueError("the document is cut")


def _step(levels: list[_Level], sign: str) -> None:
    if sign in "{[":
        if len(levels) >= _DEEPEST:
            raise ValueError("the document is nested too deeply")
        name = ""
        if levels:
            parent = levels[-1]
            if parent.kind == "[":
                parent.count += 1
            name = parent.key if parent.kind == "{" else f"{parent.name} {parent.count}".strip()
        levels.append(_Level(sign, name))
    elif sign in "}]":
        if not levels or levels.pop().kind != {"}": "{", "]": "["}[sign]:
            raise ValueError("brackets do not match")
        if levels:
            levels[-1].wants_value = False
    elif not levels:
        raise ValueError("a sign outside of brackets")
    else:
        levels[-1].wants_value = sign == ":"


def _leaf(levels: list[_Level], match: re.Match[str]) -> Value:
    level = levels[-1]
    level.wants_value = False
    names = [part.name for part in levels if part.name]
    if level.kind == "{":
        names.append(level.key)
    start, end = match.span(match.lastgroup or 0)
    if match["string"] is not None:
        start, end = start + 1, end - 1
        written = match.string[start:end]
        read = _HOURS.sub(_hours, _unescaped(written))
        return Value(tuple(names), read, start, end, read == written)
    written = match["number"] or match["word"]
    read = _WORDS.get(written.lower(), written)
    return Value(tuple(names), read, start, end, read == written)


def readable_key(key: str) -> str:
    """``RestaurantsGoodForGroups`` and ``review_date`` as words."""
    return " ".join(_CAMEL.sub(" ", key).replace("_", " ").split())[:80]


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text

    def plain(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) == 5 else _PLAIN.get(code, code)

    return _ESCAPE.sub(plain, text)


def _hours(match: re.Match[str]) -> str:
    """``11:0-17:30`` as a person says it: 11 am to 5:30 pm."""
    hours = [int(match[1]), int(match[3])]
    minutes = [int(match[2]), int(match[4])]
    if max(hours) > 24 or max(minutes) > 59:
        return match[0]
    return " to ".join(_clock(hour, minute) for hour, minute in zip(hours, minutes, strict=True))


def _clock(hour: int, minute: int) -> str:
    half = "am" if hour % 24 < 12 else "pm"
    past = f":{minute:02d}" if minute else ""
    return f"{(hour - 1) % 12 + 1}{past} {half}"
