"""When the judge is asked, and what follows from its answer, under the built-in profiles."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from assay import Assay, Judge, Sample, Verdict
from assay.errors import ProfileError
from assay.judge import PROMPT_VERSION, Price
from assay.judge.questions import MAX_CLAIMS, MAX_RESPONSE_CHARS
from assay.models.llm import ChatError, Completion
from assay.models.scripted_chat import ScriptedChat, Step
from assay.policy.load import load_profile
from assay.signals.registry import signal_names

from .cases import (
    CONTEXT,
    DOUBTFUL,
    GROUNDED,
    QUESTION,
    doubtful,
    rejected_in_the_zone,
    rulings,
    scores,
    zone,
)


def judged(
    profile: str | Path, sample: Sample, *script: Step, **settings: object
) -> tuple[Verdict, ScriptedChat]:
    chat = ScriptedChat(script)
    judge = Judge(chat, **settings)  # type: ignore[arg-type]
    return Assay(profile, embedder="lexical", judge=judge).check(sample), chat


def local(profile: str | Path, sample: Sample) -> Verdict:
    return Assay(profile, embedder="lexical").check(sample)


def outcome(v: Verdict) -> tuple[str, str]:
    return v.decision.value, v.failure_type.value


def report(v: Verdict) -> dict:  # type: ignore[type-arg]
    assert v.meta.judge is not None
    return dict(v.meta.judge)


# --- profile default: the doubtful claims ------------------------------------------------------------


def test_claims_that_the_judge_supports_are_accepted() -> None:
    v, chat = judged("default", doubtful(), rulings("supported"))
    assert outcome(local("default", doubtful())) == ("REVIEW", "weak_grounding")
    assert outcome(v) == ("ACCEPT", "none")
    assert v.hallucination_status == "none"
    assert v.claims[1].status == "supported"
    assert v.low_confidence_sentences == ()
    assert "judge found 1 of 1 doubtful claim supported" in v.reason
    assert (v.meta.used_llm_judge, v.meta.tier) == (True, "llm")
    assert [gate.name for gate in v.trace if gate.settled] == [
        "answer_without_ground", "poor_retrieval", "weak_grounding", "weak_claim", "disagreement", "borderline"
    ]  # fmt: skip
    assert len(chat.asked) == 1


def test_only_the_unsupported_claims_are_asked_about() -> None:
    _, chat = judged("default", doubtful(), rulings("supported"))
    prompt = chat.asked[0].prompt
    assert "claim 1]\n" + DOUBTFUL in prompt
    assert "begin claim 2]" not in prompt
    assert "begin context passage 2]\nThe town council" in prompt


def test_a_contradicted_claim_is_rejected() -> None:
    v, _ = judged("default", doubtful(), rulings("contradicted", reason="The context names another"))
    assert outcome(v) == ("REJECT", "contradiction")
    assert v.hallucination_status == "confirmed"
    assert v.claims[1].status == "contradicted"
    assert "The context names another." in v.reason
    assert DOUBTFUL in v.reason
    assert v.next_action == "regenerate_with_grounding_prompt"


def test_an_unsupported_claim_stays_a_review_or_is_rejected_as_the_profile_says(tmp_path: Path) -> None:
    v, _ = judged("default", doubtful(), rulings("unsupported"))
    assert outcome(v) == ("REVIEW", "weak_grounding")
    assert v.reason.startswith("The judge found 1 of 1 doubtful claim unsupported.")
    assert v.meta.used_llm_judge
    strict = tmp_path / "strict.yaml"
    rules = "judge: {ask: claims, settles: [weak_claim, weak_grounding], unsupported: REJECT}"
    strict.write_text(f"extends: default\nname: strict\n{rules}\n", "utf-8")
    v, _ = judged(strict, doubtful(), rulings("unsupported"))
    assert outcome(v) == ("REJECT", "hallucination")


LOOSE = (
    "The bridge carries some heavy green cargo trains.",
    "The town council later bought another large ferry.",
)


def test_one_claim_against_is_enough() -> None:
    sample = doubtful(extra=f"{LOOSE[0]} {LOOSE[1]}")
    assert outcome(judged("default", sample, rulings("supported", "unsupported"))[0])[0] == "REVIEW"
    assert outcome(judged("default", sample, rulings("unsupported", "contradicted"))[0])[0] == "REJECT"
    assert outcome(judged("default", sample, rulings("supported", "supported"))[0])[0] == "ACCEPT"


@pytest.mark.parametrize(
    "text",
    [
        rulings(),
        rulings("supported", "supported"),
        rulings("supported").replace('"claim": 1', '"claim": 2'),
        rulings("supported").replace("supported", "probably"),
        rulings("supported").replace("claims", "rulings"),
        scores(1.0, 1.0),
    ],
)
def test_a_ruling_that_does_not_fit_the_claims_is_no_ruling(text: str) -> None:
    v, chat = judged("default", doubtful(), text, text)
    assert outcome(v) == ("REVIEW", "verifier_unavailable")
    assert len(chat.asked) == 2


def test_the_other_gates_still_decide() -> None:
    off_topic = Sample("Which vitamins do oranges contain?", CONTEXT, GROUNDED + " " + DOUBTFUL)
    first = local("default", off_topic)
    v, chat = judged("default", off_topic, rulings("supported"))
    assert first.decision == "REVIEW"
    assert len(chat.asked) == 1
    assert outcome(v) == ("REVIEW", "off_topic")
    cited = Sample(QUESTION, CONTEXT, f"{GROUNDED[:-1]} [7]. {DOUBTFUL}")
    v, chat = judged("default", cited, rulings("supported"))
    assert outcome(v) == ("REVIEW", "citation_error")


HARD = {
    "empty_response": Sample(QUESTION, CONTEXT, " "),
    "no_evidence": Sample(QUESTION, (), GROUNDED),
    "unsupported_language": Sample(QUESTION, CONTEXT, "สะพานเปิดในปี พ.ศ. 2541 และยาว 340 เมตร"),
    "over_refusal": Sample(QUESTION, CONTEXT, "I don't know."),
    "citation_error": Sample(QUESTION, CONTEXT, GROUNDED[:-1] + " [7]."),
    "hallucination": Sample(
        QUESTION,
        CONTEXT,
        "Marie Curie invented quantum teleportation at Princeton in 1911 using zinc batteries.",
    ),
    "invalid_input": Sample(QUESTION, CONTEXT, "x" * 300_000),
    "none": Sample(QUESTION, CONTEXT, GROUNDED),
}


@pytest.mark.parametrize("kind", HARD)
def test_what_is_plain_or_decided_is_never_asked(kind: str) -> None:
    v, chat = judged("default", HARD[kind])
    assert v.failure_type == kind
    assert chat.asked == []
    assert not v.meta.used_llm_judge
    assert v.meta.judge is None


@pytest.mark.parametrize("kind", ["empty_response", "no_evidence", "unsupported_language"])
def test_nor_by_the_article(kind: str) -> None:
    v, chat = judged("article", HARD[kind])
    assert (v.failure_type, chat.asked) == (kind, [])


def test_claims_that_do_not_fit_are_not_settled() -> None:
    goods = "coal corn wine milk sand iron salt wood beer oil fish silk hay tin wool tea rye soap lead clay zinc flax"
    many = " ".join(
        f"The bridge carries some heavy {kind} trains." for kind in [*goods.split(), "ice", "gas", "tar"]
    )
    sample = doubtful(extra=many)
    assert local("default", sample).decision == "REVIEW"
    v, chat = judged("default", sample, rulings(*["supported"] * MAX_CLAIMS))
    assert len(chat.asked) == 1
    assert v.decision == "REVIEW"
    assert "5 more did not fit" in v.reason


# --- profile article: the zone -----------------------------------------------------------------------


def test_scores_are_blended_and_the_gates_walked_again() -> None:
    before = local("article", zone())
    v, chat = judged("article", zone(), scores(0.9, 1.0))
    assert outcome(before) == ("REVIEW", "uncertain")
    for name, said in (("faithfulness", 0.9), ("relevance", 1.0)):
        assert v.scores[name] == pytest.approx(0.6 * before.scores[name] + 0.4 * said, abs=1e-4)  # type: ignore[operator]
    f, r, c = (v.scores[name] for name in ("faithfulness", "relevance", "context_quality"))
    assert v.scores["final"] == pytest.approx((0.4 * f + 0.3 * r + 0.2 * c) / 0.9, abs=1e-4)  # type: ignore[operator]
    assert v.scores["attribution"] == before.scores["attribution"]
    assert v.scores["disagreement"] < before.scores["disagreement"]  # type: ignore[operator]
    assert outcome(v) == ("ACCEPT", "none")
    assert len(chat.asked) == 1
    assert report(v)["own"] == {name: before.scores[name] for name in ("faithfulness", "relevance")}


def test_low_scores_lower_the_final_score() -> None:
    v, _ = judged("article", zone(), scores(0.0, 0.0))
    assert v.decision == "REVIEW"
    assert v.scores["final"] < 0.45  # type: ignore[operator]


def test_no_scores_lift_an_answer_past_the_gates_on_attribution() -> None:
    assert outcome(local("article", rejected_in_the_zone())) == ("REJECT", "hallucination")
    v, chat = judged("article", rejected_in_the_zone(), scores(1.0, 1.0))
    assert outcome(v) == ("REJECT", "hallucination")
    assert len(chat.asked) == 1


def test_the_zone_is_open_at_both_ends() -> None:
    rows = [
        (Sample(q, CONTEXT, r), local("article", Sample(q, CONTEXT, r)).scores["final"])
        for q in (QUESTION, "How long is the bridge?", "What did the bridge cost and who paid?")
        for r in (
            GROUNDED,
            "It was opened in 1998.",
            "The bridge was opened in 1998. The council paid for it.",
        )
    ]
    inside = [final for _, final in rows if final is not None and 0.45 < final < 0.65]
    chat = ScriptedChat(lambda call: scores(0.5, 0.5))
    judge = Judge(chat)
    assay = Assay("article", embedder="lexical", judge=judge)
    used = [assay.check(sample).meta.used_llm_judge for sample, _ in rows]
    assert used == [final is not None and 0.45 < final < 0.65 for _, final in rows]
    assert len(chat.asked) == len(inside) == 4
    again = [assay.check(sample) for sample, _ in rows]
    assert len(chat.asked) == 4
    assert sum(v.meta.judge is not None and v.meta.judge["cached"] is True for v in again) == 4


def test_a_response_that_the_judge_cannot_read_whole_is_not_scored_by_it() -> None:
    base = zone()
    sample = Sample(base.query, base.passages, f"{base.response} " * (MAX_RESPONSE_CHARS // 70))
    final = local("article", sample).scores["final"]
    assert final is not None
    assert 0.45 < final < 0.65
    v, chat = judged("article", sample, scores(1.0, 1.0))
    assert outcome(v) == ("REVIEW", "verifier_unavailable")
    assert chat.asked == []


# --- whatever fails ----------------------------------------------------------------------------------

CUT = Completion("{", "length")
FAILURES: dict[str, tuple[tuple[Step, ...], dict[str, object], str]] = {
    "unreachable": ((ChatError("connection refused"),), {}, "connection refused"),
    "unreadable twice": (("0.9", "score: 1.0"), {}, "could not be read"),
    "cut twice": ((CUT, CUT), {}, "cut twice"),
    "no budget": ((), {"max_calls": 0}, "budget of 0 judge calls is spent"),
    "empty": (("", ""), {}, "is empty"),
}


@pytest.mark.parametrize("kind", FAILURES)
@pytest.mark.parametrize("profile", ["default", "article"])
def test_without_an_answer_the_local_verdict_stands_as_a_review(profile: str, kind: str) -> None:
    script, settings, cause = FAILURES[kind]
    sample = doubtful() if profile == "default" else zone()
    before = local(profile, sample)
    v, _ = judged(profile, sample, *script, **settings)
    assert outcome(v) == ("REVIEW", "verifier_unavailable")
    assert v.next_action == "optional_human_review"
    assert cause in v.reason
    assert before.reason in v.reason
    assert v.scores == before.scores
    assert v.claims == before.claims
    assert not v.meta.used_llm_judge
    assert v.meta.tier == "lexical"
    assert cause in report(v)["error"]
    assert v.error is None


@pytest.mark.parametrize("kind", FAILURES)
def test_a_local_reject_stays_one(kind: str) -> None:
    script, settings, cause = FAILURES[kind]
    v, _ = judged("article", rejected_in_the_zone(), *script, **settings)
    assert outcome(v) == ("REJECT", "hallucination")
    assert cause in v.reason


# --- what is recorded --------------------------------------------------------------------------------


def test_the_verdict_says_who_judged_and_what_it_cost() -> None:
    answer = Completion(rulings("supported"), "stop", 1000, 50, "dated-model-7")
    v, _ = judged("default", doubtful(), "nonsense", answer, price=Price(1.0, 2.0))
    row = v.to_dict()
    assert isinstance(row["meta"], dict)
    said = row["meta"]["judge"]
    assert isinstance(said, dict)
    assert said["model"] == "scripted"
    assert said["served_by"] == "dated-model-7"
    assert said["prompt_version"] == PROMPT_VERSION
    assert said["calls"] == 2
    assert said["completion_tokens"] == 52
    assert said["cost"] == pytest.approx((said["prompt_tokens"] + 2 * 52) / 1e6)  # type: ignore[operator]
    assert said["answer_sha256"] == hashlib.sha256(answer.text.encode()).hexdigest()
    assert said["cached"] is False
    assert said["claims"] == [{"claim": 1, "verdict": "supported", "reason": "so it stands there"}]
    assert said["read"] == {"context_characters": 162, "context_characters_read": 162}
    json.dumps(row)
    assert "Judge             scripted, 2 calls" in str(v)


def test_unknown_tokens_make_an_unknown_cost() -> None:
    v, _ = judged("default", doubtful(), Completion(rulings("supported")), price=Price(1, 1))
    assert report(v)["prompt_tokens"] is None
    assert report(v)["cost"] is None


def test_a_repeated_run_makes_no_call_and_gives_the_same_verdict(tmp_path: Path) -> None:
    def run(*script: Step) -> dict[str, object]:
        v, _ = judged("default", doubtful(), *script, cache=tmp_path / "c.sqlite")
        row = v.to_dict()
        assert isinstance(row["meta"], dict)
        del row["meta"]["latency_ms"]
        return {**row, "judge": row["meta"].pop("judge")}

    first, second = run(rulings("supported")), run()
    assert (first["judge"]["calls"], second["judge"]["calls"]) == (1, 0)  # type: ignore[index]
    for row in (first, second):
        for name in ("calls", "cached", "prompt_tokens", "completion_tokens", "latency_ms"):
            del row["judge"][name]  # type: ignore[attr-defined]
    assert first == second


def test_hashes_cover_the_model_and_the_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Assay("default")
    one, other = (Assay("default", judge=ScriptedChat([], name)) for name in ("a", "b"))
    assert len({plain.scorer_hash, one.scorer_hash, other.scorer_hash}) == 3
    assert plain.policy_hash != one.policy_hash == other.policy_hash
    monkeypatch.setattr("assay.judge.ask.PROMPT_VERSION", "judge-next")
    assert Assay("default", judge=ScriptedChat([], "a")).scorer_hash != one.scorer_hash


def test_what_a_profile_says_of_a_judge_does_not_count_without_one() -> None:
    profile = load_profile("default", signal_names())
    without = profile.model_copy(update={"judge": None})
    assert profile.policy_hash() == without.policy_hash()
    assert profile.policy_hash(judged=True) != without.policy_hash(judged=True)


def test_a_profile_that_says_nothing_of_a_judge_takes_none(tmp_path: Path) -> None:
    file = tmp_path / "plain.yaml"
    file.write_text("extends: default\nname: plain\njudge: null\n", "utf-8")
    assert Assay(file).check(doubtful()).decision == "REVIEW"
    with pytest.raises(ProfileError, match="judge: the profile does not say when a judge is asked"):
        Assay(file, judge=ScriptedChat([]))


def test_a_function_is_a_judge_and_none_is_asked_by_default() -> None:
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return rulings("supported")

    assert Assay("default", judge=model).check(doubtful()).decision == "ACCEPT"
    assert len(asked) == 1
    assert Assay("default", llm=model).check(doubtful()).meta.judge is None
    assert len(asked) == 1
