"""How much worse a run may be before it fails."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.errors import InputError

DEFAULT_THRESHOLD = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a run may cost. Nothing given means that no case may regress.

    Args:
        threshold: Largest drop of a case's final score that is no regression.
        max_regressions: So many cases may regress; 0 unless this or ``min_pass_rate`` is given.
        min_pass_rate: Least share, 0..1, of the compared cases that may not regress.
        max_mean_drop: Largest drop of the mean final score.
        fail_on_new: Cases that the baseline lacks fail the run.
        fail_on_missing: Cases of the baseline that the run lacks fail it.
        report_only: None of these fails the run; cases bound by ``must`` and unjudged rows still do.

    Raises:
        InputError: A number is out of its range.
    """

    threshold: float = DEFAULT_THRESHOLD
    max_regressions: int | None = None
    min_pass_rate: float | None = None
    max_mean_drop: float | None = None
    fail_on_new: bool = False
    fail_on_missing: bool = False
    report_only: bool = False

    def __post_init__(self) -> None:
        for name in ("threshold", "min_pass_rate", "max_mean_drop"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and 0.0 <= value <= 1.0):
                raise InputError(f"expected a number from 0 to 1, got {value:g}", field=name)
        if self.max_regressions is not None and self.max_regressions < 0:
            raise InputError(f"expected 0 or more, got {self.max_regressions}", field="max_regressions")

    @property
    def regressions_allowed(self) -> int | None:
        """The limit on their number, or None where only their share is limited."""
        if self.max_regressions is None and self.min_pass_rate is None:
            return 0
        return self.max_regressions
