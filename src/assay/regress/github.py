"""GitHub's workflow commands: a finding as an annotation on the line of its case."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator

from assay.regress.findings import Finding, Level
from assay.text.printable import printable

MAX_ANNOTATIONS = 10
"""GitHub shows ten annotations of a kind a step; what is beyond is in the report."""
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_OLD_COMMAND = re.compile(r"##\[")


def workflow_commands(findings: Iterable[Finding]) -> Iterator[str]:
    """One line a finding, at most ten a level."""
    shown = dict.fromkeys(Level, 0)
    for finding in findings:
        shown[finding.level] += 1
        if shown[finding.level] <= MAX_ANNOTATIONS:
            yield _annotation(finding)


def fenced(text: str) -> str:
    """Text in which GitHub looks for no commands, whatever a model wrote into it."""
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text}\n::{token}::"


def inert_json(text: str) -> str:
    """The same JSON without the mark of an old-style command, which counts anywhere in a line."""
    return _OLD_COMMAND.sub(r"#\\u0023[", text)


def _annotation(finding: Finding) -> str:
    properties = []
    if finding.file is not None:
        properties.append(f"file={_property(finding.file)}")
        if finding.line is not None:
            properties.append(f"line={finding.line}")
    properties.append(f"title={_property(f'assay: {finding.rule}')}")
    text = "\n".join(printable(part) for part in (finding.title, *finding.details) if part)
    return f"::{_COMMANDS[finding.level]} {','.join(properties)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
