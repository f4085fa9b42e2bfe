"""A summary in a sentence or two, for both reports."""

from __future__ import annotations

from assay.batch.summary import Summary
from assay.verdict import Decision, FailureType

DECISION_MEANINGS = {
    Decision.ACCEPT: "may be served",
    Decision.REVIEW: "needs a retry or a person",
    Decision.REJECT: "must not be served",
}
"""What each decision means, for a reader who has not seen one."""


def headline(summary: Summary) -> str:
    """What someone with ten seconds should read."""
    if not summary.rows:
        return "The file holds no complete verdict."
    accept = summary.share(Decision.ACCEPT)
    rows = "1 response" if summary.rows == 1 else f"{summary.rows:,} responses"
    said = f"Of {rows}, {accept.count:,} may be served as they are ({accept.percent})."
    failures = [(name, count) for name, count in summary.failures.ranked() if name != FailureType.NONE]
    if failures:
        name, count = failures[0]
        said += f" The most frequent problem is {name.replace('_', ' ')}: {count:,}."
    if summary.coverage.count:
        said += (
            f" Of {summary.coverage.count:,} accepted and labelled, {summary.leak.count:,} are unsupported."
        )
    return said
