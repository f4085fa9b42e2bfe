"""The report as a block of plain characters; everything from users and models is made visible."""

from __future__ import annotations

from collections.abc import Iterator

from assay.regress.compare import Difference
from assay.regress.findings import before_after, explained, figure, signed
from assay.regress.report import EXIT_UNJUDGED, RegressionReport
from assay.text.printable import printable

WIDTH = 72
MAX_LISTED = 50
"""Cases of one kind that are listed; JSON has them all."""


def block(report: RegressionReport) -> str:
    """Lay a report out as text."""
    rule = "-" * WIDTH
    lines = [rule, f"Regression report: {verdict(report)}", rule, *_figures(report)]
    for number, failure in enumerate(report.failures):
        lines.append(_row("Failed because" if number == 0 else "", printable(failure)))
    if report.budget.report_only:
        for number, limit in enumerate(report.exceeded):
            lines.append(_row("Would fail as" if number == 0 else "", printable(limit)))
    lines += _details(report)
    lines.append(rule)
    return "\n".join(lines)


def verdict(report: RegressionReport) -> str:
    """The outcome in a few words."""
    if report.exit_code == EXIT_UNJUDGED:
        rows = len(report.unjudged)
        return f"INCOMPLETE ({rows} {'row' if rows == 1 else 'rows'} could not be judged)"
    return "FAILED" if report.failed else "PASSED"


def _figures(report: RegressionReport) -> Iterator[str]:
    a, failed = report.against, len(report.failed_cases)
    yield _row("Total", str(report.total))
    yield _row("Passed", str(report.total - failed))
    yield _row("Failed", str(failed))
    yield _row("Improved", str(len(report.improvements)))
    yield _row("Unchanged", str(report.unchanged))
    yield _row("Mean delta", signed(report.mean_delta))
    yield _row("Threshold", figure(report.budget.threshold))
    basis = f"{a.path}, {a.cases} cases of {a.date}, profile {a.profile}"
    yield _row("Baseline", printable(basis))
    if a.rescored:
        yield _row("Rescored", printable(a.rescored))


def _details(report: RegressionReport) -> Iterator[str]:
    broken = [d for d in report.differences if d.broken]
    yield from _list("Must not change", [*map(_regression, broken)])
    yield from _list("Regressions", [_regression(d) for d in report.regressions if not d.broken])
    yield from _list(
        "Could not be judged",
        [[f"{u.case.id}{_place(u.case.line)}", f"{u.message}."] for u in report.unjudged],
    )
    yield from _list(
        "Improvements",
        [[f"{d.case.id}  {before_after(d)}", *d.causes] for d in report.improvements],
    )
    new = [
        [f"{n.case.id}  {figure(n.final)}, {n.decision}{f', must be {n.must}' if n.broken else ''}"]
        for n in report.new
    ]
    yield from _list("Not in the baseline", new)
    missing = [[f"{m.id}{f'  must be {m.must}' if m.must else ''}"] for m in report.missing]
    yield from _list("Not in the run", missing)


def _regression(d: Difference) -> list[str]:
    head = f"{d.case.id}  {before_after(d)}{f', must be {d.must}' if d.broken else ''}{_place(d.case.line)}"
    return [head, *explained(d)]


def _place(line: int | None) -> str:
    return "" if line is None else f"  (line {line})"


def _list(title: str, items: list[list[str]]) -> Iterator[str]:
    if not items:
        return
    yield ""
    yield f"  {title}"
    for head, *rest in items[:MAX_LISTED]:
        # The dash keeps a case's own name from the line's start, where a CI system looks for commands.
        yield f"    - {printable(head)}"
        yield from (f"        {printable(line)}" for line in rest if line)
    if len(items) > MAX_LISTED:
        yield f"    - and {len(items) - MAX_LISTED} more"


def _row(label: str, text: str) -> str:
    return f"  {label:<16}  {text}"
