"""What a verdict file says as a whole, gathered in one pass and in memory that does not grow with it.

The one thing that grows is the count of conversations: 9 bytes each (see `digests`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.batch.conversations import SEVERITY, Conversations
from assay.batch.intervals import METHOD, Share
from assay.batch.kept import KeptError, KeptRow
from assay.batch.latency import RELATIVE_ERROR, LatencySketch
from assay.batch.tally import Ranked, ScoreTally, Tally, merge_scores
from assay.batch.verdict_rows import META, NOT_GIVEN, Line, PartialLine, VerdictRow, read_lines, read_rows
from assay.verdict import Decision

TOP = 10
"""Rows shown one by one unless asked otherwise."""
MAX_SCORES = 64
"""Different scores that are tallied; profiles have about ten."""
MAX_ERRORS = 5
"""Errors shown as examples."""
FIRST_SCORES = (
    "final",
    "attribution",
    "relevance",
    "context_quality",
    "specificity",
    "faithfulness",
    "disagreement",
)
"""Scores in the order of the contract; any others follow by name."""


class Summary:
    """Counts, scores, latencies and the rows worth looking at.

    Args:
        file: The file's name, for the reader.
        top: How many slowest rows, worst rows and conversations are kept.

    Attributes:
        rows: Complete rows; judged and not judged together.
        errors: Rows that could not be judged, by the type of their error.
        error_examples: The first of them.
        decisions: Rows by decision. A row that could not be judged is a REVIEW.
        failures: Rows by failure type.
        actions: Rows by next action.
        judged_by: For profile, tier, version, policy_hash and scorer_hash: rows by value.
        scores: Tally of each score over judged rows.
        scores_left_out: Values of scores beyond `MAX_SCORES`, which are not tallied.
        latency: Latencies of all rows that state one.
        slowest: The rows with the highest latency.
        worst: REJECT before REVIEW, then the lowest final score, ties by id.
        conversations: Rows that belong together.
        labelled: For label 0 and 1: rows by decision.
        partial: Each file's last line if it was cut off, by file.
        files: The files in it; more than one in a total.
    """

    def __init__(self, file: str, top: int = TOP) -> None:
        self.file = file
        self.top = top
        self.files = [file]
        self.rows = 0
        self.decisions = dict.fromkeys(Decision, 0)
        self.failures = Tally()
        self.actions = Tally()
        self.judged_by = {key: Tally() for key in META}
        self.errors = Tally()
        self.error_examples: list[KeptError] = []
        self.scores: dict[str, ScoreTally] = {}
        self.scores_left_out = 0
        self.latency = LatencySketch()
        self.slowest: Ranked[KeptRow] = Ranked(top)
        self.worst: Ranked[KeptRow] = Ranked(top)
        self.conversations = Conversations(file)
        self.labelled = {label: dict.fromkeys(Decision, 0) for label in (0, 1)}
        self.partial: dict[str, PartialLine] = {}

    def add(self, row: VerdictRow) -> None:
        """Count a row."""
        self.rows += 1
        self.decisions[row.decision] += 1
        self.failures.add(row.failure_type)
        self.actions.add(row.next_action)
        for key, value in row.meta.items():
            self.judged_by[key].add(value)
        if row.error is None:
            self._add_scores(row)
        else:
            self.errors.add(row.error[0])
            if len(self.error_examples) < MAX_ERRORS:
                self.error_examples.append(KeptError.of(row, row.error, self.file))
        if row.label is not None:
            self.labelled[row.label][row.decision] += 1
        self.conversations.add(row)
        self._rank(row)

    def _add_scores(self, row: VerdictRow) -> None:
        for name, value in row.scores.items():
            tally = self.scores.get(name)
            if tally is None:
                if len(self.scores) >= MAX_SCORES:
                    self.scores_left_out += 1
                    continue
                tally = self.scores[name] = ScoreTally()
            tally.add(value, row.decision, row.unavailable.get(name, ""))

    def _rank(self, row: VerdictRow) -> None:
        if row.latency_ms is not None:
            self.latency.add(row.latency_ms)
            key = (-row.latency_ms, row.name, row.line)
            self.slowest.offer(key, lambda: KeptRow.of(row, self.file))
        if row.decision is not Decision.ACCEPT:
            final = row.scores.get("final")
            # A row without a final score is no lower than one with it: it comes after them.
            rank = (-SEVERITY[row.decision], final is None, final or 0.0, row.name, row.line)
            self.worst.offer(rank, lambda: KeptRow.of(row, self.file))

    def merge(self, other: Summary) -> None:
        """Add another file's summary to this one."""
        self.files.extend(other.files)
        self.rows += other.rows
        for decision, count in other.decisions.items():
            self.decisions[decision] += count
        self.failures.merge(other.failures)
        self.actions.merge(other.actions)
        self.errors.merge(other.errors)
        for key, tally in other.judged_by.items():
            self.judged_by[key].merge(tally)
        self.error_examples = [*self.error_examples, *other.error_examples][:MAX_ERRORS]
        merge_scores(self.scores, other.scores)
        self.scores_left_out += other.scores_left_out
        self.latency.merge(other.latency)
        self.slowest.merge(other.slowest)
        self.worst.merge(other.worst)
        self.conversations.merge(other.conversations, self.top)
        for label, decisions in other.labelled.items():
            for decision, count in decisions.items():
                self.labelled[label][decision] += count
        self.partial |= other.partial

    @property
    def not_judged(self) -> int:
        """Rows that could not be judged."""
        return sum(self.errors.counts.values())

    @property
    def judged(self) -> int:
        """Rows without an error."""
        return self.rows - self.not_judged

    def share(self, decision: Decision) -> Share:
        """The share of rows with a decision."""
        return Share(self.decisions[decision], self.rows)

    @property
    def n_labelled(self) -> int:
        """Rows with a label."""
        return sum(sum(decisions.values()) for decisions in self.labelled.values())

    @property
    def coverage(self) -> Share:
        """Accepted among the labelled rows."""
        return Share(sum(self.labelled[label][Decision.ACCEPT] for label in (0, 1)), self.n_labelled)

    @property
    def leak(self) -> Share:
        """Label 0 among the accepted labelled rows."""
        return Share(self.labelled[0][Decision.ACCEPT], self.coverage.count)

    @property
    def mixed(self) -> dict[str, list[str]]:
        """Of profile, tier, version and hashes, those with more than one value in here."""
        return {
            key: [value for value, _ in tally.ranked()]
            for key, tally in self.judged_by.items()
            if len(tally.counts) > 1
        }

    def basis(self, key: str) -> str:
        """The one value of a field of `META`, or ``mixed: a, b``."""
        values = [value for value, _ in self.judged_by[key].ranked()]
        if len(values) > 1:
            return f"mixed: {', '.join(values)}"
        return values[0] if values else NOT_GIVEN

    @property
    def ordered_scores(self) -> list[tuple[str, ScoreTally]]:
        """The scores, those of the contract first."""
        first = [(name, self.scores[name]) for name in FIRST_SCORES if name in self.scores]
        return first + sorted((n, t) for n, t in self.scores.items() if n not in FIRST_SCORES)

    def to_dict(self) -> dict[str, Any]:
        """As JSON; every share has its count, n and 95 % interval."""
        return {
            "file": self.file,
            "files": self.files,
            "rows": self.rows,
            "judged": self.judged,
            "not_judged": {
                **Share(self.not_judged, self.rows).to_dict(),
                "types": self.errors.to_dict(),
                "examples": [error.to_dict() for error in self.error_examples],
            },
            "partial_last_lines": [
                {"file": file, "line": cut.line, "message": cut.message} for file, cut in self.partial.items()
            ],
            "interval": METHOD,
            "decisions": {decision.value: self.share(decision).to_dict() for decision in Decision},
            "failure_types": {k: Share(c, self.rows).to_dict() for k, c in self.failures.ranked()},
            "next_actions": {k: Share(c, self.rows).to_dict() for k, c in self.actions.ranked()},
            "judged_by": {key: tally.to_dict() for key, tally in self.judged_by.items()},
            "mixed": sorted(self.mixed),
            "scores": {name: tally.to_dict() for name, tally in self.ordered_scores},
            "scores_left_out": self.scores_left_out,
            "latency_ms": {**self.latency.to_dict(), "relative_error": RELATIVE_ERROR},
            "slowest": [row.to_dict() for row in self.slowest.items],
            "worst": [row.to_dict() for row in self.worst.items],
            "conversations": self.conversations.to_dict(),
            "labels": self._labels(),
        }

    def _labels(self) -> dict[str, Any] | None:
        if not self.n_labelled:
            return None
        return {
            "n": self.n_labelled,
            "coverage": self.coverage.to_dict(),
            "leak": self.leak.to_dict(),
            "decisions": {
                str(label): {decision.value: count for decision, count in decisions.items()}
                for label, decisions in self.labelled.items()
            },
        }


def summarise(path: str | Path, top: int = TOP) -> Summary:
    """Read a verdict file.

    Raises:
        InputError: The file cannot be read, or a line is no verdict (file and line are named). A last line
            that was cut off is no error: `Summary.partial` names it.
    """
    summary = Summary(str(path), top)
    for row in read_rows(path):
        if isinstance(row, PartialLine):
            summary.partial[summary.file] = row
        else:
            summary.add(row)
    if summary.conversations.n:
        again = (line for line in read_lines(path) if isinstance(line, Line))
        summary.conversations.keep(again, top)
    return summary


def total(summaries: Sequence[Summary]) -> Summary:
    """All files as one; conversations are counted file by file."""
    whole = Summary(f"all {len(summaries)} files", summaries[0].top)
    whole.files = []
    for summary in summaries:
        whole.merge(summary)
    return whole
