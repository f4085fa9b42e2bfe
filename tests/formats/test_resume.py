from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.formats.resume import finished_rows, repair_tail
from assay.formats.writers import open_writer

Put = Callable[..., Path]
LINE = b'{"id": "a", "decision": "ACCEPT", "scores": {}, "meta": {"passed": true}}\n'


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 3 * len(LINE)))
def test_a_file_cut_anywhere_is_repaired_and_can_be_continued(put: Put, length: int) -> None:
    path = put("out.jsonl", (LINE * 3)[:length])
    complete = length // len(LINE)
    whole_without_end = length % len(LINE) == len(LINE) - 1
    assert repair_tail(path) == complete + whole_without_end
    with open_writer(path, append=True) as writer:
        writer.write({"id": "z"})
    assert path.read_bytes() == LINE * (complete + whole_without_end) + b'{"id": "z"}\n'


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (b"", b""),
        (LINE + b'{"id": \n', LINE),
        (LINE + b"\0" * 50, LINE),
        (LINE + b'{"id": "\0\0\0', LINE),
        (LINE + b'{"id": "\xf0\x9f', LINE),
        (LINE + b"\n", LINE + b"\n"),
        (LINE.replace(b"\n", b"\r\n"), LINE.replace(b"\n", b"\r\n")),
    ],
)
def test_tails(put: Put, content: bytes, left: bytes) -> None:
    path = put("out.jsonl", content)
    assert repair_tail(path) == left.count(b'{"id')
    assert path.read_bytes() == left


@pytest.mark.parametrize(
    "content",
    [b"my notes", b"my notes\n", b"a,b\n1,2\n", b"[\n" + LINE + b"]\n", LINE + b"junk\n" + LINE,
     LINE + b"junk", LINE + b'{"cut": \n' + LINE, b'{\n "pretty": 1\n}\n'],
)  # fmt: skip
def test_a_file_that_is_no_result_is_not_touched(put: Put, content: bytes) -> None:
    path = put("out.jsonl", content)
    with pytest.raises(InputError, match="only the results of an earlier run"):
        repair_tail(path)
    assert path.read_bytes() == content


def test_finished_rows(put: Put, tmp_path: Path) -> None:
    error = b'{"id": "b", "decision": "REVIEW", "meta": {}, "error": {"type": "T", "message": "m"}}\n'
    path = put("out.jsonl", LINE + b"\n" + error)
    assert list(finished_rows(path)) == [
        {"id": "a", "decision": "ACCEPT", "meta": {"passed": True}, "error": None},
        {"id": "b", "decision": "REVIEW", "meta": {}, "error": {"type": "T", "message": "m"}},
    ]
    with pytest.raises(InputError, match=r"out\.jsonl:2: not valid JSON"):
        list(finished_rows(put("out.jsonl", LINE + b"{")))
    assert list(finished_rows(tmp_path / "none.jsonl")) == []
    assert repair_tail(tmp_path / "none.jsonl") == 0
