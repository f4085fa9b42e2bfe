from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from assay import Assay, InputError, Passage, RegressionSuite, Sample, Turn
from assay.regress.baseline import Baseline, read_baseline, write_baseline, writing

from .helpers import BAD, CONTEXT, DATE, GOOD, MIXED, QUERY, row

ROWS = [row("b", MIXED), row("a", GOOD, must="ACCEPT"), row("c", BAD)]


@pytest.fixture(scope="module")
def assay() -> Assay:
    return Assay("lexical")


@pytest.fixture
def baseline(tmp_path: Path, assay: Assay) -> Baseline:
    return RegressionSuite(tmp_path / "baseline.json").record(assay, ROWS, date=DATE)


def test_a_baseline_holds_what_was_judged_and_how(baseline: Baseline, assay: Assay) -> None:
    assert [case.id for case in baseline.cases] == ["a", "b", "c"]
    assert (baseline.profile, baseline.tier, baseline.date) == ("lexical", "lexical", DATE)
    assert (baseline.policy_hash, baseline.scorer_hash) == (assay.policy_hash, assay.scorer_hash)
    good, mixed, bad = baseline.cases
    assert [good.decision, mixed.decision, bad.decision] == ["ACCEPT", "REVIEW", "REJECT"]
    assert [good.must, mixed.must] == ["ACCEPT", None]
    assert [claim.status for claim in mixed.claims] == ["supported", "unsupported"]
    assert MIXED[mixed.claims[1].start : mixed.claims[1].end].startswith("Its architect")
    assert mixed.sample() == Sample(QUERY, CONTEXT, MIXED, "b")


def test_the_file_is_read_as_it_was_written(tmp_path: Path, baseline: Baseline) -> None:
    path = tmp_path / "baseline.json"
    assert read_baseline(path) == baseline
    assert path.read_text("utf-8") == baseline.to_json()


def test_the_file_is_stable_and_a_change_is_a_few_lines(tmp_path: Path, assay: Assay) -> None:
    def lines(name: str, rows: list[dict[str, Any]]) -> list[str]:
        RegressionSuite(tmp_path / name).record(assay, rows, date=DATE)
        return (tmp_path / name).read_text("utf-8").splitlines()

    first, again = lines("1.json", ROWS), lines("2.json", list(reversed(ROWS)))
    assert first == again
    changed = lines("3.json", [row("b", MIXED), row("a", GOOD), row("c", BAD)])
    assert set(first) - set(changed) == {'      "must": "ACCEPT",'}
    keys = list(json.loads("\n".join(first)))
    assert keys == sorted(keys)


def test_history_titles_ids_and_odd_characters_survive(tmp_path: Path, assay: Assay) -> None:
    sample = Sample(
        "And when?",
        [Passage("Opened in 1998 \ud800.", "Bridge \u202e", "p1")],
        "In 1998 \ud800\x00 – ‘☃’.",
        "x|y\n",
        [Turn("user", "Which bridge?")],
    )
    suite = RegressionSuite(tmp_path / "b.json")
    suite.record(assay, [sample])
    assert suite.baseline().cases[0].sample() == sample
    assert not suite.run(assay, [sample]).failed


def test_without_text_no_passage_and_no_response_is_in_the_file(tmp_path: Path, assay: Assay) -> None:
    suite = RegressionSuite(tmp_path / "b.json")
    suite.record(assay, [row("a", MIXED, history=[{"role": "user", "content": "secret turn"}])], text=False)
    raw = (tmp_path / "b.json").read_text("utf-8")
    for word in ("Wipper was", "architect", "340 metres", "secret turn"):
        assert word not in raw
    case = suite.baseline().cases[0]
    assert case.sample() is None
    assert len(case.passages_sha256 or "") == len(case.response_sha256 or "") == 64
    assert case.query == QUERY
    report = suite.run(assay, [row("a", MIXED, history=[{"role": "user", "content": "secret turn"}])])
    assert report.differences[0].edited == ()
    assert suite.run(assay, [row("a", GOOD)]).differences[0].edited == ("response",)


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (lambda b: b.update(format=2), "format", "a baseline has format 1, this one has 2"),
        (lambda b: b.pop("format"), "format", "this is no baseline"),
        (lambda b: b.pop("policy_hash"), "policy_hash", "field required"),
        (lambda b: b.update(colour="red"), "colour", "extra inputs"),
        (lambda b: b.update(cases=[]), "cases", "at least 1 item"),
        (lambda b: b["cases"][1].update(decision="MAYBE"), "cases[1].decision", "(case 'b')"),
        (lambda b: b["cases"][1]["scores"].update(final=1.5), "cases[1].scores.final", "less than or equal"),
        (lambda b: b["cases"][1]["scores"].update(final=True), "cases[1].scores.final", "not true or false"),
        (lambda b: b["cases"][0].update(must="REVIEW"), "cases[0].must", "(case 'a')"),
        (lambda b: b["cases"][0].update(response=5), "cases[0].response", "expected text, got int"),
        (lambda b: b["cases"][0].pop("response"), "cases[0]", "give response or response_sha256"),
        (lambda b: b["cases"][0]["claims"][0].update(start=-1), "cases[0].claims[0].start", "greater"),
        (lambda b: b["cases"][0].update(id="b"), None, "2 cases are called 'b'"),
    ],
)
def test_a_mistake_is_named_with_file_and_field(
    tmp_path: Path, baseline: Baseline, change: Any, field: str | None, message: str
) -> None:
    fields = json.loads(baseline.to_json())
    change(fields)
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(fields), "utf-8")
    with pytest.raises(InputError) as raised:
        read_baseline(path)
    assert raised.value.file == str(path)
    assert raised.value.field == field
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not valid JSON"),
        (b"[1]", "an array"),
        (b'{"format": 1, "cases": [', "not valid JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"format": NaN}', "NaN"),
    ],
)
def test_what_is_no_baseline_is_said_to_be_none(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "b.json").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_baseline(tmp_path / "b.json")


def test_an_absent_baseline_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="assay gate record CASES --baseline FILE"):
        read_baseline(tmp_path / "none.json")


def test_writing_into_a_folder_that_is_not_there(tmp_path: Path, assay: Assay) -> None:
    with pytest.raises(InputError, match="folder"):
        RegressionSuite(tmp_path / "none" / "b.json").record(assay, ROWS)


def test_leftovers_of_killed_writers_go_and_nothing_else_does(tmp_path: Path, baseline: Baseline) -> None:
    path = tmp_path / "baseline.json"
    keep = {".baseline.json.notes.tmp", ".other.json.0123abcd.tmp", "baseline.json.tmp"}
    for name in (*keep, ".baseline.json.0123abcd.tmp"):
        (tmp_path / name).write_text("half", "utf-8")
    with writing(path):
        write_baseline(path, baseline)
    assert keep < {other.name for other in tmp_path.iterdir()}
    assert not (tmp_path / ".baseline.json.0123abcd.tmp").exists()


def _approve(path: str, name: str) -> None:
    RegressionSuite(path).approve([name], reason=f"{name} is right", date=DATE)


def test_no_approval_of_two_writers_is_lost(tmp_path: Path, assay: Assay) -> None:
    suite = RegressionSuite(tmp_path / "b.json")
    names = [f"case {i}" for i in range(8)]
    suite.record(assay, [row(name) for name in names])
    suite.run(assay, [row(name, MIXED) for name in names])
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.starmap(_approve, [(str(suite.path), name) for name in names], chunksize=1)
    assert {case.id: len(case.approvals) for case in suite.baseline().cases} == dict.fromkeys(names, 1)
