from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOOD = {"query": "When was the bridge opened?", "context": ["The bridge was opened in 1998."]}


def write_rows(path: Path, count: int) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        for i in range(count):
            row = {
                "id": f"r{i}",
                **GOOD,
                "response": f"It was opened in {1990 + i % 10}.",
                "label": int(i % 10 == 8),
            }
            stream.write(json.dumps(row) + "\n")
    return path


def read(path: Path) -> list[dict]:  # type: ignore[type-arg]
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def without_latency(rows: list[dict]) -> list[dict]:  # type: ignore[type-arg]
    for row in rows:
        row["meta"].pop("latency_ms")
    return rows


def test_one_verdict_a_row_in_order(assay: Run, tmp_path: Path) -> None:
    done = assay("eval", write_rows(tmp_path / "in.jsonl", 12), "-o", "out.jsonl")
    assert done.returncode == 0
    rows = read(tmp_path / "out.jsonl")
    assert [row["id"] for row in rows] == [f"r{i}" for i in range(12)]
    assert rows[8]["decision"] == "ACCEPT"
    assert rows[8]["label"] == 1
    assert done.stdout == ""
    assert "12 rows judged" in done.stderr


def test_without_output_verdicts_go_to_stdout(assay: Run, tmp_path: Path) -> None:
    done = assay("eval", write_rows(tmp_path / "in.jsonl", 3), "--quiet")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["r0", "r1", "r2"]
    assert done.stderr == ""


def test_processes_give_the_same_bytes_as_one(assay: Run, tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "in.jsonl", 200)
    assay("eval", rows, "-o", "one.jsonl")
    assay("eval", rows, "-o", "two.jsonl", "--workers", "2")
    one, two = read(tmp_path / "one.jsonl"), read(tmp_path / "two.jsonl")
    assert without_latency(one) == without_latency(two)
    assert len(one) == 200


def test_bad_rows_become_reviews_and_the_run_exits_3(assay: Run, tmp_path: Path) -> None:
    good = json.dumps({"id": "good", **GOOD, "response": "It was opened in 1998."})
    lines = [
        good,
        "{not json",
        json.dumps({"id": "typed", "context": 5, "response": "x"}),
        json.dumps({"id": "missing", "context": "x"}),
        "[1, 2]",
        json.dumps({"id": "nan", "context": "x", "response": "y"}).replace('"y"', "NaN"),
        json.dumps({"id": "big", "context": "x", "response": "y" * 300_000}),
        '{"id": "surrogate", "context": "x \\ud800", "response": "x \\ud800 \\u0000"}',
        good,
    ]
    (tmp_path / "in.jsonl").write_bytes("\n".join(lines).encode() + b"\n\xff\xfe broken\n")
    done = assay("eval", "in.jsonl", "-o", "out.jsonl")
    assert done.returncode == 3
    rows = read(tmp_path / "out.jsonl")
    assert len(rows) == 10
    failed = {row["id"]: row for row in rows if "error" in row}
    assert len(failed) == 7
    for row in failed.values():
        assert (row["decision"], row["failure_type"]) == ("REVIEW", "invalid_input")
        assert row["scores"] == {"final": None}
    assert "in.jsonl:3: context" in failed["typed"]["error"]["message"]
    assert "in.jsonl:4: response" in failed["missing"]["error"]["message"]
    assert "7 could not be judged" in done.stderr
    assert rows[8]["decision"] == "ACCEPT"


@pytest.mark.parametrize("name", ["out.json", "out.csv", "out.parquet"])
def test_other_containers(assay: Run, tmp_path: Path, name: str) -> None:
    done = assay("eval", write_rows(tmp_path / "in.jsonl", 10), "-o", name)
    assert done.returncode == 0
    if name.endswith("json"):
        decisions = [row["decision"] for row in json.loads((tmp_path / name).read_text("utf-8"))]
    elif name.endswith("csv"):
        with (tmp_path / name).open(encoding="utf-8", newline="") as stream:
            decisions = [row["decision"] for row in csv.DictReader(stream)]
    else:
        import pyarrow.parquet

        decisions = pyarrow.parquet.read_table(tmp_path / name).column("decision").to_pylist()
    assert decisions[8] == "ACCEPT"
    assert len(decisions) == 10


def test_a_mapping_names_the_columns(assay: Run, tmp_path: Path) -> None:
    row = {"q": "When?", "docs": [{"text": "Opened in 1998."}], "answer_text": "Opened in 1998."}
    (tmp_path / "in.jsonl").write_text(json.dumps(row), "utf-8")
    mapping = ("--map", "response=answer_text", "--map", "context=docs.text", "--map", "query=q")
    done = assay("eval", "in.jsonl", *mapping, "-o", "out.jsonl")
    assert done.returncode == 0
    assert read(tmp_path / "out.jsonl")[0]["scores"]["attribution"] == 1.0
    unknown = assay("eval", "in.jsonl", "-o", "other.jsonl")
    assert unknown.returncode == 2
    assert "--map response=answer_text" in unknown.stderr
    assert not (tmp_path / "other.jsonl").exists()


