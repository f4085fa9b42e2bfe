from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay import Assay, Budget, InputError, RegressionReport, RegressionSuite
from assay.regress.report import summary

from .helpers import BAD, GOOD, MIXED, compared, row

NAMES = ["a", "b", "c", "d"]
BEFORE = [row(name) for name in NAMES]


def run(folder: Path, worse: int = 0, **budget: Any) -> RegressionReport:
    after = [row(name, BAD if i < worse else GOOD) for i, name in enumerate(NAMES)]
    return compared(folder, BEFORE, after, **budget)


@pytest.mark.parametrize(
    ("worse", "budget", "code", "failures"),
    [
        (0, {}, 0, []),
        (1, {}, 1, ["1 case regressed, 0 may."]),
        (1, {"max_regressions": 1}, 0, []),
        (2, {"max_regressions": 1}, 1, ["2 cases regressed, 1 may."]),
        (1, {"min_pass_rate": 0.75}, 0, []),
        (1, {"min_pass_rate": 0.76}, 1, ["The pass rate is 75 %, below 76 %."]),
        (4, {"min_pass_rate": 0.0}, 0, []),
        (1, {"min_pass_rate": 0.5, "max_regressions": 0}, 1, ["1 case regressed, 0 may."]),
        (0, {"max_mean_drop": 0.0}, 0, []),
        (1, {"max_mean_drop": 0.3}, 1, ["1 case regressed, 0 may."]),
        (1, {"max_mean_drop": 0.3, "max_regressions": 4}, 0, []),
        (
            2,
            {"max_mean_drop": 0.3, "max_regressions": 4},
            1,
            ["The mean final score fell by 0.450, more than 0.3."],
        ),
        (4, {"report_only": True}, 0, []),
        (2, {"threshold": 1.0}, 1, ["2 cases regressed, 0 may."]),
    ],
)
def test_budgets(tmp_path: Path, worse: int, budget: dict[str, Any], code: int, failures: list[str]) -> None:
    report = run(tmp_path, worse, **budget)
    assert (report.exit_code, report.failed, list(report.failures)) == (code, code != 0, failures)


def test_report_only_still_says_what_would_fail(tmp_path: Path) -> None:
    report = run(tmp_path, 2, report_only=True, max_mean_drop=0.1)
    assert report.exceeded == (
        "2 cases regressed, 0 may.",
        "The mean final score fell by 0.450, more than 0.1.",
    )
    assert "Would fail as     2 cases regressed, 0 may." in str(report)
    assert "Regression report: PASSED" in str(report)


