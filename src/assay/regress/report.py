"""The one result that the terminal, JSON, Markdown, JUnit, SARIF and the exit code are made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from assay.regress.budget import Budget
from assay.regress.cases import Case
from assay.regress.compare import PLACES, Change, Difference
from assay.verdict import Decision, JSONValue

EXIT_FAILED = 1
EXIT_UNJUDGED = 3


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A case that could not be judged, and why."""

    case: Case
    message: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A case of the baseline that the run did not hold, and the decision that it is bound to."""

    id: str
    must: Decision | None


@dataclass(frozen=True, slots=True)
class New:
    """A case that the baseline does not hold."""

    case: Case
    decision: Decision
    final: float | None
    must: Decision | None

    @property
    def broken(self) -> bool:
        """Whether it is bound to another decision."""
        return self.must is not None and self.decision is not self.must


@dataclass(frozen=True, slots=True)
class Against:
    """What a run was compared with: the baseline's file and how it was judged."""

    path: str
    date: str
    version: str
    profile: str
    policy_hash: str
    scorer_hash: str
    cases: int
    rescored: str | None = None


@dataclass(frozen=True)
class RegressionReport:
    """What changed between a baseline and a run, and whether that fails.

    Attributes:
        against: What the run was compared with.
        budget: How much worse it might be.
        date: When it ran, ISO 8601 in UTC.
        differences: Every case that both hold, in the order of the run.
        new: Cases that the baseline does not hold.
        missing: Cases of the baseline that the run did not hold.
        unjudged: Cases that could not be judged.
    """

    against: Against
    budget: Budget
    date: str
    differences: tuple[Difference, ...]
    new: tuple[New, ...] = field(default=())
    missing: tuple[Missing, ...] = field(default=())
    unjudged: tuple[Unjudged, ...] = field(default=())

    def _with(self, change: Change) -> tuple[Difference, ...]:
        return tuple(d for d in self.differences if d.change is change)

    @cached_property
    def regressions(self) -> tuple[Difference, ...]:
        """Cases that became worse, the largest drop first."""
        return tuple(sorted(self._with(Change.REGRESSED), key=lambda d: d.delta or 0.0))

    @cached_property
    def improvements(self) -> tuple[Difference, ...]:
        """Cases that became better, the largest rise first."""
        return tuple(sorted(self._with(Change.IMPROVED), key=lambda d: -(d.delta or 0.0)))

    @property
    def unchanged(self) -> int:
        """How many cases became neither."""
        return len(self._with(Change.UNCHANGED))

    @property
    def total(self) -> int:
        """How many cases were compared."""
        return len(self.differences)

    @cached_property
    def failed_cases(self) -> tuple[Difference, ...]:
        """Compared cases that regressed or left the decision that they are bound to."""
        return tuple(d for d in self.differences if d.change is Change.REGRESSED or d.broken)

    @property
    def pass_rate(self) -> float | None:
        """Share of the compared cases that did not regress."""
        return 1 - len(self.regressions) / self.total if self.total else None

    @cached_property
    def mean_delta(self) -> float | None:
        """Mean change of the final score over the cases that have one on both sides."""
        deltas = [d.delta for d in self.differences if d.delta is not None]
        return round(sum(deltas) / len(deltas), PLACES) + 0.0 if deltas else None

    @cached_property
    def broken(self) -> tuple[str, ...]:
        """Hard invariants that do not hold, a sentence each. No budget covers them."""
        judged = [(d.case.id, d.must, d.after.decision) for d in self.differences if d.broken]
        judged += [(n.case.id, n.must, n.decision) for n in self.new if n.broken]
        held = [f"{id_} must be {must} and is {decision}." for id_, must, decision in judged]
        unseen = [f"{m.id} must be {m.must} and was not in the run." for m in self.missing if m.must]
        return (*held, *unseen)

    @cached_property
    def over_regressions(self) -> tuple[str, ...]:
        """Which limits on the number of regressions are passed, a sentence each."""
        budget, count = self.budget, len(self.regressions)
        over = []
        allowed = budget.regressions_allowed
        if allowed is not None and count > allowed:
            over.append(f"{_count(count, 'case')} regressed, {allowed} may.")
        if budget.min_pass_rate is not None and count > (1 - budget.min_pass_rate) * self.total + 1e-9:
            rate = 100 * (self.pass_rate or 0.0)
            over.append(f"The pass rate is {rate:.4g} %, below {100 * budget.min_pass_rate:.4g} %.")
        return tuple(over)

    @cached_property
    def over_mean(self) -> tuple[str, ...]:
        """The sentence that says that the mean fell too far, if it did."""
        limit, mean = self.budget.max_mean_drop, self.mean_delta
        if limit is None or mean is None or -mean <= limit:
            return ()
        return (f"The mean final score fell by {-mean:.3f}, more than {limit:g}.",)

    @cached_property
    def exceeded(self) -> tuple[str, ...]:
        """Every limit of the budget that is passed, a sentence each; ``report_only`` forgives them."""
        over = [*self.over_regressions, *self.over_mean]
        if self.budget.fail_on_new and self.new:
            over.append(f"{_are(len(self.new), 'case')} not in the baseline.")
        if self.budget.fail_on_missing and self.missing:
            over.append(f"{_are(len(self.missing), 'case')} in the baseline and not in the run.")
        return tuple(over)

    @property
    def failures(self) -> tuple[str, ...]:
        """Why the run fails, a sentence each; empty if it does not."""
        forgiven = () if self.budget.report_only else self.exceeded
        rows = len(self.unjudged)
        incomplete = (f"{_count(rows, 'row')} could not be judged.",) if rows else ()
        return (*incomplete, *self.broken, *forgiven)

    @property
    def failed(self) -> bool:
        """Whether the build must stop."""
        return bool(self.failures)

    @property
    def exit_code(self) -> int:
        """0 passed; 3 rows could not be judged, so that nothing else is certain; 1 failed otherwise."""
        return EXIT_UNJUDGED if self.unjudged else EXIT_FAILED if self.failed else 0

    @property
    def regressions_fail(self) -> bool:
        """Whether the regressions are more than the budget covers."""
        return bool(self.over_regressions) and not self.budget.report_only

    def __str__(self) -> str:
        from assay.regress.terminal import block  # the block is written over reports

        return block(self)


