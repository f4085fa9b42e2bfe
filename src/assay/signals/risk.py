"""Risk: P(at least one claim of the response is unsupported), calibrated.

    risk = sigmoid(intercept + sum of weight * figure)

over the figures of `figures`, with the coefficients of ``risk.json``. ``training/fit.py`` fits them on
labelled responses that the verifier was not trained on. Every weight has the sign that its figure must
have: less support never lowers the risk.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from assay.signals.base import Signal
from assay.signals.reading import Reading
from assay.signals.support import terms
from assay.verdict import Measured, Measurement, Unavailable, unit

LONGEST_LOGIT = 6.0


class Risk(Signal):
    """P(at least one claim is unsupported), 0..1; needs a verifier, and a response that claims something."""

    name = "risk"

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        if reading.blocker is not None:
            return Unavailable(reading.blocker)
        found = figures(reading)
        if found is None:
            return Unavailable("the response says nothing that can be checked")
        weights = coefficients()
        total = weights["intercept"] + sum(weights[name] * value for name, value in found.items())
        return Measured(_sigmoid(total), {name: round(value, 4) for name, value in found.items()})


class Contradiction(Signal):
    """P(the passages say otherwise) of the claim where it is highest; needs a verifier."""

    name = "contradiction"

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        if reading.blocker is not None:
            return Unavailable(reading.blocker)
        told = [found.contradiction for found in reading.readings if found is not None]
        return Measured(max(told)) if told else Unavailable("the response says nothing that can be checked")


def figures(reading: Reading) -> dict[str, float] | None:
    """What the risk rests on, or None when nothing was claimed.

    ``worst``, ``second`` and ``mean`` are log odds of "unsupported" by the verifier: the highest, the second
    highest (the highest of one claim) and the mean. ``unworded`` is one minus the lowest lexical support
    (`assay.signals.support`), ``unworded_mean`` one minus the mean. ``wrong`` counts the values that stand
    nowhere or are contradicted (`assay.signals.facts`), at most 4; ``claims`` is the logarithm of the number
    of claims.
    """
    odds, worded, wrong = [], [], 0
    for part, found, findings in zip(reading.segments, reading.readings, reading.findings, strict=True):
        if found is None:
            continue
        odds.append(_logit(1.0 - found.support))
        words = reading.corpus.support(terms(reading.without_citations(part.start, part.end)))
        worded.append(unit(words.value) if words is not None else 1.0)
        wrong += sum(finding.severity != "needs_arithmetic" for finding in findings)
    if not odds:
        return None
    ordered = sorted(odds, reverse=True)
    return {
        "worst": ordered[0],
        "second": ordered[min(1, len(ordered) - 1)],
        "mean": sum(odds) / len(odds),
        "unworded": 1.0 - min(worded),
        "unworded_mean": 1.0 - sum(worded) / len(worded),
        "wrong": float(min(4, wrong)),
        "claims": math.log(len(odds)),
    }


@cache
def coefficients() -> Mapping[str, float]:
    """The fitted weights by figure, and ``intercept``."""
    fitted: dict[str, float] = json.loads((files("assay.signals") / "risk.json").read_text("utf-8"))[
        "weights"
    ]
    return fitted


def _logit(p: float) -> float:
    p = min(1.0 - 1e-9, max(1e-9, p))
    return min(LONGEST_LOGIT, max(-LONGEST_LOGIT, math.log(p / (1.0 - p))))


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(60.0, max(-60.0, x))))
