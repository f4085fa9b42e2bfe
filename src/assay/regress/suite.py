"""Recording a baseline, running against it, and approving what changed on purpose."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from assay.engine import Assay
from assay.errors import InputError
from assay.regress.approve import Approved, approve
from assay.regress.baseline import (
    Baseline,
    make_baseline,
    measure_of,
    now,
    read_baseline,
    write_baseline,
    writing,
)
from assay.regress.budget import Budget
from assay.regress.cases import Case, Cases, as_cases
from assay.regress.compare import compare
from assay.regress.judging import Judged, common_measure, judged, stored_cases, trouble
from assay.regress.report import Against, Missing, New, RegressionReport, Unjudged
from assay.regress.stored import FINAL, StoredCase
from assay.verdict import Decision


class RegressionSuite:
    """The cases of one baseline file.

    Args:
        path: The baseline; it need not exist before `record`.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._last: Baseline | None = None

    @property
    def last_path(self) -> Path:
        """Where `run` leaves its verdicts for `approve`: ``baseline.last.json`` beside ``baseline.json``."""
        return self.path.with_name(f"{self.path.stem}.last.json")

    def baseline(self) -> Baseline:
        """Read the baseline.

        Raises:
            InputError: There is none, or it is no baseline.
        """
        return read_baseline(self.path)

    def record(
        self,
        assay: Assay,
        cases: Cases,
        *,
        text: bool = True,
        overwrite: bool = False,
        date: str | None = None,
    ) -> Baseline:
        """Judge cases and keep the verdicts as the baseline. All of them, or nothing is written.

        Args:
            assay: The engine.
            cases: A file, or samples or rows.
            text: Keep passages and responses; False keeps their hashes.
            overwrite: Replace a baseline that exists.
            date: ISO date of the baseline; by default now.

        Raises:
            UnjudgedError: A case could not be judged.
            InputError: The cases cannot be read, or the baseline exists or cannot be written.
        """
        self._refuse_existing(overwrite)
        verdicts = list(judged(assay, as_cases(cases)))
        return self.record_judged(verdicts, text=text, overwrite=overwrite, date=date)

    def record_judged(
        self,
        verdicts: Sequence[Judged],
        *,
        text: bool = True,
        overwrite: bool = False,
        date: str | None = None,
    ) -> Baseline:
        """`record`, of cases that were judged already, all under one profile."""
        measure = common_measure(verdicts)
        baseline = make_baseline(measure, stored_cases(verdicts, text=text), text=text, date=date)
        with writing(self.path):
            self._refuse_existing(overwrite)
            write_baseline(self.path, baseline)
        return baseline

    def run(
        self,
        assay: Assay,
        cases: Cases,
        *,
        budget: Budget | None = None,
        rescore: bool = False,
        date: str | None = None,
        keep: bool = True,
    ) -> RegressionReport:
        """Judge cases and compare them with the baseline.

        Args:
            assay: The engine.
            cases: A file, or samples or rows, with the ids of the baseline's.
            budget: How much worse they may be; by default no case may regress.
            rescore: Judge the stored responses by this engine, too, where the baseline was judged by another.
            date: ISO date of the run; by default now.
            keep: Leave the verdicts beside the baseline, for `approve`.

        Raises:
            InputError: The cases or the baseline cannot be read, have no case in common, or the baseline
                was judged by another profile or scorer and ``rescore`` is False.
        """
        baseline = self.baseline()
        before, rescored = _measured_alike(baseline, assay, rescore, str(self.path))
        verdicts = list(judged(assay, as_cases(cases)))
        report = self.compare(baseline, before, verdicts, budget=budget, rescored=rescored, date=date)
        judgeable = [pair for pair in verdicts if trouble(*pair) is None]
        kept = stored_cases(judgeable, text=baseline.text)
        self._last = (
            make_baseline(measure_of(assay), kept, text=baseline.text, date=report.date) if kept else None
        )
        if keep:
            self.keep_last()
        return report

    def keep_last(self) -> None:
        """Leave the verdicts of the last `run` beside the baseline, for `approve`.

        Raises:
            InputError: They cannot be written.
        """
        if self._last is not None:
            with writing(self.last_path):
                write_baseline(self.last_path, self._last)

    def run_judged(
        self, verdicts: Sequence[Judged], *, budget: Budget | None = None, date: str | None = None
    ) -> RegressionReport:
        """`run`, over cases that were judged already; nothing is left for `approve`."""
        baseline = self.baseline()
        if changed := baseline.differences(common_measure(verdicts)):
            raise _otherwise("; ".join(changed), "", str(self.path))
        return self.compare(baseline, baseline.by_id(), verdicts, budget=budget, date=date)

    def compare(
        self,
        baseline: Baseline,
        before: dict[str, StoredCase],
        verdicts: Sequence[Judged],
        *,
        budget: Budget | None = None,
        rescored: str | None = None,
        date: str | None = None,
    ) -> RegressionReport:
        """Compare verdicts with a baseline's cases; `run` without the judging.

        Raises:
            InputError: They have no case in common, or disagree on a ``must``.
        """
        budget = budget or Budget()
        differences, new, unjudged = [], [], []
        for case, verdict in verdicts:
            stored = before.get(case.id)
            if (message := trouble(case, verdict)) is not None:
                unjudged.append(Unjudged(case, message))
            elif stored is None:
                new.append(New(case, verdict.decision, verdict.scores.get(FINAL), case.must))
            else:
                must = _bound(case, stored)
                differences.append(compare(case, stored, verdict, must=must, threshold=budget.threshold))
        if not differences and not unjudged:
            message = f"none of the {len(new)} cases has the id of one of the baseline's {len(before)}"
            raise InputError(message, file=str(self.path), field="cases")
        seen = {case.id for case, _ in verdicts}
        return RegressionReport(
            against=_against(self.path, baseline, rescored),
            budget=budget,
            date=date or now(),
            differences=tuple(differences),
            new=tuple(new),
            missing=tuple(Missing(c.id, c.must) for c in before.values() if c.id not in seen),
            unjudged=tuple(unjudged),
        )

    def approve(
        self,
        ids: Sequence[str],
        *,
        reason: str,
        assay: Assay | None = None,
        answers: Cases | None = None,
        date: str | None = None,
    ) -> list[Approved]:
        """Make the new verdicts of some cases the baseline, and keep why.

        Args:
            ids: The cases.
            reason: Why they may change.
            assay: The engine, where ``answers`` are given.
            answers: The new answers; by default those of the last `run` against this baseline.
            date: ISO date of the approval; by default now.

        Raises:
            InputError: There is no reason, no run, no such case, the run was judged otherwise than the
                baseline, or a case is bound to another decision.
        """
        return approve(self.path, self.last_path, ids, reason, assay, answers, date or now())

    def _refuse_existing(self, overwrite: bool) -> None:
        if self.path.exists() and not overwrite:
            raise InputError(
                "there is a baseline already; approve single cases, or replace it all (--overwrite)",
                file=str(self.path),
            )


