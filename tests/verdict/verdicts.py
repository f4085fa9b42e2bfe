"""A small verdict to vary."""

from __future__ import annotations

from assay.verdict import (
    Action,
    Claim,
    ClaimStatus,
    Comparison,
    Decision,
    Evidence,
    FailureType,
    GateTrace,
    HallucinationStatus,
    Meta,
    Tier,
    Verdict,
)

META = Meta(
    passed=False,
    used_llm_judge=False,
    latency_ms=3.25,
    profile="article",
    tier=Tier.EMBEDDING,
    version="0.1.0",
    policy_hash="0123456789abcdef",
    scorer_hash="fedcba9876543210",
    read={"passages": 2, "context_characters": 100, "context_characters_read": 80},
)
CLAIM = Claim(
    text="It was invented in 2019.",
    start=10,
    end=34,
    status=ClaimStatus.UNSUPPORTED,
    support=0.0312,
    evidence=(Evidence(1, 0, 12),),
    citations=("[2]",),
    facts=("2019 stands in no passage.",),
)


def verdict(**changes: object) -> Verdict:
    fields: dict[str, object] = {
        "id": "q_002",
        "decision": Decision.REJECT,
        "confidence_pct": 22,
        "failure_type": FailureType.HALLUCINATION,
        "hallucination_status": HallucinationStatus.SUSPECTED,
        "next_action": Action.REGENERATE_GROUNDED,
        "action_why": "A confident answer without grounds is more dangerous than a vague one",
        "scores": {"final": 0.547, "attribution": 0.445, "specificity": 0.745, "relevance": 0.621},
        "reason": "The response is confident but not grounded.",
        "meta": META,
        "low_confidence_sentences": ("It was invented in 2019.",),
        "claims": (CLAIM,),
        "trace": (GateTrace("confident", True, (Comparison("attribution", "<", 0.45, 0.445, True),)),),
    }
    return Verdict(**(fields | changes))