def summary(report: RegressionReport) -> dict[str, JSONValue]:
    """The report as JSON; every list in full."""
    a = report.against
    return {
        "failed": report.failed,
        "exit_code": report.exit_code,
        "failures": list(report.failures),
        "exceeded": list(report.exceeded),
        "report_only": report.budget.report_only,
        "date": report.date,
        "baseline": {
            "file": a.path,
            "date": a.date,
            "assay": a.version,
            "profile": a.profile,
            "policy_hash": a.policy_hash,
            "scorer_hash": a.scorer_hash,
            "cases": a.cases,
            "rescored": a.rescored,
        },
        "total": report.total,
        "passed": report.total - len(report.failed_cases),
        "failed_cases": len(report.failed_cases),
        "unchanged": report.unchanged,
        "threshold": report.budget.threshold,
        "mean_delta": report.mean_delta,
        "pass_rate": report.pass_rate,
        "regressions": [d.to_dict() for d in report.regressions],
        "improvements": [d.to_dict() for d in report.improvements],
        "broken": list(report.broken),
        "new": [
            {
                "id": n.case.id,
                "file": n.case.file,
                "line": n.case.line,
                "decision": n.decision.value,
                "final": n.final,
                "must": n.must.value if n.must else None,
            }
            for n in report.new
        ],
        "missing": [{"id": m.id, "must": m.must.value if m.must else None} for m in report.missing],
        "unjudged": [
            {"id": u.case.id, "file": u.case.file, "line": u.case.line, "message": u.message}
            for u in report.unjudged
        ],
    }


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _are(number: int, noun: str) -> str:
    return f"{_count(number, noun)} {'is' if number == 1 else 'are'}"
