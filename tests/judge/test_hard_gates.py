"""What no judge moves: rejections, plain facts, signals that are missing; and what breaks on the way to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from assay import Assay, Judge, Sample, Verdict
from assay.errors import InputError, ProfileError
from assay.models.scripted_chat import ScriptedChat
from assay.policy.load import load_profile
from assay.policy.profile import Profile
from assay.signals.disagreement import Disagreement
from assay.signals.reading import Reading
from assay.signals.registry import signal_names
from assay.verdict import Decision, Measurement

from .cases import CONTEXT, GROUNDED, QUESTION, doubtful, rejected_in_the_zone, rulings, scores, zone
from .test_cascade import HARD
from .test_injections import INJECTIONS, injected, run


def judged(profile: str | Path | Profile, sample: Sample, answer: str) -> tuple[Verdict, ScriptedChat]:
    chat = ScriptedChat(lambda call: answer)
    return Assay(profile, embedder="lexical", judge=Judge(chat)).check(sample), chat


def profile_with(tmp_path: Path, text: str, base: str = "article") -> Path:
    file = tmp_path / "own.yaml"
    file.write_text(f"extends: {base}\nname: own\n{text}\n", "utf-8")
    return file


def test_no_scores_lift_an_answer_past_a_gate_that_rejects_by_a_blended_score() -> None:
    """Even where the profile rejects by the very score that the judge has a share in."""
    article = load_profile("article", signal_names())
    gates = tuple(
        replace_gate(gate, decision=Decision.REJECT) if gate.name == "disagreement" else gate
        for gate in article.gates
    )
    strict = article.model_copy(update={"gates": gates})
    assert judged("article", zone(), scores(0.9, 1.0))[0].decision == "ACCEPT"
    before = Assay(strict, embedder="lexical").check(zone())
    v, chat = judged(strict, zone(), scores(0.9, 1.0))
    assert len(chat.asked) == 1
    assert before.decision == v.decision == "REJECT"
    assert v.failure_type == before.failure_type
    assert v.meta.used_llm_judge
    assert before.reason.split("(")[1] in v.reason  # the numbers that the gate fired on


def replace_gate(gate, **changes):  # type: ignore[no-untyped-def]
    return gate.model_copy(update=changes)


def test_a_signal_that_is_missing_is_not_settled_by_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gates that the judge settles turn on it; they do not fire, and are not passed unseen either."""

    def broken(self: Disagreement, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:
        raise OSError("no vectors")

    assert judged("default", doubtful(), rulings("supported"))[0].decision == "ACCEPT"
    monkeypatch.setattr(Disagreement, "measure", broken)
    v, chat = judged("default", doubtful(), rulings("supported"))
    assert len(chat.asked) == 1
    assert (v.decision, v.failure_type) == ("REVIEW", "verifier_unavailable")
    assert "no vectors" in v.reason


@pytest.mark.parametrize("kind", ["verifier_unavailable", "invalid_input", "citation_error"])
def test_a_profile_cannot_have_such_failures_settled(tmp_path: Path, kind: str) -> None:
    gate = (
        "{name: mine, when: {attribution: {below: 0.5}}, decision: REVIEW, action: optional_human_review, "
        f"failure_type: {kind}, reason: x, why: y}}"
    )
    file = profile_with(tmp_path, f"gates: [{gate}]\njudge: {{ask: claims, settles: [mine]}}", "default")
    with pytest.raises(ProfileError, match=f"no judge settles {kind}"):
        Assay(file, judge=ScriptedChat([]))


# --- whatever breaks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "sample"), [("default", doubtful()), ("article", zone())])
@pytest.mark.parametrize("place", ["assay.judge.cascade.reply_report", "assay.judge.questions.excerpts"])
def test_what_breaks_around_the_call_ends_in_a_review(
    monkeypatch: pytest.MonkeyPatch, profile: str, sample: Sample, place: str
) -> None:
    def broken(*arguments: object) -> object:
        raise LookupError("odd")

    monkeypatch.setattr(place, broken)
    answer = scores(1.0, 1.0) if profile == "article" else rulings("supported")
    v, _ = judged(profile, sample, answer)
    assert (v.decision, v.failure_type) == ("REVIEW", "verifier_unavailable")
    assert v.judge_failure == "LookupError: odd"
    assert not v.meta.used_llm_judge


@pytest.mark.parametrize("gives", [None, "text", 7, {"text": "x"}])
def test_a_model_that_gives_no_completion_ends_in_a_review(gives: object) -> None:
    class Odd:
        name = "odd"

        def complete(self, messages: object, **settings: object) -> object:
            return gives

    v = Assay("default", judge=Odd()).check(doubtful())  # type: ignore[arg-type]
    assert (v.decision, v.failure_type) == ("REVIEW", "verifier_unavailable")
    assert f"gave {type(gives).__name__} instead" in v.reason


def test_what_is_no_model_is_refused_before_the_first_row() -> None:
    for odd in (7, object(), ["openai:x"]):
        with pytest.raises(InputError, match="expected a chat model or a function"):
            Assay("default", judge=odd)  # type: ignore[arg-type]


@pytest.mark.parametrize("deadline", [0, -1, float("nan"), float("inf"), 1e12])
def test_a_deadline_is_one_that_locks_and_queues_can_wait_for(deadline: float) -> None:
    with pytest.raises(InputError, match="above 0, a day at most"):
        Judge(ScriptedChat([]), deadline=deadline)


def test_a_local_verdict_that_needed_no_judge_has_no_judge_failure() -> None:
    v = Assay("default").check(Sample(QUESTION, CONTEXT, GROUNDED))
    assert v.judge_failure is None
    unverified = replace(v, failure_type=type(v.failure_type).VERIFIER_UNAVAILABLE)
    assert unverified.judge_failure is None
    rejected, _ = judged("article", rejected_in_the_zone(), "nonsense")
    assert rejected.meta.judge is not None
    assert "error" in rejected.meta.judge
    assert rejected.judge_failure is None


# --- injections --------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["response", "response, before", "query", "context"])
@pytest.mark.parametrize("base", ["hallucination", "none", "over_refusal", "citation_error", "no_evidence"])
def test_a_judge_adds_nothing_to_what_an_injection_does_without_one(base: str, where: str) -> None:
    """Around every other decision, too: what the text itself changes, it changes without a judge."""
    alone = Assay("default", embedder="lexical")
    for text in INJECTIONS.values():
        sample = injected(HARD[base], where, text)
        local, (v, _) = alone.check(sample), run("default", sample)
        assert (v.decision, v.scores) == (local.decision, local.scores)
