"""What a test's verdicts go by. Light: the pytest plugin is loaded in every test run of an environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.verdict import Decision, Verdict

if TYPE_CHECKING:
    from assay.engine import Assay

_RANK = {Decision.ACCEPT: 0, Decision.REVIEW: 1, Decision.REJECT: 2}
MAX_SENTENCES = 20


def plain_engine(profile: str) -> Assay:
    """An engine that nobody watches."""
    from assay.engine import Assay

    return Assay(profile)


@dataclass
class Defaults:
    """What ``assert_grounded`` goes by where a call does not say; the pytest plugin sets it for each test.

    Attributes:
        profile: The profile.
        min_decision: The least decision.
        make: Makes an engine.
        engines: The engines made so far.
        settled: Verdicts that ``assert_grounded`` looked at in the present test.
    """

    profile: str = "default"
    min_decision: Decision = Decision.ACCEPT
    make: Callable[[str], Assay] = plain_engine
    engines: dict[str, Assay] = field(default_factory=dict)
    settled: list[Verdict] = field(default_factory=list)

    def engine(self, profile: str | None = None) -> Assay:
        """The engine of a profile, made once."""
        name = profile or self.profile
        if name not in self.engines:
            self.engines[name] = self.make(name)
        return self.engines[name]


_stack = [Defaults()]


def defaults() -> Defaults:
    """Those in force."""
    return _stack[-1]


def enter(new: Defaults) -> None:
    """Put other defaults in force, until `leave`."""
    _stack.append(new)


def leave(old: Defaults) -> None:
    """Take defaults out of force."""
    if old in _stack[1:]:
        _stack.remove(old)


def least_decision(value: object) -> Decision:
    """A decision that a verdict can be asked to reach.

    Raises:
        InputError: It is none.
    """
    if value in (Decision.ACCEPT, Decision.REVIEW):
        return Decision(str(value))
    raise InputError(f"expected ACCEPT or REVIEW, got {value!r}", field="min_decision")


def worse(decision: Decision, least: Decision) -> bool:
    """Whether a decision is worse than the least one."""
    return _RANK[decision] > _RANK[least]


def failure(verdict: Verdict, least: Decision) -> str:
    """What a failed test says: decision, reason, the sentences concerned, what to do."""
    from assay.text.printable import printable

    final = verdict.scores.get("final")
    score = "no final score" if final is None else f"final score {final:.3f}"
    wanted = least.value if least is Decision.ACCEPT else f"{least} or better"
    lines = [
        f"the response is {verdict.decision} ({verdict.failure_type}, {score}), not {wanted}",
        printable(verdict.reason),
    ]
    sentences = verdict.low_confidence_sentences
    if sentences:
        lines.append("unsupported sentences:")
        lines += [f"  - {printable(sentence)}" for sentence in sentences[:MAX_SENTENCES]]
        if len(sentences) > MAX_SENTENCES:
            lines.append(f"  - and {len(sentences) - MAX_SENTENCES} more")
    lines.append(f"next action: {verdict.next_action} (profile {printable(verdict.meta.profile)})")
    return "\n".join(lines)
