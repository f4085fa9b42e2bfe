from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.formats.rows import read_rows

RESTAURANT = {"name": "Café", "hours": {"Monday": "11:0-21:0"}}
SOURCES = [
    {"source_id": "1", "task_type": "QA", "source_info": {"question": "Q?", "passages": "passage 1:c"}},
    {"source_id": "2", "task_type": "Summary", "source_info": "A long text."},
    {"source_id": "3", "task_type": "Data2txt", "source_info": RESTAURANT},
]
SPAN = {"start": 0, "end": 1, "text": "R", "label_type": "Evident Conflict"}
ANSWERS = [
    {"id": "10", "source_id": "1", "labels": [], "response": "R", "quality": "good"},
    {"id": "11", "source_id": 2, "labels": [SPAN], "response": "S"},
    {"id": "12", "source_id": "3", "labels": [], "response": "T"},
    {"id": "13", "source_id": "9", "labels": [], "response": "U"},
    {"id": "14", "source_id": "1", "labels": "x", "response": "V"},
]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_responses_are_joined_with_their_sources(tmp_path: Path) -> None:
    write(tmp_path / "source_info.jsonl", SOURCES)
    rows = list(read_rows(write(tmp_path / "response.jsonl", ANSWERS)))
    qa, summary, data, lost, odd = rows
    assert qa.sample
    assert summary.sample
    assert data.sample
    assert [s.query for s in (qa.sample, summary.sample, data.sample)] == ["Q?", "", ""]
    assert [s.label for s in (qa.sample, summary.sample, data.sample)] == [1, 0, 1]
    assert qa.sample.passages[0].text == "passage 1:c"
    assert summary.sample.passages[0].text == "A long text."
    assert json.loads(data.sample.passages[0].text) == RESTAURANT
    assert "Café" in data.sample.passages[0].text
    assert lost.error is not None
    assert (lost.error.field, lost.error.line) == ("source_id", 4)
    assert odd.error is not None
    assert odd.error.field == "labels"


def test_without_sources(tmp_path: Path) -> None:
    path = write(tmp_path / "response.jsonl", ANSWERS)
    with pytest.raises(InputError, match=r"put source_info\.jsonl into the same folder") as caught:
        list(read_rows(path))
    assert caught.value.file == str(path)


def test_broken_sources(tmp_path: Path) -> None:
    path = write(tmp_path / "response.jsonl", ANSWERS)
    write(tmp_path / "source_info.jsonl", [*SOURCES, {"source_id": "4"}])
    with pytest.raises(InputError, match=r"source_info\.jsonl:4: .*'source_id' and 'source_info'"):
        list(read_rows(path))


def test_rows_that_carry_their_source(tmp_path: Path) -> None:
    joined = [
        {**ANSWERS[0], **SOURCES[2]},
        {"response": "R", "source_info": "text"},
        {"response": "R", "source_info": 4},
    ]
    first, second, third = read_rows(write(tmp_path / "a.jsonl", joined))
    assert first.sample
    assert json.loads(first.sample.passages[0].text) == RESTAURANT
    assert second.sample
    assert second.sample.label is None
    assert third.error is not None
