"""Assay decides what an LLM application may ship.

    from assay import Assay

    verdict = Assay().check(query="...", context=["..."], response="...")
    print(verdict.decision, verdict.reason)

Names are imported when they are first used, so ``import assay`` itself takes milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from assay.version import __version__

if TYPE_CHECKING:
    from assay.engine import Assay
    from assay.errors import AssayError, InputError, ModelError, PluginError, ProfileError
    from assay.judge import Judge
    from assay.regress.budget import Budget
    from assay.regress.grounded import assert_grounded
    from assay.regress.report import RegressionReport
    from assay.regress.suite import RegressionSuite
    from assay.sample import Passage, Sample, Turn
    from assay.verdict import (
        Claim,
        Decision,
        Evidence,
        FailureType,
        Measured,
        Measurement,
        Unavailable,
        Verdict,
    )

_HOMES = {
    "Assay": "engine",
    "AssayError": "errors",
    "Budget": "regress.budget",
    "Claim": "verdict",
    "Decision": "verdict",
    "Evidence": "verdict",
    "FailureType": "verdict",
    "InputError": "errors",
    "Judge": "judge",
    "Measured": "verdict",
    "Measurement": "verdict",
    "ModelError": "errors",
    "Passage": "sample",
    "PluginError": "errors",
    "ProfileError": "errors",
    "RegressionReport": "regress.report",
    "RegressionSuite": "regress.suite",
    "Sample": "sample",
    "Turn": "sample",
    "Unavailable": "verdict",
    "Verdict": "verdict",
    "assert_grounded": "regress.grounded",
}

__all__ = [
    "Assay",
    "AssayError",
    "Budget",
    "Claim",
    "Decision",
    "Evidence",
    "FailureType",
    "InputError",
    "Judge",
    "Measured",
    "Measurement",
    "ModelError",
    "Passage",
    "PluginError",
    "ProfileError",
    "RegressionReport",
    "RegressionSuite",
    "Sample",
    "Turn",
    "Unavailable",
    "Verdict",
    "__version__",
    "assert_grounded",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    return getattr(import_module(f"assay.{_HOMES[name]}"), name)
