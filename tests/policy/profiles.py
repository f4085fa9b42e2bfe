"""A small profile as YAML, to edit line by line, and tiny stand-ins for what `decide` takes."""

from __future__ import annotations

from pathlib import Path

from assay.policy.load import parse_profile
from assay.policy.profile import Profile
from assay.verdict import Measured, Measurement, Unavailable

SIGNALS = ("attribution", "relevance", "spread")
BASE = """\
name: small
description: Two gates
embedder: [lexical]
signals:
  attribution: {formula: words}
  relevance: {}
final:
  weights: {attribution: 0.75, relevance: 0.25}
  adjust:
    - {when: {relevance: {below: 0.30}}, multiply: 0.50}
    - {when: {attribution: {below: 0.40}}, at_most: 0.20}
hallucination_status:
  - {status: confirmed, when: {attribution: {below: 0.20}}}
  - {status: suspected, when: {attribution: {below: 0.50}}}
gates:
  - name: weak
    when: {attribution: {below: 0.50}}
    decision: REJECT
    failure_type: hallucination
    action: regenerate_with_grounding_prompt
    reason: Weak ({attribution}).
    why: It is weak
  - name: off_topic
    when: {relevance: {below: 0.30}, final: {below: 0.90}}
    decision: REVIEW
    failure_type: off_topic
    action: retry_with_clearer_query
    margin: {signal: relevance, threshold: 0.30}
    reason: Off topic ({relevance}).
    why: It is off topic
accept:
  margin: {signal: final, threshold: 0.60}
  reason: Fine ({final}).
  why: It is fine
"""
"""Line numbers in the tests count in this text."""


def edited(*changes: tuple[str, str]) -> str:
    """`BASE` with each old text, which stands there exactly once, replaced by the new one."""
    text = BASE
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in BASE"
        text = text.replace(old, new)
    return text


def small(*changes: tuple[str, str]) -> Profile:
    return parse_profile(edited(*changes), "small.yaml", SIGNALS, base=Path("nowhere"))


def values(**given: float | None) -> dict[str, Measurement]:
    """Measurements from numbers; None is a signal that should have been measured and could not be."""
    return {
        name: Unavailable("the model failed") if value is None else Measured(value)
        for name, value in given.items()
    }


NOT_APPLICABLE = Unavailable("no question was asked", applicable=False)
