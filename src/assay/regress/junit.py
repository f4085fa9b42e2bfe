"""JUnit XML, with no attribute beyond those that Jenkins, GitLab and GitHub's readers all know."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from assay.regress.findings import Finding, Level, findings
from assay.regress.report import RegressionReport

SUITE = "assay.gate"
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: RegressionReport) -> str:
    """A test case for every case; a finding that does not fail the run is a skipped one.

    Cases that could not be judged are errors, not failures. A failure or an error is in the file exactly
    if the report fails.
    """
    found = findings(report)
    times = {d.case.id: d.latency_ms / 1000 for d in report.differences}
    suite = Element("testsuite", name=SUITE)
    named = {finding.id for finding in found}
    for d in report.differences:
        if d.case.id not in named:
            _test(suite, d.case.id, times[d.case.id])
    for finding in found:
        test = _test(suite, finding.id or "the run as a whole", times.get(finding.id or "", 0.0))
        _outcome(test, finding)
    counts = {
        "tests": len(suite),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
    }
    skipped = len(suite.findall("testcase/skipped"))
    root = Element("testsuites", name=SUITE)
    for element in (root, suite):
        for name, count in counts.items():
            element.set(name, str(count))
        element.set("time", f"{sum(times.values()):.3f}")
    suite.set("skipped", str(skipped))
    suite.set("timestamp", report.date.removesuffix("Z"))
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _test(suite: Element, name: str, seconds: float) -> Element:
    return SubElement(suite, "testcase", classname=SUITE, name=_legal(name), time=f"{seconds:.3f}")


def _outcome(test: Element, finding: Finding) -> None:
    if finding.level is not Level.ERROR:
        SubElement(test, "skipped", message=_legal(finding.title))
        return
    kind = "error" if finding.kind == "unjudged" else "failure"
    outcome = SubElement(test, kind, message=_legal(finding.title), type=finding.rule)
    place = f"{finding.file}:{finding.line}" if finding.line is not None else finding.file
    outcome.text = _legal("\n".join(part for part in (place, *finding.details) if part))


def _legal(text: str) -> str:
    """The text with the characters that XML 1.0 cannot hold as escapes."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
