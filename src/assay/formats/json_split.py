"""Cuts a JSON document into its rows without holding it: memory is bounded by the largest row.

Only strings and brackets are looked at here; each row's own text is then parsed by `json`. So a row
that is not valid, too deep or too large is one bad row, and the rows after it are still read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BufferedReader

from assay.formats.files import MAX_ROW_BYTES
from assay.formats.jsontext import parse_row, parse_value
from assay.formats.record import Record

WRAPPERS = frozenset(
    {"data", "results", "rows", "samples", "examples", "items", "records", "instances", "goldens"}
) | {"test_cases", "testCases"}
"""Names under which other tools keep their rows: ``{"data": [...]}``."""

_BLOCK = 1 << 16
_SPACE = re.compile(rb"[ \t\r\n]*+")
_TEXT = re.compile(rb"(?:[^\"\\]++|\\.)*+", re.DOTALL)
_PLAIN = re.compile(rb"(?:[^\"{}\[\]]++|\"(?:[^\"\\]++|\\.)*+\")*+", re.DOTALL)
_SCALAR = re.compile(rb"[^\s\"{}\[\],:]*+")


class _BrokenError(Exception):
    """The document's own structure is wrong from here on."""


def json_records(stream: BufferedReader) -> Iterator[Record]:
    """The rows of an array, of an object that holds one, or of objects one after another."""
    scanner = _Scanner(stream)
    number = 0
    try:
        for number, (line, raw) in enumerate(_rows(scanner), start=1):
            yield _record(number, line, raw)
    except _BrokenError as broken:
        message = f"the JSON breaks here: {broken}; what follows was not read"
        yield Record(number + 1, scanner.line, trouble=message)


def _record(number: int, line: int, raw: bytes | None) -> Record:
    if raw is None:
        return Record(number, line, trouble=f"the row is larger than {MAX_ROW_BYTES >> 20} MiB")
    try:
        return Record(number, line, parse_row(raw))
    except ValueError as error:
        return Record(number, line, trouble=str(error))


def _rows(scanner: _Scanner) -> Iterator[tuple[int, bytes | None]]:
    while byte := scanner.peek():
        if byte == b"[":
            yield from _array(scanner)
        elif byte == b"{":
            yield from _object(scanner)
        else:
            yield scanner.line, scanner.value()


def _array(scanner: _Scanner) -> Iterator[tuple[int, bytes | None]]:
    scanner.skip()
    while scanner.peek() != b"]":
        yield scanner.line, scanner.value()
        if scanner.peek() == b",":
            scanner.skip()
        elif scanner.peek() != b"]":
            raise _BrokenError("',' or ']' is missing after a row" if scanner.peek() else _CUT)
    scanner.skip()


def _object(scanner: _Scanner) -> Iterator[tuple[int, bytes | None]]:
    """The rows that the object wraps, or the object itself as a row."""
    line, members, found = scanner.line, bytearray(b"{"), False
    scanner.skip()
    while scanner.peek() != b"}":
        key = scanner.value() or b""
        if scanner.peek() != b":":
            raise _BrokenError("':' is missing after a name" if scanner.peek() else _CUT)
        scanner.skip()
        if not found and scanner.peek() == b"[" and key[1:-1].decode("utf-8", "replace") in WRAPPERS:
            found = True
            yield from _array(scanner)
        else:
            members += key + b":" + (scanner.value(MAX_ROW_BYTES - len(members)) or _TOO_LARGE)
        if scanner.peek() == b",":
            scanner.skip()
            members += b"," * (not found)
        elif scanner.peek() != b"}":
            raise _BrokenError("',' or '}' is missing" if scanner.peek() else _CUT)
        if found:
            members.clear()
    scanner.skip()
    if not found:
        whole = bytes(members + b"}")
        yield from _unwrapped(line, None if _TOO_LARGE in whole else whole)


def _unwrapped(line: int, raw: bytes | None) -> Iterator[tuple[int, bytes | None]]:
    """An object with one member that is a list of objects holds rows, whatever the member is called."""
    try:
        value = parse_value(raw or b"")
    except ValueError:
        value = None
    inner = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else None
    if raw and isinstance(inner, list) and inner and all(isinstance(item, dict) for item in inner):
        start = _PLAIN.match(raw, 1)
        rows = _Scanner(None, raw[start.end() if start else 0 :], line)
        yield from _array(rows)
    else:
        yield line, raw


class _Scanner:
    """A position in the document: the next byte that matters, and whole values from there on."""

    def __init__(self, stream: BufferedReader | None, start: bytes = b"", line: int = 1) -> None:
        self._stream = stream
        self._buffer = start
        self._at = 0
        self._kept = bytearray()
        self._room = -1
        self.line = line

    def peek(self) -> bytes:
        """The next byte that is not blank, or nothing at the end."""
        while True:
            self._move(_SPACE)
            if self._at < len(self._buffer):
                return self._buffer[self._at : self._at + 1]
            if not self._fill():
                return b""

    def skip(self) -> None:
        """Step over the byte that `peek` showed."""
        self._at += 1

    def value(self, room: int = MAX_ROW_BYTES) -> bytes | None:
        """The text of the value that starts here, or None if it is larger than ``room``."""
        byte = self.peek()
        self._kept, self._room = bytearray(), room
        if byte == b'"':
            self._string()
        elif byte in (b"{", b"["):
            self._brackets()
        else:
            self._scalar(byte)
        kept, room = bytes(self._kept), self._room
        self._kept, self._room = bytearray(), -1
        return None if room < 0 else kept

    def _brackets(self) -> None:
        depth = 0
        while True:
            self._move(_PLAIN)
            if self._at == len(self._buffer):
                self._need()
            elif self._buffer[self._at] == _QUOTE:
                self._string()
            else:
                depth += 1 if self._buffer[self._at] in b"{[" else -1
                self._take(self._at + 1)
                if depth == 0:
                    return

    def _string(self) -> None:
        self._take(self._at + 1)
        while True:
            self._move(_TEXT)
            if self._at < len(self._buffer) and self._buffer[self._at] == _QUOTE:
                self._take(self._at + 1)
                return
            self._need()

    def _scalar(self, byte: bytes) -> None:
        while self._move(_SCALAR) and self._at == len(self._buffer) and self._fill():
            pass
        if not self._kept and self._room >= 0:
            raise _BrokenError(f"{byte.decode('latin-1')!r} is out of place" if byte else _CUT)

    def _move(self, pattern: re.Pattern[bytes]) -> bool:
        found = pattern.match(self._buffer, self._at)
        if found and found.end() > self._at:
            self._take(found.end())
            return True
        return False

    def _take(self, end: int) -> None:
        """Go on to ``end``, keeping the bytes between while there is room for them."""
        self.line += self._buffer.count(b"\n", self._at, end)
        if self._room >= 0:
            self._room -= end - self._at
            if self._room < 0:
                self._kept.clear()
            else:
                self._kept += self._buffer[self._at : end]
        self._at = end

    def _need(self) -> None:
        if not self._fill():
            raise _BrokenError(_CUT)

    def _fill(self) -> bool:
        block = self._stream.read1(_BLOCK) if self._stream else b""
        self._buffer = self._buffer[self._at :] + block
        self._at = 0
        return bool(block)


_CUT = "the file ends in the middle of it"
_QUOTE = ord('"')
_TOO_LARGE = b"\x00too large\x00"  # never part of JSON text: it has raw control characters
