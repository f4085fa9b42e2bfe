"""Making new verdicts the baseline, with the reason kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.engine import Assay
from assay.errors import InputError
from assay.regress.baseline import Baseline, measure_of, read_baseline, write_baseline, writing
from assay.regress.cases import Cases, as_cases
from assay.regress.judging import judged, stored_cases
from assay.regress.stored import Approval, StoredCase


@dataclass(frozen=True, slots=True)
class Approved:
    """A case of the baseline before and after it was approved; ``before`` is None for a new one."""

    before: StoredCase | None
    after: StoredCase


def approve(
    path: Path,
    last: Path,
    ids: Sequence[str],
    reason: str,
    assay: Assay | None,
    answers: Cases | None,
    date: str,
) -> list[Approved]:
    """Replace cases of the baseline at ``path``; see `RegressionSuite.approve`.

    Args:
        path: The baseline.
        last: Where the last run left its verdicts.
        ids: The cases.
        reason: Why they may change.
        assay: The engine that judges ``answers``.
        answers: New answers, or None to take the last run's verdicts.
        date: ISO date of the approval.
    """
    if not reason.strip():
        raise InputError("say why the change is right", field="reason")
    with writing(path):
        baseline = read_baseline(path)
        if answers is None:
            fresh = _from_last(baseline, last)
            source = str(last)
        else:
            fresh = _from_answers(baseline, ids, assay, answers, str(path))
            source = os.fspath(answers) if isinstance(answers, str | os.PathLike) else "the answers"
        cases = baseline.by_id()
        approved = []
        for id_ in dict.fromkeys(ids):
            if id_ not in fresh:
                raise InputError(f"there is no case {id_!r}", file=source)
            change = Approved(cases.get(id_), _approval(cases.get(id_), fresh[id_], reason.strip(), date))
            cases[id_] = change.after
            approved.append(change)
        ordered = tuple(sorted(cases.values(), key=lambda case: case.id))
        write_baseline(path, baseline.model_copy(update={"cases": ordered}))
    return approved


def _from_last(baseline: Baseline, last: Path) -> dict[str, StoredCase]:
    if not last.is_file():
        raise InputError(
            "there are no verdicts to approve; run the gate first, or name the answers (--from)",
            file=str(last),
        )
    found = read_baseline(last)
    _same_measure(baseline.differences(found.measure()), str(last))
    if found.text is not baseline.text:
        raise InputError("this run was made against another baseline; run the gate again", file=str(last))
    return found.by_id()


def _from_answers(
    baseline: Baseline, ids: Sequence[str], assay: Assay | None, answers: Cases, file: str
) -> dict[str, StoredCase]:
    if assay is None:
        raise InputError("answers need an engine to judge them", field="assay")
    _same_measure(baseline.differences(measure_of(assay)), file)
    chosen = [case for case in as_cases(answers) if case.id in ids]
    return {case.id: case for case in stored_cases(judged(assay, chosen), text=baseline.text)}


def _same_measure(changed: list[str], file: str) -> None:
    if changed:
        raise InputError(
            f"the new verdicts were not made as the baseline's were ({'; '.join(changed)}); "
            "approve under the baseline's profile, or record the baseline anew",
            file=file,
        )


def _approval(before: StoredCase | None, fresh: StoredCase, reason: str, date: str) -> StoredCase:
    must = (before.must if before else None) or fresh.must
    if must is not None and fresh.decision is not must:
        raise InputError(
            f"{fresh.id} must be {must} and is {fresh.decision}; such a case is mended, not approved "
            "(or its 'must' is taken back)",
            field="must",
        )
    was = Approval(
        date=date,
        reason=reason,
        was=before.decision if before else None,
        was_final=before.final if before else None,
    )
    earlier = before.approvals if before else ()
    return fresh.model_copy(update={"must": must, "approvals": (*earlier, was)})
