"""Gates as tables: those of a profile, and those a verdict walked through."""

from __future__ import annotations

from rich.table import Table

from assay.policy.profile import ClaimsJudge, Profile, ScoresJudge, When
from assay.verdict import GateTrace, Verdict


def gate_table(profile: Profile) -> Table:
    """The gates of a profile in their order."""
    table = Table(title=f"Profile {profile.name}: the first gate whose conditions all hold decides")
    for column in ("#", "gate, and when it fires", "what it gives"):
        table.add_column(column, overflow="fold")
    for number, gate in enumerate(profile.gates, start=1):
        table.add_row(
            str(number),
            f"{gate.name}\n  {condition_text(gate.when)}",
            f"{gate.decision.value}, {gate.failure_type.value}\n  {gate.action.value}",
        )
    table.add_row("", "otherwise", "ACCEPT, none\n  serve_response")
    return table


def condition_text(when: When) -> str:
    """Conditions as a reader would say them: ``attribution < 0.35 and specificity > 0.5``."""
    return " and ".join(
        f"{signal} {operator} {threshold:g}"
        for signal, condition in when.items()
        for operator, threshold in condition.bounds
    )


def judge_text(judge: ScoresJudge | ClaimsJudge) -> str:
    """When a judge is asked, if there is one, and what follows."""
    if isinstance(judge, ScoresJudge):
        shares = ", ".join(
            f"{1 - share:g} own + {share:g} judge for {name}" for name, share in judge.blend.items()
        )
        return f"judge (if one is given): scores if {condition_text(judge.when)}; {shares}"
    gates = ", ".join(judge.settles)
    return (
        f"judge (if one is given): the unsupported claims if {gates} fires; all supported: those gates are "
        f"passed; any contradicted: REJECT; else {judge.unsupported}"
    )


def gate_walk(verdict: Verdict) -> Table:
    """Every gate that was looked at with the numbers compared, and which one fired."""
    table = Table(title="Gates, in order")
    for column in ("gate", "compared", "holds"):
        table.add_column(column, overflow="fold")
    for gate in verdict.trace:
        compared = "\n".join(
            f"{c.signal} {_shown(c.value)} {c.operator} {c.threshold:g}" for c in gate.comparisons
        )
        holds = "\n".join("yes" if c.met else "no" for c in gate.comparisons)
        table.add_row(f"{gate.name}{_mark(gate)}", compared, holds)
    if not any(gate.fired for gate in verdict.trace):
        table.add_row(f"(none fired: {verdict.decision.value})", "", "")
    return table


def _mark(gate: GateTrace) -> str:
    if gate.settled:
        return "  (passed by the judge)"
    return "  <- fired" if gate.fired else ""


def _shown(value: float | None) -> str:
    return "unavailable" if value is None else f"{value:.4f}"