def _measured_alike(
    baseline: Baseline, assay: Assay, rescore: bool, file: str
) -> tuple[dict[str, StoredCase], str | None]:
    """The baseline's cases by the measure of the engine, and what had to be done for it."""
    changed = baseline.differences(measure_of(assay))
    if not changed:
        return baseline.by_id(), None
    what = "; ".join(changed)
    if not rescore:
        raise _otherwise(what, "judge its responses again with --rescore, or ", file)
    samples = [(stored, stored.sample()) for stored in baseline.cases]
    if any(sample is None for _, sample in samples):
        raise _otherwise(what, "it holds no texts to judge again (--no-text); ", file)
    cases = [Case(stored.id, sample, must=stored.must) for stored, sample in samples]
    again = stored_cases(judged(assay, cases), text=True)
    return {case.id: case for case in again}, f"The stored responses were judged again, as the {what}."


def _otherwise(what: str, advice: str, file: str) -> InputError:
    return InputError(
        f"the baseline was judged otherwise ({what}), so that scores are not comparable; "
        f"{advice}record it anew",
        file=file,
    )


def _bound(case: Case, stored: StoredCase) -> Decision | None:
    if case.must and stored.must and case.must is not stored.must:
        message = f"{case.id} must be {case.must} here and {stored.must} in the baseline"
        raise InputError(message, file=case.file, line=case.line, field="must")
    return case.must or stored.must


def _against(path: Path, baseline: Baseline, rescored: str | None) -> Against:
    return Against(
        path=str(path),
        date=baseline.date,
        version=baseline.assay,
        profile=baseline.profile,
        policy_hash=baseline.policy_hash,
        scorer_hash=baseline.scorer_hash,
        cases=len(baseline.cases),
        rescored=rescored,
    )
