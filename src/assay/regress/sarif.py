"""SARIF 2.1.0: findings as static-analysis results, the failure type as the rule."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from urllib.parse import quote

from assay.regress.findings import Finding
from assay.text.printable import printable
from assay.verdict import FAILURE_MEANINGS, JSONValue
from assay.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "regression": "The final score or the decision became worse although no failure is named.",
    "must": "A case left the decision that it is bound to.",
    "new_case": "The run holds a case that the baseline does not hold.",
    "missing_case": "The baseline holds a case that the run does not hold.",
    "budget": "The run as a whole became worse than its budget allows.",
    **{kind.value: meaning for kind, meaning in FAILURE_MEANINGS.items()},
}


def sarif(findings: list[Finding]) -> str:
    """The findings as one SARIF run."""
    rules = sorted({finding.rule for finding in findings})
    driver: dict[str, JSONValue] = {
        "name": "assay",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": _RULES.get(rule, rule)}} for rule in rules],
    }
    results: list[JSONValue] = [_result(finding, rules.index(finding.rule)) for finding in findings]
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _result(finding: Finding, rule: int) -> JSONValue:
    text = "\n".join(printable(part) for part in (finding.title, *finding.details) if part)
    key = json.dumps([finding.kind, finding.id])
    result: dict[str, JSONValue] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.level.value,
        "message": {"text": text},
        "partialFingerprints": {"assayCase/v1": hashlib.sha256(key.encode()).hexdigest()},
    }
    if finding.file is not None:
        place: dict[str, JSONValue] = {
            "artifactLocation": {"uri": _uri(finding.file)},
            # A place without a line is taken for none by GitHub; the file's first one stands for it.
            "region": {"startLine": finding.line or 1},
        }
        result["locations"] = [{"physicalLocation": place}]
    return result


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
