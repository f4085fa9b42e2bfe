"""A baseline of an engine with a judge: rows that it was asked about stand beside rows that it was not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import Assay, InputError, RegressionSuite, Sample
from assay.models.llm import ChatError
from assay.models.scripted_chat import ScriptedChat, Step
from assay.regress.cases import as_cases
from assay.regress.judging import UnjudgedError, common_measure, judged

from .helpers import DATE, GOOD, MIXED, row

ROWS = [row("a", GOOD), row("b", MIXED)]


def ruling(verdict: str) -> str:
    return json.dumps({"claims": [{"claim": 1, "reason": "so it is", "verdict": verdict}]})


def engine(*script: Step) -> Assay:
    return Assay("default", judge=ScriptedChat(script))


def test_the_judges_ruling_is_recorded_and_compared(tmp_path: Path) -> None:
    suite = RegressionSuite(tmp_path / "b.json")
    baseline = suite.record(engine(ruling("supported")), ROWS, date=DATE)
    assert [case.decision for case in baseline.cases] == ["ACCEPT", "ACCEPT"]
    assert baseline.tier == "lexical"
    assert not suite.run(engine(ruling("supported")), ROWS).failed
    report = suite.run(engine(ruling("contradicted")), ROWS)
    assert report.failed
    assert [d.after.decision for d in report.differences] == ["ACCEPT", "REJECT"]
    with pytest.raises(InputError, match="judged otherwise"):
        suite.run(Assay("default"), ROWS)


def test_a_judge_that_does_not_answer_is_no_regression_and_no_baseline(tmp_path: Path) -> None:
    suite = RegressionSuite(tmp_path / "b.json")
    with pytest.raises(UnjudgedError, match=r"'b' could not be judged.*the judge did not answer: down"):
        suite.record(engine(ChatError("down")), ROWS)
    assert not suite.path.exists()
    suite.record(engine(ruling("supported")), ROWS)
    report = suite.run(engine(ChatError("down")), ROWS)
    assert report.exit_code == 3
    assert [u.message for u in report.unjudged] == ["the judge did not answer: down"]


def test_verdicts_with_and_without_the_judge_have_one_measure() -> None:
    verdicts = list(judged(engine(ruling("supported")), as_cases(ROWS)))
    assert [v.meta.tier for _, v in verdicts] == ["lexical", "llm"]
    assert common_measure(verdicts)["tier"] == "lexical"
    assert common_measure(verdicts[1:])["tier"] == "llm"
    other = list(judged(Assay("default"), as_cases([Sample.from_row(ROWS[0])])))
    with pytest.raises(InputError, match="by several"):
        common_measure([*verdicts, *other])
