"""The article's figures: its five cases, its printed table, its text's example (examples/, DESIGN)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import Assay, Verdict
from assay.policy.load import parse_profile, profile_text
from assay.signals.registry import signal_names

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent.parent / "examples/article_cases.json").read_text("utf-8"))
}
NAMES = ("attribution", "relevance", "context_quality", "final", "specificity", "disagreement")
UTF8 = {
    "q_001": (0.687, 0.679, 0.726, 0.694, 0.695, 0.020),
    "q_002": (0.445, 0.621, 0.459, 0.547, 0.745, 0.066),
    "q_003": (0.541, 0.455, 0.545, 0.540, 0.741, 0.060),
    "q_004": (0.043, 0.682, 0.091, 0.337, 0.570, 0.257),
    "q_005": (0.625, 0.341, 0.628, 0.536, 0.664, 0.137),
}
PRINTED = {
    "q_001": (0.686, 0.680, 0.725, 0.694),
    "q_002": (0.445, 0.621, 0.459, 0.547),
    "q_003": (0.528, 0.456, 0.535, 0.534),
    "q_004": (0.043, 0.682, 0.091, 0.337),
    "q_005": (0.625, 0.341, 0.628, 0.536),
}
OUTCOMES = {
    "q_001": ("ACCEPT", "none", "none", "serve_response"),
    "q_002": ("REJECT", "hallucination", "suspected", "regenerate_with_grounding_prompt"),
    "q_003": ("REVIEW", "weak_grounding", "suspected", "retry_with_specific_prompt"),
    "q_004": ("REJECT", "hallucination", "confirmed", "regenerate_with_grounding_prompt"),
    "q_005": ("REVIEW", "uncertain", "none", "optional_human_review"),
}
LOW_SENTENCES = {"q_001": (), "q_002": (1, 2), "q_003": (), "q_004": (0, 1), "q_005": (1,)}


@pytest.fixture(scope="module")
def article() -> Assay:
    assay = Assay("article", embedder="minilm")
    assert assay.warning is None
    return assay


def judged(assay: Assay, case_id: str, *, as_cp1252: bool = False) -> Verdict:
    def text(value: str) -> str:
        return value.encode("utf-8").decode("cp1252") if as_cp1252 else value

    case = CASES[case_id]
    return assay.check(
        query=text(case["query"]), context=text(case["context"]), response=text(case["response"]), id=case_id
    )


@pytest.mark.parametrize("case_id", UTF8)
def test_figures_of_the_utf8_column(article: Assay, case_id: str) -> None:
    scores = judged(article, case_id).scores
    assert [scores[name] for name in NAMES] == pytest.approx(UTF8[case_id], abs=0.001)


@pytest.mark.parametrize("case_id", PRINTED)
def test_the_printed_table_over_text_read_as_windows_1252(article: Assay, case_id: str) -> None:
    scores = judged(article, case_id, as_cp1252=True).scores
    assert [scores[name] for name in NAMES[:4]] == pytest.approx(PRINTED[case_id], abs=0.001)


@pytest.mark.parametrize("as_cp1252", [False, True])
@pytest.mark.parametrize("case_id", OUTCOMES)
def test_decisions_states_and_actions(article: Assay, case_id: str, as_cp1252: bool) -> None:
    v = judged(article, case_id, as_cp1252=as_cp1252)
    assert (v.decision, v.failure_type, v.hallucination_status, v.next_action) == OUTCOMES[case_id]
    assert v.meta.passed is (v.decision == "ACCEPT")
    assert v.meta.tier == "embedding"


@pytest.mark.parametrize("case_id", LOW_SENTENCES)
def test_low_confidence_sentences(article: Assay, case_id: str) -> None:
    v = judged(article, case_id)
    assert v.low_confidence_sentences == tuple(v.claims[i].text for i in LOW_SENTENCES[case_id])
    for claim in v.claims:
        assert claim.text == CASES[case_id]["response"][claim.start : claim.end]


def test_the_example_of_the_articles_text() -> None:
    text, name = profile_text("article")
    text = text.replace("faithfulness: 0.40, relevance: 0.30", "faithfulness: 0.45, relevance: 0.25")
    v = Assay(parse_profile(text, name, signal_names()), embedder="minilm").check(
        query="What is context engineering?",
        context="Context engineering is the architectural layer between retrieval and generation. It controls "
        "what information flows into the LLM context window — managing memory, compression, and token budgets.",
        response="Context engineering was invented at MIT in 1987 and is primarily used for hardware cache "
        "optimization in CPUs. It has nothing to do with language models.",
    )
    figures = [v.scores[name] for name in ("attribution", "specificity", "relevance", "final")]
    assert figures == pytest.approx((0.439, 0.701, 0.613, 0.525), abs=0.001)
    assert v.low_confidence_sentences == ("It has nothing to do with language models.",)
    assert (v.decision, v.next_action) == ("REJECT", "regenerate_with_grounding_prompt")


STRICTNESS = {"ACCEPT": 0, "REVIEW": 1, "REJECT": 2}


@pytest.mark.parametrize("case_id", OUTCOMES)
def test_the_lexical_fallback_is_never_more_lenient(case_id: str) -> None:
    v = judged(Assay("article", embedder="lexical"), case_id)
    assert STRICTNESS[v.decision] >= STRICTNESS[OUTCOMES[case_id][0]]
    assert v.meta.tier == "lexical"


def test_without_the_model_a_warning_names_the_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.models.minilm.find_minilm", lambda folder=None: None)
    assay = Assay("article")
    assert assay.warning is not None
    assert "lexical" in assay.warning
    assert judged(assay, "q_001").meta.tier == "lexical"
