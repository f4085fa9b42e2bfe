"""A signal of another package takes part in the final score and in gates, with no change to any file here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "assay-politeness"
version = "1.0"

[project.entry-points."assay.signals"]
politeness = "assay_politeness:Politeness"
"""
MODULE = '''
from assay import Measured
from assay.signals import Signal


class Politeness(Signal):
    """1 if the response says please, else 0."""

    name = "politeness"
    needs = ("specificity",)

    def __init__(self, word="please"):
        self.word = word

    def measure(self, reading, measured):
        return Measured(float(self.word in reading.response.lower()), {"specificity": measured["specificity"].value})
'''
PROFILE = """
name: polite
embedder: [lexical]
signals:
  attribution: {}
  specificity: {}
  politeness: {word: kindly}
final: {weights: {attribution: 0.5, politeness: 0.5}}
gates:
  - name: rude
    when: {politeness: {below: 0.5}, attribution: {above: 0.3}}
    decision: REVIEW
    failure_type: uncertain
    action: retry_with_specific_prompt
    reason: The answer is rude (politeness {politeness}).
    why: Ask nicely
accept: {margin: {signal: final, threshold: 0.5}, reason: fine, why: fine}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    (project / "assay_politeness.py").write_text(MODULE, "utf-8")
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(target), str(project)]
    subprocess.run(command, check=True, capture_output=True)
    (target / "polite.yaml").write_text(PROFILE, "utf-8")
    return target


def check(installed: Path, *arguments: str, path: bool = True) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(installed)} if path else dict(os.environ)
    command = [sys.executable, "-m", "assay", "check", "--profile", str(installed / "polite.yaml"), "--json"]
    command += ["--query", "Open?", "--context", "The bridge opened in 1998.", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def test_it_takes_part_in_the_final_score_and_in_gates(installed: Path) -> None:
    rude = json.loads(check(installed, "--response", "The bridge opened in 1998.").stdout)
    assert (rude["decision"], rude["scores"]["politeness"], rude["scores"]["final"]) == ("REVIEW", 0.0, 0.5)
    assert rude["explanations"]["reason"].startswith("The answer is rude (politeness 0.000).")
    polite = json.loads(check(installed, "--response", "Kindly note: the bridge opened in 1998.").stdout)
    assert (polite["decision"], polite["scores"]["politeness"]) == ("ACCEPT", 1.0)
    assert rude["meta"]["scorer_hash"] == polite["meta"]["scorer_hash"]


def test_without_the_package_the_profile_names_what_is_missing(installed: Path) -> None:
    done = check(installed, "--response", "x", path=False)
    assert done.returncode == 2
    assert "polite.yaml:7: signals.politeness: unknown signal" in done.stderr
