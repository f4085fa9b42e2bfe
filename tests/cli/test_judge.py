"""The judge's options as a user gives them, against an endpoint on a loopback port."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.judge.cases import CONTEXT, GROUNDED, QUESTION, doubtful, rulings
from tests.models.chat_server import Reply, Server, completion, serving

KEY = "sk-very-secret-0123456789"


def answer(number: int, body: dict[str, Any]) -> Reply:
    return Reply(completion(rulings("supported")))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(answer) as running:
        yield running


def rows(path: Path, count: int) -> Path:
    """Every second row is for the judge, each over a claim of its own."""
    with path.open("w", encoding="utf-8") as stream:
        for i in range(count):
            extra = f" Its architect Jane Doe{i} won the Pritzker Prize." if i % 2 else ""
            row = {"id": f"r{i}", "query": QUESTION, "context": list(CONTEXT), "response": GROUNDED + extra}
            stream.write(json.dumps(row) + "\n")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def options(server: Server, *more: str) -> list[str]:
    return ["--judge", "openai:tiny", "--judge-url", server.url, *more]


def test_check_asks_the_endpoint(assay: Run, tmp_path: Path, server: Server) -> None:
    (tmp_path / "s.json").write_text(
        json.dumps({"query": QUESTION, "context": list(CONTEXT), "response": doubtful().response}), "utf-8"
    )
    assert json.loads(assay("check", "s.json", "--json").stdout)["decision"] == "REVIEW"
    done = assay("check", "s.json", "--explain", *options(server))
    assert "ACCEPT" in done.stdout
    assert "(passed by the judge)" in done.stdout
    assert "openai:tiny, 1 call" in done.stdout
    done = assay("check", "s.json", "--json", "--explain", *options(server))
    row = json.loads(done.stdout)
    assert row["meta"]["judge"]["served_by"] == "served-1"
    assert next(gate["gate"] for gate in row["gates"] if gate.get("settled")) == "answer_without_ground"
    assert len(server.bodies) == 2


def test_eval_calls_once_for_each_doubtful_row_and_never_again(
    assay: Run, tmp_path: Path, server: Server
) -> None:
    source = rows(tmp_path / "in.jsonl", 20)
    given = options(server, "--judge-cache", "kept.sqlite", "--judge-price", "1,2")
    done = assay("eval", source, "-o", "one.jsonl", *given)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "judge openai:tiny: 10 calls, 110 tokens read and 70 written, cost 0.0003." in said
    assert len(server.bodies) == 10
    one = read(tmp_path / "one.jsonl")
    assert [row["meta"]["used_llm_judge"] for row in one] == [bool(i % 2) for i in range(20)]
    assert all(row["decision"] == "ACCEPT" for row in one)
    done = assay("eval", source, "-o", "two.jsonl", *given)
    assert "0 calls, 10 answers from the cache" in " ".join(done.stderr.split())
    assert len(server.bodies) == 10
    two = read(tmp_path / "two.jsonl")
    for row in one + two:
        row["meta"].pop("latency_ms")
        row["meta"].pop("judge", None)
    assert one == two


def test_a_models_name_is_printed_as_it_is(assay: Run, tmp_path: Path, server: Server) -> None:
    source = rows(tmp_path / "in.jsonl", 2)
    done = assay("eval", source, "--judge", "openai:two:[b]", "--judge-url", server.url)
    assert "judge openai:two:[b]: 1 call" in " ".join(done.stderr.split())


def test_workers_are_threads_in_the_same_order_under_one_budget(
    assay: Run, tmp_path: Path, server: Server
) -> None:
    source = rows(tmp_path / "in.jsonl", 200)
    done = assay(
        "eval", source, "-o", "out.jsonl", "--workers", "4", *options(server, "--max-judge-calls", "30")
    )
    assert done.returncode == 3, done.stderr
    out = read(tmp_path / "out.jsonl")
    assert [row["id"] for row in out] == [f"r{i}" for i in range(200)]
    assert len(server.bodies) == 30
    kinds = [row["failure_type"] for row in out]
    assert (kinds.count("none"), kinds.count("verifier_unavailable")) == (130, 70)
    assert "70 questions without an answer" in " ".join(done.stderr.split())


@pytest.mark.parametrize("workers", ["1", "4"])
def test_ctrl_c_does_not_wait_for_a_judge_that_hangs(tmp_path: Path, workers: str) -> None:
    source = rows(tmp_path / "in.jsonl", 40)
    with serving(lambda number, body: Reply({}, wait=True)) as server:
        command = ("eval", str(source), "-o", "out.jsonl", "--workers", workers)
        given = options(server, "--judge-deadline", "600")
        process = subprocess.Popen(
            [sys.executable, "-m", "assay", *command, *given],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        end = time.monotonic() + 60
        while len(server.bodies) < int(workers) and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Interrupted" in stderr
    assert "Traceback" not in stderr
    assert [row["id"] for row in read(tmp_path / "out.jsonl")] == ["r0"]


def test_a_run_goes_on_where_it_stopped_but_not_under_another_judge(
    assay: Run, tmp_path: Path, server: Server
) -> None:
    source = rows(tmp_path / "in.jsonl", 12)
    assay("eval", source, "-o", "whole.jsonl", *options(server))
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_bytes(b"".join(lines[:7]) + lines[7][:40])
    done = assay("eval", source, "-o", "part.jsonl", "--resume", *options(server))
    assert done.returncode == 0, done.stderr
    assert [row["id"] for row in read(tmp_path / "part.jsonl")] == [f"r{i}" for i in range(12)]
    done = assay("eval", source, "-o", "part.jsonl", "--resume")
    assert done.returncode == 2
    assert "another profile or scorer" in " ".join(done.stderr.split())


def test_a_dry_run_counts_and_calls_nobody(assay: Run, tmp_path: Path, server: Server) -> None:
    source = rows(tmp_path / "in.jsonl", 20)
    dry = ("--dry-run", "--judge", "openai:tiny", "--judge-price", "1,2", "--max-judge-calls", "4")
    done = assay("eval", source, "-o", "out.jsonl", *dry, "--judge-cache", "kept.sqlite")
    assert done.returncode == 0, done.stderr
    assert "20 rows: the judge openai:tiny would be called 10 times." in done.stdout
    assert "--max-judge-calls 4 leaves 6 of them unmade." in done.stdout
    assert "cost 0.0" in done.stdout
    assert not (tmp_path / "out.jsonl").exists()
    assert not (tmp_path / "kept.sqlite").exists()
    assay("eval", source, *options(server, "--judge-cache", "kept.sqlite"))
    assert len(server.bodies) == 10
    done = assay("eval", source, *dry, "--judge-cache", "kept.sqlite")
    assert "would be called 0 times (10 more answers are in the cache)" in done.stdout


def test_a_dry_run_counts_the_consistency_signals_calls_too(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        json.dumps({"query": "How long is the bridge?", "context": list(CONTEXT), "response": GROUNDED})
        + "\n",
        "utf-8",
    )
    dry = ("--dry-run", "--judge", "openai:tiny", "--profile", "article", "--embedder", "lexical")
    assert "would be called 1 time." in assay("eval", "in.jsonl", *dry).stdout
    assert "would be called 4 times" in assay("eval", "in.jsonl", *dry, "--consistency").stdout


def test_an_endpoint_that_is_down_leaves_local_reviews(assay: Run, tmp_path: Path) -> None:
    source = rows(tmp_path / "in.jsonl", 4)
    down = ("--judge", "openai:tiny", "--judge-url", "http://127.0.0.1:9/v1", "--judge-deadline", "0.5")
    done = assay("eval", source, "-o", "out.jsonl", *down)
    assert done.returncode == 3
    kinds = [row["failure_type"] for row in read(tmp_path / "out.jsonl")]
    assert kinds == ["none", "verifier_unavailable", "none", "verifier_unavailable"]


def test_check_says_by_its_exit_code_that_the_judge_gave_no_answer(assay: Run, tmp_path: Path) -> None:
    row = {"query": QUESTION, "context": list(CONTEXT), "response": doubtful().response}
    (tmp_path / "s.json").write_text(json.dumps(row), "utf-8")
    down = ("--judge", "openai:tiny", "--judge-url", "http://127.0.0.1:9/v1", "--judge-deadline", "0.5")
    assert assay("check", "s.json").returncode == 0
    assert assay("check", "s.json", *down).returncode == 3
    assert assay("check", "s.json", *down, "--fail-on", "reject").returncode == 3
    assert assay("check", "s.json", *down, "--fail-on", "review").returncode == 1


def test_the_key_is_sent_and_stored_nowhere(assay: Run, tmp_path: Path) -> None:
    def leaky(number: int, body: dict[str, Any]) -> Reply:
        if number == 1:
            return Reply({"error": {"message": f"odd key {KEY}"}}, 400)
        return Reply(completion(rulings("supported", reason=f"Bearer {KEY}"), model=KEY))

    source = rows(tmp_path / "in.jsonl", 6)
    with serving(leaky) as server:
        given = options(server, "--judge-key-env", "MY_KEY", "--judge-cache", "kept.sqlite")
        env = {"MY_KEY": KEY, "OPENAI_LOG": "debug"}
        done = assay("eval", source, "-o", "out.jsonl", *given, env=env)
        assert KEY in server.headers[0]["authorization"]
    assert done.returncode == 3, done.stderr
    assert len(read(tmp_path / "out.jsonl")) == 6
    assert "odd key [key]" in (tmp_path / "out.jsonl").read_text("utf-8")
    for file in tmp_path.iterdir():
        assert KEY.encode() not in file.read_bytes(), file
    assert KEY not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--judge-url", "http://x/v1"), "--judge-url needs --judge"),
        (("--max-judge-calls", "3"), "--max-judge-calls needs --judge"),
        (("--dry-run",), "--dry-run needs --judge"),
        (("--consistency",), "give --judge, too"),
        (("--judge", "gpt"), "KIND:MODEL"),
        (("--judge", "nobody:gpt"), "no llm is called"),
        (("--judge", "openai:m", "--dry-run", "--resume", "-o", "o.jsonl"), "leave --resume out"),
        (("--judge", "openai:m", "--judge-url", "x"), "starts with http://"),
        (("--judge", "openai:m", "--judge-url", "http://x/v1", "--judge-price", "free"), "two numbers"),
        (("--judge", "openai:m", "--judge-url", "http://x/v1", "--judge-price", "1,-2"), "0 or more"),
        (("--judge", "openai:m", "--judge-url", "http://x/v1", "--judge-deadline", "0"), "above 0"),
        (("--judge", "openai:m", "--judge-url", "http://x/v1", "--judge-cache", "in.jsonl"), "judge's cache"),
        (("--judge", "openai:m", "--judge-url", "http://x/v1", "--consistency"), "does not measure consistency"),
        (("--judge", "openai:m"), "set OPENAI_API_KEY"),
        (("--judge", "openai:m", "--judge-key-env", "NO_SUCH"), "NO_SUCH holds no key"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_exits_2_and_writes_nothing(
    assay: Run, tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    rows(tmp_path / "in.jsonl", 2)
    done = assay("eval", "in.jsonl", *given, env={"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""})
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_profile_explains_its_judge(assay: Run) -> None:
    assert "scores if final < 0.65 and final > 0.45; 0.6 own + 0.4 judge for faithfulness" in " ".join(
        assay("profile", "explain", "article").stdout.split()
    )
    assert "any contradicted: REJECT; else REVIEW" in " ".join(
        assay("profile", "explain", "default").stdout.split()
    )
