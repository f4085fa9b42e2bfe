from __future__ import annotations

import dataclasses
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.verdict import (
    ACTION_MEANINGS,
    FAILURE_MEANINGS,
    Action,
    Claim,
    ClaimStatus,
    Comparison,
    Decision,
    FailureType,
    GateTrace,
    HallucinationStatus,
    RowError,
    Tier,
)

from .verdicts import META, verdict

TOP_LEVEL = [
    "id",
    "decision",
    "confidence_pct",
    "failure_type",
    "hallucination_status",
    "next_action",
    "action_why",
    "scores",
    "explanations",
    "claims",
    "certificate",
    "meta",
]


class TestContract:
    def test_the_whole_json(self) -> None:
        assert verdict().to_dict() == {
            "id": "q_002",
            "decision": "REJECT",
            "confidence_pct": 22,
            "failure_type": "hallucination",
            "hallucination_status": "suspected",
            "next_action": "regenerate_with_grounding_prompt",
            "action_why": "A confident answer without grounds is more dangerous than a vague one",
            "scores": {"final": 0.547, "attribution": 0.445, "specificity": 0.745, "relevance": 0.621},
            "explanations": {
                "reason": "The response is confident but not grounded.",
                "low_confidence_sentences": ["It was invented in 2019."],
            },
            "claims": [
                {
                    "text": "It was invented in 2019.",
                    "start": 10,
                    "end": 34,
                    "status": "unsupported",
                    "support": 0.0312,
                    "evidence": [{"passage": 1, "start": 0, "end": 12}],
                    "citations": ["[2]"],
                    "facts": ["2019 stands in no passage."],
                }
            ],
            "certificate": None,
            "meta": {
                "passed": False,
                "used_llm_judge": False,
                "latency_ms": 3.25,
                "profile": "article",
                "tier": "embedding",
                "version": "0.1.0",
                "policy_hash": "0123456789abcdef",
                "scorer_hash": "fedcba9876543210",
                "read": {"passages": 2, "context_characters": 100, "context_characters_read": 80},
            },
        }

    def test_keys_come_in_the_contracts_order(self) -> None:
        row = verdict().to_dict()
        assert list(row) == TOP_LEVEL
        assert list(row["claims"][0]) == [
            "text",
            "start",
            "end",
            "status",
            "support",
            "evidence",
            "citations",
            "facts",
        ]
        assert list(row["meta"]) == [
            "passed",
            "used_llm_judge",
            "latency_ms",
            "profile",
            "tier",
            "version",
            "policy_hash",
            "scorer_hash",
            "read",
        ]

    def test_a_conversation_follows_the_id(self) -> None:
        row = verdict(conversation="c1").to_dict()
        assert list(row) == ["id", "conversation", *TOP_LEVEL[1:]]
        assert row["conversation"] == "c1"

    def test_an_error_comes_last(self) -> None:
        row = verdict(error=RowError("TooLarge", "too many characters")).to_dict()
        assert list(row) == [*TOP_LEVEL, "error"]
        assert row["error"] == {"type": "TooLarge", "message": "too many characters"}

    def test_an_unavailable_score_is_null_with_its_cause(self) -> None:
        row = verdict(scores={"final": None}, unavailable={"final": "no context was given"}).to_dict()
        assert row["scores"] == {"final": None}
        assert row["explanations"]["unavailable"] == {"final": "no context was given"}

    def test_a_claim_without_score_says_null(self) -> None:
        row = Claim("Hello!", 0, 6, ClaimStatus.NOT_CHECKABLE).to_dict()
        assert row["support"] is None
        assert (row["status"], row["evidence"], row["citations"], row["facts"]) == (
            "not_checkable",
            [],
            [],
            [],
        )

    @given(st.text(st.characters(min_codepoint=0)))
    def test_any_text_makes_json_that_reads_back(self, text: str) -> None:
        claim = Claim(text, 0, len(text), ClaimStatus.SUPPORTED, 1.0, (), (text,), (text,))
        judged = verdict(
            id=text,
            reason=text,
            low_confidence_sentences=(text,),
            claims=(claim,),
            unavailable={"final": text},
            error=RowError("X", text),
        )
        row = judged.to_dict()
        assert json.loads(json.dumps(row, allow_nan=False)) == row

    def test_changing_the_json_changes_no_verdict(self) -> None:
        judged = verdict()
        row = judged.to_dict()
        row["scores"]["final"] = 1.0
        row["meta"]["read"]["passages"] = 0
        assert judged.to_dict() == verdict().to_dict()


