from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GROUNDED = ("--query", "When was the bridge opened?", "--context", "The bridge was opened in 1998.")
ANSWER = "It was opened in 1998."
MADE_UP = "Marie Curie invented quantum teleportation at Princeton using zinc batteries."


def test_a_verdict_reads_like_a_sentence(assay: Run) -> None:
    done = assay("check", *GROUNDED, "--response", MADE_UP)
    assert done.returncode == 0
    assert "REJECT (NOT PASSED" in done.stdout
    assert f'Sentence concerned: "{MADE_UP}"' in done.stdout
    assert "regenerate_with_grounding_prompt" in done.stdout
    assert "lexical tier, profile default" in done.stdout
    assert done.stderr == ""


def test_json_prints_json_alone(assay: Run) -> None:
    done = assay("check", *GROUNDED, "--response", ANSWER, "--json")
    row = json.loads(done.stdout)
    assert row["decision"] == "ACCEPT"
    assert list(row)[:2] == ["id", "decision"]
    assert "gates" not in row


def test_explain_shows_the_two_numbers_compared(assay: Run) -> None:
    done = assay("check", *GROUNDED, "--response", MADE_UP, "--explain")
    assert "ungrounded_and_specific  <- fired" in done.stdout
    assert "attribution 0.0000 < 0.2" in done.stdout
    gates = json.loads(assay("check", *GROUNDED, "--response", MADE_UP, "--explain", "--json").stdout)[
        "gates"
    ]
    assert gates[-1]["fired"] is True
    assert gates[-1]["compared"][0] == {
        "signal": "attribution", "operator": "<", "threshold": 0.2, "value": 0.0, "met": True
    }  # fmt: skip


@pytest.mark.parametrize(
    ("response", "fail_on", "code"),
    [
        (ANSWER, "review", 0),
        (ANSWER, "reject", 0),
        (MADE_UP, "reject", 1),
        (MADE_UP, "review", 1),
        ("I cannot answer this from the documents.", "review", 1),
        ("I cannot answer this from the documents.", "reject", 0),
        (MADE_UP, None, 0),
    ],
)
def test_fail_on_sets_the_exit_code(assay: Run, response: str, fail_on: str | None, code: int) -> None:
    options = ("--fail-on", fail_on) if fail_on else ()
    assert assay("check", *GROUNDED, "--response", response, *options).returncode == code


def test_texts_come_from_files_and_contexts_are_passages(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "doc.txt").write_text("The bridge was opened in 1998.\n", "utf-8")
    (tmp_path / "answer.txt").write_text("\ufeffIt was opened in 1998 – früh 😀.\n", "utf-8")
    done = assay(
        "check", "--query", "q", "--context", "first", "--context", "@doc.txt", "--response", "@answer.txt", "--json",
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    row = json.loads(done.stdout)
    assert row["meta"]["read"]["passages"] == 2
    assert row["claims"][0]["text"] == "It was opened in 1998 – früh 😀."
    assert row["claims"][0]["evidence"][0]["passage"] == 1


def test_two_at_signs_are_a_literal_one(assay: Run) -> None:
    done = assay("check", "--context", "@@home is a name.", "--response", "@@home", "--json")
    assert json.loads(done.stdout)["claims"][0]["text"] == "@home"


def test_a_sample_comes_from_a_file_or_stdin(assay: Run, tmp_path: Path) -> None:
    sample = {"id": "s1", "query": "When?", "context": ["Opened in 1998."], "response": "Opened in 1998."}
    (tmp_path / "sample.json").write_text(json.dumps(sample), "utf-8")
    for done in (
        assay("check", "sample.json", "--json"),
        assay("check", "-", "--json", text=json.dumps(sample)),
    ):
        assert json.loads(done.stdout)["id"] == "s1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give --response"),
        (("--response", "@missing.txt"), "missing.txt: --response: no such file"),
        (("--response", "x", "--context", "@binary.bin"), "binary.bin: --context: "),
        (("--response", "x", "--profile", "nonsense"), "nonsense: no such file, and no built-in profile"),
        (("--response", "x", "--profile", "typo.yaml"), "typo.yaml:2: gates"),
        (("--response", "x", "--embedder", "word2vec"), "no embedder is called 'word2vec'"),
        (("many.jsonl",), "more than one sample"),
        (("many.jsonl", "--response", "x"), "not both"),
        (("empty.json",), "empty.json: the file is empty"),
        (("wrong.json",), "wrong.json:1: response: expected text, got int"),
        (("--response", "x", "--fail-on", "accept"), "accept"),
    ],
)
def test_unusable_input_exits_2_with_its_place(
    assay: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "binary.bin").write_bytes(b"\x00\xff\x00")
    (tmp_path / "typo.yaml").write_text("extends: default\ngates: 7\n", "utf-8")
    (tmp_path / "many.jsonl").write_text('{"context": "a", "response": "b"}\n' * 2, "utf-8")
    (tmp_path / "empty.json").write_text("", "utf-8")
    (tmp_path / "wrong.json").write_text('{"context": "a", "response": 5}', "utf-8")
    done = assay("check", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_response_of_five_megabytes_is_a_review_and_exit_3(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("word " * 1_000_000, "utf-8")
    done = assay("check", "--context", "a", "--response", "@big.txt", "--json")
    assert done.returncode == 3
    row = json.loads(done.stdout)
    assert (row["decision"], row["failure_type"]) == ("REVIEW", "invalid_input")
    assert "5,000,000 characters" in row["error"]["message"]


def test_no_control_sequence_of_the_text_reaches_the_terminal(assay: Run) -> None:
    done = assay("check", "--context", "a b c", "--response", "\x1b[31mred\x1b[0m \u202eevil [bold]x[/bold]")
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert "[bold]x[/bold]" in done.stdout


def test_the_fallback_is_a_warning_on_stderr(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "gone.yaml").write_text(
        "extends: article\nname: gone\nembedder: [minilm, lexical]\n", "utf-8"
    )
    done = assay("check", "--models", tmp_path, "--profile", "gone.yaml", *GROUNDED, "--response", ANSWER)
    assert done.returncode == 0
    assert "warning" in done.stderr or "embedding tier" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_a_message_and_exit_2(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "assay", "check", "--context", "a b c", "--response", "a b c"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
