from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay import Assay, InputError, RegressionSuite, Sample
from assay.regress.baseline import read_baseline, write_baseline

from .helpers import BAD, CONTEXT, GOOD, MIXED, QUERY, compared, row


def changes(folder: Path, before: str, after: str, **budget: Any) -> tuple[str, tuple[str, ...]]:
    report = compared(folder, [row("a", before)], [row("a", after)], **budget)
    return report.differences[0].change, report.differences[0].causes


def test_the_same_answer_is_unchanged(tmp_path: Path) -> None:
    assert changes(tmp_path, MIXED, MIXED) == ("unchanged", ())


def test_a_worse_answer_regresses_in_every_way_that_it_did(tmp_path: Path) -> None:
    change, causes = changes(tmp_path, GOOD, MIXED)
    assert change == "regressed"
    assert causes == (
        "The decision fell from ACCEPT to REVIEW.",
        "The final score fell by 0.568, more than 0.05.",
        "1 claim is unsupported where none was.",
    )


def test_further_unsupported_claims_are_no_regression_of_their_own(tmp_path: Path) -> None:
    causes = changes(tmp_path, MIXED, BAD)[1]
    assert causes == (
        "The decision fell from REVIEW to REJECT.",
        "The final score fell by 0.332, more than 0.05.",
    )


def test_a_better_answer_is_an_improvement(tmp_path: Path) -> None:
    assert changes(tmp_path, MIXED, GOOD) == (
        "improved",
        (
            "The decision rose from REVIEW to ACCEPT.",
            "The final score rose by 0.568.",
            "No claim is unsupported any more.",
        ),
    )


def test_a_score_that_is_no_longer_there_is_a_regression_with_its_cause(tmp_path: Path) -> None:
    change, causes = changes(tmp_path, MIXED, "I'm sorry, I cannot answer this from the documents.")
    assert change == "regressed"
    assert causes == (
        "The final score, 0.432 before, is not available: attribution could not be measured: "
        "the response says nothing that can be checked.",
    )


def test_a_score_that_never_was_there_is_compared_by_its_decision(tmp_path: Path) -> None:
    refusal = "I'm sorry, I cannot answer this from the documents."
    assert changes(tmp_path, refusal, refusal) == ("unchanged", ())
    assert changes(tmp_path, refusal, "") == ("regressed", ("The decision fell from REVIEW to REJECT.",))
    assert changes(tmp_path, refusal, GOOD)[0] == "improved"


@pytest.mark.parametrize(
    ("before", "after", "threshold", "change"),
    [
        (1.0, 0.95, 0.05, "unchanged"),  # in binary 1 - 0.95 is more than 0.05
        (0.9, 0.85, 0.05, "unchanged"),
        (0.9, 0.8499, 0.05, "regressed"),
        (0.9, 0.8999, 0.0, "regressed"),
        (0.9, 0.9, 0.0, "unchanged"),
        (0.7, 0.2, 0.5, "unchanged"),
        (0.85, 0.9, 0.05, "unchanged"),
        (0.8499, 0.9, 0.05, "improved"),
    ],
)
def test_the_threshold_is_exact(
    tmp_path: Path, before: float, after: float, threshold: float, change: str
) -> None:
    from dataclasses import replace

    from assay.regress.cases import Case
    from assay.regress.compare import compare
    from assay.regress.stored import stored_case

    sample = Sample(QUERY, CONTEXT, GOOD, "a")
    case, verdict = Case("a", sample), Assay("lexical").check(sample)
    stored = stored_case(case, sample, replace(verdict, scores={"final": before}), text=True)
    new = replace(verdict, scores={"final": after})
    assert compare(case, stored, new, must=None, threshold=threshold).change == change


def test_what_was_edited_is_named(tmp_path: Path) -> None:
    moved = row("a", GOOD) | {"context": [*CONTEXT, "Another passage."], "query": "When?"}
    report = compared(tmp_path, [row("a")], [moved])
    assert report.differences[0].edited == ("query", "passages")


def test_new_missing_and_unjudged_cases_are_told_apart(tmp_path: Path) -> None:
    report = compared(tmp_path, [row("a"), row("b")], [row("a"), row("c", BAD), {"id": "d", "context": "x"}])
    assert [d.case.id for d in report.differences] == ["a"]
    assert [(n.case.id, n.decision) for n in report.new] == [("c", "REJECT")]
    assert [m.id for m in report.missing] == ["b"]
    assert [(u.case.id, "response" in u.message) for u in report.unjudged] == [("d", True)]


