from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.errors import InputError
from assay.formats.rows import read_rows
from assay.formats.writers import open_writer


def test_missing_values_of_pandas(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = {
        "id": [1.0, float("nan")],
        "context": [["a"], None],
        "response": ["r", None],
        "label": [1.0, float("nan")],
    }
    pq.write_table(pa.table(table), path)
    first, second = read_rows(path)
    assert first.sample is not None
    assert (first.id, first.line, first.sample.label) == ("1", None, 1)
    assert (second.id, second.error and second.error.field) == ("2", "response")


def test_a_text_that_is_not_utf8_spoils_its_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    bad = pa.array([b"ok", b"\xff", b"ok"]).view(pa.string())
    pq.write_table(pa.table({"context": bad, "response": ["r"] * 3}), path)
    rows = list(read_rows(path))
    assert [row.sample is None for row in rows] == [False, True, False]
    assert "not UTF-8" in str(rows[1].error)


def test_parquet_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "data.bin"
    pq.write_table(pa.table({"context": ["c"], "response": ["r"]}), path)
    (row,) = read_rows(path)
    assert row.sample is not None


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"context": ["c"], "response": ["r"]}), path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"pip install 'assay\[data\]'"):
        list(read_rows(path))
    with pytest.raises(InputError, match=r"pip install 'assay\[data\]'"):
        open_writer(tmp_path / "out.parquet")
    assert not list(tmp_path.glob("out*"))


def test_a_file_that_is_damaged_half_way(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = [f"{i} {'x' * 200}" for i in range(2000)]
    table = pa.table({"context": texts, "response": texts})
    pq.write_table(table, path, row_group_size=1000, compression="snappy")
    raw = bytearray(path.read_bytes())
    start = pq.ParquetFile(path).metadata.row_group(1).column(0).dictionary_page_offset
    raw[start : start + 2000] = b"\xff" * 2000
    path.write_bytes(raw)
    *good, last = read_rows(path)
    assert 0 < len(good) <= 1000
    assert all(row.sample for row in good)
    assert "damaged from here on" in str(last.error)
