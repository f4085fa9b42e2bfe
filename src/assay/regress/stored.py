"""A case as a baseline keeps it: what was asked and answered, how it was judged, who approved a change."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, model_validator

from assay.regress.cases import Case
from assay.sample import Passage, Sample, Turn
from assay.verdict import ClaimStatus, Decision, FailureType, Verdict

FINAL = "final"
UNSUPPORTED = (ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED)


def _text(value: object) -> str:
    # Not pydantic's own check: a response may hold a lone surrogate, which that refuses.
    if not isinstance(value, str):
        raise ValueError(f"expected text, got {type(value).__name__}")
    return value


def _no_flag(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("expected a number, not true or false")
    return value


Text = Annotated[str, PlainValidator(_text)]
Score = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False), BeforeValidator(_no_flag)]
Offset = Annotated[int, Field(ge=0), BeforeValidator(_no_flag)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Part(BaseModel):
    """A part of a baseline: no field that is not known, and none that changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class StoredPassage(Part):
    """A passage as it was given."""

    text: Text
    title: Text | None = None
    id: Text | None = None


class StoredTurn(Part):
    """An earlier turn of the conversation."""

    role: Text
    content: Text


class ClaimState(Part):
    """Where a claim stood in the response, and what was found."""

    start: Offset
    end: Offset
    status: ClaimStatus
    support: Score | None


class Approval(Part):
    """Why a verdict was taken over as the new baseline, and what it replaced."""

    date: Text
    reason: Text
    was: Decision | None
    was_final: Score | None


class StoredCase(Part):
    """A case with its verdict. Texts are there, or their hashes, never both."""

    id: Text
    query: Text
    passages: tuple[StoredPassage, ...] | None = None
    history: tuple[StoredTurn, ...] = ()
    response: Text | None = None
    passages_sha256: Hash | None = None
    response_sha256: Hash | None = None
    decision: Decision
    failure_type: FailureType
    scores: dict[str, Score | None]
    unavailable: dict[str, Text] = {}
    claims: tuple[ClaimState, ...] = ()
    must: Literal[Decision.ACCEPT, Decision.REJECT] | None = None
    approvals: tuple[Approval, ...] = ()

    @model_validator(mode="after")
    def _has_texts_or_hashes(self) -> StoredCase:
        for name in ("passages", "response"):
            if (getattr(self, name) is None) == (getattr(self, f"{name}_sha256") is None):
                raise ValueError(f"give {name} or {name}_sha256, one of them")
        return self

    @property
    def final(self) -> float | None:
        """The final score, or None where there was none."""
        return self.scores.get(FINAL)

    @property
    def unsupported(self) -> int:
        """How many claims were unsupported or contradicted."""
        return sum(claim.status in UNSUPPORTED for claim in self.claims)

    @property
    def digests(self) -> tuple[str, str, str]:
        """Hashes of query, passages and response, to tell whether two cases hold the same."""
        passages = self.passages_sha256 or _passages_hash(self.passages or ())
        return _sha256(self.query), passages, self.response_sha256 or _sha256(self.response or "")

    def sample(self) -> Sample | None:
        """What was judged, or None if only hashes were kept."""
        if self.passages is None or self.response is None:
            return None
        passages = [Passage(p.text, p.title, p.id) for p in self.passages]
        history = [Turn(turn.role, turn.content) for turn in self.history]
        return Sample(self.query, passages, self.response, self.id, history)


def stored_case(case: Case, sample: Sample, verdict: Verdict, *, text: bool) -> StoredCase:
    """What a baseline keeps of a judged case.

    Args:
        case: The case.
        sample: Its sample.
        verdict: The verdict on it.
        text: Whether passages and response are kept, or their hashes.
    """
    passages = tuple(StoredPassage(text=p.text, title=p.title, id=p.id) for p in sample.passages)
    kept: dict[str, Any] = {
        "passages": passages,
        "response": sample.response,
        "history": tuple(StoredTurn(role=t.role, content=t.content) for t in sample.history),
        "unavailable": dict(verdict.unavailable),
    }
    hashes = {"passages_sha256": _passages_hash(passages), "response_sha256": _sha256(sample.response)}
    claims = (
        ClaimState(start=c.start, end=c.end, status=c.status, support=c.support) for c in verdict.claims
    )
    return StoredCase(
        id=case.id,
        query=sample.query,
        decision=verdict.decision,
        failure_type=verdict.failure_type,
        scores=dict(verdict.scores),
        claims=tuple(claims),
        must=case.must,  # type: ignore[arg-type]
        **(kept if text else hashes),
    )


def _passages_hash(passages: tuple[StoredPassage, ...]) -> str:
    return _sha256(json.dumps([[p.text, p.title, p.id] for p in passages]))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
