"""A report as a list of findings, each with its place and weight: what every CI format is written from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from assay.regress.compare import Change, Difference
from assay.regress.report import RegressionReport
from assay.verdict import FailureType


class Level(StrEnum):
    """How much a finding weighs. A report fails exactly if it has an error."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a reader of a report should see.

    Attributes:
        kind: ``regression``, ``must``, ``unjudged``, ``new``, ``missing`` or ``budget``.
        level: What it weighs.
        rule: The failure type, or the kind where there is none.
        id: The case, or None for the run as a whole.
        file: The file that it stands in, or None.
        line: 1-based line in that file, or None.
        title: One line.
        details: Further sentences.
    """

    kind: str
    level: Level
    rule: str
    id: str | None
    file: str | None
    line: int | None
    title: str
    details: tuple[str, ...] = ()


def findings(report: RegressionReport) -> list[Finding]:
    """Everything that is wrong or unusual, the worst kinds first."""
    found = [*_unjudged(report), *_cases(report), *_unlisted(report), *_budget(report)]
    order = list(Level)
    return sorted(found, key=lambda finding: order.index(finding.level))


def figure(value: float | None) -> str:
    """A score as it is printed."""
    return "-" if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    """A change of a score as it is printed."""
    return "-" if value is None else f"{value:+.3f}"


def before_after(difference: Difference) -> str:
    """The final score, and the decision where it changed, as before -> after."""
    before, after = difference.before, difference.after
    text = f"{figure(before.final)} -> {figure(after.final)}"
    if difference.delta is not None:
        text += f" ({signed(difference.delta)})"
    moved = f"{before.decision} -> {after.decision}"
    return f"{text}, {moved if before.decision is not after.decision else after.decision}"


def explained(difference: Difference) -> tuple[str, ...]:
    """Why a case regressed: the causes, what is no longer the same, the new verdict's reason."""
    lines = list(difference.causes)
    if difference.edited:
        lines.append(f"Not as in the baseline: {', '.join(difference.edited)}.")
    lines.append(difference.reason)
    return tuple(lines)


def _unjudged(report: RegressionReport) -> Iterator[Finding]:
    rule = FailureType.INVALID_INPUT.value
    for row in report.unjudged:
        case = row.case
        title = f"{case.id} could not be judged"
        yield Finding(
            "unjudged", Level.ERROR, rule, case.id, case.file, case.line, title, (f"{row.message}.",)
        )


def _cases(report: RegressionReport) -> Iterator[Finding]:
    level = Level.ERROR if report.regressions_fail else Level.WARNING
    broken = [d for d in report.differences if d.broken]
    for d in broken:
        yield _of_case(d, "must", Level.ERROR, f"{d.case.id} must be {d.must}: {before_after(d)}")
    for d in report.regressions:
        if not d.broken:
            yield _of_case(d, "regression", level, f"{d.case.id} regressed: {before_after(d)}")


def _of_case(d: Difference, kind: str, level: Level, title: str) -> Finding:
    failure = d.after.failure_type
    rule = kind if failure is FailureType.NONE else failure.value
    details = explained(d) if d.change is Change.REGRESSED else (d.reason,)
    return Finding(kind, level, rule, d.case.id, d.case.file, d.case.line, title, details)


def _unlisted(report: RegressionReport) -> Iterator[Finding]:
    budget = report.budget
    new = _level(budget.fail_on_new and not budget.report_only)
    for n in report.new:
        case = n.case
        score = f"{figure(n.final)}, {n.decision}"
        if n.broken:
            title = f"{case.id} must be {n.must}: {score} (not in the baseline)"
            yield Finding("must", Level.ERROR, "must", case.id, case.file, case.line, title)
        else:
            title = f"{case.id} is not in the baseline: {score}"
            yield Finding("new", new, "new_case", case.id, case.file, case.line, title)
    missing = _level(budget.fail_on_missing and not budget.report_only)
    for m in report.missing:
        if m.must:
            title = f"{m.id} must be {m.must} and was not in the run"
            yield Finding("must", Level.ERROR, "must", m.id, report.against.path, None, title)
        else:
            title = f"{m.id} was not in the run"
            yield Finding("missing", missing, "missing_case", m.id, report.against.path, None, title)


def _level(fails: bool) -> Level:
    return Level.ERROR if fails else Level.NOTE


def _budget(report: RegressionReport) -> Iterator[Finding]:
    level = Level.WARNING if report.budget.report_only else Level.ERROR
    for sentence in report.over_mean:
        yield Finding("budget", level, "budget", None, report.against.path, None, sentence)
