"""Two verdict files compared: what changed from the earlier to the later one, and what chance explains."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.batch.chance import p_text
from assay.batch.changes import CUT_OFFS, TESTS, ScoreChange, ShareChange, score_change, share_changes
from assay.batch.intervals import Share
from assay.batch.pairs import Pairs, pair_rows
from assay.batch.summary import Summary
from assay.batch.tally import ScoreTally
from assay.verdict import Decision


@dataclass(frozen=True, slots=True)
class Drift:
    """What changed.

    Attributes:
        differently: What says that the files were judged in different ways, one sentence fragment each.
        decisions: The share of each decision.
        quality: Rows not judged, and with labels: leak among the accepted.
        failures: The share of each failure type.
        scores: Each score.
        pairs: The rows that both files have, or None if no id is in both.
    """

    earlier: str
    later: str
    differently: tuple[str, ...]
    decisions: tuple[ShareChange, ...]
    quality: tuple[ShareChange, ...]
    failures: tuple[ShareChange, ...]
    scores: tuple[ScoreChange, ...]
    pairs: Pairs | None

    @property
    def statements(self) -> list[str]:
        """What must be read first, in plain words."""
        judged = f"These files were judged differently: {'; '.join(self.differently)}."
        return [judged, *self.findings] if self.differently else self.findings

    @property
    def findings(self) -> list[str]:
        """What changed, in plain words."""
        said = []
        accept = self.decisions[0]
        direction = _direction(accept.step)
        said.append(
            f"The share of ACCEPT {direction} from {accept.before.percent} (n {accept.before.n:,}) to "
            f"{accept.after.percent} (n {accept.after.n:,}): {accept.points}, {accept.reading}."
        )
        if self.pairs is not None:
            said.append(_paired(self.pairs))
        drifting = [f"{s.name} ({s.reading})" for s in self.scores if s.reading in ("moderate", "strong")]
        said.append(f"Scores that drifted: {', '.join(drifting) or 'none visibly'}.")
        return said

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "earlier": self.earlier,
            "later": self.later,
            "statements": self.statements,
            "judged_differently": list(self.differently),
            "decisions": {change.name: change.to_dict() for change in self.decisions},
            "quality": {change.name: change.to_dict() for change in self.quality},
            "failure_types": {change.name: change.to_dict() for change in self.failures},
            "scores": {change.name: change.to_dict() for change in self.scores},
            "pairs": None if self.pairs is None else self.pairs.to_dict(),
            "tests": TESTS,
            "cut_offs": CUT_OFFS,
        }


def compare_files(earlier: str | Path, later: str | Path, before: Summary, after: Summary) -> Drift:
    """Compare two summaries and match the rows of their files by id.

    Raises:
        InputError: As for `summarise`.
    """
    return compare(before, after, pair_rows(earlier, later, after.top))


def compare(before: Summary, after: Summary, pairs: Pairs | None = None) -> Drift:
    """Compare two summaries."""
    names = sorted(set(before.failures.counts) | set(after.failures.counts))
    failures = [
        (
            n,
            Share(before.failures.counts.get(n, 0), before.rows),
            Share(after.failures.counts.get(n, 0), after.rows),
        )
        for n in names
    ]
    failures.sort(key=lambda item: -max(item[1].value or 0.0, item[2].value or 0.0))
    quality = [
        ("not judged", Share(before.not_judged, before.rows), Share(after.not_judged, after.rows)),
        ("leak among accepted", before.leak, after.leak),
    ]
    if not (before.n_labelled or after.n_labelled):
        quality.pop()
    ordered = dict([*after.ordered_scores, *before.ordered_scores])
    return Drift(
        earlier=before.file,
        later=after.file,
        differently=_differently(before, after),
        decisions=share_changes([(d.value, before.share(d), after.share(d)) for d in Decision]),
        quality=share_changes(quality),
        failures=share_changes(failures),
        scores=tuple(
            score_change(n, before.scores.get(n, ScoreTally()), after.scores.get(n, ScoreTally()))
            for n in ordered
        ),
        pairs=pairs,
    )


def _differently(before: Summary, after: Summary) -> tuple[str, ...]:
    said = []
    for key, tally in before.judged_by.items():
        if set(tally.counts) != set(after.judged_by[key].counts) or len(tally.counts) > 1:
            said.append(f"{key} {before.basis(key)} -> {after.basis(key)}")
    return tuple(said)


def _direction(step: float | None) -> str:
    if not step:
        return "stayed"
    return "rose" if step > 0 else "fell"


def _paired(pairs: Pairs) -> str:
    reading = "beyond chance" if pairs.beyond_chance else "within chance"
    return (
        f"Of {pairs.n:,} rows in both files, {pairs.changed.count:,} changed their decision; {pairs.lost:,} "
        f"lost ACCEPT and {pairs.gained:,} gained it: {reading} (exact McNemar test, {p_text(pairs.p)})."
    )
