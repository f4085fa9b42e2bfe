"""Whole files to samples: every container with every format, and what happens to bad rows."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assay.errors import InputError, PluginError
from assay.formats import rows as rows_module
from assay.formats.record import Record
from assay.formats.rows import Row, read_rows
from assay.sample import Sample

from .samples import CONTAINERS, FORMATS, write_rows

GOOD = '{"id": "g", "context": "c", "response": "r"}'
Put = Callable[..., Path]


def seen(sample: Sample | None) -> tuple[object, ...]:
    assert sample is not None
    passages = [(p.text, p.title, p.id) for p in sample.passages]
    return sample.query, passages, sample.response, sample.id, sample.label


def refusal(path: Path | str, **options: object) -> InputError:
    with pytest.raises(InputError) as caught:
        list(read_rows(path, **options))  # type: ignore[arg-type]
    assert caught.value.file
    return caught.value


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("case", FORMATS)
def test_every_format_in_every_container(tmp_path: Path, container: str, case: str) -> None:
    row, expected = FORMATS[case]
    path = write_rows(tmp_path, container, [row, row])
    got = list(read_rows(path))
    assert [r.error for r in got] == [None, None]
    assert seen(got[0].sample) == expected
    assert got[0].id == expected[3]
    assert [r.number for r in got] == [1, 2]
    named = list(read_rows(path, format=case.split("-")[0]))
    assert [r.sample for r in named] == [r.sample for r in got]


def test_a_row_knows_its_place(put: Put) -> None:
    first, second = read_rows(put("a.jsonl", f'\n\n{GOOD}\r\n\n{GOOD[:-1]}, "query": "q"}}'))
    assert (first.number, first.line, second.number, second.line) == (1, 3, 2, 5)
    assert second.fields["query"] == "q"
    csv_rows = list(read_rows(put("a.csv", 'context,response\n"a\nb",r\n\nc,r\n')))
    assert [(r.number, r.line) for r in csv_rows] == [(1, 2), (2, 5)]
    lines = [r.line for r in read_rows(put("a.json", f"[\n{GOOD},\n\n{GOOD}]"))]
    assert lines == [2, 4]


def test_a_row_without_an_id_has_its_number(put: Put) -> None:
    text = '{"context": "c", "response": "r"}\n{"id": 7, "context": "c", "response": "r"}\n'
    rows = list(read_rows(put("a.jsonl", text)))
    assert [r.id for r in rows] == ["1", "7"]
    assert [r.sample.id for r in rows if r.sample] == ["1", "7"]


@pytest.mark.parametrize(
    ("line", "says", "field"),
    [
        ('{"id": "b", context: "c"}', "not valid JSON", None),
        ('[1, 2]', "a row is a JSON object, not an array", None),
        ('"text"', "not a string", None),
        ("3", "not a number", None),
        ("null", "not null", None),
        ('{"context": "c", "response": NaN}', "NaN is not a JSON value", None),
        ('{"context": "c", "response": "r", "score": -Infinity}', "-Infinity is not", None),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deep", None),
        ('{"a": ' + "9" * 5000 + ', "context": "c", "response": "r"}', "digits", None),
        ('{"id": "b", "context": "c", "response": 5}', "expected text, got int", "response"),
        ('{"id": "b", "context": "c", "response": null}', "expected text", "response"),
        ('{"id": "b", "context": ["c", 5], "response": "r"}', "expected text or a passage", "context[1]"),
        ('{"id": "b", "context": [{"body": 1}], "response": "r"}', "no 'text'", "context[0]"),
        ('{"id": "b", "context": "c"}', "no 'response'", "response"),
        ('{"id": "b", "response": "c"}', "no 'context'", "context"),
        ('{"id": "b", "context": "c", "response": "r", "label": 2}', "a label is 0", "label"),
        ("{}", "no 'context'", "context"),
        (b'{"context": "\xff", "response": "r"}', "not UTF-8: byte 0xff at position 14", None),
        (b'{"context": "c\0", "response": "r"}', "not valid JSON", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_a_bad_row_is_one_row(put: Put, kind: str, line: str | bytes, says: str, field: str | None) -> None:
    raw = line if isinstance(line, bytes) else line.encode()
    good = GOOD.encode()
    lines = [good, raw, good]
    content = b"\n".join(lines) if kind == "jsonl" else b"[" + b",\n".join(lines) + b"]"
    path = put(f"a.{kind}", content)
    one, bad, three = read_rows(path)
    assert one.sample == three.sample is not None
    assert bad.sample is None
    assert bad.error is not None
    assert says in bad.error.message
    assert (bad.error.file, bad.error.line, bad.error.field) == (str(path), 2, field)
    assert bad.id == bad.fields.get("id", "2")


def test_rows_that_are_all_bad_are_still_rows(put: Put) -> None:
    rows = list(read_rows(put("a.jsonl", "nonsense\n{\n")))
    assert [r.error is not None for r in rows] == [True, True]


def test_a_huge_line_is_one_bad_row(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    big = json.dumps({"context": "x" * (33 << 20), "response": "r"})
    path = put("a.jsonl", f"{GOOD}\n{big}\n{GOOD}\n{big}")
    array = put("a.json", f"[{GOOD},\n{big},\n{GOOD}]")
    tracemalloc.start()
    rows = list(read_rows(path))
    from_array = list(read_rows(array))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ["larger than 32 MiB" in str(r.error) for r in rows] == [False, True, False, True]
    assert ["larger than 32 MiB" in str(r.error) for r in from_array] == [False, True, False]
    assert peak < 110 << 20  # the bound twice over (buffer and line), never a multiple of the file


def test_lone_surrogates_and_odd_characters_are_kept(put: Put) -> None:
    text = "\ud800 \U0001f642 \u2028 \x00 \x85 \r\n end"
    (row,) = read_rows(put("a.jsonl", json.dumps({"context": text, "response": text})))
    assert row.sample is not None
    assert row.sample.response == row.sample.passages[0].text == text


def test_a_byte_order_mark_is_tolerated(put: Put) -> None:
    for name, text in (("a.jsonl", GOOD), ("a.json", f"[{GOOD}]"), ("a.csv", "context,response\nc,r")):
        (row,) = read_rows(put(name, b"\xef\xbb\xbf" + text.encode()))
        assert row.sample is not None
        assert row.sample.response == "r"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.jsonl", b"", "empty"),
        ("a.jsonl", b" \n\n\t\n", "empty"),
        ("a.json", b"[]", "no rows"),
        ("a.json", b'{"data": []}', "no rows"),
        ("a.csv", b"context,response\n", "no rows"),
        ("a.jsonl", b"\x89PNG\x00\x00\n", "binary"),
        ("a.csv", b"PK\x03\x04\x00\x00\n", "binary"),
        ("a.jsonl", '{"a": "é"}'.encode("latin-1"), "not UTF-8"),
        ("a.jsonl", GOOD.encode("utf-16"), "UTF-16"),
        ("notes.txt", b"hello", "cannot tell"),
        ("a.xlsx", b"PK\x03\x04 etc", "cannot tell"),
        ("a.parquet", b"PAR1 but not really", "not a Parquet file"),
        ("a.jsonl.gz", b"\x1f\x8b\x08\x00broken", "cannot be read"),
        ("a.jsonl", b'{"foo": "c", "bar": "r"}\n' * 30, "have: bar, foo"),
        ("a.csv", b"context,context\na,b\n", "twice"),
        ("a.csv", b"\"context\n", "header"),
        ("a\0b.jsonl", None, "cannot be opened"),
        ("nowhere.jsonl", None, "no such file"),
        (".", None, "folder"),
    ],
)  # fmt: skip
def test_an_unreadable_file_is_refused(
    tmp_path: Path, put: Put, name: str, content: bytes | None, says: str
) -> None:
    path = put(name, content) if content is not None else f"{tmp_path}/{name}"
    error = refusal(path)
    assert says in error.message
    assert error.file == str(path)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (PermissionError(13, "denied"), "no permission to read"),
        (OSError(40, "too many links"), "cannot be opened"),
    ],
)
def test_the_system_refuses_to_open(
    put: Put, monkeypatch: pytest.MonkeyPatch, error: OSError, says: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    path = put("a.jsonl", GOOD)
    monkeypatch.setattr(Path, "open", fail)
    assert says in refusal(path).message


@pytest.mark.parametrize("after", [0, 1])
def test_a_disk_that_fails_on_the_way(put: Put, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    def failing(*_: object) -> Iterator[Record]:
        if after:
            yield Record(1, 1, json.loads(GOOD))
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(rows_module, "read_records", failing)
    path = put("a.jsonl", GOOD)
    if after:
        good, bad = read_rows(path)
        assert good.sample is not None
        assert "Input/output error" in str(bad.error)
    else:
        assert "Input/output error" in refusal(path).message


def test_an_unknown_format_name(put: Put) -> None:
    with pytest.raises(PluginError, match=r"no format is called 'ragaz'.*ragas"):
        list(read_rows(put("a.jsonl", GOOD), format="ragaz"))


def test_rows_before_the_first_recognised_one_are_read_too(put: Put) -> None:
    text = f'bad\n{{"other": 1}}\nbad\n{GOOD}\n'
    rows = list(read_rows(put("a.jsonl", text)))
    assert [r.number for r in rows] == [1, 2, 3, 4]
    assert [r.sample is not None for r in rows] == [False, False, False, True]
    assert "no 'context'" in str(rows[1].error)


def test_a_cut_gzip_file_gives_its_rows_and_one_error(put: Put, tmp_path: Path) -> None:
    path = write_rows(tmp_path, "jsonl.gz", [{"context": os.urandom(400).hex(), "response": "r"}] * 400)
    cut = put("cut.jsonl.gz", path.read_bytes()[:-300])
    rows = list(read_rows(cut))
    assert len(rows) > 10
    assert all(row.sample for row in rows[:-1])
    assert "cannot be read beyond" in str(rows[-1].error)


def test_a_plug_in_that_fails_on_a_row_spoils_that_row_only(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing:
        name, needs, structured = "failing", (frozenset({"x"}),), frozenset[str]()

        def to_sample(self, row: dict[str, int]) -> Sample:
            return Sample(response=str(1 // row["x"]))

    monkeypatch.setattr(rows_module, "get_format", lambda _: Failing())
    bad, good = read_rows(put("a.jsonl", '{"x": 0}\n{"x": 1}'), format="failing")
    assert "ZeroDivisionError" in str(bad.error)
    assert good.sample is not None


@pytest.mark.parametrize("container", CONTAINERS)
def test_memory_is_bounded_whatever_the_size(tmp_path: Path, container: str) -> None:
    rows = [{"id": str(i), "context": f"{i} " + "c" * 3000, "response": "r"} for i in range(4_000)]
    path = write_rows(tmp_path, container, rows)
    del rows
    next(read_rows(path))  # imports done
    tracemalloc.start()
    count = sum(1 for row in read_rows(path) if row.sample)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 4_000
    assert peak < 3 << 20  # the texts alone are 12 MB


def test_a_row_from_a_pipe_is_read_before_the_next_is_written() -> None:
    code = "from assay.formats.rows import read_rows\nfor r in read_rows('-'): print(r.id, flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin
        assert child.stdout
        watch = threading.Timer(20, child.kill)  # reading ahead would wait for ever
        watch.start()
        for name in ("one", "two"):
            child.stdin.write(json.dumps({"id": name, "context": "c", "response": "r"}) + "\n")
            child.stdin.flush()
            assert child.stdout.readline() == f"{name}\n"
        child.stdin.close()
        assert child.wait(20) == 0
        watch.cancel()


@pytest.mark.parametrize("content", [GOOD, f"[{GOOD}]", json.dumps({"data": [json.loads(GOOD)]})])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(content.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    (row,) = read_rows("-")
    assert row.id == "g"
    assert not stdin.buffer.closed
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert refusal("-").file == "standard input"


def test_an_abandoned_reading_closes_its_file(put: Put) -> None:
    reading = read_rows(put("a.jsonl", f"{GOOD}\n{GOOD}"))
    assert isinstance(next(reading), Row)
    del reading  # a file left open would be a ResourceWarning, which is an error here


def test_emoji_whatever_the_locale(put: Put, tmp_path: Path) -> None:
    path = put("a.jsonl", '{"id": "🙂", "context": "日本", "response": "é🙂"}\n')
    code = (
        "import sys\n"
        "from assay.formats.rows import read_rows\n"
        "from assay.formats.writers import open_writer\n"
        "for out in (None, *sys.argv[2:]):\n"
        "    with open_writer(out) as writer:\n"
        "        for row in read_rows(sys.argv[1]):\n"
        "            writer.write({'id': row.id, 'response': row.sample.response})\n"
    )
    outs = [str(tmp_path / f"out.{suffix}") for suffix in ("jsonl", "json", "csv", "parquet")]
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(path), *outs],
        env={**env, "PYTHONIOENCODING": "cp1252"}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.stderr == b""
    assert done.stdout.decode("utf-8") == '{"id": "🙂", "response": "é🙂"}\n'
    for out in outs:
        assert "é🙂".encode() in Path(out).read_bytes()


def test_the_labelled_rows_of_the_data_folder() -> None:
    root = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[3] / "shared" / "data"))
    found = sorted(root.glob("dev/*.jsonl"))
    if not found:
        pytest.skip(f"no labelled rows in {root}; set ASSAY_DATA")
    for path in found:
        rows = list(read_rows(path))
        assert [row.error for row in rows if row.error] == []
        assert {row.sample.label for row in rows if row.sample} <= {0, 1}
        assert len({row.id for row in rows}) == len(rows)
