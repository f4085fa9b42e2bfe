"""The report as Markdown, for a pull request or a job's summary page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.regress.compare import Difference
from assay.regress.findings import explained, figure, signed
from assay.regress.report import RegressionReport
from assay.regress.terminal import verdict
from assay.text.printable import printable

MAX_LISTED = 50
MAX_CELL = 400
"""Characters of one text that are shown: a summary page holds a megabyte, a comment 65,536 characters."""
_SPECIAL = re.compile(r"[^\w\s.,;'?/%()=\"-]|_", re.ASCII)


def markdown(report: RegressionReport) -> str:
    """Lay a report out as GitHub's and GitLab's Markdown; no text of a case can be more than text."""
    return "\n".join(_lines(report)) + "\n"


def escaped(text: str, limit: int = MAX_CELL) -> str:
    """Text that shows as it is: no markup, table cell, link, mention, or line of its own."""
    shown = printable(text)
    shown = shown if len(shown) <= limit else f"{shown[: limit - 3]}..."
    return _SPECIAL.sub(lambda found: found[0] if ord(found[0]) > 127 else f"&#{ord(found[0])};", shown)


def _lines(report: RegressionReport) -> Iterator[str]:
    a, failed = report.against, len(report.failed_cases)
    yield f"## Assay regression gate: {verdict(report)}"
    yield ""
    yield "| total | passed | failed | improved | unchanged | mean delta | threshold |"
    yield "|---|---|---|---|---|---|---|"
    yield (
        f"| {report.total} | {report.total - failed} | {failed} | {len(report.improvements)} | "
        f"{report.unchanged} | {signed(report.mean_delta)} | {figure(report.budget.threshold)} |"
    )
    yield ""
    for failure in report.failures:
        yield f"- **Failed:** {escaped(failure)}"
    if report.budget.report_only:
        for limit in report.exceeded:
            yield f"- Would fail: {escaped(limit)}"
    basis = f"Baseline {a.path}, {a.cases} cases of {a.date}, profile {a.profile}."
    yield f"- {escaped(basis)}{f' {escaped(a.rescored)}' if a.rescored else ''}"
    yield from _table("Worse", report.failed_cases)
    yield from _table("Better", report.improvements)
    rows = [f"{_name(u.case.id)}: {escaped(u.message)}" for u in report.unjudged]
    yield from _list("Could not be judged", rows)
    new = [f"{_name(n.case.id)}: {figure(n.final)}, {n.decision}" for n in report.new]
    yield from _list("Not in the baseline", new)
    missing = [_name(m.id) + (f", must be {m.must}" if m.must else "") for m in report.missing]
    yield from _list("Not in the run", missing)


def _table(title: str, differences: tuple[Difference, ...]) -> Iterator[str]:
    if not differences:
        return
    yield ""
    yield f"### {title}: {len(differences)}"
    yield ""
    yield "| case | final | decision | why |"
    yield "|---|---|---|---|"
    for d in sorted(differences, key=lambda d: (not d.broken, d.delta or 0.0))[:MAX_LISTED]:
        decision = f"{d.before.decision} -> {d.after.decision}"
        if d.before.decision is d.after.decision:
            decision = d.after.decision.value
        if d.broken:
            decision += f", must be {d.must}"
        score = f"{figure(d.before.final)} -> {figure(d.after.final)} ({signed(d.delta)})"
        why = "<br>".join(escaped(line) for line in explained(d) if line)
        yield f"| {_name(d.case.id)} | {score} | {decision} | {why} |"
    if len(differences) > MAX_LISTED:
        yield f"| and {len(differences) - MAX_LISTED} more | | | |"


def _list(title: str, items: list[str]) -> Iterator[str]:
    if not items:
        return
    yield ""
    yield f"### {title}: {len(items)}"
    yield ""
    yield from (f"- {item}" for item in items[:MAX_LISTED])
    if len(items) > MAX_LISTED:
        yield f"- and {len(items) - MAX_LISTED} more"


def _name(text: str) -> str:
    """A case's id as code, in which nobody is mentioned and no issue is linked."""
    return f"<code>{escaped(text, 120)}</code>"
