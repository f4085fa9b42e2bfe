"""What a file is taken for, when its name does not say it or says it wrongly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.formats.container import container_of
from assay.formats.files import MAX_HEAD_BYTES, open_source
from assay.formats.rows import read_rows

Put = Callable[..., Path]
ROW = '{"context": "c", "response": "r"}'
LONG = json.dumps({"context": "é" * MAX_HEAD_BYTES, "response": "}"}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.jsonl", ROW, "jsonl"),
        ("a.NDJSON", ROW, "jsonl"),
        ("a.jsonl", f"[\n{ROW}\n]", "json"),
        ("a.jsonl", '{\n "context": "c",\n "response": "r"\n}', "json"),
        ("a.jsonl", f"[{ROW}]", "jsonl"),
        ("a.json", f"[{ROW}]", "json"),
        ("a.json", f"{ROW}\n{ROW}", "jsonl"),
        ("a.json", ROW, "jsonl"),
        ("a.json", '{"broken: 1}\n' + ROW, "jsonl"),
        ("a.json", f'{{"data": [{ROW}]}}', "json"),
        ("a.json", f'{{"anything": [{ROW}]}}', "json"),
        ("a.json", "5", "json"),
        ("a.json", LONG, "json"),
        ("rows", f"\n\n  {ROW}", "jsonl"),
        ("rows", f"[{ROW}]", "json"),
        ("a.csv", "context,response", "csv"),
        ("a.b.tsv", "context\tresponse", "csv"),
        ("rows", "PAR1", "parquet"),
        ("a.parquet", "anything", "parquet"),
    ],
)
def test_containers(put: Put, name: str, content: str, kind: str) -> None:
    with open_source(put(name, content)) as source:
        assert container_of(source) == kind
        assert source.stream.read() == content.encode()


def test_jsonl_under_the_name_of_json_survives_a_bad_line(put: Put) -> None:
    rows = list(read_rows(put("a.json", f'{ROW}\n{{"context": \n{ROW}')))
    assert [row.error is None for row in rows] == [True, False, True]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "rows"])
def test_rows_longer_than_what_is_looked_at(put: Put, name: str) -> None:
    rows = list(read_rows(put(name, f"{LONG}\n{ROW}\n{LONG}")))
    assert [row.sample and len(row.sample.passages[0].text) for row in rows] == [262144, 1, 262144]


def test_a_long_first_line_that_ends_like_a_row_is_a_document(put: Put) -> None:
    wrapped = json.dumps({"data": [{"context": "c" * 90, "response": "r"}] * 5000})
    assert len(wrapped) > MAX_HEAD_BYTES
    assert sum(1 for row in read_rows(put("a.json", wrapped)) if row.sample) == 5000


def test_a_parquet_file_must_be_plain(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    with pytest.raises(InputError, match="not packed"):
        list(read_rows(put("a.parquet.gz", gzip.compress(b"PAR1"))))
