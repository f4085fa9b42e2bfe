"""An engine that tells of every verdict."""

from __future__ import annotations

from collections.abc import Callable

from assay.engine import Assay
from assay.sample import Sample
from assay.verdict import Verdict


class WatchedAssay(Assay):
    """The same engine; each verdict is also handed on.

    Args:
        profile: Profile to judge under.
        told: Gets every sample with its verdict.
    """

    def __init__(self, profile: str, told: Callable[[Sample, Verdict], None]) -> None:
        super().__init__(profile)
        self._told = told

    def _judge(self, sample: Sample) -> Verdict:
        verdict = super()._judge(sample)
        self._told(sample, verdict)
        return verdict
