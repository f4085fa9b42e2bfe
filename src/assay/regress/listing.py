"""A baseline as a person reads it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assay.regress.baseline import Baseline
from assay.regress.findings import figure
from assay.text.printable import printable
from assay.verdict import Decision

_LABELS = ("profile", "tier", "policy_hash", "scorer_hash", "date", "assay")


def as_dict(baseline: Baseline) -> dict[str, Any]:
    """How it was judged and every case without its texts, as JSON."""
    cases = [
        {
            "id": case.id,
            "decision": case.decision,
            "failure_type": case.failure_type,
            "final": case.final,
            "unsupported_claims": case.unsupported,
            "must": case.must,
            "approvals": [approval.model_dump() for approval in case.approvals],
        }
        for case in baseline.cases
    ]
    return {**{name: getattr(baseline, name) for name in _LABELS}, "text": baseline.text, "cases": cases}


def listing(baseline: Baseline) -> str:
    """The same as lines of text."""
    counts = Counter(case.decision for case in baseline.cases)
    decided = ", ".join(f"{counts[decision]} {decision}" for decision in Decision)
    lines = [f"{name.replace('_', ' '):<12} {printable(getattr(baseline, name))}" for name in _LABELS]
    lines.append(f"{'texts':<12} {'kept' if baseline.text else 'hashes of passages and responses only'}")
    lines.append(f"{'cases':<12} {len(baseline.cases)}: {decided}")
    lines.append("")
    for case in baseline.cases:
        must = f", must be {case.must}" if case.must else ""
        weak = f", {case.unsupported} unsupported" if case.unsupported else ""
        lines.append(f"  {case.decision:<7} {figure(case.final):>5}  {printable(case.id)}{weak}{must}")
        for approval in case.approvals:
            before = f"{approval.was} {figure(approval.was_final)}" if approval.was else "new"
            lines.append(printable(f"{'':17}approved {approval.date} (was {before}): {approval.reason}"))
    return "\n".join(lines)
