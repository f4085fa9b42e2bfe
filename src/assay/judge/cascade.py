"""When the judge is asked, and what follows from its answer or from its silence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from assay.judge.answers import ClaimRuling, Rulings, Scores, shown
from assay.judge.ask import Failed, Reply, Session
from assay.judge.questions import MAX_RESPONSE_CHARS, Asking, claims_question, scores_question
from assay.judge.report import failure_report, reply_report
from assay.policy.decide import FINAL, Outcome, decide, final_score, holds
from assay.policy.profile import ClaimsJudge, Profile, ScoresJudge
from assay.policy.reasons import UNVERIFIED, fill
from assay.signals.reading import Reading
from assay.verdict import (
    Action,
    Claim,
    ClaimStatus,
    Decision,
    FailureType,
    HallucinationStatus,
    JSONValue,
    Measured,
    Measurement,
)

Measurements = Mapping[str, Measurement]
_STATUS = {
    "supported": ClaimStatus.SUPPORTED,
    "unsupported": ClaimStatus.UNSUPPORTED,
    "contradicted": ClaimStatus.CONTRADICTED,
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """A sample after the judge was asked, or found not to be needed.

    Attributes:
        measured: The signals, with blended scores in place of the measured ones.
        outcome: What the policy says now.
        claims: The claims, with the judge's states.
        note: What the judge said, to stand before the reason; empty if it was not asked.
        used: Whether an answer of the judge took part.
        report: What ``meta.judge`` says; None if it was not asked.
    """

    measured: Measurements
    outcome: Outcome
    claims: tuple[Claim, ...]
    note: str = ""
    used: bool = False
    report: Mapping[str, JSONValue] | None = None


def settle(
    profile: Profile,
    reading: Reading,
    local: Ruling,
    session: Session,
    remeasure: Callable[[Measurements, frozenset[str]], dict[str, Measurement]],
) -> Ruling:
    """Ask the judge if the profile says so, and decide again.

    Args:
        profile: The profile, with what it says about a judge.
        reading: The sample.
        local: What was measured and decided without the judge.
        session: The judge, for this row.
        remeasure: Measures again the signals that need one of the changed ones.

    Returns:
        ``local`` if the judge is not needed. If it gives no answer, the local verdict as REVIEW
        ``verifier_unavailable`` with the cause. A local REJECT stays one whatever the judge says.
    """
    asking: Asking | None = None
    try:
        asking = _asking(profile, reading, local)
        if asking is None:
            return local
        if asking.kind == "scores" and len(reading.response) > len(asking.response):
            raise Failed(f"the judge reads responses of {MAX_RESPONSE_CHARS:,} characters at most")
        reply = session.ask(asking.question())
        report = reply_report(session, asking, reply)
        if isinstance(profile.judge, ScoresJudge):
            return _blended(profile, profile.judge, local, reply, report, remeasure)
        return _claims_ruled(profile, local, asking, reply, report)
    except Failed as failure:
        cause = str(failure)
    except Exception as error:  # noqa: BLE001 - whatever fails, the row still gets its local verdict
        cause = f"{type(error).__name__}: {error}"
    return _unsettled(local, cause, failure_report(session, asking, cause))


def _asking(profile: Profile, reading: Reading, local: Ruling) -> Asking | None:
    rules, gate = profile.judge, local.outcome.gate
    if (
        isinstance(rules, ScoresJudge)
        and local.outcome.blocked_by is None
        and holds(rules.when, local.measured)
    ):
        return scores_question(reading, local.claims, rules.room)
    if isinstance(rules, ClaimsJudge) and gate is not None and gate.name in rules.settles:
        return claims_question(reading, local.claims, rules.room)
    return None


def _blended(
    profile: Profile,
    rules: ScoresJudge,
    local: Ruling,
    reply: Reply,
    report: dict[str, JSONValue],
    remeasure: Callable[[Measurements, frozenset[str]], dict[str, Measurement]],
) -> Ruling:
    if not isinstance(reply.answer, Scores):
        raise TypeError("the judge was asked for scores")
    measured = dict(local.measured)
    own: dict[str, JSONValue] = {}
    for name, share in rules.blend.items():
        before, said = measured[name], getattr(reply.answer, name)
        if isinstance(before, Measured):
            own[name] = before.value
            value = (1 - share) * before.value + share * said
            measured[name] = replace(before, value=value, detail={**before.detail, "own": before.value})
    measured = remeasure(measured, frozenset(own))
    measured[FINAL] = final_score(profile, measured)
    outcome = _no_better_than_rejected(local, decide(profile, measured))
    said_text = " and ".join(f"{name} {getattr(reply.answer, name):.2f}" for name in rules.blend)
    note = f"The judge gives {said_text} ({shown(reply.answer.reason)}), blended into the scores."
    return Ruling(measured, outcome, local.claims, note, True, {**report, "own": own})


def _no_better_than_rejected(local: Ruling, outcome: Outcome) -> Outcome:
    """No scores lift an answer past a gate that rejects; its words keep the numbers that it fired on."""
    before = local.outcome
    if before.decision is not Decision.REJECT or outcome.decision is Decision.REJECT or before.gate is None:
        return outcome
    return replace(before, reason=fill(before.gate.reason, local.measured))


def _claims_ruled(
    profile: Profile, local: Ruling, asking: Asking, reply: Reply, report: dict[str, JSONValue]
) -> Ruling:
    if not isinstance(reply.answer, Rulings) or not isinstance(profile.judge, ClaimsJudge):
        raise TypeError("the judge was asked about claims")
    by_number = {ruling.claim: ruling for ruling in reply.answer.claims}
    ruled = {index: by_number[number] for number, index in enumerate(asking.claims, start=1)}
    claims = tuple(
        replace(claim, status=_STATUS[ruled[i].verdict]) if i in ruled else claim
        for i, claim in enumerate(local.claims)
    )
    found: list[JSONValue] = [
        {"claim": i, "verdict": r.verdict, "reason": shown(r.reason)} for i, r in sorted(ruled.items())
    ]
    outcome, note = _ruled_outcome(profile, profile.judge, local, list(ruled.values()), asking)
    return Ruling(local.measured, outcome, claims, note, True, {**report, "claims": found})


def _ruled_outcome(
    profile: Profile, rules: ClaimsJudge, local: Ruling, rulings: list[ClaimRuling], asking: Asking
) -> tuple[Outcome, str]:
    """What the rulings make of the local outcome, and the sentence that says so."""
    total = f"{len(rulings)} doubtful claim{'' if len(rulings) == 1 else 's'}"
    against = [r for r in rulings if r.verdict == "contradicted"]
    if against:
        reason = f"The context contradicts the response, says the judge: {shown(against[0].reason)}"
        return _rejected(local, FailureType.CONTRADICTION, reason), ""
    unsupported = [r for r in rulings if r.verdict == "unsupported"]
    if unsupported or asking.left_out:
        said = f"The judge found {len(unsupported)} of {total} unsupported"
        if asking.left_out:
            said = f"{said}, and {asking.left_out} more did not fit into the question"
        if unsupported and rules.unsupported == "REJECT":
            reason = f"{said}: {shown(unsupported[0].reason)}"
            return _rejected(local, FailureType.HALLUCINATION, reason), ""
        return local.outcome, f"{said}."
    outcome = decide(profile, local.measured, rules.settles)
    if outcome.decision is Decision.ACCEPT:
        outcome = replace(outcome, hallucination_status=HallucinationStatus.NONE)
    return outcome, f"The judge found {len(rulings)} of {total} supported by the context."


def _rejected(local: Ruling, kind: FailureType, reason: str) -> Outcome:
    return replace(
        local.outcome,
        decision=Decision.REJECT,
        failure_type=kind,
        action=Action.REGENERATE_GROUNDED,
        hallucination_status=HallucinationStatus.CONFIRMED,
        reason=reason if reason.endswith((".", "!", "?")) else f"{reason}.",
        why="What the context does not bear out is not served",
    )


def _unsettled(local: Ruling, cause: str, report: dict[str, JSONValue]) -> Ruling:
    note = f"The judge could not settle this ({cause}); the local signals say:"
    outcome = local.outcome
    if outcome.decision is not Decision.REJECT:
        outcome = replace(
            outcome,
            decision=Decision.REVIEW,
            failure_type=FailureType.VERIFIER_UNAVAILABLE,
            action=Action.HUMAN_REVIEW,
            why=UNVERIFIED,
        )
    return replace(local, outcome=outcome, note=note, report=report)


__all__ = ["Ruling", "settle"]
