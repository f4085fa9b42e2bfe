"""What comes out: measurements, claims, and the verdict with its evidence."""

from assay.verdict.measurement import Measured, Measurement, Unavailable, unit
from assay.verdict.parts import Claim, Comparison, Evidence, GateTrace, JSONValue, Meta, RowError
from assay.verdict.verdict import Verdict
from assay.verdict.vocabulary import (
    ACTION_MEANINGS,
    FAILURE_MEANINGS,
    Action,
    ClaimStatus,
    Decision,
    FailureType,
    HallucinationStatus,
    Tier,
)

__all__ = [
    "ACTION_MEANINGS",
    "FAILURE_MEANINGS",
    "Action",
    "Claim",
    "ClaimStatus",
    "Comparison",
    "Decision",
    "Evidence",
    "FailureType",
    "GateTrace",
    "HallucinationStatus",
    "JSONValue",
    "Measured",
    "Measurement",
    "Meta",
    "RowError",
    "Tier",
    "Unavailable",
    "Verdict",
    "unit",
]
