from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from assay.cli.report import report
from assay.errors import InputError

HOSTILE = "\u202e<script>\x1b[31m\x9b[red]\x7f"
app = typer.Typer()
app.command("report")(report)


def row(id_: str, decision: str = "ACCEPT", **changes: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "decision": decision,
        "failure_type": "none",
        "scores": {"final": 0.5},
        "explanations": {"reason": "r"},
        "meta": {"latency_ms": 1.0, "profile": "default"},
    } | changes


def write(path: Path, *rows: dict[str, Any], tail: str = "") -> str:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows) + tail, encoding="utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_one_file(tmp_path: Path) -> None:
    result = run(write(tmp_path / "out.jsonl", row("a"), row("b", "REJECT")))
    assert result.exit_code == 0
    assert "Of 2 responses, 1 may be served as they are (50.0 %)." in " ".join(result.stdout.split())
    assert result.stderr == ""


def test_json_is_alone_on_stdout(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = run(write(tmp_path / "out.jsonl", row("a")), "--json", "--html", str(page))
    assert result.exit_code == 0
    value = json.loads(result.stdout)
    assert list(value) == ["files"]
    assert value["files"][0]["decisions"]["ACCEPT"]["n"] == 1
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_the_page_is_named_on_stderr(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = run(write(tmp_path / "out.jsonl", row("a")), "--html", str(page))
    assert result.stderr == f"The page is in {page}.\n"


def test_json_of_hostile_text_is_inert_and_the_same_text(tmp_path: Path) -> None:
    result = run(write(tmp_path / "out.jsonl", row(HOSTILE + "日本", "REJECT")), "--json")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", result.stdout)
    assert "日本" in result.stdout
    assert json.loads(result.stdout)["files"][0]["worst"][0]["id"] == HOSTILE + "日本"


def test_several_files_have_a_total(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{i}.jsonl", row(str(i))) for i in range(3)]
    value = json.loads(run(*files, "--json").stdout)
    assert [len(value["files"]), value["total"]["rows"], "drift" in value] == [3, 3, False]
    text = run(*files).stdout
    assert "Verdict report: all 3 files" in text
    assert "--compare" not in text


def test_two_files_are_compared_only_if_asked(tmp_path: Path) -> None:
    one, two = write(tmp_path / "1.jsonl", row("a")), write(tmp_path / "2.jsonl", row("a", "REJECT"))
    plain = run(one, two)
    assert "What changed" not in plain.stdout
    assert "--compare shows what it changed" in plain.stdout
    compared = run(one, two, "--compare")
    assert compared.stdout.startswith("What changed")
    assert "all 2 files" not in compared.stdout
    value = json.loads(run(one, two, "--compare", "--json").stdout)
    assert value["drift"]["pairs"]["moves"]["ACCEPT -> REJECT"] == 1
    assert "total" not in value


def test_top_bounds_what_is_listed(tmp_path: Path) -> None:
    file = write(tmp_path / "out.jsonl", *(row(str(i), "REJECT", conversation=str(i)) for i in range(5)))
    found = json.loads(run(file, "--json", "--top", "2").stdout)["files"][0]
    assert [len(found["worst"]), len(found["slowest"]), len(found["conversations"]["worst"])] == [2, 2, 2]
    assert found["conversations"]["n"] == 5
    assert run(file, "--top", "-1").exit_code == 2
    assert run(file, "--top", "0").exit_code == 0


@pytest.mark.parametrize("count", [1, 3])
def test_compare_takes_two_files(tmp_path: Path, count: int) -> None:
    files = [write(tmp_path / f"{i}.jsonl", row("a")) for i in range(count)]
    result = run(*files, "--compare")
    assert isinstance(result.exception, InputError)
    assert f"{count} given" in str(result.exception)


def test_unreadable_input_is_an_input_error_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text(json.dumps(row("a")) + "\n{broken\n" + json.dumps(row("b")) + "\n", encoding="utf-8")
    page = tmp_path / "page.html"
    result = run(str(file), "--html", str(page))
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith(f"{file}:2: not valid JSON")
    assert result.stdout == ""
    assert not page.exists()
    assert isinstance(run(str(tmp_path / "none.jsonl")).exception, InputError)


def test_a_page_never_replaces_a_verdict_file(tmp_path: Path) -> None:
    file = write(tmp_path / "out.jsonl", row("a"))
    result = run(file, "--html", file)
    assert isinstance(result.exception, InputError)
    assert json.loads((tmp_path / "out.jsonl").read_text("utf-8"))["id"] == "a"


def test_a_partial_last_line_is_said_and_no_failure(tmp_path: Path) -> None:
    result = run(write(tmp_path / "out.jsonl", row("a"), tail='{"id": "b'))
    assert result.exit_code == 0
    assert "Cut off: line 2" in result.stdout


def test_the_whole_command_exits_2_for_unreadable_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from assay.cli.app import main

    monkeypatch.setattr("sys.argv", ["assay", "report", str(tmp_path / "none.jsonl")])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert "none.jsonl: there is no such file" in capsys.readouterr().err