@pytest.mark.parametrize("name", ["threshold", "min_pass_rate", "max_mean_drop"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_budget_out_of_range_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=name):
        Budget(**{name: value})
    with pytest.raises(InputError, match="max_regressions"):
        Budget(max_regressions=-1)


def test_new_and_missing_cases_fail_by_flag_only(tmp_path: Path) -> None:
    before, after = [row("a"), row("b")], [row("a"), row("c")]
    assert compared(tmp_path, before, after).exit_code == 0
    new = compared(tmp_path, before, after, fail_on_new=True)
    assert (new.exit_code, new.failures) == (1, ("1 case is not in the baseline.",))
    missing = compared(tmp_path, before, after, fail_on_missing=True)
    assert (missing.exit_code, missing.failures) == (1, ("1 case is in the baseline and not in the run.",))
    assert compared(tmp_path, before, after, fail_on_new=True, report_only=True).exit_code == 0


def test_a_bound_case_fails_whatever_the_budget(tmp_path: Path) -> None:
    generous = {"report_only": True, "max_regressions": 99, "min_pass_rate": 0.0}
    report = compared(tmp_path, [row("a", BAD, must="REJECT"), row("b")], [row("a"), row("b")], **generous)
    assert report.differences[0].change == "improved"
    assert (report.exit_code, report.failures) == (1, ("a must be REJECT and is ACCEPT.",))
    assert report.total - len(report.failed_cases) == 1


def test_a_case_is_bound_by_its_row_too(tmp_path: Path) -> None:
    report = compared(tmp_path, [row("a", MIXED)], [row("a", MIXED, must="accept")], report_only=True)
    assert report.failures == ("a must be ACCEPT and is REVIEW.",)
    new = compared(tmp_path, [row("a")], [row("a"), row("n", must="REJECT")])
    assert new.failures == ("n must be REJECT and is ACCEPT.",)


def test_a_bound_case_that_was_left_out_is_not_proven(tmp_path: Path) -> None:
    report = compared(tmp_path, [row("a"), row("b", BAD, must="REJECT")], [row("a")], report_only=True)
    assert (report.exit_code, report.failures) == (1, ("b must be REJECT and was not in the run.",))


def test_row_and_baseline_may_not_disagree_on_what_must_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a must be ACCEPT here and REJECT in the baseline"):
        compared(tmp_path, [row("a", BAD, must="REJECT")], [row("a", must="ACCEPT")])
    with pytest.raises(InputError, match="a case can be bound to ACCEPT or REJECT, not to 'REVIEW'"):
        compared(tmp_path, [row("a", must="REVIEW")], [])


def test_rows_that_could_not_be_judged_exit_3_even_under_report_only(tmp_path: Path) -> None:
    rows = [row("a", BAD), {"id": "b", "context": 5, "response": "x"}]
    report = compared(tmp_path, [row("a"), row("b")], rows, report_only=True, max_regressions=9)
    assert (report.exit_code, report.failed) == (3, True)
    assert report.failures == ("1 row could not be judged.",)
    assert compared(tmp_path, [row("b")], rows[1:]).exit_code == 3


def test_the_mean_is_over_cases_with_a_score_on_both_sides(tmp_path: Path) -> None:
    refusal = "I'm sorry, I cannot answer this from the documents."
    report = compared(tmp_path, [row("a"), row("b", refusal)], [row("a", BAD), row("b", GOOD)])
    assert report.mean_delta == pytest.approx(-0.9)
    none = compared(tmp_path, [row("b", refusal)], [row("b", refusal)], max_mean_drop=0.0)
    assert (none.mean_delta, none.exit_code) == (None, 0)


def test_text_json_and_exit_code_agree(tmp_path: Path) -> None:
    report = run(tmp_path, 3, max_regressions=2)
    value = json.loads(json.dumps(summary(report)))
    assert (value["failed"], value["exit_code"]) == (True, report.exit_code)
    assert [value[key] for key in ("total", "passed", "failed_cases", "mean_delta")] == [4, 1, 3, -0.675]
    assert [entry["id"] for entry in value["regressions"]] == ["a", "b", "c"]
    lines = str(report).splitlines()
    assert lines[1] == "Regression report: FAILED"
    for line in (
        "  Total             4",
        "  Passed            1",
        "  Failed            3",
        "  Mean delta        -0.675",
        "  Threshold         0.050",
        "  Failed because    3 cases regressed, 2 may.",
        "    - a  1.000 -> 0.100 (-0.900), ACCEPT -> REJECT",
        "        1 claim is unsupported where none was.",
    ):
        assert line in lines


def test_the_worst_regression_comes_first_and_long_lists_are_cut(tmp_path: Path) -> None:
    names = [f"case {i:03}" for i in range(60)]
    after = [row(name, BAD if name == "case 037" else MIXED) for name in names]
    report = compared(tmp_path, [row(name) for name in names], after)
    assert report.regressions[0].case.id == "case 037"
    assert "    - and 10 more" in str(report).splitlines()
    assert len(summary(report)["regressions"]) == 60  # type: ignore[arg-type]


def test_improvements_are_listed(tmp_path: Path) -> None:
    report = compared(tmp_path, [row("a", MIXED), row("b")], [row("a"), row("b")])
    assert (report.exit_code, len(report.improvements), report.unchanged) == (0, 1, 1)
    assert "    - a  0.432 -> 1.000 (+0.568), REVIEW -> ACCEPT" in str(report).splitlines()


def test_approval_makes_the_new_verdict_the_baseline(tmp_path: Path) -> None:
    suite, assay = RegressionSuite(tmp_path / "baseline.json"), Assay("lexical")
    suite.record(assay, [row("a"), row("b")])
    with pytest.raises(InputError, match="run the gate first"):
        suite.approve(["a"], reason="policy")
    changed = [row("a", MIXED), row("b"), row("n")]
    assert suite.run(assay, changed).failed
    (approved,) = suite.approve(["a"], reason=" policy ", date="2026-12-01T00:00:00Z")
    assert approved.before is not None
    assert (approved.before.decision, approved.after.decision) == ("ACCEPT", "REVIEW")
    report = suite.run(assay, changed)
    assert (report.failed, len(report.new)) == (False, 1)
    case = suite.baseline().by_id()["a"]
    assert case.response == MIXED
    (kept,) = case.approvals
    assert (kept.date, kept.reason, kept.was, kept.was_final) == (
        "2026-12-01T00:00:00Z",
        "policy",
        "ACCEPT",
        1.0,
    )
    suite.approve(["n"], reason="a new case")
    assert suite.baseline().by_id()["n"].approvals[0].was is None
    assert suite.run(assay, changed).new == ()
    suite.run(assay, [row("a")])
    suite.approve(["a"], reason="back again")
    assert [a.reason for a in suite.baseline().by_id()["a"].approvals] == ["policy", "back again"]


def test_approval_of_answers_that_are_given(tmp_path: Path) -> None:
    suite, assay = RegressionSuite(tmp_path / "baseline.json"), Assay("lexical")
    suite.record(assay, [row("a"), row("b")], text=False)
    suite.approve(["a"], reason="policy", assay=assay, answers=[row("a", MIXED), row("b", BAD)])
    cases = suite.baseline().by_id()
    assert (cases["a"].decision, cases["b"].decision, cases["a"].response) == ("REVIEW", "ACCEPT", None)


def test_what_cannot_be_approved(tmp_path: Path) -> None:
    suite, assay = RegressionSuite(tmp_path / "baseline.json"), Assay("lexical")
    suite.record(assay, [row("a"), row("m", BAD, must="REJECT")])
    before = suite.path.read_bytes()
    suite.run(assay, [row("a", MIXED), row("m", MIXED)])
    for ids, reason, message in (
        (["a"], "  ", "say why"),
        (["a", "zz"], "r", "there is no case 'zz'"),
        (["a", "m"], "r", "m must be REJECT and is REVIEW"),
    ):
        with pytest.raises(InputError, match=message):
            suite.approve(ids, reason=reason)
    other = Assay("article", embedder="lexical")
    with pytest.raises(InputError, match="not made as the baseline's"):
        suite.approve(["a"], reason="r", assay=other, answers=[row("a", MIXED)])
    with pytest.raises(InputError, match="engine"):
        suite.approve(["a"], reason="r", answers=[row("a", MIXED)])
    suite.run(other, [row("a"), row("m", BAD)], rescore=True, budget=Budget(report_only=True))
    with pytest.raises(InputError, match="not made as the baseline's"):
        suite.approve(["a"], reason="r")
    assert suite.path.read_bytes() == before
