"""The readable block of a verdict, in plain characters that any terminal shows."""

from __future__ import annotations

from collections.abc import Mapping

from assay.text.printable import printable
from assay.verdict.parts import JSONValue
from assay.verdict.verdict import Verdict
from assay.verdict.vocabulary import Decision, FailureType, HallucinationStatus

WIDTH = 72
_LABELS = {
    "final": "Final score",
    "attribution": "Attribution",
    "specificity": "Specificity",
    "relevance": "Relevance",
    "context_quality": "Context quality",
    "consistency": "Consistency",
    "disagreement": "Disagreement",
}
_MEANINGS = {
    "attribution": "grounding",
    "specificity": "concreteness",
    "relevance": "answers the question",
    "context_quality": "retrieval",
    "disagreement": "spread of the signals",
}
_HALLUCINATION = {
    HallucinationStatus.NONE: "none",
    HallucinationStatus.SUSPECTED: "suspected: weak grounding",
    HallucinationStatus.CONFIRMED: "confirmed",
}


def block(verdict: Verdict) -> str:
    """Lay a verdict out as text; control characters of the judged text are made visible."""
    rule = "-" * WIDTH
    title = f"Assay verdict{f' for {printable(verdict.id)}' if verdict.id else ''}"
    state = "PASSED" if verdict.passed else "NOT PASSED"
    outcome = f"{verdict.decision.value} ({state}, confidence {verdict.confidence_pct} %)"
    lines = [rule, f"{title}: {outcome}", rule]
    for name, label in _LABELS.items():
        if name in verdict.scores:
            value = verdict.scores[name]
            shown = f"{value:.3f}" if value is not None else "-    "
            meaning = verdict.unavailable.get(name) or _MEANINGS.get(name, "")
            lines.append(_row(label, f"{shown}  {f'({printable(meaning)})' if meaning else ''}".rstrip()))
    lines.append(_row("Hallucination", _HALLUCINATION[verdict.hallucination_status]))
    if verdict.failure_type is not FailureType.NONE:
        lines.append(_row("Failure type", verdict.failure_type.value))
    lines.append(_row("Reason", printable(verdict.reason)))
    lines.append(_row("Next action", verdict.next_action.value))
    lines.append(_row("Why", printable(verdict.action_why)))
    if verdict.decision is not Decision.ACCEPT and verdict.low_confidence_sentences:
        lines.append("  Low-confidence sentences")
        lines.extend(f"    - {printable(sentence)}" for sentence in verdict.low_confidence_sentences)
    meta = verdict.meta
    basis = f"{meta.tier.value} tier, profile {printable(meta.profile)}, {meta.latency_ms:.1f} ms"
    lines.append(_row("Rests on", basis))
    if meta.judge is not None:
        lines.append(_row("Judge", printable(_judge(meta.judge))))
    lines.append(rule)
    return "\n".join(lines)


def _judge(judge: Mapping[str, JSONValue]) -> str:
    """Which model was asked, and how often."""
    if error := judge.get("error"):
        return f"{judge['model']}: {error}"
    calls = f"{judge['calls']} call{'' if judge['calls'] == 1 else 's'}"
    return f"{judge['model']}, {'answer from the cache' if judge.get('cached') else calls}"


def _row(label: str, text: str) -> str:
    return f"  {label:<16}  {text}"
