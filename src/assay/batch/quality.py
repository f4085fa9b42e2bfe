"""Quality on labelled rows: leak at coverage first, then ranking, then the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from assay.batch.intervals import wilson
from assay.engine import Assay
from assay.sample import Sample
from assay.verdict import Decision, Verdict

COVERAGES = (0.2, 0.3, 0.4, 0.5, 0.66)


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of one profile on one set of labelled rows.

    Attributes:
        dataset: Name of the set; ``all`` for every row together.
        rows: Labelled rows.
        ungrounded: Share of rows with label 0.
        decisions: Rows by decision, each with how many of them are ungrounded.
        coverage: Share of rows that were ACCEPTed.
        leak: Share of ungrounded rows among the ACCEPTed; None when nothing was.
        leak_interval: Wilson interval of ``leak``, 95 %.
        false_reject: Share of grounded rows among the REJECTed; None when nothing was.
        auroc: Area under the ROC curve of each score, grounded above ungrounded; 0.5 is chance.
        ranked_by: The score that ranks: ``risk`` (lower is better) where the profile measures it, else
            ``final``.
        leak_at: Leak among the rows that rank best, at fixed coverages.
    """

    dataset: str
    rows: int
    ungrounded: float
    decisions: dict[str, dict[str, int]]
    coverage: float
    leak: float | None
    leak_interval: tuple[float, float] | None
    false_reject: float | None
    auroc: dict[str, float | None]
    ranked_by: str
    leak_at: dict[str, float]

    def to_dict(self) -> dict[str, object]:
        """The figures as JSON."""
        return asdict(self)


@dataclass(slots=True)
class _Rows:
    labels: list[int] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)


def measure_quality(
    assay: Assay, rows: Iterable[tuple[str, Sample]], *, scores: Sequence[str] = ("final", "attribution")
) -> list[Quality]:
    """Judge labelled rows and compare with their labels.

    Args:
        assay: The engine.
        rows: Dataset name and sample; samples without a label are left out.
        scores: Scores whose ranking is measured; a row where one is unavailable ranks lowest.

    Returns:
        One entry a dataset in order of appearance, then ``all`` if there are several.
    """
    groups: dict[str, _Rows] = {}
    for dataset, sample in rows:
        if sample.label is None:
            continue
        group = groups.setdefault(dataset, _Rows())
        group.labels.append(sample.label)
        group.verdicts.append(assay.check(sample))
    measured = [_quality(name, group, scores) for name, group in groups.items()]
    if len(groups) > 1:
        together = _Rows(
            [label for group in groups.values() for label in group.labels],
            [verdict for group in groups.values() for verdict in group.verdicts],
        )
        measured.append(_quality("all", together, scores))
    return measured


def _quality(dataset: str, group: _Rows, scores: Sequence[str]) -> Quality:
    labels = np.array(group.labels)
    table: Mapping[Decision, Counter[int]] = {decision: Counter() for decision in Decision}
    for label, verdict in zip(group.labels, group.verdicts, strict=True):
        table[verdict.decision][label] += 1
    accepted, rejected = table[Decision.ACCEPT], table[Decision.REJECT]
    ranked_by = "risk" if any("risk" in verdict.scores for verdict in group.verdicts) else "final"
    values = {
        name: np.array([_score(verdict, name) for verdict in group.verdicts])
        for name in dict.fromkeys((*scores, ranked_by))
    }
    return Quality(
        dataset=dataset,
        rows=len(labels),
        ungrounded=round(float(np.mean(labels == 0)), 4),
        decisions={d.value: {"rows": c.total(), "ungrounded": c[0]} for d, c in table.items()},
        coverage=round(accepted.total() / len(labels), 4),
        leak=_share(accepted[0], accepted.total()),
        leak_interval=_interval(accepted[0], accepted.total()),
        false_reject=_share(rejected[1], rejected.total()),
        auroc={name: auroc(labels, value) for name, value in values.items()},
        ranked_by=ranked_by,
        leak_at={f"{coverage:.0%}": leak_at(labels, values[ranked_by], coverage) for coverage in COVERAGES},
    )


def _score(verdict: Verdict, name: str) -> float:
    value = verdict.scores.get(name)
    if value is None:
        return -1.0
    return 1.0 - value if name == "risk" else value


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _interval(part: int, whole: int) -> tuple[float, float] | None:
    if not whole:
        return None
    low, high = wilson(part, whole)
    return round(low, 4), round(high, 4)


def auroc(labels: np.ndarray, scores: np.ndarray) -> float | None:
    """P(score of a grounded row > score of an ungrounded one), ties half; None without both kinds."""
    positive, negative = scores[labels == 1], np.sort(scores[labels == 0])
    if not len(positive) or not len(negative):
        return None
    below = np.searchsorted(negative, positive, side="left")
    tied = np.searchsorted(negative, positive, side="right") - below
    return round(float((below + tied / 2).sum() / (len(positive) * len(negative))), 4)


def leak_at(labels: np.ndarray, scores: np.ndarray, coverage: float) -> float:
    """Expected leak among the ``coverage`` share with the highest scores; ties at the edge are averaged."""
    kept = max(1, round(coverage * len(labels)))
    edge = np.sort(scores)[::-1][kept - 1]
    above, tied = scores > edge, scores == edge
    ungrounded = float((labels[above] == 0).sum()) + (kept - int(above.sum())) * float(
        (labels[tied] == 0).mean()
    )
    return round(ungrounded / kept, 4)
