from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.formats import cells
from assay.formats.assay_rows import FORMAT as ASSAY
from assay.formats.cells import read_list, tidy
from assay.formats.rows import read_rows


@given(st.lists(st.text()))
def test_lists_of_texts_are_read_back_however_they_were_written(texts: list[str]) -> None:
    assert read_list(str(texts)) == texts
    assert read_list(json.dumps(texts)) == texts
    assert read_list(f"  {json.dumps(texts, indent=1)}\n") == texts


def test_numpy_writes_lists_without_commas() -> None:
    texts = ["one's", 'two "2"', "three\n" + "x" * 100, "four"]
    assert read_list(str(np.array(texts, dtype=object))) == texts


@pytest.mark.parametrize(
    "cell",
    [
        "plain", "", "[", "[1]", "[1, 2]", "[see note]", "[1] A passage. [2]", '["a", 3]', "[['a']]",
        '{"name": "Pizza", "stars": 3}', '[{"name": "x"}]', "{'a', 'b'}", "[__import__('os').getcwd()]",
        "['a' * 9]", "[" * 5000 + "]" * 5000, "['a', b'c']", "['unclosed]",
    ],
)  # fmt: skip
def test_mere_text_stays_text(cell: str) -> None:
    assert read_list(cell) == cell


def test_objects_with_a_text_are_passages() -> None:
    passages = [{"text": "a", "title": "T"}, "b", {"page_content": "c"}]
    assert read_list(json.dumps(passages)) == passages
    assert read_list(str(passages)) == passages
    assert read_list('{"text": "a"}') == {"text": "a"}


def test_long_cells_are_not_tried_as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MAX_LITERAL_CHARS", 10)
    assert read_list("['0123456789']") == "['0123456789']"


def test_empty_cells() -> None:
    row = {"id": "", "context": "", "response": "", "query": None, "label": float("nan"), "history": ""}
    assert tidy(row, ASSAY) == {"context": "", "response": ""}
    assert tidy({"response": "['a']", "context": "['a']"}, ASSAY) == {"response": "['a']", "context": ["a"]}


@pytest.mark.parametrize(
    ("cell", "label"), [("1", 1), ("0", 0), ("1.0", 1), ("True", 1), ("false", 0), ("", None), ("yes", "bad")]
)
def test_labels_of_a_csv_file(put: Callable[..., Path], cell: str, label: object) -> None:
    (row,) = read_rows(put("a.csv", f"response,context,label\nr,c,{cell}\n"))
    assert (row.sample.label if row.sample else "bad") == label


def test_a_csv_file_as_spreadsheets_write_it(put: Callable[..., Path]) -> None:
    text = '\ufeffid;query;context;response\r\n;;"a ""b""; c\r\nd";\r\n7;q;c\r\n8;q;c;r;x\r\n'
    first, short, long = read_rows(put("a.csv", text))
    assert first.sample is not None
    assert (first.id, first.sample.query, first.sample.response) == ("1", "", "")
    assert first.sample.passages[0].text == 'a "b"; c\r\nd'
    assert "no 'response'" in str(short.error)
    assert "5 cells, the header 4" in str(long.error)


def test_bad_rows_of_a_csv_file(put: Callable[..., Path]) -> None:
    raw = b'context,response\n\xff,r\nc,"a"b\nc,r\nc,"never closed\n'
    undecodable, quote, good, end = read_rows(put("a.csv", raw))
    assert "not UTF-8 in the column 'context'" in str(undecodable.error)
    assert "not valid CSV" in str(quote.error)
    assert good.sample is not None
    assert "unexpected end" in str(end.error)
    assert [r.line for r in (undecodable, quote, good, end)] == [2, 3, 4, 5]


def test_long_fields_are_read(put: Callable[..., Path]) -> None:
    (row,) = read_rows(put("a.csv", f"context,response\n{'c' * 1_000_000},r\n"))
    assert row.sample is not None
    assert len(row.sample.passages[0].text) == 1_000_000
