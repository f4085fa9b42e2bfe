"""Conversations of a verdict file: all counted by their worst turn, the worst few kept turn by turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from assay.batch.digests import NameMap
from assay.batch.intervals import Share
from assay.batch.tally import clip
from assay.batch.verdict_rows import Line, VerdictRow
from assay.verdict import Decision

MAX_TURNS = 200
"""Turns of a conversation that are kept; further ones are counted."""
SEVERITY = {Decision.ACCEPT: 0, Decision.REVIEW: 1, Decision.REJECT: 2}
"""How bad a decision is."""
_BY_SEVERITY = {severity: decision for decision, severity in SEVERITY.items()}


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """One row of a conversation."""

    id: str
    line: int
    decision: Decision
    failure_type: str


@dataclass(slots=True)
class Conversation:
    """Rows that share a conversation's name, in the file's order. Its decision is that of its worst turn."""

    name: str
    file: str
    decision: Decision
    turns: list[TurnSeen] = field(default_factory=list)
    n: int = 0

    def add(self, row: VerdictRow) -> None:
        """Add a row as the next turn."""
        self.n += 1
        if len(self.turns) < MAX_TURNS:
            self.turns.append(TurnSeen(clip(row.name, 200), row.line, row.decision, row.failure_type))

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "conversation": self.name,
            "file": self.file,
            "decision": self.decision.value,
            "n_turns": self.n,
            "turns": [
                {"id": t.id, "line": t.line, "decision": t.decision.value, "failure_type": t.failure_type}
                for t in self.turns
            ],
        }


class Conversations:
    """Counts conversations by decision. Needs 9 bytes a conversation, and no order of the rows."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._worst = NameMap()
        self._merged = dict.fromkeys(Decision, 0)
        self.kept: list[Conversation] = []

    def add(self, row: VerdictRow) -> None:
        """Count a row's conversation, if it has one."""
        if row.conversation is not None:
            self._worst.put(row.conversation, SEVERITY[row.decision])

    @property
    def counts(self) -> dict[Decision, int]:
        """Conversations by the decision of their worst turn."""
        own = self._worst.counts()
        return {d: self._merged[d] + own.get(SEVERITY[d], 0) for d in Decision}

    @property
    def n(self) -> int:
        """All conversations."""
        return sum(self.counts.values())

    def share(self, decision: Decision) -> Share:
        """The share of conversations whose worst turn has this decision."""
        return Share(self.counts[decision], self.n)

    def keep(self, lines: Iterable[Line], limit: int) -> None:
        """In a second pass over the same rows, keep the worst conversations (the first in the file) in full.

        Which ones are the worst is known only at the end of the first pass, and they may not be contiguous.
        """
        found: dict[int, dict[str, Conversation]] = {severity: {} for severity in _BY_SEVERITY}
        room = self._room(limit)
        for line in lines:
            name = line.name("conversation")
            worst = None if name is None else self._worst.find(name)
            if name is None or worst is None or not room[worst]:
                continue
            level = found[worst]
            if name not in level and len(level) < room[worst]:
                level[name] = Conversation(clip(name, 200), self._file, _BY_SEVERITY[worst])
            if name in level:
                level[name].add(line.parse())
        self.kept = [c for severity in sorted(found, reverse=True) for c in found[severity].values()]

    def _room(self, limit: int) -> dict[int, int]:
        """How many conversations of each severity are kept, the worst first."""
        counts, room = self._worst.counts(), {}
        for severity in sorted(_BY_SEVERITY, reverse=True):
            room[severity] = min(limit, counts.get(severity, 0))
            limit -= room[severity]
        return room

    def merge(self, other: Conversations, limit: int) -> None:
        """Add another file's conversations. A name that both files have counts once for each file."""
        for decision, count in other.counts.items():
            self._merged[decision] += count
        ranked = sorted([*self.kept, *other.kept], key=lambda c: -SEVERITY[c.decision])
        self.kept = ranked[:limit]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "n": self.n,
            "decisions": {d.value: self.share(d).to_dict() for d in Decision},
            "worst": [conversation.to_dict() for conversation in self.kept],
        }
