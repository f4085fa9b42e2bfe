from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import Assay, RegressionSuite
from tests.cli.conftest import Run
from tests.regress.helpers import BAD, GOOD, MIXED, row, write

ARTICLE = Path(__file__).parent.parent.parent / "examples/article_cases.json"
UNRELATED = (
    "This is unrelated to the question. The system was invented in 1850 and has nothing to do with AI or "
    "language models. It can be useful in various scenarios."
)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    cases = write(tmp_path / "cases.jsonl", row("a"), row("b", MIXED), row("c", BAD))
    RegressionSuite(tmp_path / "baseline.json").record(Assay(), cases)
    return cases


def test_record_says_what_it_recorded(assay: Run, recorded: Path, tmp_path: Path) -> None:
    done = assay("gate", "record", recorded, "--baseline", "other.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "3 cases recorded in other.json: 1 ACCEPT, 1 REVIEW, 1 REJECT.\n"
    without_date = [
        [line for line in (tmp_path / name).read_text("utf-8").splitlines() if '"date"' not in line]
        for name in ("baseline.json", "other.json")
    ]
    assert without_date[0] == without_date[1]


def test_the_articles_regression(assay: Run, tmp_path: Path) -> None:
    cases = json.loads(ARTICLE.read_text("utf-8"))[:3]
    good = write(tmp_path / "cases.jsonl", *cases)
    bad = write(tmp_path / "new.jsonl", *(case | {"response": UNRELATED} for case in cases))
    article = ("--baseline", "baseline.json", "--profile", "article", "--embedder", "minilm")
    assert assay("gate", "record", good, *article).returncode == 0
    unchanged = assay("gate", "run", good, *article)
    assert (unchanged.returncode, unchanged.stderr) == (0, "")
    assert "Regression report: PASSED" in unchanged.stdout
    done = assay("gate", "run", bad, *article)
    assert done.returncode == 1
    for line in ("Regression report: FAILED", "  Total             3", "  Failed            3"):
        assert line in done.stdout.splitlines()
    value = json.loads(assay("gate", "run", bad, *article, "--json").stdout)
    assert (value["total"], value["failed_cases"], value["exit_code"]) == (3, 3, 1)
    by_id = {entry["id"]: entry for entry in value["regressions"]}
    assert by_id["q_001"]["before"]["final"] == pytest.approx(0.694, abs=0.002)
    assert by_id["q_001"]["after"]["final"] == pytest.approx(0.137, abs=0.002)
    finals = {id_: (e["before"]["final"], e["after"]["final"]) for id_, e in by_id.items()}
    mean = sum(after - before for before, after in finals.values()) / 3
    assert value["mean_delta"] == pytest.approx(mean, abs=0.0001)


def test_an_unchanged_run_passes(assay: Run, recorded: Path) -> None:
    done = assay("gate", "run", recorded, "--baseline", "baseline.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "  Unchanged         3" in done.stdout.splitlines()


def test_every_report_of_one_run_says_the_same(assay: Run, recorded: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "new.jsonl", row("a", MIXED), row("b", MIXED), row("c", GOOD))
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    files = ("--junit", "o.xml", "--sarif", "o.sarif", "--markdown", "o.md", "--github")
    done = assay(
        "gate", "run", answers, "-b", "baseline.json", *files, env={"GITHUB_STEP_SUMMARY": str(summary)}
    )
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("::stop-commands::")
    assert lines[-1].startswith(
        f"::error file={answers},line=1,title=assay%3A weak_grounding::a regressed: 1.000"
    )
    assert '<failure message="a regressed: 1.000' in (tmp_path / "o.xml").read_text("utf-8")
    (result,) = json.loads((tmp_path / "o.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("weak_grounding", "error")
    page = (tmp_path / "o.md").read_text("utf-8")
    assert "| 3 | 2 | 1 | 1 | 1 |" in page
    assert summary.read_text("utf-8") == "before\n" + page


def test_json_is_alone_on_stdout(assay: Run, recorded: Path) -> None:
    done = assay("gate", "run", recorded, "-b", "baseline.json", "--json", "--github")
    assert json.loads(done.stdout)["failed"] is False
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--max-regressions", "1"), 0),
        (("--min-pass-rate", "0.5"), 0),
        (("--min-pass-rate", "0.6"), 1),
        (("--max-regressions", "1", "--max-mean-drop", "0.1"), 1),
        (("--threshold", "0.9"), 1),
        (("--report-only",), 0),
        (("--max-regressions", "1", "--fail-on-missing"), 1),
        (("--max-regressions", "1", "--fail-on-new"), 0),
        (("--min-pass-rate", "2"), 2),
        (("--max-regressions", "-1"), 2),
        (("--profile", "lexical"), 2),
        (("--profile", "article", "--embedder", "lexical", "--rescore"), 1),
        (("--profile", "article", "--embedder", "lexical", "--rescore", "--report-only"), 0),
        (("--junit", "baseline.json"), 2),
        (("--junit", "x", "--sarif", "x"), 2),
        (("--junit", "none/x.xml"), 2),
    ],
)
def test_exit_codes(assay: Run, recorded: Path, tmp_path: Path, options: tuple[str, ...], code: int) -> None:
    before = (tmp_path / "baseline.json").read_bytes()
    answers = write(tmp_path / "new.jsonl", row("a", BAD), row("b", MIXED))
    done = assay("gate", "run", answers, "-b", "baseline.json", *options)
    assert done.returncode == code, done.stdout + done.stderr
    assert (tmp_path / "baseline.json").read_bytes() == before


def test_unjudged_rows_exit_3(assay: Run, recorded: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "new.jsonl", row("a"), "{broken", {"id": "b", "context": "x"})
    done = assay("gate", "run", answers, "-b", "baseline.json", "--report-only")
    assert done.returncode == 3
    assert "Regression report: INCOMPLETE (2 rows could not be judged)" in done.stdout
    assert f"{answers}:3: response: the row has no 'response'" in done.stdout
    other = assay("gate", "record", answers, "-b", "other.json")
    assert (other.returncode, (tmp_path / "other.json").exists()) == (3, False)
    assert "nothing was written" in other.stderr


def test_a_bound_case_fails_under_report_only(assay: Run, tmp_path: Path) -> None:
    cases = write(tmp_path / "cases.jsonl", row("a"), row("poison", BAD, must="REJECT"))
    assert assay("gate", "record", cases, "-b", "b.json").returncode == 0
    answers = write(tmp_path / "new.jsonl", row("a"), row("poison", GOOD))
    done = assay("gate", "run", answers, "-b", "b.json", "--report-only")
    assert done.returncode == 1
    assert "poison must be REJECT and is ACCEPT." in done.stdout
    wrong = write(tmp_path / "wrong.jsonl", row("a", BAD, must="ACCEPT"))
    warned = assay("gate", "record", wrong, "-b", "w.json")
    assert warned.returncode == 0
    assert "a must be ACCEPT and is REJECT: every run will fail" in warned.stderr


def test_approve_and_show(assay: Run, recorded: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "new.jsonl", row("a", MIXED), row("b", MIXED), row("c", BAD))
    approve = ("gate", "approve", "a", "-b", "baseline.json", "--reason", "new policy text")
    early = assay(*approve)
    assert (early.returncode, "run the gate first" in early.stderr) == (2, True)
    assert assay("gate", "run", answers, "-b", "baseline.json").returncode == 1
    done = assay(*approve)
    assert (done.returncode, done.stdout) == (0, "approved a: ACCEPT 1.000 -> REVIEW 0.432\n")
    assert assay("gate", "run", answers, "-b", "baseline.json").returncode == 0
    shown = assay("gate", "show", "-b", "baseline.json").stdout
    assert "  REVIEW  0.432  a, 1 unsupported" in shown.splitlines()
    assert "(was ACCEPT 1.000): new policy text" in shown
    value = json.loads(assay("gate", "show", "-b", "baseline.json", "--json").stdout)
    assert [case["decision"] for case in value["cases"]] == ["REVIEW", "REVIEW", "REJECT"]
    assert value["cases"][0]["approvals"][0]["reason"] == "new policy text"


def test_approve_from_answers(assay: Run, recorded: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "new.jsonl", row("a", MIXED))
    words = ("gate", "approve", "a", "-b", "baseline.json", "--from", answers, "--reason", "r")
    assert assay(*words, "-p", "lexical").returncode == 2
    assert assay(*words).returncode == 0
    assert assay("gate", "run", answers, "-b", "baseline.json").returncode == 0


def test_a_folder_that_cannot_be_written_to_does_not_fail_the_run(
    assay: Run, recorded: Path, tmp_path: Path
) -> None:
    (tmp_path / "baseline.last.json").mkdir()
    (tmp_path / "baseline.last.json" / "x").touch()
    done = assay("gate", "run", recorded, "-b", "baseline.json")
    assert done.returncode == 0
    assert "the verdicts are not kept for assay gate approve" in done.stderr


def test_mistakes_exit_2_with_their_place(assay: Run, recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"format": 1}', "utf-8")
    for words, message in (
        (("run", recorded, "-b", "none.json"), "none.json: there is no baseline"),
        (("run", recorded, "-b", "broken.json"), "broken.json: "),
        (("run", "none.jsonl", "-b", "baseline.json"), "none.jsonl: there is no such file"),
        (("record", recorded, "-b", "baseline.json"), "baseline.json: there is a baseline already"),
        (("show", "-b", "none.json"), "none.json: there is no baseline"),
    ):
        done = assay("gate", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"assay: error: {message}")


def test_other_formats_and_stdin(assay: Run, tmp_path: Path) -> None:
    ragas = {
        "id": "r",
        "user_input": "When?",
        "retrieved_contexts": ["It opened in 1998."],
        "response": "It opened in 1998.",
    }
    cases = write(tmp_path / "ragas.jsonl", ragas)
    assert assay("gate", "record", cases, "-b", "b.json").returncode == 0
    done = assay(
        "gate", "run", "-", "-b", "b.json", "--github", text=json.dumps(ragas | {"response": BAD}) + "\n"
    )
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("::error title=assay%3A")
