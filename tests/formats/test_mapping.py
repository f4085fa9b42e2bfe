from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.formats.mapping import parse_mapping
from assay.formats.rows import read_rows

Put = Callable[..., Path]
ROW = {
    "uid": 3,
    "frage": "Q?",
    "out": {"text": "R", "n.b": "dotted"},
    "docs": [{"body": "a", "meta": {"t": "T"}}, {"body": "b"}],
}
MAPPING = {"id": "uid", "query": "frage", "context": "docs.body", "response": "out.text"}


def test_parse() -> None:
    assert parse_mapping(["response=answer_text", " context = docs.text "]) == {
        "response": "answer_text",
        "context": "docs.text",
    }
    assert parse_mapping(["response=a=b"]) == {"response": "a=b"}
    assert parse_mapping([]) == {}


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        (["response"], "expected FIELD=COLUMN"),
        (["answer=x"], "no field is called 'answer'; .*query, context, response"),
        (["response="], "no column is named"),
        (["query=a", "query=b"], "mapped twice"),
    ],
)
def test_parse_refuses(pairs: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_mapping(pairs)


def test_dotted_paths(put: Put) -> None:
    (row,) = read_rows(put("a.jsonl", json.dumps(ROW)), mapping=MAPPING)
    assert row.sample is not None
    assert (row.id, row.sample.query, row.sample.response) == ("3", "Q?", "R")
    assert [p.text for p in row.sample.passages] == ["a", "b"]
    (row,) = read_rows(put("a.jsonl", json.dumps(ROW)), mapping={**MAPPING, "response": "out.n.b"})
    assert row.sample is not None
    assert row.sample.response == "dotted"


def test_dotted_paths_in_a_table(put: Put) -> None:
    docs = json.dumps(ROW["docs"]).replace('"', '""')
    path = put("a.csv", f'frage,docs,out.text\nQ?,"{docs}",R\n')
    (row,) = read_rows(path, mapping={**MAPPING, "id": "frage"})
    assert row.sample is not None
    assert [p.text for p in row.sample.passages] == ["a", "b"]
    assert row.sample.response == "R"


def test_mapping_goes_before_recognition_and_keeps_the_other_fields(put: Put) -> None:
    text = '{"context": "c", "response": "draft", "final": "R", "query": "q"}'
    (row,) = read_rows(put("a.jsonl", text), mapping={"response": "final"})
    assert row.sample is not None
    assert (row.sample.response, row.sample.query, row.sample.passages[0].text) == ("R", "q", "c")


@pytest.mark.parametrize(
    ("mapping", "says"),
    [
        ({"response": "nope"}, "mapped to 'nope', which the rows do not have; they have docs, frage"),
        ({**MAPPING, "context": "docs.nope"}, "'docs.nope'"),
        ({"response": "out.text"}, "no 'context'; name its column with --map context=COLUMN"),
        ({"context": "docs.body"}, "no 'response'"),
        ({"answer": "x"}, "no field is called 'answer'"),
    ],
)
def test_a_mapping_that_fits_no_row_is_refused(put: Put, mapping: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        list(read_rows(put("a.jsonl", json.dumps(ROW)), mapping=mapping))


def test_a_mapping_that_fits_only_some_rows(put: Put) -> None:
    rows = list(read_rows(put("a.jsonl", json.dumps(ROW) + '\n{"uid": 4, "docs": "x"}'), mapping=MAPPING))
    assert rows[0].sample is not None
    assert rows[1].error is not None


def test_a_mapping_with_another_format_is_refused(put: Put) -> None:
    with pytest.raises(InputError, match="cannot be used with --format ragas"):
        list(read_rows(put("a.jsonl", json.dumps(ROW)), mapping=MAPPING, format="ragas"))