def test_resume_does_only_the_rest(assay: Run, tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "in.jsonl", 20)
    assay("eval", rows, "-o", "full.jsonl")
    full = (tmp_path / "full.jsonl").read_bytes()
    lines = full.splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:7]) + lines[7][:40])
    done = assay("eval", rows, "-o", "cut.jsonl", "--resume")
    assert done.returncode == 0
    assert "13 rows judged" in done.stderr
    assert "7 were there already" in done.stderr
    assert (tmp_path / "cut.jsonl").read_bytes().startswith(b"".join(lines[:7]))
    assert without_latency(read(tmp_path / "cut.jsonl")) == without_latency(read(tmp_path / "full.jsonl"))
    again = assay("eval", rows, "-o", "cut.jsonl", "--resume")
    assert "0 rows judged" in again.stderr


def test_resume_never_mixes_two_runs(assay: Run, tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "in.jsonl", 4)
    assay("eval", rows, "-o", "out.jsonl")
    before = (tmp_path / "out.jsonl").read_bytes()
    other = assay(
        "eval", rows, "-o", "out.jsonl", "--resume", "--profile", "article", "--embedder", "lexical"
    )
    assert other.returncode == 2
    assert "out.jsonl:1: its policy_hash is" in other.stderr
    (tmp_path / "in2.jsonl").write_text('{"id": "z", "context": "a", "response": "b"}\n', "utf-8")
    wrong = assay("eval", "in2.jsonl", "-o", "out.jsonl", "--resume")
    assert wrong.returncode == 2
    assert "the input has 'z' here" in wrong.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == before


def test_resume_sees_that_a_text_changed_under_the_same_id(assay: Run, tmp_path: Path) -> None:
    row = {"id": "a", "context": "The bridge was opened in 1998.", "response": "It was opened in 1998."}
    (tmp_path / "in.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert assay("eval", "in.jsonl", "-o", "out.jsonl").returncode == 0
    (tmp_path / "in.jsonl").write_text(json.dumps(row | {"response": "It killed 40 people."}) + "\n", "utf-8")
    done = assay("eval", "in.jsonl", "-o", "out.jsonl", "--resume")
    assert done.returncode == 2
    assert "another text than row 'a'" in done.stderr


def test_two_runs_never_write_one_output(assay: Run, tmp_path: Path) -> None:
    from assay.formats.files import one_writer

    rows = write_rows(tmp_path / "in.jsonl", 2)
    with one_writer(tmp_path / "out.jsonl"):
        done = assay("eval", rows, "-o", "out.jsonl")
    assert done.returncode == 2
    assert "another process has been writing" in done.stderr


def test_an_output_with_rows_is_not_replaced_unasked(assay: Run, tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "in.jsonl", 2)
    (tmp_path / "out.jsonl").write_text("precious\n", "utf-8")
    refused = assay("eval", rows, "-o", "out.jsonl")
    assert refused.returncode == 2
    assert "--overwrite" in refused.stderr
    assert (tmp_path / "out.jsonl").read_text("utf-8") == "precious\n"
    assert assay("eval", rows, "-o", "out.jsonl", "--overwrite").returncode == 0
    assert len(read(tmp_path / "out.jsonl")) == 2
    assert "replace the input" in assay("eval", rows, "-o", rows, "--overwrite").stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_was_written(assay: Run, tmp_path: Path, workers: str) -> None:
    rows = write_rows(tmp_path / "in.jsonl", 30_000)
    command = [sys.executable, "-m", "assay", "eval", str(rows), "-o", "out.jsonl", "--workers", workers]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    out = tmp_path / "out.jsonl"
    deadline = time.monotonic() + 60
    while not (out.exists() and out.stat().st_size > 20_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    import os

    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted" in stderr
    assert "--resume" in stderr
    assert "Traceback" not in stderr
    kept = read(out)
    assert 0 < len(kept) < 30_000
    assert [row["id"] for row in kept] == [f"r{i}" for i in range(len(kept))]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.jsonl", None, "there is no such file"),
        ("empty.jsonl", b"", "the file is empty"),
        ("binary.jsonl", b"\x00\x01\x02\xff" * 50, "binary.jsonl"),
        ("odd.jsonl", b'{"foo": 1}\n', "no known format"),
    ],
)
def test_an_unreadable_file_exits_2_and_leaves_no_output(
    assay: Run, tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = assay("eval", name, "-o", "out.jsonl")
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Peak memory of 1,000 and of 9,000 rows differs by less than a tenth of what the rows weigh in memory."""
    # VmHWM and not ru_maxrss: the latter starts at the size of the process that started this one.
    code = (
        "import sys; from assay.cli.app import main; sys.argv = ['assay', *sys.argv[1:]]\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    )

    def peak(count: int) -> int:
        rows = write_rows(tmp_path / f"{count}.jsonl", count)
        command = [
            sys.executable,
            "-c",
            code,
            "eval",
            str(rows),
            "-o",
            str(tmp_path / f"{count}.out.jsonl"),
            "--quiet",
        ]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1])

    small, large = peak(1_000), peak(9_000)
    assert large < 400_000
    assert large - small < 8_000, (small, large)
