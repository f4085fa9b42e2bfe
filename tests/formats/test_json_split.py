"""Cutting JSON documents into rows: against `json` itself, across every block border, and broken ones."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.formats import json_split
from assay.formats.json_split import json_records

VALUE = st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | st.text(max_size=8)
NESTED = st.lists(VALUE, max_size=3) | st.dictionaries(st.text(max_size=4), VALUE, max_size=3)
ROW = st.dictionaries(st.text(max_size=4), VALUE | NESTED, max_size=4)


class Dripping(io.BytesIO):
    """Gives a few bytes at a time, so that every token is cut somewhere."""

    step = 1

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self.step)


def records(raw: bytes, step: int = 1 << 16) -> list[tuple[int, object, str | None]]:
    stream = Dripping(raw)
    stream.step = step
    return [(r.line, r.fields, r.trouble) for r in json_records(stream)]  # type: ignore[arg-type, misc]


@settings(deadline=None)
@given(st.lists(ROW, max_size=3), st.integers(1, 7), st.sampled_from([None, 2]), st.booleans())
def test_the_rows_are_those_that_json_reads(
    rows: list[dict[str, object]], step: int, indent: int | None, ascii_only: bool
) -> None:
    def text(value: object) -> bytes:
        return json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")

    assert [r[1] for r in records(text(rows), step)] == rows
    wrapped = {"n": 1, "note": "]}\\", "data": rows, "after": [{}]}
    assert [r[1] for r in records(text(wrapped), step)] == rows
    if all(len(row) > 1 and not json_split.WRAPPERS.intersection(row) for row in rows):
        assert [r[1] for r in records(b"\n".join(map(text, rows)), step)] == rows


@pytest.mark.parametrize("step", [1, 2, 3, 1 << 16])
def test_lines(step: int) -> None:
    raw = b'\n[\n{"a": 1,\n "b": "x"},\n\n{"c": [\n]}, 5]'
    assert records(raw, step) == [
        (3, {"a": 1, "b": "x"}, None),
        (6, {"c": []}, None),
        (7, None, "a row is a JSON object, not a number"),
    ]


@pytest.mark.parametrize(
    ("raw", "rows"),
    [
        (b'{"evaluations": [{"a": 1}, {"a": 2}]}', [{"a": 1}, {"a": 2}]),
        (b'{"contexts": ["a", "b"]}', [{"contexts": ["a", "b"]}]),
        (b'{"docs": [{"text": "a"}], "q": 1}', [{"docs": [{"text": "a"}], "q": 1}]),
        (b'{"data": {"a": 1}}', [{"data": {"a": 1}}]),
        (b'{"data": [{"a": 1}], "results": [{"b": 1}]}', [{"a": 1}]),
        (b'{"a": 1} {"a": 2}\n[{"a": 3}]', [{"a": 1}, {"a": 2}, {"a": 3}]),
        (b"{}", [{}]),
        (b"[{},]", [{}]),
        (b"[]", []),
    ],
)
def test_what_counts_as_rows(raw: bytes, rows: list[object]) -> None:
    assert [r[1] for r in records(raw, 1)] == [r[1] for r in records(raw)] == rows


@pytest.mark.parametrize(
    ("raw", "good", "says"),
    [
        (b'[{"a": 1}, {"a": ', 1, "ends in the middle"),
        (b'[{"a": 1}, {"a": "x\\', 1, "ends in the middle"),
        (b'[{"a": 1}', 1, "ends in the middle"),
        (b'[{"a": 1},', 1, "ends in the middle"),
        (b'{"data": [{"a": 1}', 1, "ends in the middle"),
        (b'{"data": [{"a": 1}]', 1, "ends in the middle"),
        (b'{"data"', 0, "ends in the middle"),
        (b'{"a": 1', 0, "ends in the middle"),
        (b'[{"a": 1} {"a": 2}]', 1, "',' or ']' is missing"),
        (b'{"data" [{"a": 1}]}', 0, "':' is missing"),
        (b'{"data": [{"a": 1}] "b": 2}', 1, "',' or '}' is missing"),
        (b'[{"a": 1}]]', 1, "']' is out of place"),
        (b'[{"a": 1}, {"b": 2]}, {"c": 3}]', 2, "is missing after a row"),
        (b'[{"a": 1},:]', 1, "':' is out of place"),
    ],
)
def test_a_broken_document_gives_what_it_has_and_one_error(raw: bytes, good: int, says: str) -> None:
    for step in (1, 1 << 16):
        got = records(raw, step)
        assert len(got) == good + 1
        assert got[0][2] is None or good == 0
        assert says in str(got[-1][2])


def test_a_row_that_is_not_json_does_not_stop_the_others() -> None:
    raw = b'[{"a": 1}, {"a": NaN}, {a: 1}, {"a" 1}, "\xff", {"b": "\xff"}, {"a": 2}]'
    got = records(raw, 1)
    assert [r[2] is None for r in got] == [True] + [False] * 5 + [True]


def test_too_large_rows_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_split, "MAX_ROW_BYTES", 20)
    monkeypatch.setattr(json_split._Scanner.value, "__defaults__", (20,))
    raw = b'[{"a": 1}, {"a": "0123456789012345"}, {"a": [[[[[[[]]]]]]], "b": 1}, {"a": 2}]'
    for step in (1, 5, 1 << 16):
        assert [r[2] is None for r in records(raw, step)] == [True, False, False, True]
    assert "larger" in str(records(b'{"a": "0123456789012345", "b": 1}')[0][2])
    assert "larger" in str(records(b'{"a": "0123456789", "b": "012345"}')[0][2])
