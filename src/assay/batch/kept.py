"""The rows that a report shows one by one, with their text cut to what a page can hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.batch.tally import clip
from assay.batch.verdict_rows import VerdictRow
from assay.verdict import Decision

MAX_SENTENCES = 5
"""Low-confidence sentences kept of a row; further ones are counted."""
_MAX_ID = 200
_MAX_TEXT = 600


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row as a report shows it.

    Attributes:
        more_sentences: Low-confidence sentences that were left out.
    """

    id: str
    file: str
    line: int
    decision: Decision
    failure_type: str
    next_action: str
    action_why: str
    reason: str
    sentences: tuple[str, ...]
    more_sentences: int
    final: float | None
    latency_ms: float | None

    @classmethod
    def of(cls, row: VerdictRow, file: str) -> KeptRow:
        """Keep a row of a file."""
        return cls(
            id=clip(row.name, _MAX_ID),
            file=file,
            line=row.line,
            decision=row.decision,
            failure_type=clip(row.failure_type, _MAX_ID),
            next_action=clip(row.next_action, _MAX_ID),
            action_why=clip(row.action_why, _MAX_TEXT),
            reason=clip(row.reason, _MAX_TEXT),
            sentences=tuple(clip(text, _MAX_TEXT) for text in row.sentences[:MAX_SENTENCES]),
            more_sentences=max(0, len(row.sentences) - MAX_SENTENCES),
            final=row.scores.get("final"),
            latency_ms=row.latency_ms,
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "id": self.id,
            "file": self.file,
            "line": self.line,
            "decision": self.decision.value,
            "failure_type": self.failure_type,
            "next_action": self.next_action,
            "action_why": self.action_why,
            "reason": self.reason,
            "low_confidence_sentences": list(self.sentences),
            "more_sentences": self.more_sentences,
            "final": self.final,
            "latency_ms": self.latency_ms,
        }


@dataclass(frozen=True, slots=True)
class KeptError:
    """A row that could not be judged."""

    id: str
    file: str
    line: int
    type: str
    message: str

    @classmethod
    def of(cls, row: VerdictRow, error: tuple[str, str], file: str) -> KeptError:
        """Keep a row's error."""
        kind, message = error
        return cls(clip(row.name, _MAX_ID), file, row.line, clip(kind, _MAX_ID), clip(message, _MAX_TEXT))

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "id": self.id,
            "file": self.file,
            "line": self.line,
            "type": self.type,
            "message": self.message,
        }
