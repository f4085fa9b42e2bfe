"""Rows that two verdict files share, by id: how many decisions changed, which way, and which rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.batch.chance import LEVEL, mcnemar
from assay.batch.conversations import SEVERITY
from assay.batch.digests import AMBIGUOUS, NameMap
from assay.batch.intervals import Share
from assay.batch.kept import KeptRow
from assay.batch.tally import Ranked
from assay.batch.verdict_rows import Line, PartialLine, decision_of, read_lines
from assay.verdict import Decision

_DECISIONS = tuple(SEVERITY)


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row whose decision differs: the earlier decision, and the row as it is in the later file."""

    before: Decision
    after: KeptRow

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"before": self.before.value, "after": self.after.to_dict()}


@dataclass(frozen=True, slots=True)
class Pairs:
    """The rows whose id is in both files.

    Attributes:
        moves: Rows by (earlier decision, later decision).
        only_earlier: Different ids that only the earlier file has.
        only_later: Different ids that only the later file has.
        left_out: Different ids that come twice in a file, so that it is unclear which rows belong together.
        examples: Changed rows: the largest worsening first, the largest improvement last, ties by id.
    """

    moves: dict[tuple[Decision, Decision], int]
    only_earlier: int
    only_later: int
    left_out: int
    examples: tuple[ChangedRow, ...]

    @property
    def n(self) -> int:
        """Rows in both files."""
        return sum(self.moves.values())

    @property
    def changed(self) -> Share:
        """Rows with another decision, among those in both."""
        return Share(sum(count for (a, b), count in self.moves.items() if a is not b), self.n)

    @property
    def lost(self) -> int:
        """Rows that were ACCEPT and no longer are."""
        return sum(c for (a, b), c in self.moves.items() if a is Decision.ACCEPT and b is not a)

    @property
    def gained(self) -> int:
        """Rows that were not ACCEPT and now are."""
        return sum(c for (a, b), c in self.moves.items() if b is Decision.ACCEPT and a is not b)

    @property
    def p(self) -> float:
        """Exact McNemar test of lost against gained ACCEPTs."""
        return mcnemar(self.lost, self.gained)

    @property
    def beyond_chance(self) -> bool:
        """Whether ACCEPT was lost more often than gained, or less often, beyond chance."""
        return self.p < LEVEL

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "n": self.n,
            "changed": self.changed.to_dict(),
            "accept_lost": self.lost,
            "accept_gained": self.gained,
            "p": self.p,
            "beyond_chance": self.beyond_chance,
            "test": "exact McNemar test of ACCEPT lost against gained",
            "moves": {f"{a.value} -> {b.value}": count for (a, b), count in self.moves.items()},
            "only_earlier": self.only_earlier,
            "only_later": self.only_later,
            "left_out": self.left_out,
            "examples": [example.to_dict() for example in self.examples],
        }


def pair_rows(earlier: str | Path, later: str | Path, top: int) -> Pairs | None:
    """Match two files by id, or None if no id is in both. Needs 9 bytes a row of each file.

    Raises:
        InputError: As for `read_lines`.
    """
    before, after = _decisions_by_id(earlier), _decisions_by_id(later)
    moves = {(a, b): 0 for a in _DECISIONS for b in _DECISIONS}
    common, repeated = before.common(after)
    examples: Ranked[ChangedRow] = Ranked(top)
    for line in read_lines(later):
        name = None if isinstance(line, PartialLine) else line.name("id")
        if name is None or isinstance(line, PartialLine):
            continue
        was, now = before.find(name), after.find(name)
        if was is None or now is None or AMBIGUOUS in (was, now):
            continue
        moves[_DECISIONS[was], _DECISIONS[now]] += 1
        if was != now:
            examples.offer((was - now, name, line.number), _maker(_DECISIONS[was], line))
    if not common:
        return None
    return Pairs(moves, len(before) - common, len(after) - common, repeated, tuple(examples.items))


def _decisions_by_id(path: str | Path) -> NameMap:
    decisions = NameMap(unique=True)
    for line in read_lines(path):
        name = None if isinstance(line, PartialLine) else line.name("id")
        if name is not None and isinstance(line, Line):
            decisions.put(name, SEVERITY[decision_of(line.fields)])
    return decisions


def _maker(before: Decision, line: Line) -> Callable[[], ChangedRow]:
    return lambda: ChangedRow(before, KeptRow.of(line.parse(), line.file))
