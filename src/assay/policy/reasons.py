"""The words of a verdict: what is wrong, which sentences are concerned, what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.policy.decide import Outcome
from assay.policy.profile import PLACEHOLDER, Profile
from assay.verdict import Decision, Measured, Measurement, Unavailable

MAX_QUOTED = 3
MAX_QUOTE_CHARS = 120
UNVERIFIED = "What cannot be verified is not served without a person's look"


def reason(
    profile: Profile, outcome: Outcome, measured: Mapping[str, Measurement], sentences: Sequence[str]
) -> str:
    """The plain-English reason of a verdict.

    Args:
        profile: The profile that decided.
        outcome: What it decided.
        measured: The values that fill ``{signal}`` in the profile's wording.
        sentences: The response's sentences with little support, quoted when the verdict is not ACCEPT.
    """
    if outcome.blocked_by is not None:
        missing = measured[outcome.blocked_by]
        cause = missing.cause if isinstance(missing, Unavailable) else "unknown"
        return f"The response could not be verified: {outcome.blocked_by} is unavailable ({cause})."
    if outcome.reason is not None:
        text = outcome.reason
    else:
        text = fill(outcome.gate.reason if outcome.gate is not None else profile.accept.reason, measured)
    if outcome.decision is Decision.ACCEPT or not sentences:
        return text
    return f"{text} {concerned(sentences)}"


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


def concerned(sentences: Sequence[str]) -> str:
    """The sentences concerned, quoted and cut to a readable length."""
    quoted = [
        f'"{s if len(s) <= MAX_QUOTE_CHARS else s[: MAX_QUOTE_CHARS - 3].rstrip() + "..."}"'
        for s in sentences[:MAX_QUOTED]
    ]
    more = len(sentences) - len(quoted)
    noun = "Sentence" if len(sentences) == 1 else "Sentences"
    return f"{noun} concerned: {', '.join(quoted)}{f' and {more} more' if more else ''}."