def test_nothing_in_common_is_an_error_not_a_pass(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of the 1 cases has the id of one of the baseline's 1"):
        compared(tmp_path, [row("a")], [row("b")])


def test_two_cases_of_one_id_are_an_error_with_both_lines(tmp_path: Path) -> None:
    from .helpers import write

    file = write(tmp_path / "cases.jsonl", row("a"), row("b"), row("a", BAD))
    with pytest.raises(InputError) as raised:
        RegressionSuite(tmp_path / "b.json").record(Assay("lexical"), file)
    assert (raised.value.file, raised.value.line, raised.value.field) == (str(file), 3, "id")
    assert "the first is on line 1" in str(raised.value)


def test_another_profile_is_not_compared_silently(tmp_path: Path) -> None:
    suite = RegressionSuite(tmp_path / "b.json")
    suite.record(Assay("lexical"), [row("a"), row("b", MIXED)])
    other = Assay("article", embedder="lexical")
    with pytest.raises(InputError, match="profile lexical is now article") as raised:
        suite.run(other, [row("a")])
    assert "scorer" in str(raised.value)
    assert "--rescore" in str(raised.value)
    report = suite.run(other, [row("a"), row("b", MIXED)], rescore=True)
    assert not report.failed
    assert [d.delta for d in report.differences] == [0.0, 0.0]
    assert "profile lexical is now article" in (report.against.rescored or "")
    assert report.differences[0].before.final == other.check(Sample(QUERY, CONTEXT, GOOD)).scores["final"]
    assert suite.run(other, [row("a", BAD)], rescore=True).failed


def test_another_scorer_under_the_same_profile_is_noticed(tmp_path: Path) -> None:
    suite = RegressionSuite(tmp_path / "b.json")
    baseline = suite.record(Assay("lexical"), [row("a")])
    write_baseline(suite.path, baseline.model_copy(update={"scorer_hash": "0" * 16}))
    with pytest.raises(InputError, match=f"scorer {'0' * 16} is now {baseline.scorer_hash}") as raised:
        suite.run(Assay("lexical"), [row("a")])
    assert "profile lexical" not in str(raised.value)


def test_hashes_alone_cannot_be_judged_again(tmp_path: Path) -> None:
    suite = RegressionSuite(tmp_path / "b.json")
    suite.record(Assay("lexical"), [row("a")], text=False)
    with pytest.raises(InputError, match="no texts to judge again"):
        suite.run(Assay("article", embedder="lexical"), [row("a")], rescore=True)


def test_rescoring_without_need_changes_nothing(tmp_path: Path) -> None:
    suite, assay = RegressionSuite(tmp_path / "b.json"), Assay("lexical")
    suite.record(assay, [row("a")])
    assert suite.run(assay, [row("a")], rescore=True).against.rescored is None


def test_a_record_is_whole_or_not_at_all(tmp_path: Path) -> None:
    from assay.regress.judging import UnjudgedError

    suite, assay = RegressionSuite(tmp_path / "b.json"), Assay("lexical")
    with pytest.raises(UnjudgedError, match=r"case 'x' could not be judged \(and 1 more\)"):
        suite.record(assay, [row("a"), {"id": "x"}, row("big", "y" * 300_000)])
    assert not suite.path.exists()
    suite.record(assay, [row("a")])
    with pytest.raises(InputError, match="--overwrite"):
        suite.record(assay, [row("b")])
    assert [case.id for case in read_baseline(suite.path).cases] == ["a"]
    suite.record(assay, [row("b")], overwrite=True)
    assert [case.id for case in read_baseline(suite.path).cases] == ["b"]


def test_cases_may_be_samples_rows_or_a_file_and_nothing_else(tmp_path: Path) -> None:
    suite, assay = RegressionSuite(tmp_path / "b.json"), Assay("lexical")
    suite.record(assay, [Sample(QUERY, CONTEXT, GOOD), row("a")])
    assert [case.id for case in suite.baseline().cases] == ["1", "a"]
    with pytest.raises(InputError, match="expected a case, a sample or a row, got int"):
        suite.record(assay, [5], overwrite=True)  # type: ignore[list-item]