class TestPassed:
    @pytest.mark.parametrize("decision", Decision)
    def test_exactly_an_accept_passes(self, decision: Decision) -> None:
        assert verdict(decision=decision).passed is (decision is Decision.ACCEPT)


class TestValue:
    def test_cannot_be_changed(self) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            verdict().decision = Decision.ACCEPT
        with pytest.raises(dataclasses.FrozenInstanceError):
            META.passed = True

    def test_pickles(self) -> None:
        judged = verdict(error=RowError("X", "y"))
        assert pickle.loads(pickle.dumps(judged)) == judged


def test_the_trace_shows_both_numbers_of_every_comparison() -> None:
    trace = (
        GateTrace("first", False, (Comparison("relevance", "<", 0.3, None, False),)),
        GateTrace(
            "second",
            True,
            (Comparison("attribution", "<", 0.45, 0.44, True), Comparison("final", ">=", 0.1, 0.5, True)),
        ),
    )
    rows = verdict(trace=trace).trace_rows()
    assert rows == [
        {
            "gate": "first",
            "fired": False,
            "compared": [
                {"signal": "relevance", "operator": "<", "threshold": 0.3, "value": None, "met": False}
            ],
        },
        {
            "gate": "second",
            "fired": True,
            "compared": [
                {"signal": "attribution", "operator": "<", "threshold": 0.45, "value": 0.44, "met": True},
                {"signal": "final", "operator": ">=", "threshold": 0.1, "value": 0.5, "met": True},
            ],
        },
    ]
    json.dumps(rows, allow_nan=False)


class TestWords:
    @pytest.mark.parametrize(
        ("meanings", "words"), [(FAILURE_MEANINGS, FailureType), (ACTION_MEANINGS, Action)], ids=["f", "a"]
    )
    def test_every_word_has_a_meaning_of_its_own(self, meanings: dict[str, str], words: type[Action]) -> None:
        assert set(meanings) == set(words)
        assert len(set(meanings.values())) == len(words)
        for meaning in meanings.values():
            assert meaning[0].isupper()
            assert meaning.endswith(".")

    def test_the_words_of_the_contract(self) -> None:
        assert [d.value for d in Decision] == ["ACCEPT", "REVIEW", "REJECT"]
        assert [s.value for s in HallucinationStatus] == ["none", "suspected", "confirmed"]
        assert [t.value for t in Tier] == ["lexical", "embedding", "verifier", "llm"]
        assert {f.value for f in FailureType} >= {
            "none",
            "hallucination",
            "weak_grounding",
            "poor_retrieval",
            "off_topic",
            "uncertain",
            "no_evidence",
            "over_refusal",
            "missed_refusal",
            "citation_error",
            "unsupported_language",
            "verifier_unavailable",
        }
        assert {a.value for a in Action} >= {
            "serve_response",
            "retry_with_specific_prompt",
            "regenerate_with_grounding_prompt",
            "retrieve_more_documents",
            "retry_with_clearer_query",
            "optional_human_review",
        }


def test_a_judged_sample_is_known_by_its_hash() -> None:
    row = verdict(meta=dataclasses.replace(META, input_hash="0f" * 8)).to_dict()
    assert isinstance(row["meta"], dict)
    assert list(row["meta"])[-1] == "input_hash"
    assert row["meta"]["input_hash"] == "0f" * 8
