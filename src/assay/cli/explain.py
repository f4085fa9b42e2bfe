"""Gates as tables: those of a profile, and those a verdict walked through."""

from __future__ import annotations

from rich.table import Table

from assay.policy.profile import Profile, When
from assay.verdict import Verdict


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
        table.add_row(f"{gate.name}{'  <- fired' if gate.fired else ''}", compared, holds)
    if not any(gate.fired for gate in verdict.trace):
        table.add_row(f"(none fired: {verdict.decision.value})", "", "")
    return table


def _shown(value: float | None) -> str:
    return "unavailable" if value is None else f"{value:.4f}"
