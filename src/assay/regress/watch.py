"""What a test run judges: the plugin's memory, without a word of pytest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.regress.defaults import Defaults, enter, failure, least_decision, leave, worse
from assay.verdict import Decision, Verdict

if TYPE_CHECKING:
    from assay.engine import Assay
    from assay.regress.judging import Judged
    from assay.sample import Sample

Seen = dict[str, tuple[str, "Judged"]]
"""By case id: the test that judged it, and the case with its verdict."""


class Watch:
    """Gives tests their engines and keeps every verdict, under the sample's id or the test's.

    Args:
        profile: The profile of tests that name none.

    Attributes:
        defaults: What is in force in the present test.
        seen: The verdicts.
        failed: Whether the run must fail.
        message: What is printed at its end, or empty.
    """

    def __init__(self, profile: str) -> None:
        self.defaults = Defaults(profile=profile, make=self._engine)
        self.seen: Seen = {}
        self.failed = False
        self.message = ""
        self._profile = profile
        self._test = ""
        self._unnamed = 0
        self._least: Decision | None = None
        self._verdicts: list[Verdict] = []
        self._clashes: list[str] = []
        enter(self.defaults)

    def close(self) -> None:
        """Take the defaults out of force."""
        leave(self.defaults)

    def begin(self, test: str, marked: Mapping[str, object]) -> None:
        """Start a test.

        Args:
            test: Its name in the run.
            marked: ``profile`` and ``min_decision``, as far as a marker gives them.

        Raises:
            InputError: A value is of no use.
        """
        self._test, self._unnamed, self._verdicts = test, 0, []
        self.defaults.settled.clear()
        self.defaults.profile, self._least = self._profile, None
        self.defaults.min_decision = Decision.ACCEPT
        if "min_decision" in marked:
            self._least = self.defaults.min_decision = least_decision(marked["min_decision"])
        if "profile" in marked:
            if not isinstance(marked["profile"], str):
                raise InputError("expected the name or path of a profile", field="profile")
            self.defaults.profile = marked["profile"]

    def below_least(self) -> str | None:
        """What is to be said of verdicts below the marker's least decision, which nobody looked at yet."""
        if self._least is None:
            return None
        settled = {id(verdict) for verdict in self.defaults.settled}
        least = self._least
        bad = [v for v in self._verdicts if id(v) not in settled and worse(v.decision, least)]
        return "\n\n".join(failure(verdict, least) for verdict in bad) or None

    def take(self, sample: Sample, verdict: Verdict) -> None:
        """Keep a verdict."""
        from assay.regress.cases import Case

        self._verdicts.append(verdict)
        name = sample.id
        if name is None:
            self._unnamed += 1
            name = self._test if self._unnamed == 1 else f"{self._test}#{self._unnamed}"
        self.add({name: (self._test, (Case(name, sample), verdict))})

    def add(self, seen: Seen) -> None:
        """Take verdicts over; a test that ran again replaces its own."""
        for name, entry in seen.items():
            other = self.seen.get(name)
            if other is not None and other[0] != entry[0]:
                self._clashes.append(f"{name} (in {other[0]} and {entry[0]})")
            self.seen[name] = entry

    def compare(self, baseline: str) -> None:
        """Compare the verdicts with a baseline; what this run did not judge does not count."""
        from assay.regress.report import Missing
        from assay.regress.suite import RegressionSuite

        try:
            report = RegressionSuite(baseline).run_judged(self._judged())
        except InputError as error:
            self._fail(f"not compared: {error}")
            return
        report = replace(report, missing=tuple(Missing(m.id, None) for m in report.missing))
        self.failed = report.failed
        self.message = str(report)

    def record(self, baseline: str, *, passed: bool) -> None:
        """Write the verdicts as a baseline, if all tests passed."""
        from assay.regress.suite import RegressionSuite

        if not passed:
            self._fail(f"{baseline} was not written, as not all tests passed")
            return
        try:
            recorded = RegressionSuite(baseline).record_judged(self._judged(), overwrite=True)
        except InputError as error:
            self._fail(f"{baseline} was not written: {error}")
            return
        self.message = f"{len(recorded.cases)} cases recorded in {baseline}"

    def _judged(self) -> list[Judged]:
        if self._clashes:
            raise InputError(f"two tests judged a case of one id: {'; '.join(self._clashes[:5])}")
        if not self.seen:
            raise InputError("no test judged a response (by the fixture assay, or assert_grounded)")
        return [self.seen[name][1] for name in sorted(self.seen)]

    def _fail(self, message: str) -> None:
        from assay.text.printable import printable

        self.failed, self.message = True, printable(message)

    def _engine(self, profile: str) -> Assay:
        from assay.regress.watched import WatchedAssay

        return WatchedAssay(profile, self.take)
