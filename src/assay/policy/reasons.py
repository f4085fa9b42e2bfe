"""The words of a verdict: what is wrong, which sentences are concerned, what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.policy.decide import Outcome
from assay.policy.profile import PLACEHOLDER, Gate, Profile
from assay.verdict import Claim, ClaimStatus, Decision, Measured, Measurement, Unavailable

MAX_QUOTED = 3
WEAK = (ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED)
ON_SUPPORT = ("attribution", "weakest_claim")
MAX_QUOTE_CHARS = 120
UNVERIFIED = "What cannot be verified is not served without a person's look"


def reason(
    profile: Profile, outcome: Outcome, measured: Mapping[str, Measurement], claims: Sequence[Claim]
) -> str:
    """The plain-English reason of a verdict.

    Args:
        profile: The profile that decided.
        outcome: What it decided.
        measured: The values that fill ``{signal}`` in the profile's wording, and their notes.
        claims: The response's claims; those that are concerned are quoted when the verdict is not ACCEPT.
    """
    if outcome.blocked_by is not None:
        missing = measured[outcome.blocked_by]
        cause = missing.cause if isinstance(missing, Unavailable) else "unknown"
        return f"The response could not be verified: {outcome.blocked_by} is unavailable ({cause})."
    if outcome.reason is not None:
        text = outcome.reason
    else:
        text = fill(outcome.gate.reason if outcome.gate is not None else profile.accept.reason, measured)
    if outcome.decision is Decision.ACCEPT or outcome.gate is None:
        return text
    notes = [note for name in outcome.gate.when for note in _notes(measured.get(name))][:MAX_QUOTED]
    sentences = _concerned(claims, outcome.gate)
    parts = (text, f"Found: {'; '.join(notes)}." if notes else "", quoted(sentences) if sentences else "")
    return " ".join(part for part in parts if part)


def _notes(got: Measurement | None) -> tuple[str, ...]:
    return got.notes if isinstance(got, Measured) else ()


def _concerned(claims: Sequence[Claim], gate: Gate) -> list[str]:
    """The claims without support; where a gate on support fired and none is without, the weakest."""
    weak = [claim.text for claim in claims if claim.status in WEAK]
    scored = [claim for claim in claims if claim.support is not None]
    if weak or not scored or gate.when.keys().isdisjoint(ON_SUPPORT):
        return weak
    return [min(scored, key=lambda claim: claim.support or 0.0).text]


def why(profile: Profile, outcome: Outcome) -> str:
    """Why the next action is the right one."""
    if outcome.blocked_by is not None:
        return UNVERIFIED
    if outcome.why is not None:
        return outcome.why
    return outcome.gate.why if outcome.gate is not None else profile.accept.why


def fill(template: str, measured: Mapping[str, Measurement]) -> str:
    """Put values in place of ``{signal}``, three decimals each; nothing else in it is interpreted."""

    def value(name: str) -> str:
        got = measured.get(name)
        return f"{got.value:.3f}" if isinstance(got, Measured) else "unavailable"

    return PLACEHOLDER.sub(lambda match: value(match.group(1)), template)


def quoted(sentences: Sequence[str]) -> str:
    """The sentences concerned, quoted and cut to a readable length."""
    shown = [
        f'"{s if len(s) <= MAX_QUOTE_CHARS else s[: MAX_QUOTE_CHARS - 3].rstrip() + "..."}"'
        for s in sentences[:MAX_QUOTED]
    ]
    more = len(sentences) - len(shown)
    noun = "Sentence" if len(sentences) == 1 else "Sentences"
    return f"{noun} concerned: {', '.join(shown)}{f' and {more} more' if more else ''}."
