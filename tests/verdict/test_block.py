from __future__ import annotations

import dataclasses
import unicodedata
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.verdict import Action, Decision, FailureType, HallucinationStatus, Tier, Verdict

from .verdicts import META, verdict

ATTACKS = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b2J",
    "a\nDecision: ACCEPT",
    "a\r\nb\rc",
    "a\x00b",
    "\u202egnp.exe",
    "\u2066x\u2069",
    "line\u2028separator",
    "\ud800lone",
    "\u200bzero\ufeffwidth",
    "\U000e0041tag",
]


def hostile(text: str) -> Verdict:
    return verdict(
        id=text,
        reason=text,
        action_why=text,
        low_confidence_sentences=(text, text),
        scores={"final": None, "attribution": 0.5},
        unavailable={"final": text},
        meta=dataclasses.replace(META, profile=text),
    )


def lines_of(judged: Verdict) -> list[str]:
    return [" ".join(line.split()) for line in str(judged).split("\n")]


def test_the_whole_block() -> None:
    assert str(verdict()) == (
        "------------------------------------------------------------------------\n"
        "Assay verdict for q_002: REJECT (NOT PASSED, confidence 22 %)\n"
        "------------------------------------------------------------------------\n"
        "  Final score       0.547\n"
        "  Attribution       0.445  (grounding)\n"
        "  Specificity       0.745  (concreteness)\n"
        "  Relevance         0.621  (answers the question)\n"
        "  Hallucination     suspected: weak grounding\n"
        "  Failure type      hallucination\n"
        "  Reason            The response is confident but not grounded.\n"
        "  Next action       regenerate_with_grounding_prompt\n"
        "  Why               A confident answer without grounds is more dangerous than a vague one\n"
        "  Low-confidence sentences\n"
        "    - It was invented in 2019.\n"
        "  Rests on          embedding tier, profile article, 3.2 ms\n"
        "------------------------------------------------------------------------"
    )


def test_decision_failure_and_action_are_said() -> None:
    for decision, failure, action in product(Decision, FailureType, Action):
        lines = lines_of(verdict(decision=decision, failure_type=failure, next_action=action))
        state = "PASSED" if decision is Decision.ACCEPT else "NOT PASSED"
        assert lines[1] == f"Assay verdict for q_002: {decision.value} ({state}, confidence 22 %)"
        assert f"Next action {action.value}" in lines
        assert (f"Failure type {failure.value}" in lines) is (failure is not FailureType.NONE)


@pytest.mark.parametrize("status", HallucinationStatus)
def test_the_hallucination_status_is_said(status: HallucinationStatus) -> None:
    assert any(
        line.startswith(f"Hallucination {status.value}")
        for line in lines_of(verdict(hallucination_status=status))
    )


@pytest.mark.parametrize("tier", Tier)
def test_the_tier_is_said(tier: Tier) -> None:
    judged = verdict(meta=dataclasses.replace(META, tier=tier))
    assert f"Rests on {tier.value} tier, profile article, 3.2 ms" in lines_of(judged)


def test_an_unavailable_score_is_a_dash_with_its_cause() -> None:
    lines = lines_of(verdict(scores={"final": None}, unavailable={"final": "no context was given"}))
    assert "Final score - (no context was given)" in lines


def test_an_accept_quotes_no_sentences() -> None:
    said = str(verdict(decision=Decision.ACCEPT))
    assert "Low-confidence" not in said
    assert "It was invented in 2019." not in said


@pytest.mark.parametrize("nameless", [None, ""])
def test_without_an_id_the_title_is_short(nameless: str | None) -> None:
    assert lines_of(verdict(id=nameless))[1].startswith("Assay verdict: REJECT ")


@settings(max_examples=500)
@given(st.sampled_from(ATTACKS) | st.text(st.characters(min_codepoint=0)))
def test_no_judged_text_steers_the_terminal_or_adds_a_line(text: str) -> None:
    said = str(hostile(text))
    said.encode("utf-8")
    lines = said.split("\n")
    tame = hostile("x" if text else "")
    assert len(lines) == len(str(tame).split("\n"))
    for line in lines:
        assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in line)
        assert not any("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in line)
