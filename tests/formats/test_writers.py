from __future__ import annotations

import csv
import io
import json
import os
import signal
import stat
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.formats.jsontext import parse_row, to_json
from assay.formats.rows import read_rows
from assay.formats.writers import open_writer

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
ANY_TEXT = st.text(st.characters(codec=None))  # lone surrogates and NUL among them
UTF8_TEXT = st.text(st.characters(codec="utf-8"))
VERDICT = {
    "id": "a",
    "decision": "ACCEPT",
    "scores": {"final": 0.5, "risk": None},
    "claims": [{"text": "é", "start": 0}],
    "certificate": None,
    "meta": {"passed": True},
}
ALL = ("out.jsonl", "out.json", "out.csv", "out.tsv", "out.parquet")


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    with open_writer(path) as writer:
        for row in rows:
            writer.write(row)
    return path


def joined(text: str) -> str:
    """Python has surrogate pairs as two characters or one; JSON only as one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@QUICK
@given(st.recursive(ANY_TEXT | st.integers() | st.none(), lambda inner: st.lists(inner), max_leaves=4))
def test_to_json_is_valid_utf8_on_one_line(value: object) -> None:
    text = to_json({"v": value})
    raw = text.encode("utf-8")
    assert b"\n" not in raw
    assert b"\r" not in raw
    assert to_json(parse_row(raw)) == to_json(json.loads(text)) == to_json({"v": json.loads(to_json(value))})


@QUICK
@given(st.lists(ANY_TEXT.map(joined), min_size=1, max_size=4))
def test_jsonl_and_json_round_trip(tmp_path: Path, texts: list[str]) -> None:
    rows: list[dict[str, object]] = [{"id": "x", "context": text, "response": text} for text in texts]
    for name in ("out.jsonl", "out.json"):
        got = list(read_rows(write(tmp_path / name, rows)))
        assert [row.sample.response for row in got if row.sample] == texts
        assert [row.fields for row in got] == rows


@QUICK
@given(st.lists(UTF8_TEXT, min_size=1, max_size=4))
def test_tables_round_trip(tmp_path: Path, texts: list[str]) -> None:
    rows: list[dict[str, object]] = [{"context": [text, "b"], "response": text} for text in texts]
    for name in ("out.csv", "out.tsv", "out.parquet"):
        got = list(read_rows(write(tmp_path / name, rows)))
        assert [row.sample.response for row in got if row.sample] == texts
        assert [row.sample.passages[0].text for row in got if row.sample] == texts


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_lone_surrogate_in_a_table_is_shown_as_its_escape(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, [{"context": "c", "response": "a\ud800b"}])
    (row,) = read_rows(tmp_path / name)
    assert row.sample is not None
    assert row.sample.response == "a\\ud800b"


def test_scores_become_columns_and_the_rest_stays_json(tmp_path: Path) -> None:
    late = {"id": "b", "decision": "REVIEW", "scores": {"final": 1, "late": 0.25}, "error": {"type": "E"}}
    columns = ["id", "decision", "scores.final", "scores.risk", "claims", "certificate", "meta"]
    columns += ["scores.late", "error"]
    with write(tmp_path / "out.csv", [VERDICT, late]).open(encoding="utf-8", newline="") as stream:
        first, second = csv.DictReader(stream)
    assert list(first) == columns
    assert (first["scores.final"], first["scores.risk"], first["scores.late"]) == ("0.5", "", "")
    assert json.loads(first["claims"]) == VERDICT["claims"]
    assert (second["scores.late"], second["error"]) == ("0.25", '{"type": "E"}')
    table = pq.read_table(write(tmp_path / "out.parquet", [VERDICT, late]))
    assert table.column_names == columns
    assert {str(table.schema.field(n).type) for n in columns if n.startswith("scores.")} == {"double"}
    assert table.column("scores.final").to_pylist() == [0.5, 1.0]
    assert json.loads(table.column("claims").to_pylist()[0]) == VERDICT["claims"]


def test_columns_of_mixed_types(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"i": 1, "f": 1, "b": True, "m": 1, "n": None, "big": 2**70},
        {"i": 2, "f": 0.5, "b": False, "m": "x", "n": None, "big": 1},
    ]
    table = pq.read_table(write(tmp_path / "out.parquet", rows))
    assert [str(field.type) for field in table.schema] == ["int64", "double", "bool", *["string"] * 3]
    assert table.column("m").to_pylist() == ["1", "x"]
    assert table.column("big").to_pylist() == [str(2**70), "1"]
    assert (write(tmp_path / "out.csv", rows)).read_text().splitlines()[1] == f"1,1,true,1,,{2**70}"


def test_a_cell_like_a_formula_is_left_as_it_is(tmp_path: Path) -> None:
    assert write(tmp_path / "out.csv", [{"response": "=1+1"}]).read_bytes() == b"response\r\n=1+1\r\n"


@pytest.mark.parametrize("name", ALL)
def test_no_rows(tmp_path: Path, name: str) -> None:
    assert write(tmp_path / name, []).exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


@pytest.mark.parametrize("name", ALL)
def test_a_failing_run_keeps_the_rows_it_has(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("old")
    row: dict[str, object] = {"context": "c", "response": "r"}
    with pytest.raises(ValueError, match="JSON compliant"):
        write(tmp_path / name, [row, {**row, "x": float("nan")}, row])
    assert len(list(read_rows(tmp_path / name))) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


@pytest.mark.parametrize("name", ALL)
def test_a_closed_writer_takes_no_rows(tmp_path: Path, name: str) -> None:
    with open_writer(tmp_path / name) as writer:
        writer.write({"x": 1})
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write({"x": 1})


def test_rows_are_on_disk_before_the_next_is_written(tmp_path: Path) -> None:
    with open_writer(tmp_path / "a.jsonl") as writer:
        writer.write({"a": 1})
        assert (tmp_path / "a.jsonl").read_text() == '{"a": 1}\n'
    with open_writer(tmp_path / "a.csv") as writer:
        writer.write({"a": 1})
        assert (tmp_path / "a.csv.partial.jsonl").read_text() == '{"a": 1}\n'


@pytest.mark.skipif(os.name != "posix", reason="kills with a signal")
def test_a_killed_run_leaves_its_rows(tmp_path: Path) -> None:
    code = (
        "import sys, itertools\nfrom assay.formats.writers import open_writer\n"
        "writer = open_writer(sys.argv[1])\n"
        "for i in itertools.count():\n"
        "    writer.write({'id': i, 'text': 'x' * 5000})\n    print(i, flush=True)"
    )
    path = tmp_path / "out.jsonl"
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        reported = [child.stdout.readline() for _ in range(50)]
        child.send_signal(signal.SIGKILL)
    lines = path.read_bytes().split(b"\n")
    assert len(lines) - 1 >= len(reported)
    assert [parse_row(line)["id"] for line in lines[:-1]] == list(range(len(lines) - 1))


def test_append(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"a": 1}])
    with open_writer(path, append=True) as writer:
        writer.write({"a": 2})
    assert path.read_text() == '{"a": 1}\n{"a": 2}\n'
    for name in ("a.csv", "a.json", "a.parquet"):
        with pytest.raises(InputError, match="cannot be added"):
            open_writer(tmp_path / name, append=True)


@pytest.mark.parametrize(
    ("name", "says"),
    [("a.xlsx", "cannot write '.xlsx'"), ("no/a.jsonl", "does not exist"), ("no/a.csv", "does not")],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        open_writer(tmp_path / name)
    assert caught.value.file == str(tmp_path / name)
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        open_writer(tmp_path / "folder.jsonl")


@pytest.mark.parametrize("path", ["-", None])
def test_standard_output_is_jsonl_and_stays_open(monkeypatch: pytest.MonkeyPatch, path: str | None) -> None:
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", stdout)
    with open_writer(path) as writer:
        writer.write({"a": "🙂"})
        writer.flush()
    assert stdout.buffer.getvalue() == '{"a": "🙂"}\n'.encode()  # type: ignore[attr-defined]


def test_a_device_is_written_to_and_not_replaced() -> None:
    if not Path("/dev/null").exists():
        pytest.skip("no /dev/null")
    write(Path("/dev/null"), [{"a": 1}])
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("name", ALL)
def test_memory_of_writing_is_bounded(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, [VERDICT])  # imports
    row: dict[str, object] = {"context": "c" * 4000, "response": "r", "scores": {"a": 0.5}}
    tracemalloc.start()
    with open_writer(tmp_path / name) as writer:
        for _ in range(4000):
            writer.write(row)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 << 20  # the rows are 16 MB


def test_files_are_utf8_by_content(tmp_path: Path) -> None:
    for name in ALL[:-1]:
        assert "日本🙂".encode() in write(tmp_path / name, [{"t": "日本🙂"}]).read_bytes()
